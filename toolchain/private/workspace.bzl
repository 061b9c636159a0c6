"""The workspace's `fixpoint.toml` and what it names, as files that actions can read."""

# Where the files that the settings name lie in the repository, at their workspace paths.
_FOLDER = "files/"

def _quoted(text):
    """The texts between double quotes."""
    return [part for index, part in enumerate(text.split("\"")) if index % 2 == 1]

def _named_files(config):
    """The schemas and rules files that settings name.

    They are `schema` under `[[validate.schema]]` and `rules` under `[validate]`. Settings written in
    another way are still valid; actions then do without the files.
    """
    named = {}
    section = ""
    list_is_open = False
    for line in config.split("\n"):
        line = line.strip()
        if line.startswith("[") and not list_is_open:
            section = line.split("#")[0].strip()
            continue
        key = line.split("=")[0].strip()
        is_schema = section == "[[validate.schema]]" and key == "schema"
        is_rules = list_is_open or section == "[validate]" and key == "rules"
        if not line.startswith("#") and (is_schema or is_rules):
            named.update({path: True for path in _quoted(line)})
            list_is_open = is_rules and "]" not in line
    return named.keys()

def _is_inside(path):
    return path and not path.startswith("/") and ".." not in path.split("/") and ":" not in path

def _workspace_config_impl(rctx):
    config = rctx.workspace_root.get_child("fixpoint.toml")
    rctx.watch(config)
    text = rctx.read(config) if config.exists else ""
    rctx.file("fixpoint.toml", text, executable = False)
    for path in _named_files(text):
        file = rctx.path(str(rctx.workspace_root) + "/" + path)
        if _is_inside(path):
            rctx.watch(file)
            if file.exists and not file.is_dir:
                rctx.file(_FOLDER + path, rctx.read(file), executable = False)
    rctx.file("BUILD.bazel", """\
exports_files(
    ["fixpoint.toml"],
    visibility = ["//visibility:public"],
)

filegroup(
    name = "files",
    srcs = glob(["{folder}**"], allow_empty = True),
    visibility = ["//visibility:public"],
)
""".format(folder = _FOLDER))

workspace_config = repository_rule(
    implementation = _workspace_config_impl,
    doc = "A copy of the `fixpoint.toml` at the root of the workspace, empty where there is none, and of the schemas and rules files that it names.",
)
