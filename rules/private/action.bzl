"""The actions: they analyze sources, convert reports to other forms, and check reports in strict mode."""

load("//toolchain:learned_rules.bzl", "rules_for")
load("//toolchain:toolchain.bzl", "TOOLCHAIN_TYPE")

_MNEMONIC = "FixpointAnalyze"

_WORKER_REQUIREMENTS = {
    "requires-worker-protocol": "json",
    "supports-multiplex-sandboxing": "1",
    "supports-multiplex-workers": "1",
    "supports-workers": "1",
}

_PATH_MAPPING = {"supports-path-mapping": "1"}

# With this variable, `fixpoint` refuses to write sources.
_ENVIRONMENT = {"FIXPOINT_ACTION": "1"}

def _requirements(toolchain):
    # Without a sandbox, Bazel passes mapped paths to the worker but expects outputs at the unmapped paths.
    return _WORKER_REQUIREMENTS if toolchain.worker else _PATH_MAPPING

# The folder of the files below, in the repository that contains copies of them.
_CONFIG_FILES = "/files/"

def config_path(file):
    """The workspace path of a file that `fixpoint.toml` names, or of a learned rule.

    Args:
        file (File): One of the toolchain's `config_files` or `learned_rules`.

    Returns:
        string: The path.
    """
    return file.short_path.partition(_CONFIG_FILES)[2]

# Each flag below has a JSON object as its value, so that what belongs together is in one place. Functions for
# `map_each` read `File.path` when Bazel runs the action, so that they get mapped paths.

def workspace_file_flag(file, path, flag = "workspace-file"):
    """The flag for a file of the workspace, such as a schema.

    Args:
        file (string): Where the command finds it.
        path (string): Its path in the workspace.
        flag (string): The name of the flag.

    Returns:
        string: The flag.
    """
    return "--" + flag + "=" + json.encode({"file": file, "path": path})

def _config_file_flag(file):
    return workspace_file_flag(file.path, config_path(file))

def _schema_file_flag(file):
    return workspace_file_flag(file.path, file.short_path)

_GENERATED_LIST = "fixpoint-generated.sha256"

def generated_lists(sources):
    """The lists of generated files among the sources. The files that they name are left out.

    Args:
        sources (list[File]): Source files.

    Returns:
        list[File]: The lists.
    """
    return [source for source in sources if source.basename == _GENERATED_LIST]

def ignore_file_flag(file, found_at):
    """The flag for an ignore file. Files that it matches are left out.

    Args:
        file (File): A file named `.gitignore`, the copy of the one at the root, or a list of generated files.
        found_at (string): Where the command finds it.

    Returns:
        string: The flag.
    """

    # The root's `.gitignore` is a copy in a separate repository.
    folder = "" if file.owner.repo_name else file.short_path.rpartition("/")[0]
    return "--ignore-file=" + json.encode({"file": found_at, "folder": folder})

def _ignore_file_flag(file):
    return ignore_file_flag(file, file.path)

def schema_files(schema):
    """A schema and the files that it refers to.

    Args:
        schema (struct): One of `FixInfo.schemas`.

    Returns:
        list[File]: The files.
    """
    return [schema.schema] + list(schema.data)

def add_schema(args, schema, sources):
    """Adds the schema that applies to documents to a command line.

    Args:
        args (Args): The command line.
        schema (struct): One of `FixInfo.schemas`.
        sources (list[File]): The documents.
    """
    for source in sources:
        assigned = {"document": source.short_path, "schema": schema.schema.short_path}
        args.add("--assigned-schema=" + json.encode(assigned))

def _module_flag(module):
    return "--module=" + json.encode({
        "code": module.code.short_path,
        "path": module.source.short_path,
        "source": module.source.path,
    })

def _analyzed_file_flag(file):
    return "--file=" + json.encode({
        "canonical": file.canonical.path,
        "map": file.map.path if hasattr(file, "map") else None,
        "path": file.source.short_path,
        "report": file.report.path,
        "source": file.source.path,
    })

def _checked_file_flag(file):
    return "--file=" + json.encode({"report": file.report.path, "source": file.source.path})

def _viewed_file_flag(file):
    return "--file=" + json.encode({
        "output": file.output.path,
        "report": file.report.path,
        "source": file.source.path,
    })

