"""Expands the families of benches/learn_families into pairs of files.

    python3 benches/learn_expand.py FOLDER [SOURCE]

A source file holds one family. `=== pair` and `=== negative WHY` start a sample, with an optional path after a colon. A
pair is one text with its changes marked: `{-before-}{+after+}`.
"""

import pathlib
import re
import sys

EXTENSIONS = {
    "go": "go",
    "java": "java",
    "python": "py",
    "rust": "rs",
    "starlark": "bzl",
    "typescript": "tsx",
}
MARK = re.compile(r"\{-(.*?)-\}|\{\+(.*?)\+\}", re.DOTALL)


def samples(text):
    """Yields (kind, path, text) of each sample of a family."""
    for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        words, _, path = head.partition(":")
        yield words.split()[0], path.strip(), body


def side(text, group):
    return MARK.sub(lambda mark: mark.group(group) or "", text)


def expand(source, folder, extension):
    count = {"pair": 0, "negative": 0}
    for kind, path, text in samples(source.read_text(encoding="utf-8")):
        count[kind] += 1
        name = f"{path}/{count[kind]:02}" if path else f"{count[kind]:02}"
        if kind == "pair":
            write(folder / "pairs" / f"{name}.before.{extension}", side(text, 1))
            write(folder / "pairs" / f"{name}.after.{extension}", side(text, 2))
        else:
            write(folder / "negatives" / f"{name}.{extension}", text)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main():
    folder = pathlib.Path(sys.argv[1])
    home = pathlib.Path(__file__).parent / "learn_families"
    root = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else home
    for source in sorted(root.rglob("*.txt")):
        suite = "-".join(source.relative_to(root).parts[:-1])
        language = source.parent.name
        expand(source, folder / suite / source.stem, EXTENSIONS[language])


if __name__ == "__main__":
    main()
