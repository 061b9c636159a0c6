load("@a", "w")
load("@a//p:q.bzl", "q")
load("@b//:x.bzl", "x")
load("//:root.bzl", "root")
load("//a/B:z.bzl", "z2")
load("//a/b:a.bzl", "a2")
load("//z:z.bzl", "z")
load(":a.bzl", "a")
load("b.bzl", "b")

# Breaks the run.

load("@y//:y.bzl", "y3")
load("@z//:z.bzl", "z3")
