"""Packs a fixpoint binary into a release archive and a wheel, and writes their digests.

usage: package.py BINARY TARGET FOLDER

TARGET is the Rust target that BINARY was built for. The same input gives the same bytes.
"""

import argparse
import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

import licenses

REPOSITORY = Path(__file__).resolve().parent.parent

# The platform of each Rust target, as toolchain/private/platforms.bzl names it.
PLATFORMS = {
    "aarch64-apple-darwin": "macos-arm64",
    "aarch64-unknown-linux-gnu": "linux-arm64",
    "aarch64-unknown-linux-musl": "linux-arm64",
    "x86_64-apple-darwin": "macos-x86_64",
    "x86_64-unknown-linux-gnu": "linux-x86_64",
    "x86_64-unknown-linux-musl": "linux-x86_64",
}

# A static Linux binary needs no C library, so its wheel can be installed beside either one.
WHEEL_TAGS = {
    "linux-arm64": [
        "manylinux_2_17_aarch64",
        "manylinux2014_aarch64",
        "musllinux_1_1_aarch64",
    ],
    "linux-x86_64": [
        "manylinux_2_17_x86_64",
        "manylinux2014_x86_64",
        "musllinux_1_1_x86_64",
    ],
    "macos-arm64": ["macosx_11_0_arm64"],
    "macos-x86_64": ["macosx_11_0_x86_64"],
}


def archive(folder, files):
    """A tar.gz with the given files, which are (name, mode, bytes), in a folder."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as writer:
        for name, mode, content in files:
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.mode = mode
            entry.size = len(content)
            writer.addfile(entry, io.BytesIO(content))
    return gzip.compress(tar.getvalue(), mtime=0)


def wheel(version, tags, files):
    """A wheel whose installation puts the executable files on the path."""
    info = f"fixpoint-{version}.dist-info"
    texts = [name for name, mode, _ in files if not mode & 0o100]
    metadata = [
        "Metadata-Version: 2.4",
        "Name: fixpoint",
        f"Version: {version}",
        "Summary: One tool that formats, lints and fixes a Bazel repository",
        "License-Expression: Apache-2.0",
        *[f"License-File: {name}" for name in texts],
    ]
    about = [
        "Wheel-Version: 1.0",
        "Generator: fixpoint scripts/package.py",
        "Root-Is-Purelib: false",
        *[f"Tag: py3-none-{tag}" for tag in tags],
    ]
    programs, documents = f"fixpoint-{version}.data/scripts", f"{info}/licenses"
    entries = [
        (f"{documents if name in texts else programs}/{name}", mode, content)
        for name, mode, content in files
    ]
    entries.append((f"{info}/METADATA", 0o644, lines(metadata)))
    entries.append((f"{info}/WHEEL", 0o644, lines(about)))
    record = [
        f"{name},sha256={urlsafe(content)},{len(content)}"
        for name, _, content in entries
    ]
    entries.append((f"{info}/RECORD", 0o644, lines([*record, f"{info}/RECORD,,"])))

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, mode, content in entries:
            # Its time is the first of 1980, the earliest that a zip can have.
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, so that installers read the mode.
            entry.external_attr = (0o100000 | mode) << 16
            writer.writestr(entry, content)
    return packed.getvalue()


def lines(texts):
    return "".join(f"{text}\n" for text in texts).encode()


def urlsafe(content):
    digest = hashlib.sha256(content).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", type=Path)
    parser.add_argument("target")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()

    platform = PLATFORMS.get(arguments.target)
    if not platform:
        parser.error(
            f"cannot package for {arguments.target}; use one of {', '.join(PLATFORMS)}"
        )
    manifest = (REPOSITORY / "Cargo.toml").read_text()
    version = re.search(r'^version = "(.*)"$', manifest, re.MULTILINE)[1]
    third_party = licenses.third_party(REPOSITORY, arguments.target)
    files = [
        ("LICENSE", 0o644, (REPOSITORY / "LICENSE").read_bytes()),
        ("THIRD-PARTY-LICENSES", 0o644, third_party.encode()),
        ("fixpoint", 0o755, arguments.binary.read_bytes()),
    ]
    tags = WHEEL_TAGS[platform]
    written = {
        f"fixpoint-{platform}.tar.gz": archive(f"fixpoint-{platform}", files),
        f"fixpoint-{version}-py3-none-{'.'.join(tags)}.whl": wheel(
            version, tags, files
        ),
    }
    written[f"fixpoint-{platform}.sha256"] = lines(
        f"{hashlib.sha256(content).hexdigest()}  {file}"
        for file, content in written.items()
    )
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for file, content in written.items():
        (arguments.folder / file).write_bytes(content)
        print(arguments.folder / file)


if __name__ == "__main__":
    main()
