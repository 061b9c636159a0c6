"""Selects the source files of a target, and declares the actions that analyze them."""

load("//rules/private:action.bzl", "fix_action")

# Starting a process in a sandbox costs as much as analyzing some dozens of files.
_BATCH_SIZE = 32

# Where a generated file is a source of the target, and not what a dependency made.
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
    """The targets an attribute's value holds.

    Args:
        value (any): The value.

    Returns:
        list[Target]: All of them, in order.
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
        attributes (dict[string, any]): Attribute values by name. Private ones are the rule's, not the
            target's, and are left out.
        passed_on (function, optional): What a dependency passes on as if it were named here, a depset
            as in `FixInfo.files`, or None. With it a file that another target names is that target's
            alone; without, all files count.

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

def _batches(files):
    """Splits files into batches that stay as they are when a file comes or goes elsewhere."""
    count = 1
    for _ in range(32):
        if count * _BATCH_SIZE >= len(files):
            break
        count *= 2
    batches = {}
    for file in files:
        batches.setdefault(hash(file.source.short_path) % count, []).append(file)
    return batches.values()

def analyze_files(ctx, sources, schema = None, gitignores = []):
    """Declares the analysis of source files, with outputs in a folder of the target's name.

    Args:
        ctx (ctx): The context of a rule or an aspect.
        sources (list[File]): Source files of the main repository.
        schema (struct, optional): As in `FixInfo.schemas`: what each of them is checked against.
        gitignores (list[File], optional): Ignore files; what they match is left out.

    Returns:
        list[struct]: As in `FixInfo.files`.
    """
    folder = ctx.label.name + ".fixpoint"
    files = [
        struct(
            source = source,
            report = ctx.actions.declare_file("{}/report/{}.fix.pb".format(folder, source.short_path)),
            canonical = ctx.actions.declare_file("{}/canonical/{}".format(folder, source.short_path)),
        )
        for source in sources
    ]
    for batch in _batches(files):
        fix_action.analyze(ctx, batch, schema, gitignores = gitignores)
    return files
