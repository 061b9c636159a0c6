//! Refinements that are proved, refuted or left open.

use fixpoint_clank::diagnostic::Strategy;
use fixpoint_clank::{Deadline, Input, Options, compile};

use crate::compiled;

const POS: &str = "fn pos(n: Int{n > 0}) -> Int { n }\n";

/// The number of open obligations, and the codes.
fn left(body: &str) -> (usize, Vec<String>) {
    let result = compiled(&format!("{POS}{body}"));
    let codes = result.diagnostics.iter().map(|it| it.code.to_string());
    // The programs are about refinements, and do not use all their parameters.
    let codes = codes.filter(|it| it != "W0001");
    (result.obligations.len(), codes.collect())
}

fn is_proved(body: &str) {
    assert_eq!(left(body), (0, vec![]), "{body}");
}

fn is_left(body: &str) {
    assert_eq!(left(body), (1, vec![]), "{body}");
}

fn is_refuted(body: &str) {
    assert_eq!(left(body), (0, vec!["E3001".to_owned()]), "{body}");
}

#[test]
fn facts_come_from_parameters_branches_matches_asserts_and_lets() {
    for proved in [
        "fn f(x: Int{x > 5}) -> Int { pos(x) }",
        "fn f(x: Int) -> Int { if x > 0 { pos(x) } else { 0 } }",
        "fn f(x: Int, y: Int) -> Int { if x > 0 && y > 0 { pos(x) } else { 0 } }",
        "fn f(y: Int) -> Int { if y <= 0 { 0 } else { pos(y) } }",
        "fn f(x: Int) -> Int { match x > 0 { true -> pos(x), false -> 0 } }",
        "fn f(x: Int) -> Int { match x { 0 -> 1, n if n > 3 -> pos(n), _ -> 0 } }",
        "fn f(x: Int) -> Int { assert x > 0; pos(x) }",
        "fn f(x: Int{x > 0}) -> Int { let m = x + 1; pos(m) }",
        "fn f(x: Int) -> Int { if x <= 0 { return 0 }; pos(x) }",
        "fn f(x: Int) -> Int { if x <= 0 { panic(\"no\") }; pos(x) }",
        "fn f(x: Int) -> Int { while x <= 0 { 1; }; pos(x) }",
        "fn f(x: Int) -> Int { let ok = x > 0; if ok { pos(x) } else { 0 } }",
        "fn f(x: Int) -> Bool { x > 0 && pos(x) > 1 }",
        "fn f(xs: [Int]) -> Int { if len(xs) > 2 { xs[1] } else { 0 } }",
        "fn f(xs: [Int]) -> Int { pos(len2(xs) + 1) }\nfn len2(xs: [Int]) -> (Int{result >= 0}) { if len(xs) > 0 { 1 } else { 0 } }",
        "fn f(x: Int) -> (Int{result >= 0}) { if x >= 0 { x } else { -x } }",
        "fn get2[T](a: [T], i: Int{i >= 0 && i < len(a)}) -> T { a[i] }\nfn f(ys: [Int], a: [Int]) -> Int { if len(ys) > 3 && len(a) > 0 { get2(ys, 2) } else { 0 } }",
        "type Pos = Int{p | p > 0}\nfn f(x: Pos) -> Int { pos(x) }",
        "rec P { n: Int{n > 0} }\nfn f(p: P) -> Int { pos(p.n) }",
        "fn f(x: Int) -> Int { let x = x * x; if x > 0 { pos(x) } else { 0 } }",
        "fn f() -> Int { let mut x = 1; x = x + 1; pos(x) }",
        "fn fl(x: Float{x > 0.0}) -> Float { x }\nfn f(y: Float{y > 0.5}) -> Float { fl(y) }",
        "fn f(x: Int) -> Int { 5 |> pos }",
    ] {
        is_proved(proved);
    }
}

#[test]
fn a_guard_is_found_through_any_number_of_definitions() {
    let acc: String = (0..400)
        .map(|at| format!("let a{at} = xs[k + {at}]; acc = acc + a{at};\n"))
        .collect();
    for guard in [
        "if k < 0 || k + 400 > len(xs) { return 0 }",
        "let n = len(xs); let last = k + 399; if k < 0 { return 0 }; if last >= n { return 0 }",
    ] {
        is_proved(&format!(
            "fn f(xs: [Int], k: Int) -> Int {{ {guard}; let mut acc = 0;\n{acc} acc }}"
        ));
    }
}

