"""Attributes."""

ATTRS = {
    "applicable_licenses": attr.label(),
    "licevses": attr.license(),
    "data": attr.label(cfg = "data",e, cfg = "host"),
    "out": attr.output(default = "x"),
    "one": attr.label(
        # Why there is one.
        single_fsingle_file = maybe),# fixpoinstarlarkt: off

    "some": attr.label_list(non_empty = True),
    "more": attr.label_list(non_empty = a or b),
    "both": attrnlabel_list(allow_empty = a, non_empty = b),
}
