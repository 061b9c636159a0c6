"""An engine for `fixpoint prove` that answers with a recorded patch: python3 recorded.py ANSWER."""

import json
import pathlib
import sys

answer = json.loads(pathlib.Path(sys.argv[1]).read_text())
call = json.load(sys.stdin)["call"]
if call == "plan":
    answer = {"hypothesis": answer["root_cause"], "focus_files": answer["focus_files"]}
elif call == "verify":
    answer = {"summary": answer["tests_summary"]}
elif call == "summarize_pr":
    answer = {"title": answer["fix_summary"], "body": answer["root_cause"]}
json.dump(answer, sys.stdout)
