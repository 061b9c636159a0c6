"""The mode of a test: pinned by the target, or chosen on the command line."""

MODE_ATTRS = {
    "mode": attr.string(
        doc = "`strict` or `permissive` pins the test to that mode; by default the command line decides.",
        values = ["", "permissive", "strict"],
    ),
    "_mode": attr.label(
        allow_single_file = True,
        default = "@fixpoint_mode//:mode",
    ),
}

def add_mode(ctx, args):
    """Adds the mode to the command line of a test.

    Args:
        ctx (ctx): The context of a rule with `MODE_ATTRS`.
        args (Args): The command line.

    Returns:
        list[File]: The files that the test reads.
    """
    if ctx.attr.mode == "strict":
        args.add("--strict")
    if ctx.attr.mode:
        return []
    args.add(ctx.file._mode.short_path, format = "--mode-file=%s")
    return [ctx.file._mode]
