"""Actions."""

def _impl(ctx):
    out = ctx.new_file("out")
    beside = ctx.new_file(out, "beside")
    in_root = ctx.new_file(ctx.genfiles_dir, "x")
    ctx.experimental_new_directory("d")
    ctx.file_action(output = out, content = "", executable = True)
    ctx.action(command = "true", outputs = [out])
    ctx.action(executable = "true", outputs = [beside])
    ctx.action(outputs = [in_root])
    ctx.empty_action(mnemonic = "x", inputs = [])
    ctx.template_action(template = out, output = beside, substitutions = {}, executable = True)
    args = ctx.actions.args()
    args.add("-x", out)
    args.add(ctx.files.srcs, before_each = "-i")
    args.add(ctx.files.srcs, join_with = ",", before_each = "a" + "b")
    args.add(ctx.files.srcs, map_fn = _map)
    return struct(files = ctx.attr.dep.output_group.bin)

def _map(x):
    return x

my_rule = rule(implementation = _impl)