#[test]
fn goals_that_time_runs_out_for_are_left_open_and_reported() {
    let text = format!(
        "{POS}fn f(x: Int, y: Int{{y > 1}}) -> Int {{ pos(y) + if x > 0 && y > x {{ pos(x + y) }} else {{ pos(x) + z }} }}"
    );
    let options = Options {
        deadline: Deadline::default().deciding_while(|| false),
        ..Options::default()
    };
    let input = Input::Source {
        file: "main.clank",
        text: &text,
    };
    let result = compile(input, &options).expect("source is never refused");
    let reasons: Vec<&str> = result
        .obligations
        .iter()
        .map(|it| it.unknown_reason.as_str())
        .collect();
    assert_eq!(reasons, ["the time was up before it was decided"; 2]);
    assert_eq!(result.stats.obligations_discharged, 1);
    let codes: Vec<String> = result
        .diagnostics
        .iter()
        .map(|it| it.code.to_string())
        .collect();
    assert_eq!(codes, ["E1001"]);
}

#[test]
fn an_undecided_goal_is_an_obligation() {
    for unknown in [
        "fn f(x: Int) -> Int { pos(x) }",
        "fn f(x: Int) -> Int { let mut y = 1; while x > y { y = y - x; }; pos(y) }",
        "fn f(x: Int) -> Int { let mut y = 1; if x > 0 { y = x - 5 }; pos(y) }",
        "fn f(x: Int) -> Int { let mut y = 1; let g = \\(z: Int) -> { y = z; z }; g(0); pos(y) }",
        "fn f(x: Int{x >= 3}, y: Int) -> Int { if x + y != 3 + y { pos(2 - x + y) } else { 0 } }",
        "fn f(x: Int{x > 0}) -> Int { let x = x - 5; pos(x) }",
        "fn f(xs: [Int], i: Int) -> Int { xs[i] }",
        "fn f(x: Int) -> (Int{result > 0}) { x }",
        "fn f(x: Int) -> Int { let y: Int{y > 0} = x; y }",
        "fn f(x: Int) -> Int { x |> pos }",
        "fn fl(x: Float{x >= 1}) -> Float { x }\nfn f(y: Float{y > 0}) -> Float { fl(y) }",
        "fn fl(x: Float{x <= 0.0}) -> Float { x }\nfn f(y: Float) -> Float { if y > 0.0 { y } else { fl(y) } }",
        "rec P { n: Int }\nfn f(p: P) -> Int { if p.n > 0 { p.n = 0; pos(p.n) } else { 0 } }",
        "fn f(k: Int{k > 0}) -> Int { pos(10 - k) }",
    ] {
        is_left(unknown);
    }
}

#[test]
fn a_contradicted_goal_is_an_error() {
    is_refuted("fn f() -> Int { pos(0) }");
    is_refuted("fn f() -> Int { pos(-5) }");
    is_refuted("fn f(x: Int) -> Int { if x < 0 { pos(x) } else { 0 } }");
    is_refuted("fn f() -> Int { [1, 2][2] }");
}

/// The counterexample in the error message of a program.
fn example(body: &str) -> String {
    let result = compiled(&format!("{POS}{body}"));
    let [error] = result.diagnostics.as_slice() else {
        panic!("{body}: {:?}", result.diagnostics);
    };
    assert_eq!(error.code.text(), "E3001", "{body}");
    let hints: Vec<&str> = error
        .hints
        .iter()
        .map(|it| it.description.as_str())
        .collect();
    hints.join("; ")
}

