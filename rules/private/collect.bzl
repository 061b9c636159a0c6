"""Selects the source files of a target, and declares the actions that analyze them."""

load("//rules/private:action.bzl", "fix_action", "generated_lists")
load("//toolchain:config_files.bzl", "config_files_for")
load("//toolchain:learned_rules.bzl", "language_with_rules")

# An action costs Bazel as much as analyzing some dozens of files.
_BATCH_SIZE = 64

# Attributes in which a generated file is a source of the target, and not an output of a dependency.
_SOURCE_ATTRIBUTES = ["data", "hdrs", "resources", "src", "srcs", "textual_hdrs"]

def is_opted_out(tags):
    """Whether a target's tags exclude it from Fixpoint.

    Args:
        tags (list[string]): The target's tags.

    Returns:
        bool: Whether `no-fixpoint` is among them.
    """
    return "no-fixpoint" in tags or "no_fixpoint" in tags

def is_permissive(tags):
    """Whether a target's tags exclude it from strict mode.

    Args:
        tags (list[string]): The target's tags.

    Returns:
        bool: Whether `fixpoint-permissive` is among them.
    """
    return "fixpoint-permissive" in tags

def targets_in(value):
    """The targets in an attribute's value.

    Args:
        value (any): The value.

    Returns:
        list[Target]: The targets, in order.
    """
    if type(value) == "dict":
        items = value.keys() + value.values()
    elif type(value) == "list":
        items = value
    else:
        items = [value]
    return [item for item in items if type(item) == "Target"]

def source_files(attributes, passed_on = None):
    """The files of the main repository's source tree that a target names in its attributes.

    Args:
        attributes (dict[string, any]): Attribute values by name. Private attributes are skipped, because
            they belong to the rule and not to the target.
        passed_on (function, optional): Returns the files that a dependency passes on as if they were named
            here, as a depset like `FixInfo.files`, or None. With it, a file that another target names
            belongs only to that target. Without it, all files count.

    Returns:
        struct: `sources` (list[File]), `passed` (list[depset]), `generated` (int), `external` (int).
    """
    sources, passed, generated, external = {}, [], {}, {}
    for name, value in attributes.items():
        if name.startswith("_"):
            continue
        for target in targets_in(value):
            given = passed_on(target) if passed_on else None
            if given != None:
                passed.append(given)
                continue
            for file in target.files.to_list():
                if not file.is_source:
                    if name in _SOURCE_ATTRIBUTES:
                        generated[file] = True
                elif passed_on and file.owner != target.label:
                    continue
                elif file.owner.repo_name or file.is_directory:
                    external[file] = True
                else:
                    sources[file] = True
    return struct(
        sources = sources.keys(),
        passed = passed,
        generated = len(generated),
        external = len(external),
    )

def _by_inputs(files, toolchain):
    """Splits files by the rules and schemas that their analysis reads, so that a change repeats no action of other files."""
    groups = {}
    for file in files:
        language = language_with_rules(toolchain.learned_rules, file.source)
        read = tuple([read.short_path for read in config_files_for(toolchain, [file.source])])
        groups.setdefault((language, read), []).append(file)
    return groups.values()

def _batches(files):
    """Splits files into batches. Adding or removing a file changes no other batch, unless their number changes."""
    count = 1
    for _ in range(32):
        if count * _BATCH_SIZE >= len(files):
            break
        count *= 2
    batches = {}
    for file in files:
        batches.setdefault(hash(file.source.short_path) % count, []).append(file)
    return batches.values()

def declare_outputs(ctx, sources):
    """Declares the outputs of the analysis of source files, in a folder of the target's name.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        sources (list[File]): Source files of the main repository.

    Returns:
        list[struct]: As in `FixInfo.files`.
    """
    folder = ctx.label.name + ".fixpoint"
    return [
        struct(
            analyzed = True,
            source = source,
            report = ctx.actions.declare_file("{}/report/{}.fix.pb".format(folder, source.short_path)),
        )
        for source in sources
    ]

def analyze_files(ctx, sources, schema = None):
    """Declares the analysis of source files, with outputs in a folder of the target's name.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        sources (list[File]): Source files of the main repository.
        schema (struct, optional): The schema that the sources are checked against, as in `FixInfo.schemas`.

    Returns:
        list[struct]: As in `FixInfo.files`.
    """
    files = declare_outputs(ctx, sources)
    for group in _by_inputs(files, ctx.toolchains[fix_action.toolchain_type]):
        for batch in _batches(group):
            fix_action.analyze(ctx, batch, schema, generated_lists = generated_lists(sources))
    return files
