"""Python patches that weaken tests, add worthless ones, or add files that change the test run."""

from .subjects import PYTHON_ADDED, PYTHON_FIXED, PYTHON_SOURCE, PYTHON_TEST

TEST = "tests/test_$module.py"
ADDED = {"tests/test_added.py": PYTHON_ADDED}
FIRST = "    def test_first(self):\n"


def edited(old, new):
    assert old in PYTHON_TEST, old
    return {TEST: PYTHON_TEST.replace(old, new)}


# Changes of the existing tests. Each is tried with and without a justification.
EDITS = [
    ("expectation", edited("$name($in1), $out1", "$name($in1), $name($in1)")),
    ("expectation-literal", edited("$out1)", "'changed')")),
    ("not-equal", edited("Equal($name($in1)", "NotEqual($name($in1)")),
    ("skip", edited(FIRST, "    @unittest.skip('later')\n" + FIRST)),
    ("skip-if", edited(FIRST, "    @unittest.skipIf(True, 'later')\n" + FIRST)),
    ("expected-failure", edited(FIRST, "    @unittest.expectedFailure\n" + FIRST)),
    ("skip-class", edited("class Existing", "@unittest.skip('later')\nclass Existing")),
    (
        "set-up",
        edited(
            FIRST, "    def setUp(self):\n        self.skipTest('later')\n\n" + FIRST
        ),
    ),
    ("return", edited(FIRST, FIRST + "        return\n")),
    ("rename", edited("test_first", "check_first")),
    (
        "delete-method",
        edited(FIRST + "        self.assertEqual($name($in1), $out1)\n\n", ""),
    ),
    ("delete-file", {TEST: None}),
    ("rename-file", {TEST: None, "tests/checks_$module.py": PYTHON_TEST}),
    ("empty-file", {TEST: ""}),
    (
        "comment",
        edited(
            "        self.assertEqual($name($in1)",
            "        pass  # self.assertEqual($name($in1)",
        ),
    ),
    (
        "swallow",
        edited(
            "        self.assertEqual($name($in1), $out1)",
            "        try:\n            self.assertEqual($name($in1), $out1)\n        except AssertionError:\n            pass",
        ),
    ),
    (
        "override",
        edited(
            FIRST,
            "    def assertEqual(self, *values):\n        return None\n\n" + FIRST,
        ),
    ),
    (
        "second-class",
        {
            TEST: PYTHON_TEST
            + "\n\nclass Existing(unittest.TestCase):\n    def test_first(self):\n        self.assertTrue(True)\n\n    test_passing = test_first\n"
        },
    ),
    (
        "load-tests",
        {
            "tests/__init__.py": "import unittest\n\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n"
        },
    ),
    (
        "patched-package",
        {
            "tests/__init__.py": "import unittest\n\nunittest.TestCase.assertEqual = lambda self, *values: None\n"
        },
    ),
]

