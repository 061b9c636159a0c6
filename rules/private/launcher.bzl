"""The executable of a target: a link to the binary, with its first arguments in a file beside it."""

load("//toolchain:toolchain.bzl", "TOOLCHAIN_TYPE")

def launcher(ctx, args, files):
    """Creates the executable of a rule.

    Args:
        ctx (ctx): The rule's context.
        args (Args): The arguments it starts with.
        files (list[File]): The files that it reads.

    Returns:
        DefaultInfo: With the executable and its runfiles.
    """
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE]
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = executable, target_file = toolchain.binary, is_executable = True)
    arguments = ctx.actions.declare_file(ctx.label.name + ".fixpoint-args")
    args.set_param_file_format("multiline")
    ctx.actions.write(arguments, args)
    return DefaultInfo(
        executable = executable,
        files = depset([executable, arguments]),
        runfiles = ctx.runfiles([arguments, toolchain.binary] + files),
    )
