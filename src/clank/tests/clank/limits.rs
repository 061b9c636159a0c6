//! Long programs compile. Programs that are nested too deeply or never end are reported.

use std::thread;

use fixpoint_clank::ast::{MAX_DEPTH, MAX_HEIGHT};
use fixpoint_clank::emit::{Target, emit};
use fixpoint_clank::json::{Form, program_json};
use fixpoint_clank::lex::MAX_DIGITS;
use fixpoint_clank::print::{format, program_text};
use fixpoint_clank::result::Status;
use fixpoint_clank::{Input, Options, compile};

use crate::{codes, compiled, compiled_ast};

/// Runs with the stack size of the command line tool.
fn with_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(64 << 20);
    thread.spawn(work).expect("a thread").join().expect("done");
}

/// A chain that is almost as tall as a tree may be.
fn chain(link: impl Fn(usize) -> String, between: &str) -> String {
    let links: Vec<String> = (0..MAX_HEIGHT - 100).map(link).collect();
    links.join(between)
}

#[test]
fn long_chains_compile_print_and_round_trip() {
    with_large_stack(|| {
        let a = |_| "a".to_owned();
        let g = |at| {
            if at == 0 {
                "a".to_owned()
            } else {
                "g".to_owned()
            }
        };
        let test = |at| format!("if a == {at} {{ {at} }}");
        let bodies = [
            ("Int", chain(a, " + ")),
            ("Bool", chain(|at| format!("a != {at}"), " && ")),
            ("Str", chain(|_| "\"s\"".to_owned(), " ++ ")),
            ("Int", chain(g, " |> ")),
            ("Int", format!("{} else {{ 0 }}", chain(test, " else "))),
        ];
        for (result, body) in bodies {
            let program =
                format!("fn g(a: Int) -> Int {{ a }}\nfn f(a: Int) -> {result} {{ {body} }}");
            let compiled = compiled(&program);
            assert_eq!(compiled.status, Status::Success);
            emit(
                &compiled.canonical,
                &compiled.ast,
                &compiled.typing,
                Target::JavaScript,
            )
            .expect("code");
            format("main.clank", &program).expect("it parses");
            program_text(&compiled.ast);
            let json = program_json(&compiled.canonical, &compiled.ast, Form::Brief, false);
            let json = serde_json::to_string(&json).expect("JSON");
            assert_eq!(compiled_ast(&json).status, Status::Success);
        }
    });
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = 10_000;
    let around = |open: &str, inner: &str, close: &str| {
        let (open, close) = (open.repeat(deep), close.repeat(deep));
        format!("fn f(a: Int) -> Int {{ {open}{inner}{close} }}")
    };
    let programs = [
        around("(", "a", ")"),
        around("{", "a", "}"),
        around("[", "a", "]"),
        around("f(", "a", ")"),
        around("-", "a", ""),
        around("\\x -> ", "a", ""),
        around("if a > 0 { ", "a", " } else { 0 }"),
        around("match a { _ -> ", "a", " }"),
        format!("type T = {}Int{}", "[".repeat(deep), "]".repeat(deep)),
        format!("fn f(x: {}Int) -> Int {{ 1 }}", "(Int) -> ".repeat(deep)),
        format!("fn f() -> Int {{ {} }}", vec!["a"; 10_000].join(" + ")),
    ];
    for program in programs {
        let codes = codes(&program);
        assert!(codes.iter().all(|it| it == "E0001"), "{codes:?}");
        assert!(!codes.is_empty());
    }
    let nested = format!(
        "fn f(a: Int) -> Int {{ {}a{} }}",
        "(".repeat(MAX_DEPTH / 2),
        ")".repeat(MAX_DEPTH / 2)
    );
    assert_eq!(codes(&nested), [] as [&str; 0]);
}

#[test]
fn an_unterminated_construct_is_an_error() {
    for open in [
        "(",
        "{",
        "[",
        "\"",
        "`",
        "\"\"\"",
        "/*",
        "`${",
        "match a {",
        "if a {",
    ] {
        for text in [format!("fn f() -> Int {{ {open}"), open.repeat(5_000)] {
            let codes = codes(&text);
            assert!(
                !codes.is_empty() && codes.iter().all(|it| it == "E0001"),
                "{open}"
            );
        }
    }
}

#[test]
fn the_digits_of_a_number_are_limited_in_text_and_json() {
    let text = |count| format!("fn f() -> Int {{ {} }}", "7".repeat(count));
    let json = |count| {
        let body = format!(
            r#"{{"kind": "literal", "value": {{"kind": "int", "value": "{}"}}}}"#,
            "7".repeat(count)
        );
        format!(
            r#"{{"kind": "program", "declarations": [{{"kind": "fn", "name": "f", "params": [],
            "returnType": {{"source": "Int"}}, "body": {{"kind": "block", "expr": {body}}}}}]}}"#
        )
    };
    assert_eq!(compiled(&text(MAX_DIGITS)).status, Status::Success);
    assert_eq!(compiled_ast(&json(MAX_DIGITS)).status, Status::Success);
    let found = &compiled(&text(1_000_000)).diagnostics[0].message;
    assert!(
        found.contains("at most 10000 digits") && found.len() < 200,
        "{found}"
    );
    let input = Input::Ast {
        json: &json(1_000_000),
    };
    let errors = compile(input, &Options::default()).expect_err("too long");
    assert_eq!(errors[0].message, "a number has at most 10000 digits");
}

#[test]
fn a_name_of_megabytes_can_be_compared() {
    let name = "a".repeat(1_000_000);
    let result = compiled(&format!(
        "fn {name}a() -> Int {{ 1 }}\nfn f() -> Int {{ {name}() }}"
    ));
    let codes: Vec<_> = result.diagnostics.iter().map(|it| it.code.text()).collect();
    assert_eq!(codes, ["E1001"]);
    assert_eq!(result.repairs.len(), 1);
}

#[test]
fn sizes_have_no_limit() {
    let name = "a".repeat(1 << 20);
    let digits = "9".repeat(10_000);
    let statements = "  let _x = a + 1;\n".repeat(100_000);
    let programs = [
        format!("fn f({name}: Int) -> Int {{ {name} }}"),
        format!("fn f(x: Int{{x < {digits}}}) -> Int {{ {digits} + x }}"),
        format!("fn f(a: Int) -> Int {{\n{statements}  a\n}}"),
        format!("// {}\nfn f() -> Int {{ 1 }}", "c".repeat(1 << 20)),
    ];
    for program in programs {
        assert_eq!(codes(&program), [] as [&str; 0]);
    }
}
