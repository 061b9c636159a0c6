"""Prepares the files of one language: as found, and as each tool formats them."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

NAME = re.compile(r"\bf\d{6}\.[a-z]+\b")
# A tool that rejects more files than this is excluded, not the files.
TOLERATED = 0.1
# Every tool removes blank lines at the end.
SPOILT = "\n\n\n"
# A slow tool gets every sixteenth file.
PART = 16


@dataclass
class Trees:
    """The folders, and the size of the unformatted files in bytes, for each tool."""

    messy: dict[str, Path]
    clean: dict[str, Path]
    # One small canonical file for each tool: its cost is the start-up.
    tiny: dict[str, Path]
    size: dict[str, int]
    files: int
    # Chosen files that a tool rejects, ignores or does not format stably.
    left_out: int


def prepare(home, suffix, paths, size, tools):
    """Prepares trees of the files that all of `tools` accept. Removes a tool that accepts too few
    of them from `tools`."""
    whole, part = home / "whole", home / "part"
    whole.mkdir(parents=True)
    write_copies(whole, suffix, paths, size)
    names = sorted(path.name for path in whole.iterdir())
    unfit = set()
    for tool in list(tools.values()):
        given = names[::PART] if tool.slow else names
        against = refused(tool, whole, given, home / "trial", TOLERATED * len(given))
        if len(against) > TOLERATED * len(given):
            print(
                f"skipped {tool.name} for {suffix}: it refuses or ignores too many files"
            )
            del tools[tool.name]
        else:
            unfit |= against
    for name in unfit:
        (whole / name).unlink()
    copy(whole, part, [name for name in names[::PART] if name not in unfit])
    messy = {name: part if tool.slow else whole for name, tool in tools.items()}
    clean = {
        name: write(tool, shutil.copytree(messy[name], home / name))
        for name, tool in tools.items()
    }
    smallest = min(part.iterdir(), key=lambda path: path.stat().st_size).name
    return Trees(
        messy,
        clean,
        tiny={
            name: copy(tree, home / f"{name}-tiny", [smallest])
            for name, tree in clean.items()
        },
        size={name: size_of(tree) for name, tree in messy.items()},
        files=len(names) - len(unfit),
        left_out=len(unfit),
    )


def refused(tool, source, names, trial, limit):
    """Returns the files that the tool rejects, ignores, does not format stably, or crashes on. A
    crash affects other files too, so the search divides the tree. It stops after more than
    `limit` files."""
    write(tool, copy(source, trial, names))
    against = named(tool, trial) | ignored(tool, trial, names)
    shutil.rmtree(trial)
    if len(against) <= TOLERATED * len(names) or len(names) == 1:
        return against
    middle = len(names) // 2
    first = refused(tool, source, names[:middle], trial, limit)
    if len(first) > limit:
        return first
    return first | refused(tool, source, names[middle:], trial, limit - len(first))


def write(tool, tree):
    subprocess.run(tool.write, cwd=tree, capture_output=True)
    return tree


def copy(source, folder, names):
    folder.mkdir()
    for name in names:
        shutil.copyfile(source / name, folder / name)
    return folder


def size_of(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def write_copies(folder, suffix, paths, size):
    """Copies the files under neutral names, because some names have a meaning for some tools.
    Repeats them if the corpus has too little of a language to measure."""
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
    """Returns the files that the output of the tool mentions."""
    run = subprocess.run(
        [*tool.check, *tool.name_all],
        cwd=tree,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return set(NAME.findall(run.stdout)) | set(NAME.findall(run.stderr))


def ignored(tool, tree, names):
    """Returns the files that the tool ignores: it does not report them after they are spoilt.
    Otherwise a tool would seem faster because it ignores files."""
    for name in names:
        with (tree / name).open("a") as file:
            file.write(SPOILT)
    return set(names) - named(tool, tree)
