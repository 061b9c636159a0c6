"""Lists the crates that the fixpoint binary is built from, with their licenses."""

import json
import re
import subprocess
from pathlib import Path

LICENSE_FILE = re.compile(r"(un)?licen[cs]e|copying|copyright|notice", re.IGNORECASE)

C_LIBRARIES = {
    "gnu": "the GNU C library, linked statically: LGPL-2.1-or-later",
    "musl": "musl, linked statically: MIT",
}


def linked_crates(metadata):
    """The crates of others that fixpoint-cli depends on, except those that only build scripts and tests use."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    pending = [
        package["id"]
        for package in packages.values()
        if package["name"] == "fixpoint-cli"
    ]
    seen = set(pending)
    while pending:
        for dependency in nodes[pending.pop()]["deps"]:
            is_linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_linked and dependency["pkg"] not in seen:
                seen.add(dependency["pkg"])
                pending.append(dependency["pkg"])
    crates = [
        package
        for package in packages.values()
        if package["id"] in seen and package["source"]
    ]
    return sorted(crates, key=lambda crate: (crate["name"], crate["version"]))


def license_texts(crate):
    """The license files of a crate, also those of C sources inside it."""
    folder = Path(crate["manifest_path"]).parent
    files = [
        file
        for file in folder.rglob("*")
        if file.is_file() and LICENSE_FILE.match(file.name)
    ]
    return [file.read_text("utf-8", "replace").strip() for file in sorted(files)]


def third_party(repository, target):
    """The crates with their license ids, followed by the texts of the licenses."""
    command = [
        "cargo",
        "metadata",
        "--locked",
        "--format-version=1",
        f"--filter-platform={target}",
    ]
    cargo = subprocess.run(command, cwd=repository, stdout=subprocess.PIPE)
    if cargo.returncode:
        raise SystemExit("error: cannot list the licenses: cargo metadata failed")
    crates = linked_crates(json.loads(cargo.stdout))

    names = {}
    for crate in crates:
        for text in license_texts(crate):
            names.setdefault(text, []).append(f"{crate['name']} {crate['version']}")

    system = C_LIBRARIES.get(target.rsplit("-", 1)[1])
    lines = [
        "The fixpoint binary is built from this software of others, under these licenses.",
        "",
    ]
    lines += [
        f"{crate['name']} {crate['version']}: {crate['license'] or 'see below'}"
        for crate in crates
    ]
    lines += [
        "the Rust standard library: MIT OR Apache-2.0",
        *([system] if system else []),
    ]
    for text, users in names.items():
        lines += ["", "=" * 80, *dict.fromkeys(users), "-" * 80, text]
    return "\n".join(lines) + "\n"
