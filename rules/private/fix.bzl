"""The target that writes source files."""

load("@platforms//host:constraints.bzl", "HOST_CONSTRAINTS")
load("//rules/private:action.bzl", "add_schema")
load("//rules/private:aspect.bzl", "analysis_aspect")
load("//rules/private:launcher.bzl", "launcher")
load("//rules/private:learn.bzl", "RulePackInfo")
load("//rules/private:providers.bzl", "FixInfo", "reports_of")
load("//toolchain:toolchain.bzl", "TOOLCHAIN_TYPE")

def _rule_pack_flag(info):
    return "--rule-pack=" + json.encode({"file": info.pack.short_path, "sha256": info.sha256 or None})

def _fix_impl(ctx):
    args = ctx.actions.args()
    args.add_all(["bazel", "fix"])
    reports = reports_of(ctx.attr.targets + ctx.attr.reports)
    with_schemas = ctx.attr.targets + ctx.attr.schemas
    schemas = depset(transitive = [target[FixInfo].schemas for target in with_schemas])
    for schema in schemas.to_list():
        add_schema(args, schema, schema.sources)
    if ctx.attr.targets:
        args.add("--from-targets")
    args.add_all([report.short_path for report in reports], format_each = "--report=%s")
    packs = [target[RulePackInfo] for target in ctx.attr.learn]
    args.add_all([_rule_pack_flag(info) for info in packs])
    return [launcher(ctx, args, reports + [info.pack for info in packs])]

_fix = rule(
    implementation = _fix_impl,
    doc = "See the macro `fix`.",
    attrs = {
        "learn": attr.label_list(
            doc = "The targets whose rules `--learn` adds to the workspace.",
            providers = [RulePackInfo],
        ),
        "reports": attr.label_list(
            doc = "The targets of other rule sets whose reports are applied, too.",
            providers = [FixInfo],
        ),
        "schemas": attr.label_list(
            doc = "The `document_schema` targets whose documents are fixed by their schemas.",
            providers = [FixInfo],
        ),
        "targets": attr.label_list(
            doc = "The targets whose source files are fixed.",
            aspects = [analysis_aspect],
        ),
    },
    # `bazel run` starts it on the host, wherever actions run.
    exec_compatible_with = HOST_CONSTRAINTS,
    executable = True,
    toolchains = [TOOLCHAIN_TYPE],
)

def fix(name, targets = [], schemas = [], reports = [], learn = [], tags = [], **kwargs):
    """Declares the target that fixes the workspace. In Bazel, only `bazel run` of this target writes source files.

    Example:

    ```starlark
    load("@fixpoint//rules:defs.bzl", "fix")

    fix(name = "fix")
    ```

    `bazel run //:fix` then applies every safe fix to the whole workspace, including BUILD files and files
    that no target names. It reports what it applied, what it rejected and what remains. After `--`
    it accepts `--check`, `--diff`, `--dry-run`, `--safety=likely`, `--approve ID`, `--only RULE`,
    `--changed[=REV]`, `--from-build`, `--audit` and paths. The last four work only without `targets`.
    `--learn` adds the rules of the targets in `learn` to `.fixpoint/rules` and changes nothing else.

    Args:
        name (string): The name of the target.
        targets (list[Label], optional): Targets. Only their source files are fixed, from reports that
            `bazel run` builds first. If one of them is a test, `testonly = True` is required.
        schemas (list[Label], optional): `document_schema` targets. Their documents are fixed by
            their schemas, in addition to the schemas that `fixpoint.toml` names for all documents.
        reports (list[Label], optional): Targets of other rule sets that return `FixInfo`. `bazel run` builds
            their reports, and applies their fixes together with those that Fixpoint finds.
        learn (list[Label], optional): Targets of `rule_candidates` and `rule_pack`, for `--learn`.
        tags (list[string], optional): Tags. `manual` is always added, because `bazel build //...` does
            not need the target, and would have to get the binary and build the reports for it.
        **kwargs (dict): Attributes that all rules have.
    """
    _fix(
        name = name,
        learn = learn,
        reports = reports,
        schemas = schemas,
        tags = tags + ["manual"],
        targets = targets,
        **kwargs
    )
