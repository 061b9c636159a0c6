load(":b.bzl", "b")  # buildifier: disable=out-of-order-load
load(":a.bzl", "a")
