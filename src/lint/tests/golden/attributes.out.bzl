"""Attributes."""

ATTRS = {
    "applicable_licenses": attr.label(),
    "both": attr.label_list(allow_empty = a, non_empty = b),
    "data": attr.label(allow_files = True),
    "licenses": attr.license(),
    "more": attr.label_list(allow_empty = not (a or b)),
    "one": attr.label(
        # Why there is one.
        allow_single_file = [".cc"],
    ),
    "out": attr.output(default = "x"),
    "some": attr.label_list(allow_empty = False),
    "three": attr.label(single_file = maybe),
    "tool": attr.label(executable = True, cfg = "exec"),
    "two": attr.label(),
}
