"""The aspects behind `--config=fix` and `--config=strict`."""

load("//rules/private:action.bzl", "fix_action")
load("//rules/private:collect.bzl", "analyze_files", "is_opted_out", "source_files")
load("//rules/private:providers.bzl", "FixInfo")

_PassedInfo = provider(
    doc = "Says that a target only names files, and that whoever names it names them.",
    fields = {"files": "depset[struct]: As in `FixInfo.files`."},
)

_NAMES_FILES = ["filegroup"]

def _attributes(ctx):
    return {name: getattr(ctx.rule.attr, name) for name in dir(ctx.rule.attr)}

def _passed_on(target):
    return target[_PassedInfo].files if _PassedInfo in target else None

def _view_group(ctx, files, form):
    outputs = [
        ctx.actions.declare_file("{}.fixpoint/{}/{}.fix.{}".format(ctx.label.name, form, file.source.short_path, form))
        for file in files
    ]
    if files:
        fix_action.view(ctx, files, form, outputs)
    return depset(outputs)

def _is_left_alone(target, ctx):
    # Bazel lets nobody register an action on an analysis test.
    return AnalysisTestResultInfo in target or is_opted_out(getattr(ctx.rule.attr, "tags", []))

def _fix_aspect_impl(target, ctx):
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
    files = info.files.to_list()
    if files:
        providers.append(OutputGroupInfo(
            fixpoint_canonical = depset([file.canonical for file in files]),
            fixpoint_diff = _view_group(ctx, files, "diff"),
            fixpoint_json = _view_group(ctx, files, "json"),
            fixpoint_reports = depset([file.report for file in files]),
        ))
    return providers

fix_aspect = aspect(
    implementation = _fix_aspect_impl,
    doc = """\
A report and the canonical text of every source file that a target names, whatever its rule and
whatever the attribute. Generated files and those of other repositories are left out and counted; a
target with the tag `no-fixpoint` is left alone.

Output groups: `fixpoint_reports` (`.fix.pb`), `fixpoint_canonical` (the canonical sources),
`fixpoint_json` (the reports as JSON) and `fixpoint_diff` (unified diffs).""",
    attr_aspects = ["data", "hdrs", "srcs"],
    toolchains = [fix_action.toolchain_type],
)

def _strict_aspect_impl(target, ctx):
    if FixInfo not in target or _is_left_alone(target, ctx):
        return []
    info = target[FixInfo]
    if info.mode == "permissive" or not (info.must_examine or info.files):
        return []
    marker = ctx.actions.declare_file(ctx.label.name + ".fixpoint/check.txt")
    fix_action.check(ctx, ctx.label, info, marker)
    return [OutputGroupInfo(_validation = depset([marker]))]

strict_aspect = aspect(
    implementation = _strict_aspect_impl,
    doc = """\
Fails the build of a target while safe fixes or style findings are pending in its source files. The
check is a validation action: it runs beside the build, and no other action waits for it.""",
    attr_aspects = [],
    requires = [fix_aspect],
    toolchains = [fix_action.toolchain_type],
)