def _analyze(ctx, files, schema = None, modules = None, ignore_files = []):
    """Declares one action that analyzes source files.

    The action succeeds on any text: errors, including syntax errors, are in the report.
    The calling rule or aspect needs the toolchain `fix_action.toolchain_type`.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        files (list[struct]): As in `FixInfo.files`. `source` is a source file of the main repository.
            The action writes `report` and `canonical`. A struct may also have `map` (File): the map
            from lines of `canonical` to lines of `source`, which `fixpoint map` reads. Either all
            structs have it or none.
        schema (struct, optional): One of `FixInfo.schemas`. All of `files` are checked
            against it.
        modules (struct, optional): For a Clank target: `own` (list[struct]) are its modules, each with
            `source` and `code` (File), `interfaces` (list[File]) are those of its dependencies, and the
            action writes its own interface to `output` (File).
        ignore_files (list[File], optional): Ignore files and lists of generated files. A source that they
            match gets an empty report.
    """
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE]
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = toolchain.worker)
    args.set_param_file_format("multiline")
    args.add(toolchain.config, format = "--config=%s")
    own = schema_files(schema) if schema else []
    config_files = toolchain.config_files + rules_for(toolchain.learned_rules, [file.source for file in files])
    args.add_all(config_files, map_each = _config_file_flag)
    args.add_all(own, map_each = _schema_file_flag)
    args.add_all(ignore_files, map_each = _ignore_file_flag)
    own = own + ignore_files
    if schema:
        add_schema(args, schema, [file.source for file in files])
    outputs = []
    if modules:
        args.add_all(modules.own, map_each = _module_flag)
        args.add_all(modules.interfaces, format_each = "--interface=%s")
        args.add(modules.output, format = "--interface-output=%s")
        own = own + [module.source for module in modules.own] + modules.interfaces
        outputs.append(modules.output)
    args.add_all(files, map_each = _analyzed_file_flag)
    for file in files:
        outputs.extend([file.report, file.canonical])
        if hasattr(file, "map"):
            outputs.append(file.map)
    ctx.actions.run(
        executable = toolchain.binary,
        arguments = ["bazel", "analyze", args],
        inputs = [file.source for file in files] + [toolchain.config] + config_files + own,
        outputs = outputs,
        mnemonic = _MNEMONIC,
        progress_message = "Analyzing sources of %{label}",
        env = _ENVIRONMENT,
        execution_requirements = _requirements(toolchain),
        toolchain = TOOLCHAIN_TYPE,
    )

def _view(ctx, files, form, outputs):
    """Declares the action that converts reports to another form.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        files (list[struct]): Some of `FixInfo.files`.
        form (string): `json` or `diff`.
        outputs (list[File]): The files to write, one for each of `files`.
    """
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE]
    args = ctx.actions.args()
    args.use_param_file("@%s")
    args.set_param_file_format("multiline")
    args.add(form, format = "--form=%s")
    viewed = [
        struct(output = outputs[index], report = file.report, source = file.source)
        for index, file in enumerate(files)
    ]
    args.add_all(viewed, map_each = _viewed_file_flag)
    ctx.actions.run(
        executable = toolchain.binary,
        arguments = ["bazel", "view", args],
        inputs = [file.source for file in files] + [file.report for file in files],
        outputs = outputs,
        mnemonic = "FixpointView",
        progress_message = "Writing the fixes of %{label} as " + form,
        env = _ENVIRONMENT,
        execution_requirements = _PATH_MAPPING,
        toolchain = TOOLCHAIN_TYPE,
    )

def add_subject(args, label, info):
    """Adds the facts that a check reports about its target to a command line.

    Args:
        args (Args): The command line.
        label (Label): The target.
        info (FixInfo): Its files.
    """
    args.add(str(label).removeprefix("@@").removeprefix("@"), format = "--label=%s")
    args.add(info.generated, format = "--generated=%s")
    args.add(info.external, format = "--external=%s")
    if info.allow_empty or not info.must_examine:
        args.add("--allow-empty")

def _check(ctx, label, info, marker):
    """Declares the action that fails if strict mode fails on one of the files.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        label (Label): The target that messages name.
        info (FixInfo): The files to check.
        marker (File): Written when the check passes. No other action may read it.
    """
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE]
    files = info.files.to_list()
    args = ctx.actions.args()
    args.use_param_file("@%s")
    args.set_param_file_format("multiline")
    add_subject(args, label, info)
    args.add(marker, format = "--marker=%s")
    args.add_all(files, map_each = _checked_file_flag)
    ctx.actions.run(
        executable = toolchain.binary,
        arguments = ["bazel", "check", args],
        inputs = [file.source for file in files] + [file.report for file in files],
        outputs = [marker],
        mnemonic = "FixpointCheck",
        progress_message = "Checking the fixes of %{label}",
        env = _ENVIRONMENT,
        execution_requirements = _PATH_MAPPING,
        toolchain = TOOLCHAIN_TYPE,
    )

fix_action = struct(
    analyze = _analyze,
    check = _check,
    environment = _ENVIRONMENT,
    toolchain_type = TOOLCHAIN_TYPE,
    view = _view,
)
