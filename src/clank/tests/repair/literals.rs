//! Record literals where a declared record is required: E2003 and E2004.

use fixpoint_clank::diagnostic::Code;
use fixpoint_clank::repair::{Candidate, Ending, PatchOp};
use fixpoint_clank::result::CompileResult;

use crate::{compiled, repaired, source};

const USER: &str = "rec User { name: Str, age: Int }\n";

/// Expressions that hold a record literal, with the type that they must have.
const PLACES: [(&str, &str); 17] = [
    ("User", "LITERAL"),
    ("[User]", "[LITERAL]"),
    ("[User]", "[User(\"a\", 1), LITERAL]"),
    ("(Int, User)", "(1, LITERAL)"),
    ("Option[User]", "Some(LITERAL)"),
    ("Result[User, Str]", "Ok(LITERAL)"),
    ("Result[Int, [User]]", "Err([LITERAL])"),
    ("Team", "{lead: LITERAL, rest: []}"),
    ("Team", "Team(LITERAL, [LITERAL])"),
    ("User", "if b { LITERAL } else { User(\"a\", 1) }"),
    ("User", "if b { User(\"a\", 1) } else { LITERAL }"),
    (
        "User",
        "match b { true -> User(\"a\", 1), false -> LITERAL }",
    ),
    ("(Int) -> User", "\\n -> { let _n = n; LITERAL }"),
    ("[User]", "push([], LITERAL)"),
    ("[User]", "[User(\"a\", 1)] ++ [LITERAL]"),
    ("[User]", "[LITERAL] ++ [User(\"a\", 1)]"),
    ("Bool", "LITERAL == User(\"a\", 1)"),
];

fn program(ty: &str, value: &str, literal: &str) -> String {
    let value = value.replace("LITERAL", literal);
    format!(
        "{USER}rec Team {{ lead: User, rest: [User] }}\nfn f(b: Bool) -> ({ty}) {{ let _b = b; {value} }}\n"
    )
}

fn codes(result: &CompileResult) -> Vec<Code> {
    let mut codes: Vec<Code> = result.diagnostics.iter().map(|it| it.code).collect();
    codes.dedup();
    codes
}

fn best(result: &CompileResult, code: Code) -> &Candidate {
    let about = |it: &&Candidate| {
        it.targets
            .diagnostic_codes
            .iter()
            .any(|it| it == code.text())
    };
    result.repairs.iter().find(about).expect("a repair")
}

#[test]
fn a_complete_literal_is_the_declared_record_wherever_one_is_required() {
    // K-110
    for (ty, value) in PLACES {
        let result = compiled(&program(ty, value, "{name: \"J\", age: 3}"));
        assert_eq!(codes(&result), [], "{value}");
    }
}

#[test]
fn an_incomplete_literal_lacks_a_field_wherever_it_is() {
    for (ty, value) in PLACES {
        let text = program(ty, value, "{name: \"J\"}");
        let result = compiled(&text);
        assert_eq!(codes(&result), [Code::E2003], "{value}");
        let repair = best(&result, Code::E2003);
        assert_eq!(repair.title, "Add missing field 'age'", "{value}");
        assert_eq!(repaired(source(&text)).ending, Ending::Success, "{value}");
    }
}

#[test]
fn a_field_of_another_type_is_reported_at_its_value() {
    for (ty, value) in PLACES {
        let text = program(ty, value, "{name: 1, age: 3}");
        let result = compiled(&text);
        assert_eq!(codes(&result), [Code::E2001], "{value}");
        let problem = result.diagnostics.first().expect("a problem");
        assert_eq!(result.ast.source.slice(problem.span), "1", "{value}");
    }
}

#[test]
fn a_misspelled_field_is_renamed() {
    // K-110
    for (ty, value) in PLACES {
        let text = program(ty, value, "{name: \"J\", aeg: 3}");
        let result = compiled(&text);
        assert_eq!(codes(&result), [Code::E2003], "{value}");
        let repair = best(&result, Code::E2003);
        assert!(
            matches!(&repair.edits[..], [PatchOp::RenameField { old_name, new_name, .. }]
                if old_name == "aeg" && new_name == "age"),
            "{value}: {repair:?}"
        );
        assert_eq!(result.repairs.first(), Some(repair));
        let done = repaired(source(&text));
        assert_eq!(done.ending, Ending::Success, "{value}");
        assert_eq!(done.program.text(), text.replace("aeg", "age"));
    }
}

