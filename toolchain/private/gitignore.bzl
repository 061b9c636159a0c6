"""The workspace's `.gitignore`, as a file that actions can read."""

def _workspace_gitignore_impl(rctx):
    file = rctx.workspace_root.get_child(".gitignore")
    rctx.watch(file)
    rctx.file("gitignore", rctx.read(file) if file.exists and not file.is_dir else "", executable = False)
    rctx.file("BUILD.bazel", """\
exports_files(
    ["gitignore"],
    visibility = ["//visibility:public"],
)
""")

workspace_gitignore = repository_rule(
    implementation = _workspace_gitignore_impl,
    doc = "A copy of the `.gitignore` at the root of the workspace, or an empty file if there is none.",
)
