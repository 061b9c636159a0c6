//! Names, types and effects, beyond the one example of each code.

use fixpoint_clank::diagnostic::Payload;

use crate::{codes, compiled};

#[test]
fn types_may_be_used_before_they_are_declared() {
    let clean: [&str; 0] = [];
    assert_eq!(
        codes(
            "fn f(t: Tree) -> Int { match t { Leaf -> 0, Node(l, n, r) -> f(l) + n + f(r) } }\nsum Tree { Leaf, Node(Tree, Int, Tree) }"
        ),
        clean
    );
    assert_eq!(
        codes("type Pair[A] = (A, A)\nfn f(p: Pair[Int]) -> Int { let (a, b) = p; a + b }"),
        clean
    );
    assert_eq!(
        codes("type Loop = [Loop]\nfn f(x: Loop) -> Loop { x }"),
        clean
    );
}

#[test]
fn generics_are_instantiated_at_each_use() {
    let clean: [&str; 0] = [];
    let program = "fn head[T](xs: [T]{len(xs) > 0}) -> T { xs[0] }\nfn f() -> Str { let _n: Int = head([1]); head([\"a\"]) }";
    assert_eq!(codes(program), clean);
    assert_eq!(
        codes("fn f() -> Str { let id = \\x -> x; id(\"a\"); id(1) }"),
        ["E2001"]
    );
}

#[test]
fn an_unresolved_name_causes_no_other_errors() {
    assert_eq!(
        codes("fn f(x: Int) -> Err + Int { let y = nope(x)?; for i in nope2 { y.z[i] + 1; }; y }"),
        ["E1001", "E1001"]
    );
}

#[test]
fn each_error_in_a_signature_is_reported_once() {
    assert_eq!(
        codes("rec R { a: Nope }\nfn f(x: Nope2) -> Nope3 { x }"),
        ["E1005", "E1005", "E1005"]
    );
}

#[test]
fn the_immutable_let_is_the_one_in_scope() {
    let result = compiled(
        "fn f() -> Int { let x = 1; if true { let x = 2; x = 3; x } else { x } }\nfn g() -> Int { let x = 9; x }",
    );
    let Payload::ImmutableAssign {
        declaration_node_id,
        is_let,
        ..
    } = &result.diagnostics[0].payload
    else {
        panic!("{:?}", result.diagnostics);
    };
    assert!(is_let);
    let id = result.ast.ids.find(declaration_node_id).expect("a node");
    let mut text = String::new();
    fixpoint_clank::ast::NodeRef::Program(&result.ast.program).each(&mut |node| {
        if node.id() == id {
            text = result.ast.source.slice(node.span()).to_owned();
        }
    });
    assert_eq!(text, "let x = 2");
}

#[test]
fn effects_follow_calls_pipes_and_declared_brackets() {
    let clean: [&str; 0] = [];
    assert_eq!(codes("fn f() -> Unit { \"a\" |> println }"), ["E4001"]);
    assert_eq!(
        codes("fn f() -> IO[Unit] { println(\"a\") }\nfn g() -> IO + Unit { f() }"),
        clean
    );
    assert_eq!(
        codes("fn f() -> IO + Err + Int { 1 }\nfn g() -> Int { f() }"),
        ["E4001", "E4001"]
    );
    assert_eq!(
        codes("fn f() -> [Unit] { map([1], \\(x: Int) -> println(to_string(x))) }"),
        ["E4001"]
    );
}

#[test]
fn a_write_is_not_a_read_and_a_typo_is_reported_once() {
    assert_eq!(
        codes("fn f() -> Int { let mut x = 1; x = 2; 3 }"),
        ["W0001"]
    );
    assert_eq!(codes("fn f() -> Int { let total = 1; totl }"), ["E1001"]);
    let clean: [&str; 0] = [];
    assert_eq!(
        codes("fn f() -> Str { let who = \"you\"; `hello ${who}` }"),
        clean
    );
    assert_eq!(
        codes("fn f() -> Int { let _x = 1; let n = 2; let y: Int{y < n} = 1; y }"),
        clean
    );
}

#[test]
fn recovery_continues_at_the_next_declaration() {
    let text = "fn sum(a: Int) -> Int { a }\nfn ok() -> Int { 1 }\nfn main() -> Int { sum(1) }\n";
    let result = compiled(text);
    let lines: Vec<(usize, usize)> = result
        .diagnostics
        .iter()
        .map(|it| result.ast.source.position(it.span.start()))
        .map(|at| (at.line, at.column))
        .collect();
    assert_eq!(lines, [(1, 4), (3, 20)]);
    assert_eq!(result.ast.program.declarations.len(), 1);
}

