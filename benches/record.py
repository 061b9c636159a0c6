"""Shared by the benchmarks: builds the binary, checks the bars and writes the results."""

import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def default_cache():
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return home / "fixpoint-bench"


def build(profile="release"):
    """Builds the binary of release archives, or with "toolchain" the one that Bazel builds from source."""
    rustc = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True)
    triple = rustc.stdout.split("host: ")[1].split()[0]
    command = ["cargo", "build", "--profile", profile, "--target", triple]
    flags = ["static", "release"] if profile == "release" else ["static"]
    for name in flags:
        command += ["--config", f"toolchain/{name}.toml"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    return ROOT / target / triple / profile / "fixpoint"


def judge(bars, what, value, bar, with_start=None, at_most=False):
    met = value <= bar if at_most else value >= bar
    held = {
        "what": what,
        "value": round(value, 2),
        "bar": bar,
        "at_most": at_most,
        "met": met,
    }
    bars.append(
        held if with_start is None else held | {"with_start": round(with_start, 2)}
    )


def in_milliseconds(cost):
    return {
        "cpu_ms": round(1e3 * cost.processor, 2),
        "wall_ms": round(1e3 * cost.wall, 2),
    }


def speed(size, cost, start):
    """Returns the throughput in processor time, with and without the start-up."""
    net = max(cost.processor - start.processor, 1e-4)
    return {
        "mb_per_s": round(size / cost.processor / 1e6, 3),
        "net_mb_per_s": round(size / net / 1e6, 3),
    }


def write_results(texts, program):
    """Writes files with these names, formatted as `fixpoint check` requires in this tree."""
    for name, text in texts.items():
        command = [program, "format", "--stdin", f"--path={name}"]
        run = subprocess.run(
            command, input=text, capture_output=True, text=True, check=True
        )
        (HERE / name).write_text(run.stdout)
