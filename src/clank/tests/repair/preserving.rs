//! Repairs that preserve behavior: the code of the program stays the same.

use fixpoint_clank::emit::emit_both;
use fixpoint_clank::repair::{PatchOp, PatchedForm, patch_program};
use fixpoint_clank::result::CompileResult;
use fixpoint_report::Safety;
use serde_json::{Value, json};

use crate::{canonical, compiled, source};

/// The JavaScript of a program.
fn code(result: &CompileResult) -> String {
    let code = emit_both(&result.canonical, &result.ast, &result.typing, None);
    let [js, _] = code.expect("code");
    js.code
}

/// The text after some ops.
fn patched(text: &str, ops: &[PatchOp]) -> String {
    let patched = patch_program(&source(text), ops, PatchedForm::Text);
    patched.expect("the ops fit")
}

const PROGRAMS: [&str; 6] = [
    "fn f() -> Int { let rate = 0; 1 }\n",
    "fn f() -> Int { let (a, rate) = (1, 2); a }\n",
    "fn f(rate: Int) -> Int { 1 }\n",
    "fn f(xs: [Int]) -> Int { for rate in xs { }; 1 }\n",
    "fn f(o: Option[Int]) -> Int { match o { Some(rate) -> 1, None -> 0 } }\n",
    "fn f() -> IO + Int { let mut rate = 0; rate = 1; println(\"a\"); 1 }\n",
];

#[test]
fn an_underscore_before_an_unused_name_preserves_behavior() {
    // K-24
    for text in PROGRAMS {
        let result = compiled(text);
        let [repair] = &result.repairs[..] else {
            panic!("{text}: {:?}", result.repairs);
        };
        assert_eq!(repair.safety, Safety::BehaviorPreserving, "{text}");
        let after = compiled(&patched(text, &repair.edits));
        assert!(after.diagnostics.is_empty(), "{text}");
        assert!(code(&result).contains("rate"), "{text}");
        assert_eq!(code(&after).replace("_rate", "rate"), code(&result));
    }
}

#[test]
fn a_repair_adds_a_type_that_is_known_too_late() {
    // K-24
    let cases = [
        (
            "fn f(xs: [Option[Int]]) -> Err + [Int] { map(xs, \\x -> x? + 1) }\n",
            "\\x",
            "\\(x: Option[Int])",
        ),
        (
            "fn f(o: Result[Int, Str]) -> Err + Int { let g = \\(a, b: Int) -> a? + b; g(o, 1) }\n",
            "(a,",
            "(a : Result[Int, Str],",
        ),
        (
            "fn f(xs: [[Int]]) -> [Int] { map(xs, \\row -> { let mut n = 0; for x in row { n = n + x; }; n }) }\n",
            "\\row",
            "\\(row: [Int])",
        ),
    ];
    for (text, before, after) in cases {
        let result = compiled(text);
        let [repair] = &result.repairs[..] else {
            panic!("{text}: {:?}", result.repairs);
        };
        assert_eq!(repair.safety, Safety::BehaviorPreserving, "{text}");
        let annotated = patched(text, &repair.edits);
        assert_eq!(annotated, text.replace(before, after));
        let after = compiled(&annotated);
        assert!(after.diagnostics.is_empty(), "{annotated}");
    }
    // No type follows from the uses, or the type is not the reason.
    for text in [
        "fn f() -> Int { let _g = \\a -> { for _ in a { }; 1 }; 1 }\n",
        "fn f(n: Int) -> Err + Int { let g = \\a -> a? + 1; g(n) }\n",
        "fn f(n: Int) -> Err + Int { n? }\n",
    ] {
        assert_eq!(compiled(text).repairs, [], "{text}");
    }
}

#[test]
fn a_type_annotation_preserves_behavior() {
    // K-24: an op that adds the type which was inferred changes the types, and not the code.
    let cases = [
        ("fn f() -> Int { let n = 1; n }\n", "Int"),
        ("fn f() -> Int { let mut n = 1; n = 2; n }\n", "Int"),
        (
            "fn f(o: Option[Int]) -> Option[Int] { let n = o; n }\n",
            "Option[Int]",
        ),
        ("fn f() -> Float { let n = 1.5; n * 2.0 }\n", "Float"),
    ];
    for (text, ty) in cases {
        let before = compiled(text);
        let program = canonical(&before);
        let mut new_node: Value = program["declarations"][0]["body"]["statements"][0].clone();
        let id = new_node["id"].as_str().expect("an id").to_owned();
        new_node["type"] = json!({"source": ty});
        let op = PatchOp::ReplaceNode {
            node_id: id,
            new_node,
        };
        let annotated = patched(text, &[op]);
        assert!(annotated.contains(&format!("n : {ty} =")), "{annotated}");
        let after = compiled(&annotated);
        assert!(
            after.diagnostics.is_empty() && after.obligations.is_empty(),
            "{annotated}"
        );
        assert_eq!(code(&after), code(&before));
    }
}
