"""A rule that checks documents against a JSON Schema."""

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
Checks documents against a JSON Schema. The findings are in the same reports as all other findings of the
files. `--config=strict` fails while a document violates its schema or a safe fix is pending. A `fix`
target with this target in its `schemas` or `targets` applies the fixes.

Strict mode does not check a target with the tag `fixpoint-permissive`. A `fix_test` with
`mode = "strict"` and the target in its `targets` fails in every mode. Other targets may name the same
files. Each then has its own report, and `fix` uses all of them.

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
            doc = "A JSON Schema in JSON, YAML or TOML. Neither the schema nor anything it refers to is ever fetched.",
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
