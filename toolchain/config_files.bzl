"""The files that an analysis reads: schemas, rules files and settings of other formatters that concern its sources."""

load("//toolchain:learned_rules.bzl", "is_code")

ConfigFilesInfo = provider(
    doc = "Schemas and rules files, and the documents that they are for.",
    fields = {
        "documents": "dict[string, list[string]]: For the workspace path of a file, globs of the documents that are checked with it, or `ALL_FILES`.",
    },
)

# Instead of globs: the file is read by the analysis of every file, also of code, which has no schema.
ALL_FILES = []

# The folder of the files, in the repository that contains copies of them.
_FOLDER = "/files/"

# The characters that have a meaning in a glob.
_SPECIAL = "*?[]{}!\\"

def config_path(file):
    """The workspace path of a file that `fixpoint.toml` names, or of a learned rule.

    Args:
        file (File): One of the toolchain's `config_files` or `learned_rules`.

    Returns:
        string: The path.
    """
    return file.short_path.partition(_FOLDER)[2]

def may_match(glob, path):
    """Whether a glob may match a path. Only the text around its special characters is compared.

    Args:
        glob (string): The glob, in the syntax of `fixpoint.toml`.
        path (string): The path of a file in the workspace.

    Returns:
        bool: False only if the glob does not match.
    """
    glob = glob.removeprefix("/").removesuffix("/")
    special = [at for at in range(len(glob)) if glob[at] in _SPECIAL]
    if not special:
        return path == glob or path.startswith(glob + "/") or path.endswith("/" + glob)
    before, after = glob[:special[0]], glob[special[-1] + 1:]

    # A glob without a slash may match in any folder.
    starts = path.startswith(before) or "/" not in glob
    return starts and ("/" + path).endswith(after)

def config_files_for(toolchain, sources):
    """The schemas and rules files that an analysis of some sources reads.

    Args:
        toolchain (ToolchainInfo): The toolchain.
        sources (list[File]): The sources.

    Returns:
        list[File]: The files.
    """
    if not toolchain.config_files:
        return []
    paths = [source.short_path for source in sources if not is_code(source)]
    found = []
    for file in toolchain.config_files:
        globs = toolchain.documents.get(config_path(file), ["**"])
        if globs == ALL_FILES or any([may_match(glob, path) for glob in globs for path in paths]):
            found.append(file)
    return found

def _config_files_impl(ctx):
    return [
        DefaultInfo(files = depset(ctx.files.srcs)),
        ConfigFilesInfo(documents = ctx.attr.documents),
    ]

config_files = rule(
    implementation = _config_files_impl,
    doc = "Schemas and rules files, for the attribute `config_files` of a `fixpoint_toolchain`.",
    attrs = {
        "documents": attr.string_list_dict(
            doc = "For the workspace path of a file, globs of the documents that are checked with it. A file without an entry is for all documents, one with an empty list for all files.",
        ),
        "srcs": attr.label_list(
            doc = "The files, each below a folder `files` at its path in the workspace.",
            allow_files = True,
        ),
    },
)
