"""The files of one language as the tools get them: as found, and as each tool itself lays them out."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

NAME = re.compile(r"\bf\d{6}\b")
# A tool that has something against more files than this is left out, not the files.
TOLERATED = 0.2
# Every layout takes blank lines off the end.
SPOILT = "\n\n\n"


# A slow tool gets every sixteenth file.
PART = 16


@dataclass
class Trees:
    """Folders, and bytes as found, by tool."""

    messy: dict[str, Path]
    clean: dict[str, Path]
    # One small file, canonical for its tool: what it costs is the start.
    tiny: dict[str, Path]
    size: dict[str, int]
    files: int
    # Files that were chosen but that a tool refuses, ignores or cannot settle on.
    left_out: int


def prepare(home, suffix, paths, size, tools):
    """Trees of the files that all of `tools` work on. A tool that takes too few of them is removed
    from `tools`."""
    whole, part = home / "whole", home / "part"
    whole.mkdir(parents=True)
    write_copies(whole, suffix, paths, size)
    part.mkdir()
    for path in sorted(whole.iterdir())[::PART]:
        shutil.copy(path, part)
    clean, unfit = {}, set()
    for tool in list(tools.values()):
        tree = home / tool.name
        shutil.copytree(part if tool.slow else whole, tree)
        names = {path.stem for path in tree.iterdir()}
        subprocess.run(tool.write, cwd=tree, capture_output=True)
        against = named(tool, tree) | not_handled(tool, tree, names)
        if len(against) > TOLERATED * len(names) and tool.name != "fixpoint":
            print(
                f"skipped {tool.name} for {suffix}: it takes {len(names - against)} of {len(names)} files"
            )
            del tools[tool.name]
            continue
        clean[tool.name] = tree
        unfit |= against
    for tree in [whole, part, *clean.values()]:
        for name in unfit:
            (tree / (name + suffix)).unlink(missing_ok=True)
    smallest = min(part.iterdir(), key=lambda path: path.stat().st_size).name
    messy = {name: part if tools[name].slow else whole for name in clean}
    return Trees(
        messy,
        clean,
        tiny={
            name: alone(home / f"{name}-tiny", tree / smallest)
            for name, tree in clean.items()
        },
        size={name: size_of(tree) for name, tree in messy.items()},
        files=len(list(whole.iterdir())),
        left_out=len(unfit),
    )


def size_of(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def write_copies(folder, suffix, paths, size):
    """The files under plain names, since some names mean something to some tools; again and again
    where the corpus has too little of a language to measure."""
    number, total = 0, 0
    while total < size:
        for path in paths:
            copy = folder / f"f{number:06}{suffix}"
            shutil.copyfile(path, copy)
            number += 1
            total += copy.stat().st_size
            if total >= size:
                break


def named(tool, tree):
    """The files that the tool has something to say about."""
    run = subprocess.run(
        [*tool.check, *tool.name_all],
        cwd=tree,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return set(NAME.findall(run.stdout)) | set(NAME.findall(run.stderr))


def not_handled(tool, tree, names):
    """The files that the tool passes over: those it does not complain about when they are spoilt.
    Without this a tool that ignores files would be fast for it."""
    spoilt = tree.with_name(f"{tool.name}-spoilt")
    shutil.copytree(tree, spoilt)
    for path in spoilt.iterdir():
        with path.open("a") as file:
            file.write(SPOILT)
    missed = names - named(tool, spoilt)
    shutil.rmtree(spoilt)
    return missed


def alone(folder, file):
    folder.mkdir()
    shutil.copy(file, folder)
    return folder
