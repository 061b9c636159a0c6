"""Rules for Clank: libraries, programs and tests."""

load("//rules/private:action.bzl", "command_line", "fix_action", "run_command")
load("//rules/private:collect.bzl", "declare_outputs", "source_files")
load("//rules/private:launcher.bzl", "launcher")
load("//rules/private:providers.bzl", "FixInfo")

_ClankInfo = provider(
    doc = "The modules of a Clank target.",
    fields = {
        "analyzed": "File: The interface of its own modules. It exists even if they have errors.",
        "code": "depset[File]: The code of its modules and of the modules that they use, with source maps.",
        "interface": "File: The interface of its own modules. It exists only if they compile.",
    },
)

def _below_package(ctx, source):
    return source.short_path.removeprefix(ctx.label.package + "/") if ctx.label.package else source.short_path

def _compiled_module_flag(module):
    return "--module=" + json.encode({
        "code": module.code.short_path,
        "code_output": module.code.path,
        "path": module.source.short_path,
        "source": module.source.path,
        "typescript_output": module.typescript.path,
    })

def _compile(ctx, modules, reports, main):
    """Declares the action that compiles the modules of a target, or fails and prints the errors."""
    interface = ctx.actions.declare_file(ctx.label.name + ".modules/interface.json")
    interfaces = [dep[_ClankInfo].interface for dep in ctx.attr.deps]
    args = command_line(ctx, "compile")
    args.add(str(ctx.label).removeprefix("@@").removeprefix("@"), format = "--label=%s")
    args.add_all(modules, map_each = _compiled_module_flag)
    args.add_all(reports, format_each = "--report=%s")
    args.add_all(interfaces, format_each = "--interface=%s")
    args.add(interface, format = "--interface-output=%s")
    if main:
        args.add(main.short_path, format = "--main=%s")
    outputs = [interface]
    for module in modules:
        outputs.extend([module.code, module.code_map, module.typescript, module.typescript_map])
    run_command(
        ctx,
        args,
        inputs = [module.source for module in modules] + reports + interfaces,
        outputs = outputs,
        mnemonic = "ClankCompile",
        progress_message = "Compiling %{label}",
        in_worker = False,
    )
    return interface

def _modules(ctx):
    """The target's modules, and the outputs for their code."""
    modules = []
    for source in ctx.files.srcs:
        stem = "{}.modules/{}".format(ctx.label.name, _below_package(ctx, source).removesuffix(".clank"))
        modules.append(struct(
            source = source,
            code = ctx.actions.declare_file(stem + ".mjs"),
            code_map = ctx.actions.declare_file(stem + ".mjs.map"),
            typescript = ctx.actions.declare_file(stem + ".mts"),
            typescript_map = ctx.actions.declare_file(stem + ".mts.map"),
        ))
    return modules

def _build(ctx, main = None):
    """Declares the actions of a target. Returns its outputs and the providers that all rules share."""
    modules = _modules(ctx)
    found = source_files({"srcs": ctx.attr.srcs})
    files = declare_outputs(ctx, found.sources)
    analyzed = ctx.actions.declare_file(ctx.label.name + ".fixpoint/interface.json")
    fix_action.analyze(ctx, files, modules = struct(
        own = modules,
        interfaces = [dep[_ClankInfo].analyzed for dep in ctx.attr.deps],
        output = analyzed,
    ))
    interface = _compile(ctx, modules, [file.report for file in files], main)
    code = [module.code for module in modules] + [module.code_map for module in modules]
    typescript = [module.typescript for module in modules] + [module.typescript_map for module in modules]
    return struct(
        code = code,
        all_code = depset(code, transitive = [dep[_ClankInfo].code for dep in ctx.attr.deps]),
        analyzed = analyzed,
        interface = interface,
        modules = modules,
        providers = [
            OutputGroupInfo(clank_typescript = depset(typescript)),
            FixInfo(
                files = depset(files),
                generated = found.generated,
                external = found.external,
            ),
        ],
    )

