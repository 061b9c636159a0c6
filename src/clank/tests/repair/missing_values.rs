//! E2001 for bodies and blocks that end without the value that is required.

use fixpoint_clank::diagnostic::Code;
use fixpoint_clank::repair::Ending;

use crate::{compiled, repaired, source};

#[test]
fn a_block_gets_the_value_of_its_last_statement() {
    let cases = [
        (
            "fn f(x: Int) -> Int {\n  x + 1; // one\n}\n",
            "fn f(x: Int) -> Int {\n  return x + 1; // one\n}\n",
        ),
        (
            "fn f(x: Int) -> Int {\n  let y = x + 1;\n}\n",
            "fn f(x: Int) -> Int {\n  let y = x + 1;\n  return y;\n}\n",
        ),
        (
            "fn f(b: Bool) -> Int {\n  if b {\n    1; // one\n  } else {\n    2\n  }\n}\n",
            "fn f(b: Bool) -> Int {\n  if b {\n    1 // one\n  } else {\n    2\n  }\n}\n",
        ),
        (
            "fn f(b: Bool) -> Int {\n  let n = if b { 1 } else { 2; };\n  n + 1\n}\n",
            "fn f(b: Bool) -> Int {\n  let n = if b { 1 } else { 2 };\n  n + 1\n}\n",
        ),
        (
            "fn f(b: Bool) -> Int {\n  match b {\n    true -> { 3; },\n    false -> 4,\n  }\n}\n",
            "fn f(b: Bool) -> Int {\n  match b {\n    true -> { 3 },\n    false -> 4,\n  }\n}\n",
        ),
        (
            "fn f() -> Str {\n  let s: Str = { let q = \"a\"; };\n  s\n}\n",
            "fn f() -> Str {\n  let s: Str = { let q = \"a\"; q };\n  s\n}\n",
        ),
    ];
    for (before, after) in cases {
        let result = compiled(before);
        let errors: Vec<Code> = result.errors().map(|it| it.code).collect();
        assert!(errors.contains(&Code::E2001), "{before}: {errors:?}");
        let done = repaired(source(before));
        assert_eq!(done.program.text(), after);
        assert_eq!(done.ending, Ending::Success, "{before}");
    }
}

#[test]
fn nothing_is_proposed_if_no_value_is_obvious() {
    for text in [
        "fn f() -> Int { }\n",
        "fn f() -> Int { println(\"x\"); }\n",
        "fn f(b: Bool) -> Int { if b { let _s = \"a\"; } else { 2 } }\n",
        "fn f(b: Bool) -> Int { if b { } else { 2 } }\n",
        "fn f(x: Int) -> Int { while x > 0 { return 3 } }\n",
    ] {
        let result = compiled(text);
        assert!(result.errors().any(|it| it.code == Code::E2001), "{text}");
        let repairs = result.repairs.iter().filter(|it| {
            let codes = &it.targets.diagnostic_codes;
            codes.iter().any(|code| code == "E2001")
        });
        assert_eq!(repairs.count(), 0, "{text}");
    }
}
