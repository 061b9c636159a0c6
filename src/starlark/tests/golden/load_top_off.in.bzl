x = 1
load(":a.bzl", "a")  # buildifier: disable=load-on-top
