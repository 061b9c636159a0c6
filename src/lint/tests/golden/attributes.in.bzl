"""Attributes."""

ATTRS = {
    "applicable_licenses": attr.label(),
    "licenses": attr.license(),
    "data": attr.label(cfg = "data", allow_files = True),
    "tool": attr.label(executable = True, cfg = "host"),
    "out": attr.output(default = "x"),
    "one": attr.label(
        # Why there is one.
        single_file = True,
        allow_files = [".cc"],
    ),
    "two": attr.label(single_file = False),
    "three": attr.label(single_file = maybe),
    "some": attr.label_list(non_empty = True),
    "more": attr.label_list(non_empty = a or b),
    "both": attr.label_list(allow_empty = a, non_empty = b),
}
