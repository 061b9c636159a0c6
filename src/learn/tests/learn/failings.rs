//! Mistakes that rewriting by patterns invites: each result is right, or the rule is refused.

use crate::support::{becomes, compile, rule, stays};

/// A text of each language around an expression.
fn around(language: &str, expression: &str) -> String {
    match language {
        "python" | "starlark" => format!("x = {expression}\n"),
        "javascript" | "typescript" => format!("x = {expression};\n"),
        "clank" => format!("fn g() -> Int {{ {expression} }}\n"),
        "rust" => format!("fn g() {{ x = {expression}; }}\n"),
        "go" => format!("package p\n\nvar x = {expression}\n"),
        "java" => format!("class C {{ Object x = {expression}; }}\n"),
        _ => format!("int x = {expression};\n"),
    }
}

const LANGUAGES: [&str; 10] = [
    "python",
    "javascript",
    "typescript",
    "starlark",
    "clank",
    "rust",
    "go",
    "java",
    "c",
    "cpp",
];

#[test]
fn every_operand_is_in_the_result() {
    for language in LANGUAGES {
        let add = rule(language, "$A + $B", "add({{ A }}, {{ B }})");
        becomes(
            language,
            &add,
            &around(language, "a + b.c(1)"),
            &around(language, "add(a, b.c(1))"),
        );
    }
}

#[test]
fn a_statement_that_the_pattern_does_not_have_prevents_the_match() {
    let cases = [
        (
            "python",
            "if $A:\n    yield\nelse:\n    yield",
            "{{ A }}\nyield",
            "def f():\n    if a:\n        b()\n        yield\n    else:\n        yield\n",
        ),
        (
            "javascript",
            "if ($A) { return } else { return }",
            "{{ A }}; return",
            "function f() { if (a) { b(); return } else { return } }\n",
        ),
        (
            "rust",
            "if $A { f() } else { f() }",
            "{ {{ A }}; f() }",
            "fn g() { if a { b(); f() } else { f() } }\n",
        ),
        (
            "go",
            "if $A { f() } else { f() }",
            "f({{ A }})",
            "package p\nfunc g() { if a { b(); f() } else { f() } }\n",
        ),
        (
            "java",
            "if ($A) { f(); } else { f(); }",
            "f({{ A }});",
            "class C { void g() { if (a) { b(); f(); } else { f(); } } }\n",
        ),
        (
            "c",
            "if ($A) { f(); } else { f(); }",
            "f({{ A }});",
            "void g() { if (a) { b(); f(); } else { f(); } }\n",
        ),
    ];
    for (language, pattern, template, text) in cases {
        assert_eq!(
            stays(language, &rule(language, pattern, template), text),
            ""
        );
    }
}

#[test]
fn comments_of_arguments_are_not_lost() {
    for language in LANGUAGES {
        let swap = rule(language, "f($A, $B)", "g({{ B }}, {{ A }})");
        let is_script = !["python", "starlark"].contains(&language);
        let (call, kept) = match is_script {
            true => ("f(a /* x */, b)", "f(h(1 /* x */), b)"),
            false => ("f(a,  # x\n      b)", "f(h(1,  # x\n        2), b)"),
        };
        let text = around(language, call);
        if language == "clank" {
            // Its comments end with their line.
            continue;
        }
        let reason = stays(language, &swap, &text);
        assert!(reason.contains("comment"), "{language}: {reason}");
        let swapped = kept.replacen("f(", "", 1);
        let inner = swapped.strip_suffix(", b)").expect("two arguments");
        becomes(
            language,
            &swap,
            &around(language, kept),
            &around(language, &format!("g(b, {inner})")),
        );
    }
}

#[test]
fn a_receiver_is_put_in_parentheses_where_it_needs_them() {
    for language in LANGUAGES {
        let method = rule(language, "f($A)", "{{ A }}.g()");
        let operator = match language {
            "python" | "starlark" => "or",
            _ => "||",
        };
        let sum = format!("a {operator} b");
        becomes(
            language,
            &method,
            &around(language, &format!("f({sum})")),
            &around(language, &format!("({sum}).g()")),
        );
        becomes(
            language,
            &method,
            &around(language, "f(a(1))"),
            &around(language, "a(1).g()"),
        );
        becomes(
            language,
            &method,
            &around(language, "f((a))"),
            &around(language, "(a).g()"),
        );
    }
}

#[test]
fn the_whole_template_is_put_in_parentheses_where_it_needs_them() {
    for language in LANGUAGES {
        let product = rule(language, "f($A, $B)", "{{ A }} + {{ B }}");
        becomes(
            language,
            &product,
            &around(language, "2 * f(a, b)"),
            &around(language, "2 * (a + b)"),
        );
        becomes(
            language,
            &product,
            &around(language, "f(a, b) + c"),
            &around(language, "a + b + c"),
        );
        becomes(
            language,
            &product,
            &around(language, "c + f(a, b)"),
            &around(language, "c + (a + b)"),
        );
    }
}

#[test]
fn an_unknown_slot_is_an_error_when_the_rule_is_loaded() {
    // B-18
    for language in LANGUAGES {
        let error = compile(&rule(language, "f($A)", "bar({{ B }})")).expect_err("an error");
        assert_eq!(
            error.to_string(),
            "the template has the slot {{ B }}, and the pattern has no $B",
            "{language}"
        );
    }
}

#[test]
fn a_pattern_that_does_not_parse_is_an_error() {
    for language in LANGUAGES {
        let error = compile(&rule(language, "f($A", "g({{ A }})")).expect_err("an error");
        assert!(
            error
                .to_string()
                .starts_with("the pattern does not parse as "),
            "{error}"
        );
        let error = compile(&rule(language, "f($A)", "g({{ A }}")).expect_err("an error");
        assert!(
            error
                .to_string()
                .starts_with("the template does not parse as "),
            "{error}"
        );
    }
}

#[test]
fn dropped_captures_and_endless_rules_are_errors() {
    for language in LANGUAGES {
        for (pattern, template, message) in [
            ("f($A, $B)", "f({{ A }})", "would drop what $B captures"),
            ("f($A, $_)", "g({{ A }})", "would drop what $_ matches"),
            ("$A", "g({{ A }})", "matches everything"),
            ("f($A)", "f(g({{ A }}))", "would never end"),
        ] {
            let error = compile(&rule(language, pattern, template)).expect_err("an error");
            assert!(error.to_string().contains(message), "{language}: {error}");
        }
    }
}

#[test]
fn nested_matches_are_changed_too() {
    for language in LANGUAGES {
        let rename = rule(language, "f($A)", "g({{ A }})");
        becomes(
            language,
            &rename,
            &around(language, "f(f(h(f(1))))"),
            &around(language, "g(g(h(g(1))))"),
        );
    }
}
