"""The provider with which rules and aspects pass reports and fixes."""

def _new_fix_info(
        files,
        generated = 0,
        external = 0,
        allow_empty = False,
        must_examine = False,
        mode = "",
        schemas = depset()):
    return {
        "allow_empty": allow_empty,
        "external": external,
        "files": files,
        "generated": generated,
        "mode": mode,
        "must_examine": must_examine,
        "schemas": schemas,
    }

FixInfo, _ = provider(
    doc = """\
The fixes of a target's source files. A rule of another rule set may return this provider with its own
reports. `fix`, the tests and the aspects then use them like those of Fixpoint.""",
    fields = {
        "allow_empty": "bool: Whether strict mode passes if there is no file to examine. False by default.",
        "external": "int: The number of the target's files that belong to other repositories and were left out. 0 by default.",
        "files": "depset[struct]: One per source file, with `source` (File) and `report` (File: a report in protobuf or JSON form, or an empty file if there is nothing to report). Fixpoint's own rules add `analyzed = True`: the report contains only what Fixpoint finds in the source.",
        "generated": "int: The number of the target's files that are generated and were left out. 0 by default.",
        "mode": "string: `permissive` if strict mode does not check the target, else empty. Empty by default.",
        "must_examine": "bool: Whether strict mode fails if no file was examined. False by default.",
        "schemas": "depset[struct]: Schemas that files are checked against, in addition to those that `fixpoint.toml` names. Each has `schema` (File), `data` (tuple[File]: the files that it refers to) and `sources` (tuple[File]: the files to check). Empty by default.",
    },
    init = _new_fix_info,
)

def reports_of(targets):
    """The reports of targets.

    Args:
        targets (list[Target]): Targets with `FixInfo`.

    Returns:
        list[File]: The reports.
    """
    files = depset(transitive = [target[FixInfo].files for target in targets])
    return [file.report for file in files.to_list()]
