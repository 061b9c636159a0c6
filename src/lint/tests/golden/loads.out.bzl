# Licence.

load("//x/private:d.bzl", "kept")  # @unused

# beside
load(
    "b.bzl",
    "used",
    # about the next
)
load("c.bzl", "used")

"""Loads."""

used(name = native.package_name(), repo = native.repository_name())
