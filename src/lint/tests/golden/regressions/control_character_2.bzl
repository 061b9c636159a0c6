load("b.bzl", "b")
load(":a.bzl", "a")
load("//z:z.bzl", "z")
load("//a/B:z.bzl", "z")
HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHload("//a/b:a.bzl", "a2")
load("//:root.bzl", "root")
load("@b//:x.bzl", "x")
load("@a", "w")
load("@a//p:q.bzl", "q")

# Breaks the run+.

load("@z//:z.bzl", "z3")
load("@y//:y.bzl", "y3")