#[test]
fn a_syntax_error_is_reported_once() {
    for text in [
        "fn f() -> Int {\n  let = 1;\n  if true { 2 } else { 3 }\n}\n\nfn g() -> Int { 1 }\n",
        "fn f( -> Int { while true { return 1 } }\nfn g() -> Int { 1 }\n",
        "fn f() -> Int { 1 +\nfn g() -> Int { 1 }\n",
        "}\nfn g() -> Int { 1 }\n",
        "rec P { x: }\nfn g() -> Int { 1 }\n",
    ] {
        let result = compiled(text);
        assert_eq!(codes(text), ["E0001"], "{text}");
        assert_eq!(result.ast.program.declarations.len(), 1, "{text}");
    }
}

#[test]
fn duplicate_names_in_a_declaration_are_rejected() {
    for text in [
        "rec R { x: Int, x: Int }",
        "fn d(p: Int, p: Int) -> Int { p }",
        "sum S { A, A }",
    ] {
        assert_eq!(codes(text)[0], "E1002", "{text}");
    }
    assert_eq!(codes("rec R { x: Int, y: Int }\nrec Q { x: Int }"), [""; 0]);
}

#[test]
fn a_variant_is_covered_only_if_each_of_its_fields_is() {
    let of = |arms: &str| {
        codes(&format!(
            "fn f(o: Option[Int]) -> Int {{ match o {{ {arms} }} }}"
        ))
    };
    assert_eq!(of("Some(1) -> 2, None -> 3"), ["E2015"]);
    assert_eq!(of("Some(1) -> 2, Some(_) -> 4, None -> 3"), [""; 0]);
    let of = |arms: &str| {
        codes(&format!(
            "fn f(o: Result[Option[Bool], (Int, Int)]) -> Int {{ match o {{ {arms} }} }}"
        ))
    };
    assert_eq!(
        of("Ok(Some(true)) -> 1, Ok(Some(false)) -> 2, Ok(None) -> 3, Err((a, b)) -> a + b"),
        [""; 0]
    );
    assert_eq!(
        of("Ok(Some(true)) -> 1, Ok(None) -> 3, Err(_) -> 4"),
        ["E2015"]
    );
}

/// The patterns that the arms of a match on a type do not cover.
fn uncovered(ty: &str, arms: &[&str]) -> Vec<String> {
    let arms = arms.iter().map(|it| format!("{it} -> 1"));
    let arms = arms.collect::<Vec<_>>().join(", ");
    let types =
        "rec P { a: Bool, b: Option[Bool] }\nsum T { L, N(T, Bool, T) }\nsum W[A] { W(A) }\n";
    let result = compiled(&format!(
        "{types}fn f(v: {ty}) -> Int {{ match v {{ {arms} }} }}"
    ));
    let mut found = Vec::new();
    for diagnostic in result.errors() {
        let Payload::NonExhaustiveMatch { missing_patterns } = &diagnostic.payload else {
            panic!("{diagnostic:?}");
        };
        found.extend(missing_patterns.iter().map(|it| it.description.clone()));
    }
    found
}

#[test]
fn uncovered_combinations_of_fields_are_reported() {
    let none = [""; 0];
    let pairs = "Option[(Bool, Bool)]";
    assert_eq!(
        uncovered(pairs, &["Some((true, _))", "Some((_, true))", "None"]),
        ["Some((false, false))"]
    );
    assert_eq!(
        uncovered(pairs, &["Some((true, _))", "Some((false, _))", "None"]),
        none
    );
    assert_eq!(
        uncovered(
            pairs,
            &[
                "Some((true, true))",
                "Some((false, b))",
                "Some((a, false))",
                "None"
            ]
        ),
        none
    );
    assert_eq!(
        uncovered(pairs, &["Some((true, _))"]),
        ["Some((false, _))", "None"]
    );
    assert_eq!(
        uncovered(
            "T",
            &[
                "L",
                "N(L, true, _)",
                "N(_, _, L)",
                "N(N(_, _, _), true, N(_, _, _))"
            ]
        ),
        ["N(L, false, N(_, _, _))"]
    );
    assert_eq!(
        uncovered(
            "T",
            &[
                "L",
                "N(L, _, _)",
                "N(_, _, L)",
                "N(N(_, _, _), _, N(_, _, _))"
            ]
        ),
        none
    );
    assert_eq!(
        uncovered(
            "Option[P]",
            &["None", "Some({a: true, b})", "Some({b: None})"]
        ),
        ["Some({a: false, b: Some(_)})"]
    );
    assert_eq!(
        uncovered(
            "Option[P]",
            &["None", "Some({a: true})", "Some({a: false, b})"]
        ),
        none
    );
    assert_eq!(uncovered("P", &["{a, b}"]), none);
    assert_eq!(uncovered("P", &["{a: true}"]), ["{a: false}"]);
    assert_eq!(uncovered("W[W[Bool]]", &["W(W(true))"]), ["W(W(false))"]);
    assert_eq!(
        uncovered("Option[Int]", &["Some(0)", "Some(1)", "None"]),
        ["Some"]
    );
    // A match on a tuple needs a catch-all, and the missing pattern is reported as usual.
    assert_eq!(
        uncovered("(Bool, Bool)", &["(true, _)", "(_, false)"]),
        ["(false, true)"]
    );
    assert_eq!(uncovered("(Bool, Bool)", &["(a, b)"]), ["_"]);
    assert_eq!(uncovered("(Bool, Bool)", &["(true, b)", "_"]), none);
}

