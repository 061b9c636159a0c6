"""The workspace's `fixpoint.toml` as a file that actions can read, without any build setting."""

def _workspace_config_impl(rctx):
    config = rctx.workspace_root.get_child("fixpoint.toml")
    rctx.watch(config)
    rctx.file("fixpoint.toml", rctx.read(config) if config.exists else "", executable = False)
    rctx.file("BUILD.bazel", """\
exports_files(
    ["fixpoint.toml"],
    visibility = ["//visibility:public"],
)
""")

workspace_config = repository_rule(
    implementation = _workspace_config_impl,
    doc = "A copy of the `fixpoint.toml` at the root of the workspace; empty where there is none.",
)
