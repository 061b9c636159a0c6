"""The test that reports what strict mode fails on."""

load("//rules/private:action.bzl", "add_schema", "add_subject", "generated_list_flag", "generated_lists", "schema_files", "workspace_file_flag")
load("//rules/private:aspect.bzl", "analysis_aspect")
load("//rules/private:collect.bzl", "analyze_files", "source_files")
load("//rules/private:launcher.bzl", "launcher")
load("//rules/private:mode.bzl", "MODE_ATTRS", "add_mode")
load("//rules/private:providers.bzl", "FixInfo")
load("//toolchain:config_files.bzl", "config_files_for", "config_path")
load("//toolchain:learned_rules.bzl", "rules_for")
load("//toolchain:toolchain.bzl", "TOOLCHAIN_TYPE")

def _sum(numbers):
    total = 0
    for number in numbers:
        total += number
    return total

def _reported_file_flag(file):
    return "--file=" + json.encode({"report": file.report.short_path, "source": file.source.short_path})

def _fix_test_impl(ctx):
    found = source_files({"srcs": ctx.attr.srcs})
    infos = [target[FixInfo] for target in ctx.attr.targets]
    files = depset(
        analyze_files(ctx, found.sources),
        transitive = [info.files for info in infos],
    )
    info = FixInfo(
        files = files,
        generated = found.generated + _sum([info.generated for info in infos]),
        external = found.external + _sum([info.external for info in infos]),
        allow_empty = ctx.attr.allow_empty,
        must_examine = True,
        mode = ctx.attr.mode,
        schemas = depset(transitive = [info.schemas for info in infos]),
    )
    sources = depset([file.source for file in files.to_list()]).to_list()
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE]
    args = ctx.actions.args()
    args.add_all(["bazel", "test"])
    add_subject(args, ctx.label, info)
    modes = add_mode(ctx, args)
    args.add(toolchain.config.short_path, format = "--config=%s")
    reported = [file for file in files.to_list() if not hasattr(file, "analyzed")]
    args.add_all(reported, map_each = _reported_file_flag)
    config_files = config_files_for(toolchain, sources) + rules_for(toolchain.learned_rules, sources)
    for file in config_files:
        args.add(workspace_file_flag(file.short_path, config_path(file)))
    own = []
    for schema in info.schemas.to_list():
        add_schema(args, schema, schema.sources)
        own.extend(schema_files(schema))
    for file in depset(own).to_list():
        args.add(workspace_file_flag(file.short_path, file.short_path))
    args.add_all([source.short_path for source in sources], format_each = "--path=%s")
    args.add_all([generated_list_flag(file, file.short_path) for file in generated_lists(sources)])
    read = sources + [file.report for file in reported] + modes + [toolchain.config] + config_files + own
    return [launcher(ctx, args, read), info]

_fix_test = rule(
    implementation = _fix_test_impl,
    doc = "See the macro `fix_test`.",
    attrs = {
        "allow_empty": attr.bool(
            doc = "Whether the test passes in strict mode if there is no file to examine.",
        ),
        "srcs": attr.label_list(
            doc = "Source files. Generated files and files of other repositories are left out and counted.",
            allow_files = True,
        ),
        "targets": attr.label_list(
            doc = "Targets whose source files are examined.",
            aspects = [analysis_aspect],
        ),
    } | MODE_ATTRS,
    test = True,
    toolchains = [TOOLCHAIN_TYPE],
)

def fix_test(name, srcs = [], targets = [], mode = "", allow_empty = False, **kwargs):
    """Reports what is pending in source files: safe fixes, style findings, errors of schemas, policy rules and syntax.

    It passes by default, and fails in strict mode: under `--config=strict`, or always if `mode` pins it.

    Building the test runs no analysis: the test examines the sources when it runs. It also reads the reports of
    other rule sets, from targets that return `FixInfo`. Bazel runs it again only when one of its inputs or the
    mode has changed.

    Example:

    ```starlark
    load("@fixpoint//rules:defs.bzl", "fix_test")

    fix_test(
        name = "canonical",
        srcs = glob(["*.bzl"]) + ["BUILD.bazel"],
    )
    ```

    Args:
        name (string): The name of the target.
        srcs (list[Label], optional): Source files. Generated files and files of other repositories are left
            out and counted.
        targets (list[Label], optional): Targets whose source files are examined.
        mode (string, optional): `strict` or `permissive` pins the test to that mode; by default the command
            line decides.
        allow_empty (bool, optional): Whether the test passes in strict mode if there is no file to examine.
        **kwargs (dict): Attributes that all tests have. `size` is `small` by default.
    """
    _fix_test(
        name = name,
        srcs = srcs,
        allow_empty = allow_empty,
        mode = mode,
        size = kwargs.pop("size", "small"),
        targets = targets,
        **kwargs
    )
