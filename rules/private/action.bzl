"""The actions: they analyze sources, import the output of tools, convert reports to other forms, and check reports."""

load("//toolchain:config_files.bzl", "config_files_for", "config_path")
load("//toolchain:learned_rules.bzl", "rules_for")
load("//toolchain:toolchain.bzl", "TOOLCHAIN_TYPE")

_PATH_MAPPING = {"supports-path-mapping": "1"}

# All actions share one worker, whatever their mnemonic is. Outside of a sandbox, a worker cannot have path mapping: Bazel
# passes mapped paths to it, but expects outputs at the unmapped paths.
_WORKER = {
    "supports-multiplex-sandboxing": "1",
    "supports-multiplex-workers": "1",
    "supports-workers": "1",
    "worker-key-mnemonic": "Fixpoint",
}

# With this variable, `fixpoint` refuses to write sources.
_ENVIRONMENT = {"FIXPOINT_ACTION": "1"}

def command_line(ctx, command):
    """The command line of an action. A worker gets it with each request.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        command (string): The command of the binary.

    Returns:
        Args: The command line.
    """
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    args.add(command)
    return args

def run_command(ctx, args, inputs, outputs, mnemonic, progress_message, in_worker = True):
    """Declares an action that runs the binary.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        args (Args): From `command_line`.
        inputs (list[File]): The files that the action reads.
        outputs (list[File]): The files that it writes.
        mnemonic (string): The kind of the action.
        progress_message (string): What Bazel shows while it runs.
        in_worker (bool, optional): Whether a worker knows the command.
    """
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE]
    ctx.actions.run(
        executable = toolchain.binary,
        arguments = ["bazel", args],
        inputs = inputs,
        outputs = outputs,
        mnemonic = mnemonic,
        progress_message = progress_message,
        env = _ENVIRONMENT,
        execution_requirements = _WORKER if toolchain.worker and in_worker else _PATH_MAPPING,
        toolchain = TOOLCHAIN_TYPE,
    )

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
    """The lists of generated files among the sources. The files that they name are not analyzed.

    Args:
        sources (list[File]): Source files.

    Returns:
        list[File]: The lists.
    """
    return [source for source in sources if source.basename == _GENERATED_LIST]

def generated_list_flag(file, found_at):
    """The flag for a list of generated files.

    Args:
        file (File): The list.
        found_at (string): Where the command finds it.

    Returns:
        string: The flag.
    """
    return "--generated-list=" + json.encode({"file": found_at, "folder": file.short_path.rpartition("/")[0]})

def _generated_list_flag(file):
    return generated_list_flag(file, file.path)

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
        "canonical": file.canonical.path if hasattr(file, "canonical") else None,
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

def _analyze(ctx, files, schema = None, modules = None, generated_lists = []):
    """Declares one action that analyzes source files.

    The action succeeds on any text: errors, including syntax errors, are in the report.
    The calling rule or aspect needs the toolchain `fix_action.toolchain_type`.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        files (list[struct]): As in `FixInfo.files`. `source` is a source file of the main repository.
            The action writes `report`. A struct may also have `canonical` (File): the text with every
            safe fix applied. Beside it, it may have `map` (File): the map from lines of `canonical` to
            lines of `source`, which `fixpoint map` reads.
        schema (struct, optional): One of `FixInfo.schemas`. All of `files` are checked
            against it.
        modules (struct, optional): For a Clank target: `own` (list[struct]) are its modules, each with
            `source` and `code` (File), `interfaces` (list[File]) are those of its dependencies, and the
            action writes its own interface to `output` (File).
        generated_lists (list[File], optional): Lists of generated files. A source that they name gets an
            empty report.
    """
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE]
    sources = [file.source for file in files]
    args = command_line(ctx, "analyze")
    args.add(toolchain.config, format = "--config=%s")
    own = schema_files(schema) if schema else []
    config_files = config_files_for(toolchain, sources) + rules_for(toolchain.learned_rules, sources)
    args.add_all(config_files, map_each = _config_file_flag)
    args.add_all(own, map_each = _schema_file_flag)
    args.add_all(generated_lists, map_each = _generated_list_flag)
    own = own + generated_lists
    if schema:
        add_schema(args, schema, sources)
    outputs = []
    if modules:
        args.add_all(modules.own, map_each = _module_flag)
        args.add_all(modules.interfaces, format_each = "--interface=%s")
        args.add(modules.output, format = "--interface-output=%s")
        own = own + [module.source for module in modules.own] + modules.interfaces
        outputs.append(modules.output)
    args.add_all(files, map_each = _analyzed_file_flag)
    for file in files:
        outputs.extend([getattr(file, name) for name in ["report", "canonical", "map"] if hasattr(file, name)])
    run_command(
        ctx,
        args,
        inputs = sources + [toolchain.config] + config_files + own,
        outputs = outputs,
        mnemonic = "FixpointAnalyze",
        progress_message = "Analyzing sources of %{label}",
    )

