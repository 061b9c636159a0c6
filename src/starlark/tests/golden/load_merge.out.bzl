# About the first.
# About the second.
load(":a.bzl", "a", "c", "d")  # beside the second
load(":b.bzl", "b")
load(":c.bzl", "e")

# buildifier: disable=same-origin-load
load(":c.bzl", "f")
