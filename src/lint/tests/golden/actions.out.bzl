"""Actions."""

def _impl(ctx):
    out = ctx.actions.declare_file("out")
    beside = ctx.actions.declare_file("beside", sibling = out)
    in_root = ctx.new_file(ctx.genfiles_dir, "x")
    ctx.actions.declare_directory("d")
    ctx.actions.write(output = out, content = "", is_executable = True)
    ctx.actions.run_shell(command = "true", outputs = [out])
    ctx.actions.run(executable = "true", outputs = [beside])
    ctx.action(outputs = [in_root])
    ctx.actions.do_nothing(mnemonic = "x", inputs = [])
    ctx.actions.expand_template(template = out, output = beside, substitutions = {}, is_executable = True)
    args = ctx.actions.args()
    args.add("-x", out)
    args.add_all(ctx.files.srcs, before_each = "-i")
    args.add_joined(ctx.files.srcs, join_with = ",", format_each = ("a" + "b") + "%s")
    args.add_all(ctx.files.srcs, map_each = _map)
    return struct(files = ctx.attr.dep[OutputGroupInfo].bin)

def _map(x):
    return x

my_rule = rule(implementation = _impl)
