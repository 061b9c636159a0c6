# About the first.
load(":a.bzl", "a")
load(":b.bzl", "b")
# About the second.
load(":a.bzl", "d", "c")  # beside the second

load(":c.bzl", "e")

# buildifier: disable=same-origin-load
load(":c.bzl", "f")
