"""Documents and the JSON Schema they are to meet."""

load("//rules/private:action.bzl", "fix_action")
load("//rules/private:collect.bzl", "analyze_files", "source_files")
load("//rules/private:providers.bzl", "FixInfo")

def _document_schema_impl(ctx):
    found = source_files({"srcs": ctx.attr.srcs})
    schema = struct(
        schema = ctx.file.schema,
        data = tuple(ctx.files.data),
        sources = tuple(found.sources),
    )
    files = analyze_files(ctx, found.sources, schema)
    return [
        DefaultInfo(files = depset([file.source for file in files])),
        FixInfo(
            files = depset(files),
            generated = found.generated,
            external = found.external,
            must_examine = True,
            schemas = depset([schema]),
        ),
    ]

document_schema = rule(
    implementation = _document_schema_impl,
    doc = """\
Documents that are checked against a JSON Schema. What is found is in the same reports as everything
else about the files: `--config=strict` fails while a safe fix is pending, and a `fix` that has the
target in its `schemas` or `targets` applies it. Other targets may name the same files; each then has a
report of its own, and `fix` takes what all of them tell.

Example:

```starlark
load("@fixpoint//rules:defs.bzl", "document_schema", "fix")

document_schema(
    name = "settings",
    schema = "settings.schema.json",
    srcs = glob(["settings/*.yaml"]),
)

fix(
    name = "fix",
    schemas = [":settings"],
)
```""",
    attrs = {
        "data": attr.label_list(
            doc = "Files that the schema refers to.",
            allow_files = True,
        ),
        "schema": attr.label(
            doc = "A JSON Schema in JSON, YAML or TOML. It is never fetched, and nothing it refers to is.",
            allow_single_file = True,
            mandatory = True,
        ),
        "srcs": attr.label_list(
            doc = "The documents: source files in JSON, YAML or TOML.",
            allow_files = True,
            mandatory = True,
        ),
    },
    toolchains = [fix_action.toolchain_type],
)
