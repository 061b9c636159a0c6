//! Many errors at once: all are reported, and verifying repairs takes bounded time.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fixpoint_clank::repair::Ending;
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Deadline, Input, Options, compile};

use crate::{compiled, repaired, source};

/// A function with `count` copies of the same error.
fn mistakes(before: &str, params: &str, count: usize, mistake: impl Fn(usize) -> String) -> String {
    let mut text = format!("{before}fn f({params}) -> Int {{\n");
    for at in 0..count {
        let _ = writeln!(text, "  {}", mistake(at));
    }
    text.push_str("  0\n}\n");
    text
}

fn of_each_row(count: usize) -> Vec<String> {
    let pair = "fn pair(a: Int, b: Str) -> Int { str_len(b); a }\n";
    vec![
        mistakes("", "n: Int", count, |at| format!("let _a{at}: Float = n;")),
        mistakes("", "n: Int", count, |at| format!("let _a{at}: Itn = n;")),
        mistakes(pair, "n: Int", count, |at| format!("let _a{at} = pair(n);")),
        mistakes("rec P { name: Str }\n", "p: P", count, |at| {
            format!("let _a{at} = p.nmae;")
        }),
        mistakes("", "n: Int", count, |at| {
            format!("let a{at} = n; a{at} = a{at} + 1;")
        }),
        mistakes("sum C { R, G, B }\n", "c: C", count, |at| {
            format!("let _a{at} = match c {{ R -> 1, G -> 2 }};")
        }),
        mistakes("", "n: Int", count, |at| format!("let a{at} = n;")),
    ]
}

/// The result for a text, and the number of checks for verifying repairs.
fn with_checks(text: &str) -> (CompileResult, usize) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let deadline = Deadline::while_true(move || {
        count.fetch_add(1, Ordering::Relaxed);
        true
    });
    let options = Options {
        deadline,
        ..Options::default()
    };
    let file = "a.clank";
    let result = compile(Input::Source { file, text }, &options).expect("a program");
    (result, asked.load(Ordering::Relaxed))
}

#[test]
fn each_of_many_errors_in_one_function_has_a_repair() {
    for (few, many) in of_each_row(50).iter().zip(&of_each_row(1_000)) {
        let (_, short) = with_checks(few);
        let (result, long) = with_checks(many);
        assert_eq!(result.diagnostics.len(), 1_000, "{few}");
        for diagnostic in &result.diagnostics {
            assert!(!diagnostic.repair_refs.is_empty(), "{diagnostic:?}");
        }
        // A check takes time proportional to the text. Many repairs are tried together.
        assert!(long <= short, "{short} {long} {few}");
    }
}

#[test]
fn each_of_many_obligations_in_one_function_has_a_guard_and_an_assertion() {
    let text = mistakes("", "xs: [Int], k: Int", 60, |at| {
        format!("let _a{at} = xs[k];")
    });
    let result = compiled(&text);
    assert_eq!(result.obligations.len(), 60);
    for obligation in &result.obligations {
        assert_eq!(obligation.repair_refs.len(), 2, "{obligation:?}");
    }
}

#[test]
fn one_failing_repair_does_not_reject_the_others() {
    // A wildcard arm follows the other arms and `panic` has any type, so all matches can be
    // repaired. One of the calls cannot: its last argument has no value.
    let before = "external fn made() -> Int = \"made\"\nsum Never { Again(Never) }\n\
                  fn pair(a: Int, b: Str) -> Int { str_len(b); a }\n\
                  fn odd(a: Int, b: Never) -> Int { match b { Again(_) -> a } }\n";
    let text = mistakes(before, "n: Int", 400, |at| match at {
        237 => "let _odd = odd(n);".to_owned(),
        _ => format!("let _a{at} = pair(n);"),
    });
    let result = compiled(&text);
    let left: Vec<_> = result
        .diagnostics
        .iter()
        .enumerate()
        .filter(|(_, it)| it.repair_refs.is_empty())
        .map(|it| it.0)
        .collect();
    assert_eq!(left, [237]);
}

#[test]
fn many_errors_are_repaired_in_few_rounds() {
    for text in of_each_row(300) {
        let done = repaired(source(&text));
        assert_eq!(done.ending, Ending::Success, "{text}");
        assert!(done.steps.len() <= 4, "{}", done.steps.len());
    }
}

#[test]
fn without_time_problems_are_reported_and_no_repairs_proposed() {
    let text = "fn f(n: Int) -> Float { n }\nfn g(xs: [Int], k: Int) -> Int { xs[k] }\n";
    let options = Options {
        deadline: Deadline::while_true(|| false),
        ..Options::default()
    };
    let file = "main.clank";
    let result = compile(Input::Source { file, text }, &options).expect("a program");
    assert_eq!((result.diagnostics.len(), result.obligations.len()), (1, 1));
    assert!(result.repairs.is_empty());
    let has_hint = |hints: &[fixpoint_clank::diagnostic::Hint]| {
        hints.iter().any(|it| it.description.contains("was tried"))
    };
    assert!(has_hint(&result.diagnostics[0].hints));
    assert!(has_hint(&result.obligations[0].hints));
}

#[test]
fn a_very_long_name_is_cut_in_messages_only() {
    let name = "n".repeat(200_000);
    let text = format!("fn f({name}: Int) -> Int {{ {name}x }}\n");
    let result = compiled(&text);
    let [diagnostic] = result.diagnostics.as_slice() else {
        panic!("{}", result.diagnostics.len());
    };
    assert!(diagnostic.message.chars().count() < 400);
    assert!(diagnostic.message.contains('…'));
    let payload = serde_json::to_string(&diagnostic.payload).expect("JSON");
    assert!(payload.contains(&format!("{name}x")));
    let [rename] = result.repairs.as_slice() else {
        panic!("{}", result.repairs.len());
    };
    assert!(rename.title.chars().count() < 500 && rename.rationale.chars().count() < 500);
    let done = repaired(source(&text));
    assert_eq!(done.ending, Ending::Success);
}