#[test]
fn a_field_that_the_literal_has_is_not_proposed_for_another_one() {
    let text = format!("{USER}fn f() -> User {{ {{name: \"J\", age: 3, aeg: 4}} }}\n");
    let result = compiled(&text);
    assert_eq!(codes(&result), [Code::E2004]);
    let titles: Vec<&str> = result.repairs.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(titles, ["Add field 'aeg' to 'User'"]);
    let twice = text.replace("aeg", "age");
    assert_eq!(codes(&compiled(&twice)), [Code::E1002]);
}

#[test]
fn an_unknown_field_is_added_to_the_record_and_to_all_its_values() {
    let text = format!(
        "{USER}fn a() -> [User] {{ [{{name: \"J\", age: 3, email: \"j\"}}] }}\n\
         fn b() -> User {{ {{name: \"K\", age: 4}} }}\nfn c() -> User {{ User(\"L\", 5) }}\n"
    );
    let result = compiled(&text);
    assert_eq!(codes(&result), [Code::E2004]);
    let repair = best(&result, Code::E2004);
    assert_eq!(repair.title, "Add field 'email' to 'User'");
    assert!(matches!(
        repair.edits.first(),
        Some(PatchOp::AddField { .. })
    ));
    let done = repaired(source(&text));
    assert_eq!(done.ending, Ending::Success);
    let after = done.program.text();
    for part in [
        "email: Str }",
        "{name: \"K\", age: 4, email: \"\"}",
        "User(\"L\", 5, \"\")",
    ] {
        assert!(after.contains(part), "{after}");
    }
}

#[test]
fn a_declared_field_gets_the_name_that_all_literals_use() {
    let text = "rec User { nmae: Str, age: Int }\n\
                fn f() -> [User] { [{name: \"J\", age: 3}, {name: \"K\", age: 4}] }\n";
    let result = compiled(text);
    let title = "Rename the declared field 'nmae' to 'name'";
    let repair = result.repairs.iter().find(|it| it.title == title);
    let repair = repair.expect("a repair");
    assert_eq!(repair.expected_delta.diagnostics_resolved, ["d1", "d2"]);
}

#[test]
fn a_declared_name_that_is_never_used_gets_the_name_that_is() {
    for (text, title) in [
        (
            "rec Usr { name: Str }\nfn f(u: User) -> User { u }\nfn g(u: User) -> Str { u.name }\n",
            "Rename the declaration of 'Usr' to 'User'",
        ),
        (
            "rec Usr { name: Str }\nfn f() -> [User] { [{name: \"a\"}] }\nfn g() -> User { {name: \"b\"} }\n",
            "Rename the declaration of 'Usr' to 'User'",
        ),
        (
            "fn totl() -> Int { 3 }\nfn f() -> Int { total() + total() }\n",
            "Rename the declaration of 'totl' to 'total'",
        ),
    ] {
        let result = compiled(text);
        let repair = result.repairs.iter().find(|it| it.title == title);
        let repair = repair.unwrap_or_else(|| panic!("{text}: {:?}", result.repairs));
        assert!(matches!(&repair.edits[..], [PatchOp::Rename { .. }]));
    }
}

#[test]
fn the_fields_of_a_literal_meet_their_refinements() {
    let record = "rec P { v: Int{v > 0} }\n";
    for (value, ty) in [
        ("{v: 0 - 1}", "P"),
        ("[{v: 0 - 1}]", "[P]"),
        ("Some({v: 0 - 1})", "Option[P]"),
        ("if b { P(1) } else { {v: 0 - 1} }", "P"),
        ("(1, {v: 0 - 1})", "(Int, P)"),
    ] {
        let text = format!("{record}fn f(b: Bool) -> {ty} {{ let _b = b; {value} }}\n");
        assert_eq!(codes(&compiled(&text)), [Code::E3001], "{value}");
        let text = text.replace("0 - 1", "0 + 1");
        let result = compiled(&text);
        assert_eq!(codes(&result), [], "{value}");
        assert_eq!(result.obligations.len(), 0, "{value}");
    }
}
