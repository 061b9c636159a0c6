"""The mode of the command line, as a file that tests read when they run."""

_VARIABLE = "FIXPOINT_MODE"

_MODES = ["", "permissive", "strict"]

def _command_line_mode_impl(rctx):
    mode = rctx.getenv(_VARIABLE, "")
    if mode not in _MODES:
        fail("{} is `{}`; use `strict` or `permissive`".format(_VARIABLE, mode))
    rctx.file("mode", mode + "\n", executable = False)
    rctx.file("BUILD.bazel", """\
exports_files(
    ["mode"],
    visibility = ["//visibility:public"],
)
""")

command_line_mode = repository_rule(
    implementation = _command_line_mode_impl,
    doc = "The value of " + _VARIABLE + " (`--repo_env`). It is not a build setting, so changing it does not change the configuration: only the tests that read the file are analyzed and run again.",
)
