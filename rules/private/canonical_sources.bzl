"""Canonical text for other rules to compile."""

load("//rules/private:action.bzl", "fix_action")
load("//rules/private:collect.bzl", "source_files")
load("//rules/private:providers.bzl", "FixInfo")

# The folder of the reports. It does not depend on the target, so that targets that name the same file share its action.
_FOLDER = "_canonical_sources.fixpoint"

def _below_package(ctx, source):
    return source.short_path.removeprefix(ctx.label.package + "/") if ctx.label.package else source.short_path

def _canonical_sources_impl(ctx):
    found = source_files({"srcs": ctx.attr.srcs})
    files = []
    for source in found.sources:
        path = _below_package(ctx, source)
        file = struct(
            source = source,
            report = ctx.actions.declare_file("{}/report/{}.fix.pb".format(_FOLDER, source.short_path)),
            canonical = ctx.actions.declare_file(path),
            map = ctx.actions.declare_file(path + ".fix-map.json"),
        )

        # Each file has its own action, so that compiling one file does not wait for the others.
        fix_action.analyze(ctx, [file])
        files.append(file)

    # Files that Fixpoint does not analyze are passed on unchanged.
    looked_at = {source: None for source in found.sources}
    others = [file for file in ctx.files.srcs if file not in looked_at]
    canonical = depset([file.canonical for file in files] + others)
    return [
        DefaultInfo(files = canonical, runfiles = ctx.runfiles(transitive_files = canonical)),
        # The aspect provides the reports as an output group, and a target must not provide a group twice.
        OutputGroupInfo(fixpoint_maps = depset([file.map for file in files])),
        FixInfo(
            files = depset(files),
            generated = found.generated,
            external = found.external,
        ),
    ]

canonical_sources = rule(
    implementation = _canonical_sources_impl,
    doc = """\
Provides the canonical text of source files. Any rule can use the target as its sources. It then compiles
the text that `bazel run //:fix` would write, and the source tree does not change.

The files are among Bazel's outputs at the paths of their sources, so that import paths and include paths
stay as they are. Do not also name the sources themselves in what you compile. Each file has a map, with
which `fixpoint map` rewrites compiler messages so that they point at your source.

Example:

```starlark
load("@fixpoint//rules:defs.bzl", "canonical_sources")

canonical_sources(
    name = "canonical",
    srcs = ["main.c"],
)

cc_binary(
    name = "main",
    srcs = [":canonical"],
)
```""",
    attrs = {
        "srcs": attr.label_list(
            doc = "Source files. Generated files and files of other repositories are passed on unchanged.",
            allow_files = True,
            mandatory = True,
        ),
    },
    toolchains = [fix_action.toolchain_type],
)
