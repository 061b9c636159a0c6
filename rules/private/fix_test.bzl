"""The test that reports what strict mode fails on."""

load("//rules/private:action.bzl", "add_schema", "add_subject", "config_path", "generated_lists", "ignore_file_flag", "schema_files", "workspace_file_flag")
load("//rules/private:aspect.bzl", "analysis_aspect")
load("//rules/private:collect.bzl", "analyze_files", "source_files")
load("//rules/private:launcher.bzl", "launcher")
load("//rules/private:providers.bzl", "FixInfo")
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
        analyze_files(ctx, found.sources, gitignores = ctx.files.gitignores),
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
    if ctx.attr.mode == "strict":
        args.add("--strict")
    modes = [] if ctx.attr.mode else [ctx.file._mode]
    args.add_all([mode.short_path for mode in modes], format_each = "--mode-file=%s")
    args.add(toolchain.config.short_path, format = "--config=%s")
    reported = [file for file in files.to_list() if not hasattr(file, "analyzed")]
    args.add_all(reported, map_each = _reported_file_flag)
    config_files = toolchain.config_files + rules_for(toolchain.learned_rules, sources)
    for file in config_files:
        args.add(workspace_file_flag(file.short_path, config_path(file)))
    own = []
    for schema in info.schemas.to_list():
        add_schema(args, schema, schema.sources)
        own.extend(schema_files(schema))
    for file in depset(own).to_list():
        args.add(workspace_file_flag(file.short_path, file.short_path))
    args.add_all([source.short_path for source in sources], format_each = "--path=%s")
    ignore_files = ctx.files.gitignores + generated_lists(sources)
    args.add_all([ignore_file_flag(file, file.short_path) for file in ignore_files])
    read = sources + [file.report for file in reported] + modes + ctx.files.gitignores + [toolchain.config] + config_files + own
    return [launcher(ctx, args, read), info]

_fix_test = rule(
    implementation = _fix_test_impl,
    doc = "See the macro `fix_test`.",
    attrs = {
        "allow_empty": attr.bool(
            doc = "Whether the test passes in strict mode if there is no file to examine.",
        ),
        "gitignores": attr.label_list(
            doc = "`.gitignore` files. Source files that they match are left out and counted.",
            allow_files = True,
        ),
        "mode": attr.string(
            doc = "`strict` or `permissive` pins the test to that mode; by default the command line decides.",
            values = ["", "permissive", "strict"],
        ),
        "packages": attr.label_list(
            doc = "The tests of the packages below. The build fails if one of them does not exist. They are not run.",
            providers = [FixInfo],
        ),
        "srcs": attr.label_list(
            doc = "Source files. Generated files and files of other repositories are left out and counted.",
            allow_files = True,
        ),
        "targets": attr.label_list(
            doc = "Targets whose source files are examined.",
            aspects = [analysis_aspect],
        ),
        "_mode": attr.label(
            allow_single_file = True,
            default = "@fixpoint_mode//:mode",
        ),
    },
    test = True,
    toolchains = [TOOLCHAIN_TYPE],
)

def fix_test(name, srcs = [], targets = [], mode = "", allow_empty = False, gitignores = [], packages = [], **kwargs):
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
        gitignores (list[Label], optional): `.gitignore` files. Source files that they match are left out and
            counted.
        packages (list[Label], optional): The tests of the packages below. The build fails if one of them does
            not exist. They are not run.
        **kwargs (dict): Attributes that all tests have. `size` is `small` by default.
    """
    _fix_test(
        name = name,
        srcs = srcs,
        allow_empty = allow_empty,
        gitignores = gitignores,
        mode = mode,
        packages = packages,
        size = kwargs.pop("size", "small"),
        targets = targets,
        **kwargs
    )