#[test]
fn a_refuted_condition_is_reported_with_values() {
    for (body, values) in [
        ("fn f() -> Int { pos(0) }", "n = 0"),
        ("fn f() -> Int { pos(-5) }", "n = -5"),
        ("fn f() -> Int { pos(2 - 3) }", "n = -1"),
        (
            "fn f(x: Int) -> Int { if x < 0 { pos(x) } else { 0 } }",
            "x = -1",
        ),
        (
            "fn f(x: Int) -> Int { if x == -7 { pos(x) } else { 0 } }",
            "x = -7",
        ),
        ("fn f() -> Int { let x = -3; pos(x) }", "x = -3"),
        ("fn f() -> Int { [1, 2][2] }", "len([1, 2]) = 2"),
        (
            "fn f(xs: [Int]) -> Int { if len(xs) == 3 { xs[3] } else { 0 } }",
            "len(xs) = 3",
        ),
        (
            "rec P { n: Int }\nfn f(p: P) -> Int { if p.n < -1 { pos(p.n) } else { 0 } }",
            "p.n = -2",
        ),
        (
            "fn f(a: Int, b: Int) -> Int { if a + b == 0 { pos(a + b) } else { 0 } }",
            "a = 0, b = 0",
        ),
        (
            "fn fl(x: Float{x > 0.5}) -> Float { x }\nfn f() -> Float { fl(0.25) }",
            "x = 0.25",
        ),
        (
            "fn fl(x: Float{x > 0.5}) -> Float { x }\nfn f(y: Float) -> Float { if y < 0.5 { fl(y) } else { y } }",
            "y = -0.5",
        ),
        (
            "fn yes(b: Bool{b == true}) -> Bool { b }\nfn f(c: Bool) -> Bool { if c { c } else { yes(c) } }",
            "c = false",
        ),
        (
            "fn named(s: Str{s != \"\"}) -> Str { s }\nfn f(t: Str) -> Str { if t == \"\" { named(t) } else { t } }",
            "t = \"\"",
        ),
        (
            "fn f(n: Nat) -> Int { if n * n < 0 { pos(0) } else { pos(-1) } }",
            "n = -1",
        ),
    ] {
        let shown = example(body);
        assert_eq!(shown, format!("it does not hold for {values}"), "{body}");
    }
}

#[test]
fn an_obligation_reports_its_goal_in_real_names_with_hints_and_a_counterexample() {
    // K-100 K-102
    let result = compiled(
        "fn share(total: Int, people: Int{people != 0}) -> Int { total - people }\nfn f(total: Int, guests: Int) -> Int {\n  share(total, guests)\n}",
    );
    let obligation = &result.obligations[0];
    assert_eq!(obligation.goal, "guests != 0");
    let counterexample = obligation.counterexample.as_ref().expect("values");
    assert_eq!(counterexample.get("guests").map(String::as_str), Some("0"));
    let strategies: Vec<Strategy> = obligation.hints.iter().map(|it| it.strategy).collect();
    assert_eq!(
        strategies,
        [
            Strategy::Guard,
            Strategy::RefineParam,
            Strategy::Assert,
            Strategy::Info
        ]
    );
    assert_eq!(
        obligation.hints[0].template.as_deref(),
        Some("if guests != 0 { ... }")
    );
    assert_eq!(result.ast.source.slice(obligation.span), "guests");
    let names: Vec<&str> = obligation
        .bindings
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["total", "guests"]);
}

#[test]
fn a_guard_without_effect_is_replaced_by_an_explanation() {
    let result = compiled(&format!(
        "{POS}rec C {{ n: Int }}\nfn w(c: C) -> Unit {{ c.n = 1; }}\n\
         fn f(d: C) -> Int {{ if d.n > 0 {{ pos(d.n) }} else {{ 0 }} }}"
    ));
    let hint = &result.obligations[0].hints[0];
    assert_eq!(hint.strategy, Strategy::Info);
    assert_eq!(
        hint.description,
        "the program writes to fields or elements, so what was checked of `d.n` may have changed; bind it to a name first: `let n = d.n;`"
    );
    let result = compiled(&format!(
        "{POS}external fn seen() -> Int = \"seen\"\nfn look() -> Int {{ seen() }}\n\
         fn f() -> Int {{ if look() > 0 {{ pos(look()) }} else {{ 0 }} }}"
    ));
    assert_eq!(
        result.obligations[0].hints[0].description,
        "`look()` may give another value each time, so a check of it says nothing; bind it to a name first: `let value = look();`"
    );
    is_proved(
        "rec C { n: Int }\nfn w(c: C) -> Unit { c.n = 1; }\n\
         fn f(d: C) -> Int { let n = d.n; if n > 0 { pos(n) } else { 0 } }",
    );
}

