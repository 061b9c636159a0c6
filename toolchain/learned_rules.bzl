"""The learned rules that an analysis reads: those for the languages of its sources."""

# The languages of rules, by the endings of file names. As in `src/learn/src/tree/language.rs`, which a test compares with
# this table.
_LANGUAGES = {
    "c": [".c"],
    "clank": [".clank"],
    "cpp": [".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"],
    "go": [".go"],
    "java": [".java"],
    "javascript": [".js", ".mjs", ".cjs", ".es6", ".jsx"],
    "python": [".py", ".pyi", ".pyw"],
    "rust": [".rs"],
    "starlark": [".axl", ".bazel", ".build", ".bzl", ".scl", ".sky", ".star", ".workspace"],
    "typescript": [".ts", ".mts", ".cts", ".tsx"],
}

_NAMES = {
    "BUILD": "starlark",
    "Tiltfile": "starlark",
    "WORKSPACE": "starlark",
    "WORKSPACE.bzlmod": "starlark",
}

# Other names of the folders of rules.
_SHORT_NAMES = {
    "c++": "cpp",
    "js": "javascript",
    "py": "python",
    "ts": "typescript",
}

# Other files that are never documents with a schema.
_OTHER_ENDINGS = [".css", ".gql", ".graphql", ".htm", ".html", ".markdown", ".md", ".sh", ".txt"]

_BY_ENDING = {
    ending: language
    for language, endings in _LANGUAGES.items()
    for ending in endings
}

def rules_by_language(files):
    """Groups rule files.

    Args:
        files (list[File]): The files, each in a folder named after its language.

    Returns:
        dict[string, list[File]]: The files by language.
    """
    found = {}
    for file in files:
        folder = file.dirname.rpartition("/")[2]
        found.setdefault(_SHORT_NAMES.get(folder, folder), []).append(file)
    return found

def language_with_rules(rules, source):
    """The language of a file.

    Args:
        rules (dict[string, list[File]]): From `rules_by_language`.
        source (File): The file.

    Returns:
        string: The language, or None if no rule is for it.
    """
    language = _NAMES.get(source.basename) or _BY_ENDING.get("." + source.extension.lower())
    return language if language in rules else None

def is_code(source):
    """Whether a file is in a language whose files have no schema.

    Args:
        source (File): The file.

    Returns:
        bool: False for documents, and for files with an unknown name.
    """
    ending = "." + source.extension.lower()
    return source.basename in _NAMES or ending in _BY_ENDING or ending in _OTHER_ENDINGS

def rules_for(rules, sources):
    """The rule files that an analysis of some sources reads.

    Args:
        rules (dict[string, list[File]]): From `rules_by_language`.
        sources (list[File]): The sources.

    Returns:
        list[File]: The rule files.
    """
    if not rules:
        return []
    languages = {language_with_rules(rules, source): True for source in sources}
    return [file for language in languages for file in rules.get(language, [])]
