"""A rule that reports old names in a Python file, with fixes."""

load("@fixpoint//rules:defs.bzl", "FixInfo")

def _old_names_impl(ctx):
    source = ctx.file.src
    report = ctx.actions.declare_file(ctx.label.name + ".fix.json")
    ctx.actions.run(
        executable = ctx.executable._linter,
        arguments = [source.path, source.short_path, report.path],
        inputs = [source],
        outputs = [report],
    )
    file = struct(source = source, report = report)
    return [FixInfo(files = depset([file]))]

old_names = rule(
    implementation = _old_names_impl,
    doc = "Reports the old name `assertEquals`.",
    attrs = {
        "src": attr.label(allow_single_file = True),
        "_linter": attr.label(
            allow_single_file = True,
            cfg = "exec",
            default = "//:old_names.py",
            executable = True,
        ),
    },
)
