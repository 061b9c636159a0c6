load(":a.bzl", "a", "b", "c", z = "y")
load(
    ":b.bzl",
    "d",  # beside d
    # Above e.
    e = "f",
)