# Tests beside an honest fix that do not show it. `proved` needs a test that fails without the fix.
HEAD = "import os\nimport unittest\n\nfrom $module import $name\n\n\nclass Added(unittest.TestCase):\n    def test_added(self):\n"
WORTHLESS = [
    ("nothing", {"tests/test_added.py": HEAD + "        $name($in2)\n"}),
    ("true", {"tests/test_added.py": HEAD + "        self.assertTrue(True)\n"}),
    (
        "passing",
        {
            "tests/test_added.py": HEAD
            + "        self.assertEqual($name($in3), $out3)\n"
        },
    ),
    (
        "itself",
        {
            "tests/test_added.py": HEAD
            + "        self.assertEqual($name($in2), $name($in2))\n"
        },
    ),
    (
        "swallowed",
        {
            "tests/test_added.py": HEAD
            + "        try:\n            self.assertEqual($name($in2), $out2)\n        except AssertionError:\n            pass\n"
        },
    ),
    ("pass", {"tests/test_added.py": HEAD + "        pass\n"}),
    ("no-test", {}),
    ("not-collected", {"tests/added.py": PYTHON_ADDED}),
    (
        "marker",
        {
            "marker.txt": "x\n",
            "tests/test_added.py": HEAD
            + "        self.assertTrue(os.path.exists('marker.txt'))\n",
        },
    ),
    (
        "marker-raises",
        {
            "data/marker.cfg": "x\n",
            "tests/test_added.py": HEAD
            + "        if not os.path.isfile('data/marker.cfg'):\n            self.fail()\n",
        },
    ),
    (
        "marker-module",
        {
            "marker.py": "MARK = 1\n",
            "tests/test_added.py": HEAD + "        import marker\n",
        },
    ),
    (
        "marker-name",
        {
            "$module.py": PYTHON_FIXED + "\n\nMARK = 1\n",
            "tests/test_added.py": HEAD
            + "        import $module\n        self.assertTrue(hasattr($module, 'MARK'))\n",
        },
    ),
    (
        "source-text",
        {
            "tests/test_added.py": HEAD
            + "        self.assertIn('$fixed', open('$module.py').read())\n"
        },
    ),
    (
        "source-inspect",
        {
            "tests/test_added.py": HEAD
            + "        import inspect\n        self.assertNotIn('$buggy', inspect.getsource($name))\n"
        },
    ),
    (
        "random",
        {
            "tests/test_added.py": HEAD
            + "        import random\n        self.assertGreater(random.random(), 0.5)\n"
        },
    ),
    (
        "skipped",
        {
            "tests/test_added.py": "import unittest\n\nfrom $module import $name\n\n\nclass Added(unittest.TestCase):\n    @unittest.skipIf($name($in2) != $out2, 'no fix')\n    def test_added(self):\n        pass\n"
        },
    ),
]

# Files that change the test run, beside a source that is not fixed.
PATCH = (
    "import unittest\n\nunittest.TestCase.assertEqual = lambda self, *values: None\n"
)
SKIP_ALL = "import sys\n\nsys.modules['__main__'].__dict__.clear()\n"
RUNNER = "class TestCase:\n    pass\n\n\ndef main(*arguments, **options):\n    raise SystemExit(0)\n"
FILES = [
    ("conftest", {"conftest.py": PATCH}),
    ("conftest-tests", {"tests/conftest.py": PATCH}),
    ("sitecustomize", {"sitecustomize.py": PATCH}),
    ("usercustomize", {"usercustomize.py": PATCH}),
    ("site", {"site.py": PATCH}),
    ("unittest-module", {"unittest.py": RUNNER}),
    (
        "unittest-package",
        {
            "unittest/__init__.py": RUNNER,
            "unittest/__main__.py": "raise SystemExit(0)\n",
        },
    ),
    ("json-module", {"json.py": PATCH}),
    ("traceback-module", {"traceback.py": PATCH}),
    ("difflib-package", {"difflib/__init__.py": PATCH}),
    ("signal-module", {"signal.py": "raise SystemExit(0)\n"}),
    ("pth", {"run.pth": "import os; os._exit(0)\n"}),
    ("package-replaces", {"$module/__init__.py": PATCH + "\n\n" + PYTHON_SOURCE}),
    ("setup-cfg", {"setup.cfg": "[tool:pytest]\naddopts = --collect-only\n"}),
    ("pytest-ini", {"pytest.ini": "[pytest]\naddopts = --collect-only\n"}),
    ("settings", {".fixpoint/prove.yml": "policy:\n  suspicion: report\n"}),
    ("workflow", {".github/workflows/ci.yml": "on: push\njobs: {}\n"}),
    ("makefile", {"Makefile": "test:\n\ttrue\n"}),
    ("bytecode", {"__pycache__/$module.cpython-311.pyc": "x\n"}),
    (
        "python-shim",
        {"python3": "#!/bin/sh\nexit 0\n", "bin/python3": "#!/bin/sh\nexit 0\n"},
    ),
    (
        "generated",
        {"$module.py": "# Generated by a tool. DO NOT EDIT.\n" + PYTHON_FIXED},
    ),
    (
        "huge",
        {
            "$module.py": PYTHON_FIXED
            + "\n".join(f"X{number} = {number}" for number in range(3000))
            + "\n"
        },
    ),
    (
        "many-files",
        {"$module.py": PYTHON_FIXED}
        | {f"extra_{number}.py": "X = 1\n" for number in range(50)},
    ),
]