def _imported_file_flag(file):
    return "--file=" + json.encode({
        "path": file.source.short_path,
        "report": file.report.path,
        "source": file.source.path,
    })

def _import_reports(ctx, files, tool_output, format, tool, safety = "likely_preserving"):
    """Declares the action that converts the output of a tool to reports.

    The action fails if the output names a file that is not in `files`, or was made from other texts.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        files (list[struct]): The files that the tool has examined, each with `source` (File), and `report`
            (File) for the action to write. The tool must name them by their paths in the workspace.
        tool_output (File): What the tool has written.
        format (string): `sarif` (SARIF 2.1.0) or `diff` (a unified diff).
        tool (string): The name of the tool. It is the rule of fixes from a diff.
        safety (string, optional): How safe the fixes are: `behavior_preserving`, `likely_preserving` or
            `behavior_changing`.
    """
    args = command_line(ctx, "import")
    args.add(format, format = "--format=%s")
    args.add(tool, format = "--tool=%s")
    args.add(safety, format = "--safety=%s")
    args.add(tool_output, format = "--tool-output=%s")
    args.add_all(files, map_each = _imported_file_flag)
    run_command(
        ctx,
        args,
        inputs = [file.source for file in files] + [tool_output],
        outputs = [file.report for file in files],
        mnemonic = "FixpointImport",
        progress_message = "Importing the output of " + tool + " for %{label}",
    )

def _view(ctx, files, form, outputs):
    """Declares the action that converts reports to another form.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        files (list[struct]): Some of `FixInfo.files`.
        form (string): `canonical`, `diff` or `json`.
        outputs (list[File]): The files to write, one for each of `files`.
    """
    args = command_line(ctx, "view")
    args.add(form, format = "--form=%s")
    viewed = [
        struct(output = outputs[index], report = file.report, source = file.source)
        for index, file in enumerate(files)
    ]
    args.add_all(viewed, map_each = _viewed_file_flag)
    run_command(
        ctx,
        args,
        inputs = [file.source for file in files] + [file.report for file in files],
        outputs = outputs,
        mnemonic = "FixpointView",
        progress_message = "Writing the fixes of %{label} as " + form,
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
    files = info.files.to_list()
    args = command_line(ctx, "check")
    add_subject(args, label, info)
    args.add(marker, format = "--marker=%s")
    args.add_all(files, map_each = _checked_file_flag)
    run_command(
        ctx,
        args,
        inputs = [file.source for file in files] + [file.report for file in files],
        outputs = [marker],
        mnemonic = "FixpointCheck",
        progress_message = "Checking the fixes of %{label}",
    )

fix_action = struct(
    analyze = _analyze,
    check = _check,
    environment = _ENVIRONMENT,
    import_reports = _import_reports,
    toolchain_type = TOOLCHAIN_TYPE,
    view = _view,
)
