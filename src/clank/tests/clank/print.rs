//! Printing preserves tokens, comments and the tree, and is idempotent.

use fixpoint_clank::json::{Form, program_json, read_program};
use fixpoint_clank::lex::lex;
use fixpoint_clank::print::{exact_text, format};
use proptest::prelude::*;

use crate::properties::printing;

const PROGRAMS: &[&str] = &[
    "mod m\nuse a.b.{c, d}\nuse external \"fs\" as fs\ntype P[T] = (T, Int)\nrec R { x: Int, y: [Int] }",
    "sum S[T] { A(T), B, C(name: Str, Int) }\nexternal fn f(x: Int) -> IO + Unit = \"g\"\nexternal mod m = \"n\" { fn a(x: Int) -> Int fn b() -> () }",
    "fn f[T](x: Int{x > 0}, y: [T]{len(y) > 0}) -> (Int{r | r > 0}) pre x > 0 post true { let mut a = -x + 2 * (3 - y[0]) ^ 2 ^ 3; a = a |> g |> h; if a >= 0 && !(a == 1) { a } else if b { return 1 } else { 0 } }",
    "fn g() -> Err + Int { for (a, {b, c: _}) in xs { continue }; while true { break }; loop { return }; assert a != b : \"no\"; match v { Some(1) -> \"a\", None if q -> `t${x}`, \"s\" -> { x; y }, _ -> z?.f(1, (2, 3), [4], \\(a: Int, b) -> a ++ b)(\\x -> x)[0] } }",
    "fn a_function_with_a_long_name(first_parameter: Int, second_parameter: (Int, Str) -> Option[Int]) -> Result[Int, Str] { let result = some_function(first_parameter + 1, second_parameter(first_parameter, \"text\"), [1, 2, 3]); result }",
    "fn h() -> () { { 1 }; (); let x: Int? = Some(0x1F); \"\"\"a\nb\"\"\"; 1.5e3; }",
];

/// Text that may occur between two tokens.
fn gap() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        12 => Just(" "),
        2 => Just("\n"),
        1 => Just("\n\n\n"),
        1 => Just(" // c\n"),
        1 => Just("\n  // own line\n"),
        1 => Just(" /* b */ "),
        1 => Just("\n/* b1\n b2 */\n"),
    ]
}

#[test]
fn printing_preserves_programs() {
    for program in PROGRAMS {
        printing(program);
    }
}

/// Texts and their printed form.
const COMMENTS: &[(&str, &str)] = &[
    (
        "rec P {\n  x: Int, // metres\n  y: Int // seconds\n}\n",
        "rec P {\n  x: Int, // metres\n  y: Int, // seconds\n}\n",
    ),
    (
        "rec P { x: Int // metres\n , // own line\n y: Int, // seconds\n // last\n}",
        "rec P {\n  x: Int, // metres\n  // own line\n  y: Int, // seconds\n  // last\n}\n",
    ),
    (
        "sum S {\n  // of both\n  A, // a\n  B(Int, // one\n Int) // b\n}",
        "sum S {\n  // of both\n  A, // a\n  B(\n    Int, // one\n    Int\n  ), // b\n}\n",
    ),
    (
        "fn f(\n  a: Int, // first\n  b: Int // second\n) -> Int { a }",
        "fn f(\n  a: Int, // first\n  b: Int // second\n) -> Int {\n  a\n}\n",
    ),
    (
        "fn f() -> Int { g([\n1, /* still */ // one\n2 // two\n], // all\n h(a, // of a\n b), c) }",
        "fn f() -> Int {\n  g(\n    [\n      1, /* still */ // one\n      2 // two\n    ], // all\n    \
         h(\n      a, // of a\n      b\n    ),\n    c\n  )\n}\n",
    ),
    (
        "fn f() -> Int { g(a /* of a */, /* of b */ b, c) }",
        "fn f() -> Int {\n  g(a /* of a */, /* of b */ b, c)\n}\n",
    ),
    (
        "fn f() -> Int { match x { // arms\n A -> 1, // a\n B -> 2 // b\n } }",
        "fn f() -> Int {\n  match x { // arms\n    A -> 1, // a\n    B -> 2, // b\n  }\n}\n",
    ),
];

#[test]
fn a_comment_stays_on_the_line_of_its_item() {
    for (text, printed) in COMMENTS {
        assert_eq!(format("main.clank", text).expect("a program"), *printed);
        printing(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_keeps_tokens_comments_and_tree_and_settles(
        at in 0..PROGRAMS.len(),
        gaps in prop::collection::vec(gap(), 40..160),
    ) {
        let program = PROGRAMS[at];
        let mut gaps = gaps.into_iter().cycle();
        let mut text = String::new();
        for token in lex(program).significant() {
            text.push_str(&program[token.span.range()]);
            text.push_str(gaps.next().unwrap_or(" "));
        }
        printing(&text);
    }
}

#[test]
fn every_program_that_the_compiler_prints_is_read_again() {
    let tables = [
        include_str!("programs/spec.txt"),
        include_str!("programs/facts.txt"),
    ];
    let forms = "fn f(r: {a: Int, ..}, s: {}) -> {a: Int} { let _s = s; let _t = ?todo; {a: r.a} }\n\
                 fn g() -> [Int] { (1..3) ++ (1..=-2) ++ [{a: 1}.a] }\n\
                 fn h(r: {a: Int}{r | r.a > 0}) -> ({a: Int}{r | r.a > 0}) { if r == {a: 1} { {a: 2} } else { r } }\n\
                 fn t(n: Int) -> Str { `a ${ `b ${n} \\` c` ++ \"}\" } \\${n} \\` \\\\ ${if n > 0 { `${`${n}`}` } else { `` }}` }\n";
    let programs = tables.iter().flat_map(|it| it.split("\n--- ").skip(1));
    let programs = programs.filter_map(|it| Some(it.split_once('\n')?.1));
    let mut count = 0;
    for program in programs.chain([forms]) {
        let parsed = fixpoint_clank::parse::parse("a.clank", program);
        // AST JSON has no external modules.
        if !parsed.errors.is_empty() || program.contains("external mod") {
            continue;
        }
        let result = crate::compiled(program);
        // Both the program as written and the canonical one.
        let canonical = program_json(&result.canonical, &result.ast, Form::Full, true);
        let canonical = serde_json::to_string(&canonical).expect("JSON");
        for ast in [parsed.ast, read_program(&canonical).expect("a program")] {
            let text = exact_text(&ast).unwrap_or_else(|| panic!("{program}"));
            let again = fixpoint_clank::parse::parse("a.clank", &text);
            assert_eq!(
                exact_text(&again.ast).as_deref(),
                Some(text.as_str()),
                "{program}"
            );
            count += 1;
        }
    }
    assert!(count > 400, "{count} programs");
}

#[test]
fn a_program_without_a_text_form_is_not_printed() {
    let of = |body: &str| {
        let json = format!(
            r#"{{"kind": "program", "declarations": [{{"kind": "fn", "name": "f", "params": [],
            "returnType": {{"source": "Int"}}, "body": {{"kind": "block", "expr": {body}}}}}]}}"#
        );
        exact_text(&read_program(&json).expect("a program"))
    };
    assert!(of(r#"{"hole_ref": "todo"}"#).is_some());
    assert_eq!(of(r#"{"hole_ref": "to do"}"#), None);
    assert_eq!(of(r#"{"kind": "record", "fields": []}"#), None);
}
