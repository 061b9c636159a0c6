"""The aspects behind `--config=fix` and `--config=strict`, and the one that shows reports in other forms."""

load("//rules/private:action.bzl", "fix_action")
load("//rules/private:collect.bzl", "analyze_files", "is_opted_out", "is_permissive", "source_files")
load("//rules/private:providers.bzl", "FixInfo")

_PassedInfo = provider(
    doc = "Marks a target that only names files. A target that names it also names these files.",
    fields = {"files": "depset[struct]: As in `FixInfo.files`."},
)

_NAMES_FILES = ["filegroup"]

def _attributes(ctx):
    return {name: getattr(ctx.rule.attr, name) for name in dir(ctx.rule.attr)}

def _passed_on(target):
    return target[_PassedInfo].files if _PassedInfo in target else None

def _tags(ctx):
    return getattr(ctx.rule.attr, "tags", [])

def _report_group(ctx, files):
    reports = [file.report for file in files]

    # Bazel writes this list locally, even if the reports stay in a remote cache. With it, `--from-build`
    # detects which reports are missing.
    listed = ctx.actions.declare_file(ctx.label.name + ".fixpoint/reports.txt")
    ctx.actions.write(listed, "".join([report.short_path + "\n" for report in reports]))
    return depset(reports + [listed])

def _is_left_alone(target, ctx):
    # Bazel does not allow actions on an analysis test.
    return AnalysisTestResultInfo in target or is_opted_out(_tags(ctx))

def _analysis_aspect_impl(target, ctx):
    if _is_left_alone(target, ctx):
        return [] if FixInfo in target else [FixInfo(files = depset())]
    providers = []
    if FixInfo in target:
        info = target[FixInfo]
    else:
        found = source_files(_attributes(ctx), _passed_on)
        files = analyze_files(ctx, found.sources)
        info = FixInfo(
            files = depset(files, transitive = found.passed),
            generated = found.generated,
            external = found.external,
        )
        providers.append(info)
        if ctx.rule.kind in _NAMES_FILES:
            providers.append(_PassedInfo(files = info.files))
    return providers

# Bazel rejects an aspect that is both named on the command line and required by another one. So all modes require this
# aspect, which no mode names, and can be combined in any order.
analysis_aspect = aspect(
    implementation = _analysis_aspect_impl,
    doc = "Declares the analysis of every source file that a target names, and provides `FixInfo`.",
    attr_aspects = ["data", "hdrs", "srcs"],
    toolchains = [fix_action.toolchain_type],
)

def _examined_files(target, ctx):
    """The files of a target that the analysis aspect has examined; empty if it is left alone."""
    if FixInfo not in target or _is_left_alone(target, ctx):
        return []
    return target[FixInfo].files.to_list()

def _fix_aspect_impl(target, ctx):
    files = _examined_files(target, ctx)
    return [OutputGroupInfo(fixpoint_reports = _report_group(ctx, files))] if files else []

fix_aspect = aspect(
    implementation = _fix_aspect_impl,
    doc = """\
Creates a report on every source file that a target names, for any rule and in any attribute. Generated files and files of other repositories are left out and counted. A target with the
tag `no-fixpoint` is skipped.

Output group: `fixpoint_reports` (`.fix.pb`).""",
    attr_aspects = [],
    requires = [analysis_aspect],
)

def _strict_aspect_impl(target, ctx):
    if FixInfo not in target or _is_left_alone(target, ctx):
        return []
    info = target[FixInfo]
    if info.mode == "permissive" or is_permissive(_tags(ctx)):
        return []
    if not info.must_examine and not info.files:
        return []
    marker = ctx.actions.declare_file(ctx.label.name + ".fixpoint/check.txt")
    fix_action.check(ctx, ctx.label, info, marker)
    return [OutputGroupInfo(_validation = depset([marker]))]

strict_aspect = aspect(
    implementation = _strict_aspect_impl,
    doc = """\
Fails the build of a target while its source files have pending safe fixes, style findings, errors of
schemas or policy rules, or syntax errors. The check is a validation action: it runs in parallel with
the build, and no other action waits for it. A target with the tag `fixpoint-permissive` is not checked.""",
    attr_aspects = [],
    requires = [analysis_aspect],
    toolchains = [fix_action.toolchain_type],
)

def _view_group(ctx, files, form, ending = ""):
    outputs = [
        ctx.actions.declare_file("{}.fixpoint/{}/{}{}".format(ctx.label.name, form, file.source.short_path, ending))
        for file in files
    ]
    fix_action.view(ctx, files, form, outputs)
    return depset(outputs)

def _view_aspect_impl(target, ctx):
    files = _examined_files(target, ctx)
    if not files:
        return []
    return [OutputGroupInfo(
        fixpoint_canonical = _view_group(ctx, files, "canonical"),
        fixpoint_diff = _view_group(ctx, files, "diff", ".fix.diff"),
        fixpoint_json = _view_group(ctx, files, "json", ".fix.json"),
    )]

view_aspect = aspect(
    implementation = _view_aspect_impl,
    doc = """\
Converts the reports of `fix_aspect` to other forms. It is a separate aspect, so that a build that does not
need them declares no actions for them.

Output groups: `fixpoint_json` (the reports as JSON), `fixpoint_diff` (unified diffs) and
`fixpoint_canonical` (the sources with every safe fix applied).

```sh
bazel build //... \\
    --aspects=@fixpoint//rules:defs.bzl%view_aspect \\
    --output_groups=+fixpoint_json
```""",
    attr_aspects = [],
    requires = [analysis_aspect],
    toolchains = [fix_action.toolchain_type],
)
