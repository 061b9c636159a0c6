"""The platforms that a release has archives for."""

# The constraints of an execution platform, by the name that archives and `fixpoint.prebuilt` use.
PLATFORMS = {
    "linux-arm64": ["@platforms//os:linux", "@platforms//cpu:aarch64"],
    "linux-x86_64": ["@platforms//os:linux", "@platforms//cpu:x86_64"],
    "macos-arm64": ["@platforms//os:osx", "@platforms//cpu:aarch64"],
    "macos-x86_64": ["@platforms//os:osx", "@platforms//cpu:x86_64"],
}

_OS = [("linux", "linux"), ("mac", "osx"), ("windows", "windows")]

_CPU = {
    "aarch64": "aarch64",
    "amd64": "x86_64",
    "arm64": "aarch64",
    "x86_64": "x86_64",
}

def host_constraints(rctx):
    """The constraints of the machine that runs Bazel.

    Args:
        rctx (repository_ctx): The context of a repository rule.

    Returns:
        list[string]: Labels of constraint values, in the order that `PLATFORMS` has them.
    """
    constraints = ["@platforms//os:" + os for start, os in _OS if rctx.os.name.startswith(start)]
    if rctx.os.arch in _CPU:
        constraints.append("@platforms//cpu:" + _CPU[rctx.os.arch])
    return constraints
