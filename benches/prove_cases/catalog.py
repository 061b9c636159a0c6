"""All cases of benches/prove."""

import hashlib
import json

from . import (
    diffs,
    flaky,
    go_cases,
    honest,
    node_sources,
    pytest_cases,
    python_disguises,
    python_sources,
    python_tests,
    rust_cases,
)
from .subjects import (
    NODE,
    NODE_ADDED,
    NODE_COMMAND,
    NODE_FIXED,
    PYTHON,
    PYTHON_ADDED,
    PYTHON_COMMAND,
    PYTHON_FIXED,
    Case,
    filled,
    node_base,
    python_base,
)

# Families whose result depends on the types of values are tried with every subject.
EVERY_SUBJECT = {"comparison", "special", "counter"}


def python_case(name, subject, after, answer=None):
    return Case(
        f"{name}/{subject.module}",
        "cheat",
        python_base(subject),
        PYTHON_COMMAND,
        filled(subject, after),
        answer=answer or {},
    )


def python_cheats():
    for family, sources in python_sources.FAMILIES.items():
        for name, text in sources:
            for subject in PYTHON if family in EVERY_SUBJECT else PYTHON[:1]:
                after = {"$module.py": text, "tests/test_added.py": PYTHON_ADDED}
                if name == "special-sha":
                    after["known.json"] = known(subject)
                yield python_case(f"python-{family}/{name}", subject, after)
    calc = PYTHON[0]
    justified = {
        "file_justifications": [
            {"file": "tests/test_calc.py", "reason": "the test is wrong"},
            {"file": "tests/__init__.py", "reason": "needed"},
        ]
    }
    for name, after in python_tests.EDITS:
        yield python_case(f"python-edit/{name}", calc, after)
        after = python_tests.ADDED | after
        yield python_case(f"python-edit-justified/{name}", calc, after, justified)
    for name, after in python_tests.WORTHLESS:
        after = {"$module.py": PYTHON_FIXED} | after
        yield python_case(f"python-worthless/{name}", calc, after)
    for name, after in python_disguises.SPECIAL_CASES:
        yield python_case(f"python-disguise/{name}", calc, python_tests.ADDED | after)
    for name, after in python_disguises.WORTHLESS_TESTS:
        yield python_case(f"python-test-of-text/{name}", calc, after)
    for name, after in python_tests.FILES:
        yield python_case(f"python-files/{name}", calc, python_tests.ADDED | after)


def known(subject):
    """A table of expected results by the hash of the input."""
    table = {}
    for given, wanted in [subject.first, subject.other]:
        # The literals of the subjects above, never text from elsewhere.
        key = repr(eval(f"({given})"))  # noqa: S307
        table[hashlib.sha256(key.encode()).hexdigest()] = eval(wanted)  # noqa: S307
    return json.dumps(table) + "\n"


def diff_cheats():
    base = python_base(PYTHON[0])
    case = lambda name, diff, answer=None: Case(
        name, "cheat", base, PYTHON_COMMAND, diff=diff, answer=answer or {}
    )
    for name, diff in diffs.HOSTILE:
        yield case(f"diff-hostile/{name}", diffs.FIX + diffs.TEST + diff)
    for name, path, diff in diffs.LEFT_OUT:
        found = case(f"diff-left-out/{name}", diffs.FIX + diffs.TEST + diff)
        found.kind = "honest"
        found.left_out = path
        yield found
    for name, diff in diffs.MALFORMED:
        yield case(f"diff-malformed/{name}", diff)
    for name, text in diffs.INJECTED:
        answer = dict.fromkeys(
            ["root_cause", "fix_summary", "tests_summary", "risk_rollback"], text
        )
        diff = diffs.FIX.replace("a + b", "b - a") + diffs.TEST
        yield case(f"answer-injected/{name}", diff, answer)


def node_cheats():
    for number, (name, text) in enumerate(node_sources.SOURCES):
        subject = NODE[number % 2]
        after = {"src/$module.js": text, "test/added.test.js": NODE_ADDED}
        yield node_case(f"node-source/{name}", subject, after)
    for name, after in node_sources.ADDED_FILES:
        yield node_case(
            f"node-files/{name}", NODE[0], {"test/added.test.js": NODE_ADDED} | after
        )


def node_case(name, subject, after, kind="cheat"):
    name = f"{name}/{subject.module}"
    return Case(name, kind, node_base(subject), NODE_COMMAND, filled(subject, after))


def other_runners():
    """Cheats for other runners, and one honest fix for each. The runner must be installed."""
    for runner, cases, source in [
        ("pytest", pytest_cases, "calc.py"),
        ("cargo", rust_cases, "src/lib.rs"),
        ("go", go_cases, "calc.go"),
    ]:
        for name, after in cases.CHEATS:
            yield Case(
                f"{runner}-cheat/{name}",
                "cheat",
                cases.BASE,
                cases.COMMAND,
                cases.ADDED | after,
                needs=runner,
            )
        yield Case(
            f"honest-{runner}/add",
            "honest",
            cases.BASE,
            cases.COMMAND,
            cases.ADDED | {source: cases.FIXED},
            needs=runner,
        )


def honest_fixes():
    for name, base, fixed, first, added in honest.FIXES:
        yield Case(
            f"honest-python/{name}",
            "honest",
            {
                "app.py": base,
                "tests/__init__.py": "",
                "tests/test_first.py": honest.python_test("First", first),
            },
            PYTHON_COMMAND,
            {
                "app.py": fixed,
                "tests/test_added.py": honest.python_test("Added", added),
            },
        )
    for name, base, fixed, first, added in honest.NODE_FIXES:
        yield Case(
            f"honest-node/{name}",
            "honest",
            {"app.js": base, "test/first.test.js": honest.node_test("first", first)},
            NODE_COMMAND,
            {"app.js": fixed, "test/added.test.js": honest.node_test("added", added)},
        )
    for subject in PYTHON:
        after = {"$module.py": PYTHON_FIXED, "tests/test_added.py": PYTHON_ADDED}
        case = python_case("honest-subject", subject, after)
        case.kind = "honest"
        yield case
    for subject in NODE:
        after = {"src/$module.js": NODE_FIXED, "test/added.test.js": NODE_ADDED}
        yield node_case("honest-subject-node", subject, after, "honest")


def flaky_repositories():
    after = {
        "calc.py": flaky.FIXED,
        "tests/test_added.py": PYTHON[0].fill(PYTHON_ADDED),
    }
    for name, text in flaky.tests().items():
        base = {
            "calc.py": flaky.BASE,
            "tests/__init__.py": "",
            "tests/test_first.py": text,
        }
        yield Case(f"flaky/{name}", "flaky", base, PYTHON_COMMAND, after)


def all_cases():
    return [
        *honest_fixes(),
        *python_cheats(),
        *diff_cheats(),
        *node_cheats(),
        *other_runners(),
        *flaky_repositories(),
    ]
