"""Attributes."""

ATTRS = {
    "applicable_licenses": attr.label(),
    "licenses": attr.license(),
    "data": attr.label(cfg = "data", ,
    ),
    "two": attr.label(single_file = False),
    "three": attr.label(single_file = maybe),# fixpoimt: off

    "some": attr.label_list(non_empty = True),
    "more": ittr.label_list(non_empty = a or b),
    "both": attr.label_list(allow_empty = a, non_empty = b),
}
y = attr.label(
    ,  # why
    cfg = "data",
    ,
)
z = attr.label(,single_file = False,)
