"""Real files to work on: found in a folder, or fetched by name where none is given."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

SUFFIXES = {
    ".py": "python",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".md": "markdown",
    ".ts": "typescript",
}

# Together they hold enough of every language.
PYTHON_PACKAGES = {"django": "5.2.19", "homeassistant": "2025.4.4"}
NODE_PACKAGES = {"effect": "4.1.0", "rxjs": "7.8.2", "zod": "4.6.7"}

# Folders of files that nobody formats: other people's, generated, or wrong on purpose.
NOT_REAL = {
    ".git",
    "node_modules",
    "target",
    "fixtures",
    "testdata",
    "resources",
    "snapshots",
}
# Biome leaves larger files alone.
LARGEST = 1 << 20


def fetch(cache):
    """Folders with the sources of well-known packages: crates that are on this machine already,
    and what the ordinary clients can download."""
    home = cache / "corpus"
    home.mkdir(parents=True, exist_ok=True)
    for name, version in PYTHON_PACKAGES.items():
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
        ]
        # Nothing is run, so what Python the package wants does not matter.
        fetch_one(
            home, name, version, [*pip, "--python-version=3.13", f"{name}=={version}"]
        )
    for name, version in NODE_PACKAGES.items():
        fetch_one(home, name, version, ["npm", "pack", "--silent", f"{name}@{version}"])
    crates = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry/src"
    return [home, *crates.glob("*")]


def fetch_one(home, name, version, command):
    folder = home / f"{name}-{version}"
    if folder.is_dir():
        return
    partial = home / f".{name}"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        run = subprocess.run(command, cwd=partial, capture_output=True, text=True)
    except OSError as error:
        print(f"skipped {name}: {error}")
        return
    archives = list(partial.iterdir())
    if run.returncode != 0 or not archives:
        print(
            f"skipped {name}: {(run.stderr.strip() or 'nothing came').splitlines()[-1]}"
        )
        return
    unpack(archives[0], partial / "files")
    (partial / "files").rename(folder)
    shutil.rmtree(partial)


def unpack(archive, folder):
    if archive.suffix == ".whl":
        zipfile.ZipFile(archive).extractall(folder)
    else:
        tarfile.open(archive).extractall(folder, filter="data")


def find(roots):
    """The files of each language, by the package they are of: the folder right below a root."""
    found = {language: {} for language in SUFFIXES.values()}
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if name not in NOT_REAL]
            for name in names:
                path = Path(folder, name)
                language = SUFFIXES.get(path.suffix)
                if language is None or name.endswith(".d.ts") or path.is_symlink():
                    continue
                if 0 < path.stat().st_size < LARGEST:
                    package = path.relative_to(root).parts[0]
                    found[language].setdefault(package, []).append(path)
    return found


def choose(packages, size):
    """About `size` bytes of files, each package in its turn, so that none outweighs the others."""
    # The order is the same in every run, and has nothing to do with what files are called.
    piles = [sorted(files, key=digest) for _, files in sorted(packages.items())]
    chosen, total = [], 0
    while piles and total < size:
        for pile in piles:
            path = pile.pop()
            chosen.append(path)
            total += path.stat().st_size
            if total >= size:
                break
        piles = [pile for pile in piles if pile]
    return chosen


def digest(path):
    return hashlib.sha256(path.read_bytes()).digest()
