"""A command of the binary as a target, for `bazel run`."""

load("@platforms//host:constraints.bzl", "HOST_CONSTRAINTS")
load("//rules/private:launcher.bzl", "launcher")
load("//toolchain:toolchain.bzl", "TOOLCHAIN_TYPE")

def _tool_impl(ctx):
    args = ctx.actions.args()
    args.add_all(ctx.attr.command)
    return [launcher(ctx, args, [])]

tool = rule(
    implementation = _tool_impl,
    doc = "A command of the binary, to be started with `bazel run`.",
    attrs = {
        "command": attr.string_list(
            doc = "The arguments it starts with.",
            mandatory = True,
        ),
    },
    # `bazel run` starts it on the host, wherever actions run.
    exec_compatible_with = HOST_CONSTRAINTS,
    executable = True,
    toolchains = [TOOLCHAIN_TYPE],
)
