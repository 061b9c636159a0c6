"""The repository that contains the binary, which is built by cargo or fetched."""

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

_OVERRIDE = "FIXPOINT_BINARY"

def _finish(rctx):
    rctx.file("BUILD.bazel", _BUILD.format(
        rule = str(Label("//toolchain:toolchain.bzl")),
        worker = rctx.attr.worker,
    ))

def _take(rctx, path):
    file = rctx.workspace_root.get_child(path) if not path.startswith("/") else rctx.path(path)
    if not file.exists:
        fail("there is no Fixpoint binary at {}; build it, or correct the path".format(file))
    rctx.watch(file)

    # The binary is copied, because the sandbox may not make other folders visible.
    rctx.download("file://" + str(file), output = "fixpoint", executable = True)
    _finish(rctx)

def _fetched_binary_impl(rctx):
    if rctx.attr.path:
        _take(rctx, rctx.attr.path)
        return
    rctx.download(rctx.attr.urls, output = "fixpoint", sha256 = rctx.attr.sha256, executable = True)
    _finish(rctx)

fetched_binary = repository_rule(
    implementation = _fetched_binary_impl,
    doc = "A prebuilt binary with a given digest, or a binary at a path on the machine.",
    attrs = {
        "path": attr.string(),
        "sha256": attr.string(),
        "urls": attr.string_list(),
        "worker": attr.bool(),
    },
)

def _host_triple(rctx, rustc):
    told = rctx.execute([rustc, "-vV"])
    for line in told.stdout.splitlines():
        if line.startswith("host: "):
            return line.removeprefix("host: ").strip()
    fail("`rustc -vV` does not tell the host: {}{}".format(told.stdout, told.stderr))

def _cache(rctx):
    """The target folder of cargo. All workspaces share it, so that only the first one waits for the build."""
    for variable, below in [("XDG_CACHE_HOME", "fixpoint/cargo"), ("HOME", ".cache/fixpoint/cargo")]:
        folder = rctx.getenv(variable, "")
        if folder:
            return folder + "/" + below
    return str(rctx.path("cargo"))

def _built_binary_impl(rctx):
    override = rctx.getenv(_OVERRIDE, "")
    if override:
        _take(rctx, override)
        return
    cargo = rctx.which("cargo")
    rustc = rctx.which("rustc")
    if not cargo or not rustc:
        fail("Fixpoint is built from source, and there is no cargo on the PATH; install Rust (https://rustup.rs), or name a binary with the `prebuilt` or `path` tag of the fixpoint extension")
    root = rctx.path(Label("//:Cargo.toml")).dirname
    for file in ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml"]:
        rctx.watch(root.get_child(file))
    for folder in ["src", "proto"]:
        rctx.watch_tree(root.get_child(folder))
    triple = _host_triple(rctx, rustc)
    flags = root.get_child("toolchain").get_child("release.toml")
    rctx.watch(flags)
    rctx.report_progress("building Fixpoint with cargo (some minutes, once)")
    built = rctx.execute(
        [
            cargo,
            "install",
            "--locked",
            "--no-track",
            "--force",
            "--profile",
            "toolchain",
            "--path",
            str(root.get_child("src").get_child("cli")),
            "--root",
            str(rctx.path("installed")),
            "--config",
            str(flags),
            "--target",
            triple,
        ],
        environment = {"CARGO_TARGET_DIR": _cache(rctx)},
        timeout = 3600,
        working_directory = str(root),
        quiet = False,
    )
    if built.return_code != 0:
        fail("cargo could not build Fixpoint (exit status {}):\n{}".format(built.return_code, built.stderr))
    rctx.symlink("installed/bin/fixpoint", "fixpoint")
    _finish(rctx)

built_binary = repository_rule(
    implementation = _built_binary_impl,
    doc = "The binary, built by the machine's cargo from the sources of this module. The variable " + _OVERRIDE + " (`--repo_env`) names an existing binary to use instead.",
    attrs = {"worker": attr.bool()},
    environ = ["PATH"],
)
