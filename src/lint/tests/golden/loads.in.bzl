# Licence.

load("a.bzl", "unused")  # beside
load(
    "b.bzl",
    "used",
    # about the next
    "idle",
    alias = "other",
)
load("b.bzl", "used")
load("c.bzl", "used")
load("//x/private:d.bzl", "kept")  # @unused

"""Loads."""

used(name = PACKAGE_NAME, repo = REPOSITORY_NAME)
