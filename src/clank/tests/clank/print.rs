//! Printing keeps the program: its tokens, its comments, its tree; and it settles at once.

use fixpoint_clank::lex::lex;
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

/// What may stand between two tokens.
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
fn programs_print_as_they_are() {
    for program in PROGRAMS {
        printing(program);
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
