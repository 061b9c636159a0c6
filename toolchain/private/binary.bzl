"""The repository that contains the binary of this machine: built by cargo, or copied from a path."""

load("//toolchain/private:build_file.bzl", "write_build_file")

_OVERRIDE = "FIXPOINT_BINARY"

def _take(rctx, path):
    file = rctx.workspace_root.get_child(path) if not path.startswith("/") else rctx.path(path)
    if not file.exists:
        fail("there is no Fixpoint binary at {}; build it, or correct the path".format(file))
    rctx.watch(file)

    # The binary is copied, because the sandbox may not make other folders visible.
    rctx.download("file://" + str(file), output = "fixpoint", executable = True)
    write_build_file(rctx)

def _local_binary_impl(rctx):
    _take(rctx, rctx.attr.path)

local_binary = repository_rule(
    implementation = _local_binary_impl,
    doc = "A copy of a binary that is on the machine.",
    attrs = {
        "path": attr.string(),
        "worker": attr.bool(),
    },
)

def _host_triple(rctx, rustc):
    version = rctx.execute([rustc, "-vV"])
    for line in version.stdout.splitlines():
        if line.startswith("host: "):
            return line.removeprefix("host: ").strip()
    fail("`rustc -vV` does not print the host: {}{}".format(version.stdout, version.stderr))

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
    flags = root.get_child("toolchain").get_child("static.toml")
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
    write_build_file(rctx)

built_binary = repository_rule(
    implementation = _built_binary_impl,
    doc = "The binary, built by the machine's cargo from the sources of this module. The variable " + _OVERRIDE + " (`--repo_env`) names an existing binary to use instead.",
    # Without `environ`: another PATH must not build the binary again.
    attrs = {"worker": attr.bool()},
)
