//! Small programs with their expected diagnostics, one for each rule of the language.

use std::collections::BTreeSet;

use fixpoint_clank::emit::{Target, emit};
use fixpoint_clank::json::{Form, program_json};
use fixpoint_clank::result::{CompileResult, Status};

use crate::{compiled, compiled_ast};

const SPEC: &str = include_str!("programs/spec.txt");
const FACTS: &str = include_str!("programs/facts.txt");

/// Programs, each preceded by a line `--- CODES`.
fn programs(table: &str) -> Vec<(BTreeSet<String>, &str)> {
    let programs = table.split("\n--- ").skip(1);
    programs
        .map(|entry| {
            let (codes, program) = entry.split_once('\n').expect("codes and a program");
            let codes = codes.split_whitespace().filter(|it| *it != "success");
            (codes.map(str::to_owned).collect(), program)
        })
        .collect()
}

/// The codes of a program and the number of its obligations. Unused variables are ignored unless
/// they are expected.
fn found(program: &str, wanted: &BTreeSet<String>) -> BTreeSet<String> {
    let result = compiled(program);
    let codes = result.diagnostics.iter().map(|it| it.code.to_string());
    let mut found: BTreeSet<String> = codes
        .filter(|it| it != "W0001" || wanted.contains(it))
        .collect();
    if !result.obligations.is_empty() {
        found.insert(format!("obl{}", result.obligations.len()));
    }
    found
}

fn check(table: &str, at_least: usize) {
    let programs = programs(table);
    assert!(programs.len() >= at_least, "{} programs", programs.len());
    let wrong: Vec<String> = programs
        .iter()
        .map(|(wanted, program)| (wanted, found(program, wanted), program))
        .filter(|(wanted, found, _)| *wanted != found)
        .map(|(wanted, found, program)| format!("{wanted:?}, not {found:?}:\n{program}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_rule_of_the_language_holds() {
    check(SPEC, 125);
}

#[test]
fn only_known_facts_are_used_in_proofs() {
    check(FACTS, 90);
}

fn code(result: &CompileResult) -> String {
    let (program, ast, typing) = (&result.canonical, &result.ast, &result.typing);
    match emit(program, ast, typing, Target::JavaScript) {
        Ok(emitted) => emitted.code,
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_canonical_program_emits_the_same_code_as_its_text() {
    let mut count = 0;
    for (_, program) in [SPEC, FACTS].into_iter().flat_map(programs) {
        let result = compiled(program);
        // AST JSON has no external modules.
        if result.status != Status::Success || program.contains("external mod") {
            continue;
        }
        let json = program_json(&result.canonical, &result.ast, Form::Full, true);
        let json = serde_json::to_string(&json).expect("JSON");
        let again = compiled_ast(&json);
        assert_eq!(again.status, Status::Success, "{program}");
        let left = |it: &CompileResult| it.obligations.len();
        assert_eq!(left(&again), left(&result), "{program}");
        assert!(code(&again) == code(&result), "{program}");
        count += 1;
    }
    assert!(count > 100, "{count} programs");
}
