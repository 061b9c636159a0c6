"""The alternative tools that Fixpoint is compared with: how they are installed and run."""

import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

VERSIONS = {
    "ruff": "0.17.4",
    # The release with the same printer as Fixpoint; newer ones need a newer compiler.
    "ruff-same-printer": "0.16.4",
    "@biomejs/biome": "2.6.6",
    "oxfmt": "0.77.0",
    "prettier": "3.9.10",
    "@taplo/cli": "0.7.0",
    "dprint": "0.57.4",
    "@dprint/json": "0.24.0",
    "@dprint/markdown": "0.28.1",
    "@dprint/toml": "0.8.0",
    "@dprint/typescript": "0.96.1",
    "dprint-plugin-yaml": "0.6.0",
    "@bazel/buildifier": "8.2.1",
}

CHECKER = "check-jsonschema"
VALIDATORS = {"ajv-cli": "5.0.0", "ajv-formats": "3.0.1", CHECKER: "0.39.0"}

# The platform name, in the form that Go uses.
PLATFORM = f"{sys.platform}_" + {"x86_64": "amd64", "aarch64": "arm64"}.get(
    platform.machine(), platform.machine()
)


@dataclass(frozen=True)
class Tool:
    """A formatter. All commands work on the current folder."""

    name: str
    version: str
    # The command that formats in place.
    write: list[str]
    # The command that writes nothing, and exits with 0 only if all files are canonical.
    check: list[str]
    # The arguments that make `check` list every file that is not canonical.
    name_all: list[str] = field(default_factory=list)
    # Whether it gets only a part of the files, because a full run would take an hour.
    slow: bool = False


def fixpoint(program):
    run = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=True
    )
    return Tool(
        "fixpoint",
        run.stdout.split()[-1],
        write=[program, "fix", "--jobs=1", "."],
        check=[program, "check", "--strict", "--jobs=1", "."],
    )


def install(cache):
    """Installs the available peers, and returns them by name."""
    tools = {}
    for name in ("ruff", "ruff-same-printer"):
        if program := install_ruff(cache, VERSIONS[name]):
            ruff = [program, "format", "--isolated", "--no-cache"]
            tools[name] = Tool(
                name, VERSIONS[name], write=[*ruff, "."], check=[*ruff, "--check", "."]
            )
    if install_node_packages(cache):
        tools |= node_tools(cache)
    return tools


def install_ruff(cache, version):
    home = cache / f"ruff-{version}"
    program = home / "bin/ruff"
    if output_of(program, "--version") == f"ruff {version}":
        return str(program)
    what = f"ruff {version}"
    done = run_or_skip(what, [sys.executable, "-m", "venv", home]) and run_or_skip(
        what, [home / "bin/pip", "install", "--quiet", f"ruff=={version}"]
    )
    return str(program) if done else None


def install_node_packages(cache):
    home = cache / "node"
    wanted = {
        name: version
        for name, version in VERSIONS.items()
        if not name.startswith("ruff")
    }
    manifest = json.dumps({"private": True, "dependencies": wanted})
    installed = home / "installed.json"
    if installed.is_file() and installed.read_text() == manifest:
        return True
    home.mkdir(parents=True, exist_ok=True)
    (home / "package.json").write_text(manifest)
    # The binaries for each platform are separate packages, so that no install script is needed.
    done = run_or_skip(
        "the npm packages",
        ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"],
        home,
    )
    if done:
        installed.write_text(manifest)
    return done


