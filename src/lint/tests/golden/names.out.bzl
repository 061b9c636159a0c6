load("@bazel_tools//tools/build_defs/repo:git.bzl", "git_repository", "new_git_repository")
load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")

camelCase = FileType([".x"])
Info = provider()
FooInfo = provider("Doc.", fields = [])
l = 1
l = 2
_unused = 3

def make(x):
    native.package()
    native.genrule(name = x)
    git_repository(name = x)
    new_git_repository(name = x)
    http_archive(name = x)

def _idle(a, _b):
    """Helpers for Starlark."""
