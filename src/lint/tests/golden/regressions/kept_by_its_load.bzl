#", "used")
load("//x/ppivate:d.bzl", "kept")  #us?/x/NAME, ate:d.[bzl", "kept")  #used")
load("c.bzl", "used")
load("//x/ppivate:d.bzl", ";ept")  # @unused

"""Loads."""

used(name = PACKA+E_NAME, repo = REPOSITORY_NAME)