def _clank_library_impl(ctx):
    built = _build(ctx)
    return built.providers + [
        DefaultInfo(
            files = depset(built.code),
            runfiles = ctx.runfiles(transitive_files = built.all_code),
        ),
        _ClankInfo(
            analyzed = built.analyzed,
            code = built.all_code,
            interface = built.interface,
        ),
    ]

_ATTRS = {
    "deps": attr.label_list(
        doc = "`clank_library` targets whose modules the sources use.",
        providers = [_ClankInfo],
    ),
    "srcs": attr.label_list(
        doc = "`.clank` files. Each is a module, which is named by its `mod` declaration or else by its file name. Modules may use one another, but not in a cycle.",
        allow_empty = False,
        allow_files = [".clank"],
        mandatory = True,
    ),
}

clank_library = rule(
    implementation = _clank_library_impl,
    doc = """\
Clank modules that other targets can use: `use shapes.{area, Point}`.

The rule compiles the canonical text, as `bazel run //:fix` would write it. The sources do not change. A
program with errors fails the build, and the message names the commands that repair it. Targets that
depend on this one are compiled again if its declarations change, but not if only function bodies change.

The output is an ES module for each source, in a folder with the name of the target. The output group
`clank_typescript` contains the modules as TypeScript.

Example:

```starlark
load("@fixpoint//rules:defs.bzl", "clank_library")

clank_library(
    name = "shapes",
    srcs = ["shapes.clank"],
)
```""",
    attrs = _ATTRS,
    toolchains = [fix_action.toolchain_type],
)

def _main(ctx):
    """The source whose `main` runs."""
    sources = ctx.files.srcs
    if ctx.file.main:
        if ctx.file.main not in sources:
            fail("{}: main = {} is not one of the srcs".format(ctx.label, ctx.file.main.short_path))
        return ctx.file.main
    if len(sources) == 1:
        return sources[0]
    wanted = [ctx.label.name + ".clank", "main.clank"]
    named = [source for source in sources if source.basename in wanted]
    if len(named) != 1:
        fail("{}: which of the srcs runs? Name one {}, or set `main`".format(ctx.label, " or ".join(wanted)))
    return named[0]

def _clank_binary_impl(ctx):
    main = _main(ctx)
    built = _build(ctx, main)
    args = ctx.actions.args()
    args.add_all(["bazel", "run"])
    files = built.all_code.to_list()
    for file in files:
        if file.extension == "mjs":
            args.add(file.short_path, format = "--module=%s")
    for module in built.modules:
        if module.source == main:
            args.add(module.code.short_path, format = "--main=%s")
    return built.providers + [launcher(ctx, args, files)]

_PROGRAM_ATTRS = _ATTRS | {
    "main": attr.label(
        doc = "The source file whose `main` runs. By default it is the only source file, or the one that is named after the target or `main.clank`.",
        allow_single_file = [".clank"],
    ),
}

clank_binary = rule(
    implementation = _clank_binary_impl,
    doc = """\
A Clank program. `bazel run` runs its `main` on an engine that is part of Fixpoint.

The sources are compiled in the same way as those of a `clank_library`.

Example:

```starlark
load("@fixpoint//rules:defs.bzl", "clank_binary")

clank_binary(
    name = "app",
    srcs = ["app.clank"],
    deps = ["//shapes"],
)
```""",
    attrs = _PROGRAM_ATTRS,
    executable = True,
    toolchains = [fix_action.toolchain_type],
)

clank_test = rule(
    implementation = _clank_binary_impl,
    doc = """\
A Clank program that passes if its `main` succeeds. A failed `assert` or a panic fails the test.

Example:

```starlark
load("@fixpoint//rules:defs.bzl", "clank_test")

clank_test(
    name = "shapes_test",
    size = "small",
    srcs = ["shapes_test.clank"],
    deps = [":shapes"],
)
```""",
    attrs = _PROGRAM_ATTRS,
    test = True,
    toolchains = [fix_action.toolchain_type],
)
