"""The workspace's `fixpoint.toml`, the files it names and the learned rules, for actions to read."""

load("//toolchain:config_files.bzl", "ALL_FILES")
load("//toolchain/private:formatters.bzl", "formatter_settings")
load("//toolchain/private:toml.bzl", "toml_strings")

# The folder of the repository that contains the files that `fixpoint.toml` names, at their workspace paths.
_FOLDER = "files/"

# The limit of the loop: more files than any schema refers to.
_MOST_FILES = 10000

# The folder of learned rules in the workspace: `LANGUAGE/ID.json`.
_LEARNED = ".fixpoint/rules"

_SCHEMA = ("validate", "schema", "schema")
_DOCUMENTS = ("validate", "schema", "files")
_RULES = ("validate", "rules")

# The globs of the documents that rules files are for. Only the rules files themselves say more.
_ALL_DOCUMENTS = ["**"]

def references(path, schema):
    """The files that a schema refers to by `$ref`, in any format.

    Text that only looks like a reference counts too, because an additional file does no harm.

    Args:
        path (string): The path of the schema in the workspace.
        schema (string): Its text.

    Returns:
        list[string]: Paths in the workspace.
    """
    found = []
    for mark in ["$ref", "$dynamicRef"]:
        for rest in schema.split(mark)[1:]:
            rest = rest.split("\n")[0].lstrip("\"' \t:=").replace("\\/", "/")
            for end in ["\"", "'", "#", " ", "\t", "\r", ",", "}"]:
                rest = rest.split(end)[0]
            if rest and ":" not in rest and not rest.startswith("/"):
                beside = _joined(path, rest)
                if beside:
                    found.append(beside)
    return found

def _joined(path, reference):
    """The workspace path of a reference in the file `path`. None if it leads outside of the workspace."""
    parts = path.split("/")[:-1]
    for part in reference.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ["", "."]:
            parts.append(part)
    return "/".join(parts)

def _is_inside(path):
    return path and not path.startswith("/") and ".." not in path.split("/") and ":" not in path

def _copied(rctx, path):
    """Copies a file of the workspace and returns its text. Returns None if there is no such file."""
    file = rctx.path(str(rctx.workspace_root) + "/" + path)
    rctx.watch(file)
    if not file.exists or file.is_dir:
        return None
    text = rctx.read(file)
    rctx.file(_FOLDER + path, text, executable = False)
    return text

def _workspace_config_impl(rctx):
    config = rctx.workspace_root.get_child("fixpoint.toml")
    rctx.watch(config)
    text = rctx.read(config) if config.exists else ""
    rctx.file("fixpoint.toml", text, executable = False)
    strings = toml_strings(text)

    # For each file, the globs of the documents that are checked with it.
    documents = {}
    for keys, path, _ in strings:
        if keys == _RULES and _is_inside(path):
            _copied(rctx, path)
            documents[path] = _ALL_DOCUMENTS
    globs = {}
    for keys, glob, table in strings:
        if keys == _DOCUMENTS:
            globs.setdefault(table, []).append(glob)
    wanted = [
        (path, globs.get(table, []))
        for keys, path, table in strings
        if keys == _SCHEMA and _is_inside(path)
    ]
    texts = {}
    for _ in range(_MOST_FILES):
        if not wanted:
            break
        path, used_by = wanted.pop()
        if path not in texts:
            texts[path] = _copied(rctx, path) or ""
        known = documents.get(path, [])
        new = [glob for glob in used_by if glob not in known]
        if new:
            documents[path] = known + new
            wanted.extend([(file, new) for file in references(path, texts[path])])

    for path, content in formatter_settings(rctx).items():
        rctx.file(_FOLDER + path, content, executable = False)
        documents[path] = ALL_FILES

    # A link, and not copies: the glob below sees added and removed files without running this function again. Watching
    # a folder with `readdir` would fail every build after the folder is removed.
    rctx.symlink(str(rctx.workspace_root) + "/" + _LEARNED, _FOLDER + _LEARNED)
    rctx.file("BUILD.bazel", """\
load("{rule}", "config_files")

exports_files(
    ["fixpoint.toml"],
    visibility = ["//visibility:public"],
)

config_files(
    name = "files",
    srcs = glob(
        ["{folder}**"],
        allow_empty = True,
        exclude = ["{folder}{learned}/**"],
    ),
    documents = {documents},
    visibility = ["//visibility:public"],
)

filegroup(
    name = "learned_rules",
    srcs = glob(["{folder}{learned}/*/*.json"], allow_empty = True),
    visibility = ["//visibility:public"],
)
""".format(
        documents = repr(documents),
        folder = _FOLDER,
        learned = _LEARNED,
        rule = str(Label("//toolchain:config_files.bzl")),
    ))

workspace_config = repository_rule(
    implementation = _workspace_config_impl,
    doc = "Copies of the `fixpoint.toml` at the root of the workspace (an empty file if it does not exist), of the schemas and rules files that it names, of the files that the schemas refer to, the settings of other formatters, and a link to the folder of learned rules.",
)
