"""Selects real files to measure: from a folder, or from well-known packages if none is given."""

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

# Together these packages contain enough files of every language.
PYTHON_PACKAGES = {"django": "5.2.19", "homeassistant": "2025.4.4"}
NODE_PACKAGES = {"effect": "4.1.0", "rxjs": "7.8.2", "zod": "4.6.7"}

# Folders with files that nobody formats: vendored, generated, or wrong on purpose.
NOT_REAL = {
    ".git",
    "node_modules",
    "target",
    "fixtures",
    "testdata",
    "resources",
    "snapshots",
}
# Biome does not format larger files.
LARGEST = 1 << 20


def fetch(cache):
    """Returns folders with the sources of well-known packages: packages that pip and npm can
    download, and the crates that are already on this machine."""
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
        # Nothing is run, so the Python version that the package requires does not matter.
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
    """Returns the files of each language by package, which is the folder directly below a root."""
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
    """Chooses about `size` bytes of files, in turns from each package, so that none dominates."""
    # The order is the same in every run, and independent of file names.
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
