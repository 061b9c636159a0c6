"""The toolchain: one static binary that runs actions and tests, and writes fixes."""

load("//toolchain:config_files.bzl", "ConfigFilesInfo")
load("//toolchain:learned_rules.bzl", "rules_by_language")

TOOLCHAIN_TYPE = Label("//toolchain:toolchain_type")

def _fixpoint_toolchain_impl(ctx):
    groups = [target[ConfigFilesInfo] for target in ctx.attr.config_files if ConfigFilesInfo in target]
    documents = {}
    for group in groups:
        documents.update(group.documents)
    return [platform_common.ToolchainInfo(
        binary = ctx.file.binary,
        config = ctx.file.config,
        config_files = ctx.files.config_files,
        documents = documents,
        learned_rules = rules_by_language(ctx.files.learned_rules),
        worker = ctx.attr.worker,
    )]

fixpoint_toolchain = rule(
    implementation = _fixpoint_toolchain_impl,
    doc = "A Fixpoint binary, for `toolchain()` with the type `@fixpoint//toolchain:toolchain_type`.",
    attrs = {
        "binary": attr.label(
            doc = "The `fixpoint` executable, for the execution platform.",
            allow_single_file = True,
            cfg = "exec",
            mandatory = True,
        ),
        "config": attr.label(
            doc = "The `fixpoint.toml` that every analysis reads; by default the one at the root of the workspace.",
            allow_single_file = True,
            default = "@fixpoint_workspace//:fixpoint.toml",
        ),
        "config_files": attr.label_list(
            doc = "The schemas and rules files that `config` names, each below a folder `files` at its path in the workspace; by default those of the workspace.",
            allow_files = True,
            default = ["@fixpoint_workspace//:files"],
        ),
        "learned_rules": attr.label_list(
            doc = "The learned rules, each below a folder `files` at its path in the workspace; by default those of the workspace.",
            allow_files = True,
            default = ["@fixpoint_workspace//:learned_rules"],
        ),
        "worker": attr.bool(
            doc = "Whether actions may run in persistent workers, which Bazel then prefers to its sandbox.",
            default = True,
        ),
    },
)
