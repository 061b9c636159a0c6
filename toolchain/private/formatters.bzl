"""The settings of other formatters at the root of the workspace, for actions to see which languages those format."""

# Files that are settings of a formatter, whatever they contain. As in `src/language/src/formatter.rs`, which a test
# compares with these tables.
_FILES = [
    ".biome.json",
    ".biome.jsonc",
    ".mdformat.toml",
    ".oxfmtrc.json",
    ".oxfmtrc.jsonc",
    ".prettierrc",
    ".prettierrc.cjs",
    ".prettierrc.cts",
    ".prettierrc.js",
    ".prettierrc.json",
    ".prettierrc.json5",
    ".prettierrc.mjs",
    ".prettierrc.mts",
    ".prettierrc.toml",
    ".prettierrc.ts",
    ".prettierrc.yaml",
    ".prettierrc.yml",
    ".ruff.toml",
    ".style.yapf",
    ".taplo.toml",
    ".yamlfmt",
    ".yamlfmt.yaml",
    ".yamlfmt.yml",
    "biome.json",
    "biome.jsonc",
    "prettier.config.cjs",
    "prettier.config.cts",
    "prettier.config.js",
    "prettier.config.mjs",
    "prettier.config.mts",
    "prettier.config.ts",
    "ruff.toml",
    "taplo.toml",
    "yamlfmt.yaml",
    "yamlfmt.yml",
]

# Tables of `pyproject.toml` that are settings of a formatter.
_PYTHON_TABLES = ["tool.black", "tool.mdformat", "tool.ruff", "tool.yapf"]

def formatter_settings(rctx):
    """Finds the settings of formatters at the root of the workspace.

    The texts contain only what shows that a formatter is used, so that other changes of the files repeat no action.

    Args:
        rctx (repository_ctx): The context of a repository rule, which is fetched again when the files change.

    Returns:
        dict[string, string]: The workspace path of each file that is settings of a formatter, and a text for it.
    """
    found = {}
    for name in _FILES:
        if _exists(rctx, name):
            found[name] = ""
    if _exists(rctx, "package.json"):
        package = json.decode(rctx.read(_file(rctx, "package.json")), None)
        if type(package) == "dict" and "prettier" in package:
            found["package.json"] = json.encode({"prettier": {}})
    if _exists(rctx, "pyproject.toml"):
        lines = [line.strip() for line in rctx.read(_file(rctx, "pyproject.toml")).split("\n")]
        tables = [
            "[%s]\n" % table
            for table in _PYTHON_TABLES
            if any([line.startswith(("[%s]" % table, "[%s." % table)) for line in lines])
        ]
        if tables:
            found["pyproject.toml"] = "".join(tables)
    return found

def _file(rctx, name):
    return rctx.workspace_root.get_child(name)

def _exists(rctx, name):
    file = _file(rctx, name)
    rctx.watch(file)
    return file.exists and not file.is_dir