#[test]
fn nan_fails_every_comparison_under_any_name() {
    let pos = "fn posf(n: Float{n > 0.0}) -> Bool { true }\n";
    for body in [
        "let y = x; posf(y)",
        "let y: Float = x; posf(y)",
        "let mut y = 1.0; y = x; posf(y)",
        "let y = x + 0.0; posf(y)",
        "match x { y -> posf(y) }",
    ] {
        is_left(&format!(
            "{pos}fn a(x: Float) -> Bool {{ if x <= 0.0 {{ true }} else {{ {body} }} }}"
        ));
    }
    is_proved(&format!(
        "{pos}fn a(x: Float) -> Bool {{ if x > 0.0 {{ let y = x; posf(y) }} else {{ true }} }}"
    ));
    is_proved(&format!("{pos}fn a() -> Bool {{ let y = 1.5; posf(y) }}"));
}

#[test]
fn a_declared_len_is_not_the_builtin_len() {
    let text = "fn len(xs: [Int]) -> Int { 100 }\nfn f(xs: [Int]) -> Int { if len(xs) > 5 { xs[5] } else { 0 } }";
    is_left(text);
    let hints = &compiled(text).obligations[0].hints;
    assert!(hints.iter().all(|it| it.strategy == Strategy::Info));
}

#[test]
fn passing_a_function_with_a_refined_parameter_leaves_an_obligation() {
    let apply = "fn apply(f: (Int) -> Int) -> Int { f(0) }\n";
    is_left(&format!("{apply}fn g() -> Int {{ apply(pos) }}"));
    is_proved("fn apply(f: (Int{n > 0}) -> Int) -> Int { f(1) }\nfn g() -> Int { apply(pos) }");
}

#[test]
fn a_parameter_refinement_is_not_lost_in_a_coercion() {
    let ops = "fn any(n: Int) -> Int { n }\nrec Op { run: (Int) -> Int }\n";
    for body in [
        "fn f() -> Int { let g: (Int) -> Int = pos; g(0) }",
        "fn f() -> (Int) -> Int { pos }",
        "fn f(b: Bool) -> (Int) -> Int { if b { return pos }; any }",
        "fn f() -> Op { Op(pos) }",
        "fn f() -> [(Int) -> Int] { [pos] }",
        "fn f() -> [Int] { let fs = [any, pos]; map([0], fs[0]) }",
        "fn f() -> [(Int) -> Int] { let fs = [any, pos]; fs }",
        "fn f() -> (Int, (Int) -> Int) { (1, pos) }",
        "fn f(b: Bool) -> Int { let g = if b { any } else { pos }; g(0) }",
        "fn f(b: Bool) -> Int { let g = match b { true -> any, false -> pos }; g(0) }",
        "fn f() -> Int { let mut g = any; g = pos; g(0) }",
        "fn f() -> Option[(Int) -> Int] { Some(pos) }",
        "fn f() -> (Int) -> Int { \\(n: Int{n > 0}) -> n }",
        "fn f() -> (Int) -> (Int{r | r > 5}) { any }",
    ] {
        is_left(&format!("{ops}{body}"));
    }
    for body in [
        "fn f() -> Int { let g: (Int{k | k > 3}) -> Int = pos; g(4) }",
        "fn f() -> (Int{k | k > 0}) -> Int { pos }",
        "fn f() -> Int { let g = pos; g(1) }",
        "fn f(b: Bool) -> Int { let g = if b { pos } else { any }; g(1) }",
        "type Pos = Int{p | p > 0}\nfn f() -> [(Pos) -> Int] { [pos, any] }",
        "fn f() -> [(Int) -> Int] { [any, any] }",
        "rec Box[T] { v: T }\nfn g(b: Box[Int{x | x > 0}]) -> Int { pos(b.v) }\nfn f(b: Box[Int{y | y > 4}]) -> Int { g(b) }",
    ] {
        is_proved(&format!("{ops}{body}"));
    }
    is_refuted(
        "rec Box[T] { v: T }\nfn g(b: Box[Int{x | x > 0}]) -> Int { pos(b.v) }\nfn f() -> Int { g(Box(0)) }",
    );
}

#[test]
fn the_fields_of_a_record_literal_must_meet_their_refinements() {
    let of = |value: &str| {
        let positive = r#"{"kind": "recordType", "fields": [{"name": "n", "type": {"source": "Int{n > 0}"}}]}"#;
        let json = format!(
            r#"{{"kind": "program", "declarations": [{{"kind": "fn", "name": "f", "params": [],
            "returnType": {positive}, "body": {{"kind": "block", "statements": [], "expr":
            {{"kind": "record", "fields": [{{"name": "n", "value": {{"source": "{value}"}}}}]}}}}}}]}}"#
        );
        let result = crate::compiled_ast(&json);
        result
            .diagnostics
            .iter()
            .map(|it| it.code.text())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("1"), [""; 0]);
    assert_eq!(of("0"), ["E3001"]);
}

