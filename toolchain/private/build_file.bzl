"""The BUILD file of a repository that contains a binary."""

_BUILD = """\
load("{rule}", "fixpoint_toolchain")

exports_files(
    ["fixpoint"],
    visibility = ["//visibility:public"],
)

fixpoint_toolchain(
    name = "toolchain",
    binary = "fixpoint",
    visibility = ["//visibility:public"],
    worker = {worker},
)
"""

def write_build_file(rctx):
    """Declares the toolchain of the binary `fixpoint` at the root of the repository.

    Args:
        rctx (repository_ctx): The context of a repository rule with the attribute `worker`.
    """
    rctx.file("BUILD.bazel", _BUILD.format(
        rule = str(Label("//toolchain:toolchain.bzl")),
        worker = rctx.attr.worker,
    ))