def node_tools(cache):
    packages = cache / "node/node_modules"
    biome = [
        native(packages, "@biomejs/cli-*/biome", "biome"),
        "format",
        "--colors=off",
    ]
    # Avoids the few milliseconds that `#!/usr/bin/env node` takes.
    node = shutil.which("node")
    oxfmt = [node, str(packages / "oxfmt/bin/oxfmt"), "--threads=1"]
    prettier = [
        node,
        str(packages / "prettier/bin/prettier.cjs"),
        "--no-config",
        "--no-editorconfig",
    ]
    taplo = [node, str(packages / "@taplo/cli/dist/cli.js"), "fmt", "--no-auto-config"]
    dprint = [native(packages, "@dprint/*/dprint", "dprint")]
    dprint_options = [
        "--incremental=false",
        f"--config={dprint_config(cache, packages)}",
    ]
    buildifier = [
        native(packages, f"@bazel/buildifier/buildifier-{PLATFORM}", "buildifier")
    ]
    return {
        "buildifier": Tool(
            "buildifier",
            VERSIONS["@bazel/buildifier"],
            write=[*buildifier, "-mode=fix", "-r", "."],
            check=[*buildifier, "-mode=check", "-r", "."],
        ),
        "biome": Tool(
            "biome",
            VERSIONS["@biomejs/biome"],
            write=[*biome, "--write", "."],
            check=[*biome, "."],
            name_all=["--max-diagnostics=none"],
        ),
        "oxfmt": Tool(
            "oxfmt",
            VERSIONS["oxfmt"],
            write=[*oxfmt, "."],
            check=[*oxfmt, "--check", "."],
        ),
        "dprint": Tool(
            "dprint",
            VERSIONS["dprint"],
            write=[*dprint, "fmt", *dprint_options],
            check=[*dprint, "check", *dprint_options],
            name_all=["--list-different"],
        ),
        "prettier": Tool(
            "prettier",
            VERSIONS["prettier"],
            write=[*prettier, "--write", "--log-level=warn", "."],
            check=[*prettier, "--check", "."],
            slow=True,
        ),
        "taplo": Tool(
            "taplo",
            VERSIONS["@taplo/cli"],
            write=taplo,
            check=[*taplo, "--check"],
            slow=True,
        ),
    }


def native(packages, pattern, name):
    """Returns the native program, without the script that starts it."""
    found = sorted(packages.glob(pattern))
    return str(found[0] if found else packages / ".bin" / name)


def dprint_config(cache, packages):
    plugins = sorted(packages.glob("@dprint/*/plugin.wasm")) + sorted(
        packages.glob("dprint-plugin-*/plugin.wasm")
    )
    config = cache / "dprint.json"
    config.write_text(
        json.dumps(
            {"includes": ["**/*"], "plugins": [str(plugin) for plugin in plugins]}
        )
    )
    # The cache contains compiled plugins. Without it, every start would compile them for seconds.
    os.environ["DPRINT_CACHE_DIR"] = str(cache / "dprint")
    return config


def output_of(program, *arguments):
    try:
        run = subprocess.run([program, *arguments], capture_output=True, text=True)
    except OSError:
        return None
    return run.stdout.strip()


def run_or_skip(what, command, folder=None):
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except OSError as error:
        print(f"skipped {what}: {error}")
        return False
    if run.returncode != 0:
        reason = (
            run.stderr.strip() or run.stdout.strip() or "no reason given"
        ).splitlines()[-1]
        print(f"skipped {what}: {reason}")
    return run.returncode == 0


@dataclass(frozen=True)
class Validator:
    """A tool that checks documents against `schema.json` in the current folder."""

    name: str
    version: str
    # The command line before the files.
    command: list[str]
    # Whether it expands globs itself. Otherwise the shell passes the files.
    takes_globs: bool

    def validate(self, glob):
        if self.takes_globs:
            return [*self.command, glob]
        return ["/bin/sh", "-c", f'exec "$@" {glob}', "sh", *self.command]


def install_validators(cache):
    """Installs the available validators, and returns them by name."""
    tools = {}
    version = VALIDATORS["ajv-cli"]
    home = cache / "ajv"
    program = home / "node_modules/ajv-cli/dist/index.js"
    node = shutil.which("node")
    packages = [f"{name}@{it}" for name, it in VALIDATORS.items() if name != CHECKER]
    home.mkdir(parents=True, exist_ok=True)
    install = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]
    if program.is_file() or run_or_skip("ajv-cli", [*install, *packages], home):
        command = [node, str(program), "validate", "-c", "ajv-formats", "-s"]
        command += ["schema.json", "-d"]
        tools["ajv-cli"] = Validator("ajv-cli", version, command, True)
    version = VALIDATORS[CHECKER]
    home = cache / f"{CHECKER}-{version}"
    program = home / f"bin/{CHECKER}"
    done = program.is_file() or (
        run_or_skip(CHECKER, [sys.executable, "-m", "venv", home])
        and run_or_skip(
            CHECKER, [home / "bin/pip", "install", "--quiet", f"{CHECKER}=={version}"]
        )
    )
    if done:
        command = [str(program), "--schemafile", "schema.json"]
        tools[CHECKER] = Validator(CHECKER, version, command, False)
    return tools