#[test]
fn many_columns_take_bounded_time() {
    let columns = 24;
    let arms: Vec<String> = (0..columns)
        .flat_map(|at| {
            ["true", "false"].map(|value| {
                let row = (0..columns).map(|it| if it == at { value } else { "_" });
                format!("Some(({}))", row.collect::<Vec<_>>().join(", "))
            })
        })
        .collect();
    let arms: Vec<&str> = arms.iter().map(String::as_str).chain(["None"]).collect();
    let ty = format!("Option[({})]", vec!["Bool"; columns].join(", "));
    assert_eq!(uncovered(&ty, &arms), [""; 0]);
}

#[test]
fn a_variant_pattern_for_a_non_sum_type_is_unknown() {
    assert_eq!(
        codes("fn f(x: Int) -> Int { match x { Foo -> 1, _ -> 2 } }"),
        ["E1006"]
    );
    assert_eq!(
        codes("rec R { a: Int }\nfn f(x: R) -> Int { match x { Foo -> 1, _ -> 2 } }"),
        ["E1006"]
    );
    assert_eq!(codes("fn f() -> Int { let Foo = 3; 1 }"), ["E1006"]);
}

#[test]
fn no_repair_calls_a_panic_of_the_program() {
    let text = "fn panic(m: Str) -> Int { 0 }\nfn f(o: Option[Int]) -> Int { match o { None -> 1 } }\n\
        fn g(xs: [Int], i: Int) -> Int { xs[i] }";
    let result = compiled(text);
    assert_eq!(result.obligations.len(), 1);
    for repair in &result.repairs {
        assert!(!format!("{repair:?}").contains("panic("), "{repair:?}");
    }
}

#[test]
fn a_body_has_to_end_with_the_value_that_is_returned() {
    let clean: [&str; 0] = [];
    assert_eq!(codes("fn f() -> Int { let _x = 1; }"), ["E2001"]);
    assert_eq!(codes("fn f() -> Int { }"), ["E2001"]);
    assert_eq!(
        codes("fn f(n: Int) -> Int { if n > 0 { return n }; }"),
        ["E2001"]
    );
    assert_eq!(
        codes("fn f(n: Int) -> Int { while n > 0 { return n }; }"),
        ["E2001"]
    );
    assert_eq!(
        codes("fn f(n: Int) -> Int { loop { if n > 0 { break }; }; }"),
        ["E2001"]
    );
    for leaves in [
        "return n;",
        "if n > 0 { return n } else { panic(\"no\") };",
        "loop { while n > 0 { break; }; return n; };",
        "match n { 0 -> { return 1; }, _ -> { return n; } };",
        "unreachable();",
    ] {
        assert_eq!(
            codes(&format!("fn f(n: Int) -> Int {{ let _n = n; {leaves} }}")),
            clean,
            "{leaves}"
        );
    }
    assert_eq!(codes("fn f(n: Int) -> Unit { let _m = n; }"), clean);
}

#[test]
fn pre_and_post_are_resolved_and_have_type_bool() {
    let clean: [&str; 0] = [];
    assert_eq!(
        codes("fn f(n: Int) -> Int pre n > 0 post result > n { n + 1 }"),
        clean
    );
    assert_eq!(codes("fn f(n: Int) -> Int pre m > 0 { n }"), ["E1001"]);
    assert_eq!(codes("fn f(n: Int) -> Int post reslt > 0 { n }"), ["E1001"]);
    assert_eq!(codes("fn f(n: Int) -> Int pre n { n }"), ["E2001"]);
    assert_eq!(codes("fn f(n: Int) -> Int pre result > 0 { n }"), ["E1001"]);
}

#[test]
fn pre_holds_at_calls_and_post_at_returns() {
    let f = "fn f(a: Int, b: Int) -> Int pre a > b post result > 0 { a - b }\n";
    let result = compiled(f);
    assert!(
        result.diagnostics.is_empty() && result.obligations.is_empty(),
        "{:?}",
        result.obligations
    );
    let result = compiled("fn f(a: Int) -> Int post result > 0 { a }");
    assert_eq!(result.obligations[0].goal, "a > 0");
    let result = compiled("fn f(a: Int) -> Int post result > 0 { if a < 0 { return a }; 1 }");
    assert_eq!(codes_of(&result), ["E3001"]);
    let result = compiled(&format!("{f}fn g(n: Int) -> Int {{ f(n, 1) }}"));
    assert_eq!(result.obligations[0].goal, "n > 1");
    let result = compiled(&format!("{f}fn g() -> Int {{ f(1, 2) }}"));
    assert_eq!(codes_of(&result), ["E3001"]);
    // What `f` promises is known to its callers.
    let result = compiled(&format!("{f}fn g() -> (Int{{result > 0}}) {{ f(2, 1) }}"));
    assert!(
        result.diagnostics.is_empty() && result.obligations.is_empty(),
        "{:?}",
        result.obligations
    );
}

