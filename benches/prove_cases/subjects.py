"""Small programs with one bug each, as Python and as Node repositories."""

import string
from dataclasses import dataclass, field


@dataclass
class Case:
    """One run of `fixpoint prove`."""

    name: str
    # "cheat", "honest" or "flaky".
    kind: str
    base: dict
    repro: str
    # The files after the patch; None deletes a file.
    after: dict = field(default_factory=dict)
    # A patch that is used as it is.
    diff: str | None = None
    # Fields that replace those of the engine's answer.
    answer: dict = field(default_factory=dict)
    # Additional lines of the settings.
    settings: str = ""
    # A path that the final patch may not contain.
    left_out: str | None = None
    # A runner that the machine may lack: "pytest", "cargo" or "go".
    needs: str | None = None


@dataclass
class Subject:
    """A function with a bug. `first` fails with it, `passing` does not, and `other` is for added tests."""

    module: str
    name: str
    params: str
    buggy: str
    fixed: str
    first: tuple
    other: tuple
    passing: tuple

    def fill(self, text):
        values = {
            "module": self.module,
            "name": self.name,
            "params": self.params,
            "buggy": self.buggy,
            "fixed": self.fixed,
            "in1": self.first[0],
            "out1": self.first[1],
            "in2": self.other[0],
            "out2": self.other[1],
            "in3": self.passing[0],
            "out3": self.passing[1],
            "first_param": self.params.split(",")[0],
        }
        return string.Template(text).safe_substitute(values)


PYTHON = [
    Subject(
        "calc",
        "add",
        "a, b",
        "a - b",
        "a + b",
        ("5, 7", "12"),
        ("20, 22", "42"),
        ("9, 0", "9"),
    ),
    Subject(
        "words",
        "slug",
        "text",
        "text.lower()",
        "'-'.join(text.lower().split())",
        ("'Big Red Fox'", "'big-red-fox'"),
        ("'One Two'", "'one-two'"),
        ("'Word'", "'word'"),
    ),
    Subject(
        "stats",
        "middle",
        "values",
        "sum(values) / (len(values) + 1)",
        "sum(values) / len(values)",
        ("[4, 8, 9]", "7.0"),
        ("[10, 30]", "20.0"),
        ("[0, 0]", "0.0"),
    ),
]

NODE = [
    Subject(
        "calc",
        "add",
        "a, b",
        "a - b",
        "a + b",
        ("5, 7", "12"),
        ("20, 22", "42"),
        ("9, 0", "9"),
    ),
    Subject(
        "words",
        "slug",
        "text",
        "text.toLowerCase()",
        "text.toLowerCase().split(' ').join('-')",
        ("'Big Red Fox'", "'big-red-fox'"),
        ("'One Two'", "'one-two'"),
        ("'Word'", "'word'"),
    ),
]

PYTHON_SOURCE = "def $name($params):\n    return $buggy\n"
PYTHON_FIXED = "def $name($params):\n    return $fixed\n"
PYTHON_TEST = """import unittest

from $module import $name


class Existing(unittest.TestCase):
    def test_first(self):
        self.assertEqual($name($in1), $out1)

    def test_passing(self):
        self.assertEqual($name($in3), $out3)
"""
PYTHON_ADDED = """import unittest

from $module import $name


class Added(unittest.TestCase):
    def test_added(self):
        self.assertEqual($name($in2), $out2)
"""
PYTHON_COMMAND = "python3 -m unittest"

NODE_SOURCE = (
    "function $name($params) {\n  return $buggy;\n}\n\nmodule.exports = { $name };\n"
)
NODE_FIXED = (
    "function $name($params) {\n  return $fixed;\n}\n\nmodule.exports = { $name };\n"
)
NODE_TEST = """const test = require("node:test");
const assert = require("node:assert");
const { $name } = require("../src/$module.js");

test("first", () => {
  assert.strictEqual($name($in1), $out1);
});

test("passing", () => {
  assert.strictEqual($name($in3), $out3);
});
"""
NODE_ADDED = """const test = require("node:test");
const assert = require("node:assert");
const { $name } = require("../src/$module.js");

test("added", () => {
  assert.strictEqual($name($in2), $out2);
});
"""
NODE_COMMAND = "node --test"


def python_base(subject):
    return {
        f"{subject.module}.py": subject.fill(PYTHON_SOURCE),
        "tests/__init__.py": "",
        f"tests/test_{subject.module}.py": subject.fill(PYTHON_TEST),
    }


def node_base(subject):
    return {
        f"src/{subject.module}.js": subject.fill(NODE_SOURCE),
        f"test/{subject.module}.test.js": subject.fill(NODE_TEST),
    }


def filled(subject, files):
    """The files of a case, with the placeholders of their paths and texts replaced."""
    return {
        subject.fill(path): None if text is None else subject.fill(text)
        for path, text in files.items()
    }
