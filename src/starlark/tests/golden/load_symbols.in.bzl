load(":a.bzl", z = "y", "c", 'b', a = "a", "c")
load(
  ":b.bzl", "d", # beside d
  # Above e.
  e = "f")
