"""The test of every file of the workspace."""

load("@platforms//host:constraints.bzl", "HOST_CONSTRAINTS")
load("//rules/private:action.bzl", "add_schema")
load("//rules/private:launcher.bzl", "launcher")
load("//rules/private:mode.bzl", "MODE_ATTRS", "add_mode")
load("//rules/private:providers.bzl", "FixInfo", "reports_of")
load("//toolchain:toolchain.bzl", "TOOLCHAIN_TYPE")

# Bazel does not know the files that the test reads. So it runs on this machine, outside of a sandbox, and every time.
_TAGS = ["external", "local"]

def _fix_workspace_test_impl(ctx):
    args = ctx.actions.args()
    args.add_all(["bazel", "test-workspace"])
    args.add(str(ctx.label).removeprefix("@@").removeprefix("@"), format = "--label=%s")
    args.add(ctx.file.root_file.short_path, format = "--root-file=%s")
    modes = add_mode(ctx, args)
    schemas = depset(transitive = [target[FixInfo].schemas for target in ctx.attr.schemas])
    for schema in schemas.to_list():
        add_schema(args, schema, schema.sources)
    reports = reports_of(ctx.attr.reports)
    args.add_all([report.short_path for report in reports], format_each = "--report=%s")
    return [
        launcher(ctx, args, [ctx.file.root_file] + modes + reports),
        FixInfo(files = depset()),
    ]

_fix_workspace_test = rule(
    implementation = _fix_workspace_test_impl,
    doc = "See the macro `fix_workspace_test`.",
    attrs = {
        "reports": attr.label_list(
            doc = "Targets of other rule sets whose reports count, too.",
            providers = [FixInfo],
        ),
        "root_file": attr.label(
            doc = "A source file at the root of the workspace.",
            allow_single_file = True,
            mandatory = True,
        ),
        "schemas": attr.label_list(
            doc = "The `document_schema` targets whose documents are checked by their schemas.",
            providers = [FixInfo],
        ),
    } | MODE_ATTRS,
    exec_compatible_with = HOST_CONSTRAINTS,
    test = True,
    toolchains = [TOOLCHAIN_TYPE],
)

def fix_workspace_test(name, mode = "", schemas = [], reports = [], root_file = "MODULE.bazel", tags = [], **kwargs):
    """Declares a test of every file of the workspace: what git tracks or would track, BUILD and `.bzl` files included.

    It reports pending safe fixes, style findings, errors of schemas and policy rules, and syntax errors. It passes
    by default, and fails in strict mode: under `--config=strict`, or always if `mode` pins it. Declare it
    once, in the BUILD file at the root.

    Example:

    ```starlark
    load("@fixpoint//rules:defs.bzl", "fix_workspace_test")

    fix_workspace_test(name = "fixpoint_test")
    ```

    The test examines the files that `bazel run //:fix` fixes. Bazel does not know which files these are, so
    it runs the test in every `bazel test`, on the machine that has the workspace. The test analyzes only files that
    have changed since its last run.

    Args:
        name (string): The name of the target.
        mode (string, optional): `strict` or `permissive` pins the test to that mode; by default the command
            line decides.
        schemas (list[Label], optional): `document_schema` targets. Their documents are checked by their
            schemas, in addition to the schemas that `fixpoint.toml` names for all documents.
        reports (list[Label], optional): Targets of other rule sets that return `FixInfo`. What is pending in
            their reports counts, too.
        root_file (Label, optional): A source file in the same folder, with which the test finds the
            workspace.
        tags (list[string], optional): Tags. `external` and `local` are always added.
        **kwargs (dict): Attributes that all tests have. `size` is `small` by default. If the first run takes more than a
            minute, set `timeout = "long"`.
    """
    if native.package_name():
        fail("fix_workspace_test covers the whole workspace; declare it in the BUILD file at the root, not in //{}".format(
            native.package_name(),
        ))
    _fix_workspace_test(
        name = name,
        mode = mode,
        reports = reports,
        root_file = root_file,
        schemas = schemas,
        size = kwargs.pop("size", "small"),
        tags = tags + _TAGS,
        **kwargs
    )
