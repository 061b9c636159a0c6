#!/usr/bin/env python3
"""Reports the old name `assertEquals`: old_names.py SOURCE PATH REPORT."""

import hashlib
import json
import re
import sys

OLD = re.compile(rb"\bassertEquals\b")
NEW = "assertEqual"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


source, path, output = sys.argv[1:]
text = open(source, "rb").read()
diagnostics, fixes = [], []
for number, match in enumerate(OLD.finditer(text)):
    start, end = match.span()
    diagnostic = {
        "id": f"d-name-{number}",
        "rule": "assert-equals",
        "severity": "warning",
        "message": "assertEquals is an old name of assertEqual",
        "span": {"start": start, "end": end},
        "fix_ids": [f"f-name-{number}"],
    }
    fix = {
        "id": f"f-name-{number}",
        "title": "Rename to assertEqual",
        "rule": "assert-equals",
        "safety": "behavior_preserving",
        "rationale": "Both names are the same method.",
        "edits": [
            {
                "start": start,
                "end": end,
                "replacement": NEW,
                "expected_sha256": sha256(text[start:end]),
            }
        ],
    }
    diagnostics.append(diagnostic)
    fixes.append(fix)

report = {
    "schema_version": 1,
    "tool": {"name": "old-names"},
    "base": {"path": path, "sha256": sha256(text), "length": len(text)},
    "diagnostics": diagnostics,
    "fixes": fixes,
}
with open(output, "w") as file:
    json.dump(report, file)
