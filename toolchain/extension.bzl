"""The extension that provides the binary and the workspace's configuration.

By default it needs no tags:

```starlark
bazel_dep(name = "fixpoint", version = "0.1.0")
```

The machine's cargo then builds the binary once, from the sources of this module. The root module may
choose another binary:

```starlark
fixpoint = use_extension("@fixpoint//toolchain:extension.bzl", "fixpoint")
fixpoint.prebuilt(
    sha256 = {
        "linux-arm64": "...",
        "linux-x86_64": "...",
    },
    urls = ["https://example.com/fixpoint-{platform}.tar.gz"],
)
```
"""

load("//toolchain/private:binary.bzl", "built_binary", "local_binary")
load("//toolchain/private:hub.bzl", "toolchain_hub")
load("//toolchain/private:mode.bzl", "command_line_mode")
load("//toolchain/private:prebuilt.bzl", "prebuilt_binaries")
load("//toolchain/private:workspace.bzl", "workspace_config")

_prebuilt = tag_class(
    doc = "Takes the binary from a release archive, for each platform that actions run on. Only archives for platforms that a build uses are fetched.",
    attrs = {
        "sha256": attr.string_dict(
            doc = "The digest of the archive for each platform: `linux-arm64`, `linux-x86_64`, `macos-arm64` or `macos-x86_64`.",
            allow_empty = False,
            mandatory = True,
        ),
        "urls": attr.string_list(
            doc = "Where to get an archive, in the order they are tried. `{platform}` is replaced by the name of the platform.",
            allow_empty = False,
            mandatory = True,
        ),
    },
)

_path = tag_class(
    doc = "Uses a binary on the machine. If the binary changes, the new version is used.",
    attrs = {
        "path": attr.string(
            doc = "An absolute path, or one relative to the root of the workspace.",
            mandatory = True,
        ),
    },
)

_sandbox = tag_class(
    doc = "Runs all actions in Bazel's sandbox, and none in persistent workers. Path mapping needs this.",
)

def _fixpoint_impl(module_ctx):
    root = [module for module in module_ctx.modules if module.is_root]
    prebuilt = [tag for module in root for tag in module.tags.prebuilt]
    path = [tag for module in root for tag in module.tags.path]
    if len(prebuilt) + len(path) > 1:
        fail("the fixpoint extension has several `prebuilt` or `path` tags; keep one")
    worker = not any([module.tags.sandbox for module in root])
    if prebuilt:
        prebuilt_binaries(prebuilt[0], worker)
    elif path:
        local_binary(name = "fixpoint_binary", path = path[0].path, worker = worker)
    else:
        built_binary(name = "fixpoint_binary", worker = worker)
    toolchain_hub(
        name = "fixpoint_toolchains",
        prebuilt = prebuilt[0].sha256.keys() if prebuilt else [],
    )
    workspace_config(name = "fixpoint_workspace")
    command_line_mode(name = "fixpoint_mode")
    return module_ctx.extension_metadata(reproducible = True)

fixpoint = module_extension(
    implementation = _fixpoint_impl,
    doc = "Provides the Fixpoint toolchain. Only tags of the root module have an effect.",
    tag_classes = {
        "path": _path,
        "prebuilt": _prebuilt,
        "sandbox": _sandbox,
    },
)