fn codes_of(result: &fixpoint_clank::result::CompileResult) -> Vec<&'static str> {
    result.diagnostics.iter().map(|it| it.code.text()).collect()
}

#[test]
fn a_jump_needs_a_loop() {
    let clean: [&str; 0] = [];
    assert_eq!(codes("fn f() -> Unit { break; }"), ["E2019"]);
    assert_eq!(codes("fn f() -> Unit { if true { continue }; }"), ["E2019"]);
    assert_eq!(
        codes("fn f() -> Unit { loop { map([1], \\_x -> { break; }); }; }"),
        ["E2019"]
    );
    assert_eq!(
        codes("fn f() -> Unit { for _ in [1] { while true { break }; continue }; }"),
        clean
    );
}

#[test]
fn a_function_or_type_is_declared_once() {
    assert_eq!(codes("fn f() -> Int { 1 }\nfn f() -> Int { 2 }"), ["E1002"]);
    assert_eq!(
        codes("fn f() -> Int { 1 }\nexternal fn f() -> Int = \"g\""),
        ["E1002"]
    );
    assert_eq!(codes("rec A { x: Int }\ntype A = Int"), ["E1002"]);
    let clean: [&str; 0] = [];
    assert_eq!(codes("rec A { x: Int }\nfn len() -> Int { 1 }"), clean);
}

#[test]
fn every_variable_that_is_never_read_is_reported() {
    for unused in [
        "fn f() -> Int { let (a, b) = (1, 2); a }",
        "fn f(xs: [Int]) -> Int { for x in xs { }; 1 }",
        "fn f(o: Option[Int]) -> Int { match o { Some(n) -> 1, None -> 0 } }",
        "fn f(n: Int) -> Int { 1 }",
        "rec P { x: Int, y: Int }\nfn f(p: P) -> Int { let {x, y} = p; x }",
        "fn f(n: Int) -> Int { match n { m if true -> 1, _ -> 0 } }",
        "fn f(xs: [Int]) -> [Int] { map(xs, \\x -> 1) }",
        "fn f(xs: [Int]) -> Int { fold(xs, 0, \\(a, x) -> a) }",
    ] {
        assert_eq!(codes(unused), ["W0001"], "{unused}");
    }
    let clean: [&str; 0] = [];
    for used in [
        "fn f(lo: Int, hi: Int{hi > lo}) -> Int { hi }",
        "fn f(n: Int) -> (Int{result > n}) { panic(\"x\") }",
        "fn f(n: Int) -> Int pre n > 0 { 1 }",
        "fn f(xs: [Int]) -> [Int] { map(xs, \\_x -> 1) }",
        "fn f(xs: [Int]) -> [Int] { map(xs, \\x -> x) }",
        "fn f(o: Option[Int]) -> Int { match o { Some(_n) -> 1, None -> 0 } }",
    ] {
        assert_eq!(codes(used), clean, "{used}");
    }
}

#[test]
fn a_record_literal_may_be_a_declared_record() {
    let clean: [&str; 0] = [];
    let p = "rec P { x: Int, y: Int }\n";
    assert_eq!(
        codes(&format!("{p}fn f() -> P {{ {{y: 1, x: 2}} }}")),
        clean
    );
    assert_eq!(codes(&format!("{p}fn f() -> P {{ {{x: 2}} }}")), ["E2003"]);
    assert_eq!(
        codes(&format!("{p}fn f() -> P {{ {{x: 2, y: true}} }}")),
        ["E2001"]
    );
    assert_eq!(
        codes(&format!(
            "{p}fn g(p: P) -> Int {{ p.x }}\nfn f() -> Int {{ g({{x: 1, y: 2}}) }}"
        )),
        clean
    );
    let refined = "rec R { n: Int{n > 0} }\nfn f() -> R { {n: 0} }";
    assert_eq!(codes(refined), ["E3001"]);
    assert_eq!(codes("fn f(r: {a: Int, ..}) -> Int { r.a }"), clean);
    assert_eq!(codes("fn f() -> [Int] { 1..=3 }"), clean);
    let hole = compiled("fn f(n: Int) -> Int { n + ?more }");
    assert_eq!(hole.holes[0].name, "more");
}