#[test]
fn a_repeatable_call_without_arguments_has_one_value() {
    let guarded = "fn f() -> Int { if g() > 0 { pos(g()) } else { 0 } }";
    is_proved(&format!("fn g() -> Int {{ 3 }}\n{guarded}"));
    is_left(&format!(
        "fn g() -> IO + Int {{ 3 }}\n{}",
        guarded.replace("-> Int {", "-> IO + Int {")
    ));
    is_left("fn g() -> Int { 3 }\nfn f() -> Int { if g() > 0 { 1 } else { 2 }; pos(g()) }");
    // An external function may return a different value each time, but its result type holds for
    // all of them.
    is_left(&format!("external fn g() -> Int = \"x\"\n{guarded}"));
    is_proved("external fn g() -> (Int{r | r > 0}) = \"x\"\nfn f() -> Int { pos(g()) }");
    is_proved(
        "external fn g() -> Int = \"x\"\nfn f() -> Int { let n = g(); if n > 0 { pos(n) } else { 0 } }",
    );
}

#[test]
fn elements_must_meet_the_refinement_of_their_container() {
    let first = "fn first(o: Option[[Int]{a | len(a) > 0}]) -> Int { match o { Some(v) -> v[0], None -> 0 } }\n";
    is_proved(first);
    for body in [
        "fn f() -> Int { first(Some([1])) }",
        "fn f() -> Int { first(None) }",
        "fn g(r: Result[Int, Int{e | e > 0}]) -> Int { 1 }\nfn f() -> Int { g(Ok(0)) + g(Err(2)) }",
        "fn f(xs: [Int]{len(xs) > 0}) -> Int { first(Some(xs)) }",
        "fn f(xs: [Int]) -> Int { if len(xs) > 2 { first(Some(xs)) } else { 0 } }",
        "fn f() -> [Int{x | x > 0}] { [1, 2] }",
        "fn f() -> (Int, Int{x | x > 0}) { (0, 2) }",
        "fn f(xs: [Int{x | x > 0}]) -> Int { let mut t = 0; for x in xs { t = t + pos(x); }; t }",
        "fn f(p: (Int, Int{x | x > 0})) -> Int { let (_, x) = p; pos(x) }",
        "fn f(rows: [[Int]{r | len(r) > 1}]) -> Int { let mut t = 0; for r in rows { t = t + r[1]; }; t }",
    ] {
        is_proved(&format!("{first}{body}"));
    }
    is_refuted(&format!("{first}fn f() -> Int {{ first(Some([])) }}"));
    is_refuted("fn f() -> [Int{x | x > 0}] { [1, 0] }");
    is_refuted("fn f() -> (Int, Int{x | x > 0}) { (0, 0) }");
    for body in [
        "fn f(xs: [Int]) -> Int { first(Some(xs)) }",
        "fn f(o: Option[[Int]]) -> Int { first(o) }",
        "rec W[T] { all: [T] }\nfn g(w: W[Int{x | x > 0}]) -> Int { 1 }\nfn f() -> Int { g(W([0])) }",
        "fn f(xs: [Int]) -> [Int{x | x > 0}] { xs }",
    ] {
        is_left(&format!("{first}{body}"));
    }
    // A fact about one branch does not hold for the value of the other.
    is_left(
        "fn f(c: Bool, ys: [Int]{len(ys) > 0}) -> Int { let zs = if c { ys } else { [] }; zs[0] }",
    );
    is_left(
        "fn f(c: Bool, ys: [Int]{len(ys) > 0}) -> Int { let zs = match c { true -> ys, _ -> [] }; zs[0] }",
    );
    // A write under one type is visible under the other.
    let shared = "fn f(rows: [[Int]{r | len(r) > 0}]) -> Int { let all: [[Int]] = rows; if len(all) > 0 { all[0] = []; if len(rows) > 0 { rows[0][0] } else { 0 } } else { 0 } }";
    assert_eq!(left(shared), (2, vec![]));
}
