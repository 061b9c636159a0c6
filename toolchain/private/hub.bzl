"""The repository whose toolchains are registered.

Every build loads it, so it must be cheap. It refers to binaries only by label: a binary is built or
fetched when an action first needs it.
"""

load("//toolchain/private:platforms.bzl", "PLATFORMS", "host_constraints")
load("//toolchain/private:prebuilt.bzl", "prebuilt_repository")

_TOOLCHAIN = """\
toolchain(
    name = "{name}",
    exec_compatible_with = {constraints},
    toolchain = "@{repository}//:toolchain",
    toolchain_type = "{toolchain_type}",
)
"""

def _toolchain(name, constraints, repository):
    return _TOOLCHAIN.format(
        name = name,
        constraints = repr(constraints),
        repository = repository,
        toolchain_type = str(Label("//toolchain:toolchain_type")),
    )

def _toolchain_hub_impl(rctx):
    host = host_constraints(rctx)
    if not rctx.attr.prebuilt:
        rctx.file("BUILD.bazel", _toolchain("toolchain", host, "fixpoint_binary"))
        return

    # The host's platform is registered without a digest too: its repository reports that the digest
    # is missing, which is clearer than Bazel's message about a toolchain that it cannot find.
    rctx.file("BUILD.bazel", "\n".join([
        _toolchain(platform, constraints, prebuilt_repository(platform))
        for platform, constraints in PLATFORMS.items()
        if platform in rctx.attr.prebuilt or constraints == host
    ]))

toolchain_hub = repository_rule(
    implementation = _toolchain_hub_impl,
    doc = "The toolchains by label: one for the machine that runs Bazel, or one for each platform that has a prebuilt binary.",
    attrs = {
        "prebuilt": attr.string_list(
            doc = "The platforms that `fixpoint.prebuilt` has a digest for; empty without that tag.",
        ),
    },
)
