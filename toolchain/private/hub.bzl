"""The repository whose toolchains are registered.

Every build loads it, so it must be cheap. It refers to the binary only by label: the binary is built or
fetched when an action first needs it.
"""

_OS = [("linux", "linux"), ("mac", "osx"), ("windows", "windows")]

_CPU = {
    "aarch64": "aarch64",
    "amd64": "x86_64",
    "arm64": "aarch64",
    "x86_64": "x86_64",
}

def _toolchain_hub_impl(rctx):
    constraints = ["@platforms//os:" + os for start, os in _OS if rctx.os.name.startswith(start)]
    if rctx.os.arch in _CPU:
        constraints.append("@platforms//cpu:" + _CPU[rctx.os.arch])
    rctx.file("BUILD.bazel", """\
toolchain(
    name = "toolchain",
    exec_compatible_with = {constraints},
    toolchain = "@fixpoint_binary//:toolchain",
    toolchain_type = "{toolchain_type}",
)
""".format(
        constraints = repr(constraints),
        toolchain_type = str(Label("//toolchain:toolchain_type")),
    ))

toolchain_hub = repository_rule(
    implementation = _toolchain_hub_impl,
    doc = "The toolchain of this machine, by label.",
)
