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
    for diagnostic in &result.diagnostics {
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
