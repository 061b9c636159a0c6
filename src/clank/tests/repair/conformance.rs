//! Checks the candidates that the reference demands for external programs, if these are available.

#![allow(clippy::disallowed_methods)]

use std::fs;
use std::path::{Path, PathBuf};

use fixpoint_clank::json::{Form, program_json};
use fixpoint_clank::repair::{Candidate, Counts, Ending, Lowerer, Program, edited, patch};
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};
use serde_json::Value;

use crate::{repaired, source};

/// The minimum counts as of writing this test.
const FLOOR_DEMANDED: usize = 24;
const FLOOR_REPAIRED: usize = 27;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/clank")
}

/// Every program with its expectation, by its path below the fixtures.
fn programs() -> Vec<(String, String, Value)> {
    let root = fixtures();
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(program) = name.strip_suffix(".expect.json") {
                let verdict = fs::read_to_string(&path).expect("readable");
                let verdict = serde_json::from_str(&verdict).expect("JSON");
                let text = fs::read_to_string(program).expect("readable");
                let relative = Path::new(program).strip_prefix(&root).expect("below");
                found.push((relative.display().to_string(), text, verdict));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn input<'a>(name: &str, text: &'a str) -> Input<'a> {
    if name.ends_with(".json") {
        Input::Ast { json: text }
    } else {
        Input::Source {
            file: "main.clank",
            text,
        }
    }
}

/// Whether a candidate meets a demand: its ops, safety, confidence and details.
fn meets(result: &CompileResult, candidate: &Candidate, demand: &Value) -> bool {
    let candidate = serde_json::to_value(candidate).expect("JSON");
    let edits = candidate["edits"].as_array().expect("edits");
    let ops: Vec<&Value> = edits.iter().map(|it| &it["op"]).collect();
    let wanted: Vec<&Value> = demand["ops"].as_array().expect("ops").iter().collect();
    let targets = &candidate["targets"];
    let is_about = if demand.get("obligation").is_some() {
        targets.get("obligation_ids").is_some()
    } else {
        let codes = targets.get("diagnostic_codes").and_then(Value::as_array);
        codes.is_some_and(|it| it.contains(&demand["code"]))
    };
    is_about
        && ops == wanted
        && candidate["safety"] == demand["safety"]
        && candidate["confidence"] == demand["confidence"]
        && demand
            .get("detail")
            .is_none_or(|it| has_detail(result, edits, it))
}

fn has_detail(result: &CompileResult, edits: &[Value], detail: &Value) -> bool {
    let detail = detail.as_object().expect("an object");
    let text = edits.iter().map(ToString::to_string).collect::<String>();
    detail.iter().all(|(key, value)| match key.as_str() {
        "from" => edits
            .iter()
            .all(|it| it.get("old_name").is_none_or(|it| it == value)),
        "to" => {
            let named = |it: &Value| it.get("new_name").is_none_or(|it| it == value);
            edits.iter().all(named) && text.contains(value.as_str().expect("a name"))
        }
        "callee" => edits
            .iter()
            .all(|it| &it["wrapper"]["callee"]["name"] == value),
        "add_effects" => edits.iter().all(|it| &it["add_effects"] == value),
        "adds" => match value {
            Value::Array(names) => {
                let field = |name: &Value| text.contains(&format!("\"name\":{name}"));
                names.iter().all(field)
            }
            _ => text.contains("\"wildcard\""),
        },
        "let_line" => edits.iter().all(|it| {
            let id = it["node_id"].as_str().expect("an id");
            let mut line = 0;
            fixpoint_clank::ast::NodeRef::Program(&result.ast.program).each(&mut |node| {
                if result.ast.ids.name(node.id()) == id {
                    line = result.ast.source.position(node.span().start()).line;
                }
            });
            value.as_u64() == Some(line as u64)
        }),
        other => panic!("a detail of a new sort: {other}"),
    })
}

#[test]
fn demanded_candidates_exist() {
    // K-86 to K-97
    if !fixtures().exists() {
        println!("skipped: no fixtures at {}", fixtures().display());
        return;
    }
    let (mut met, mut all) = (0, 0);
    for (name, text, verdict) in programs() {
        let demands = verdict.get("seed").and_then(|it| it["repairs"].as_array());
        let Some(demands) = demands.filter(|it| !it.is_empty()) else {
            continue;
        };
        let result = compile(input(&name, &text), &Options::default()).expect("a program");
        for demand in demands {
            all += 1;
            if result.repairs.iter().any(|it| meets(&result, it, demand)) {
                met += 1;
            } else {
                let found = serde_json::to_string(&result.repairs).expect("JSON");
                let messages: Vec<_> = result.diagnostics.iter().map(|it| &it.message).collect();
                println!("{name}: no {demand}\n  among {found}\n  for {messages:?}");
            }
        }
    }
    println!("demanded candidates: {met} of {all}");
    assert!(met >= FLOOR_DEMANDED, "{met} of at least {FLOOR_DEMANDED}");
}

/// The program after a candidate, applied to the text and to the canonical AST.
fn after(name: &str, text: &str, result: &CompileResult, it: &Candidate) -> Vec<CompileResult> {
    let canonical = program_json(&result.canonical, &result.ast, Form::Full, true);
    let canonical = serde_json::to_value(canonical).expect("JSON");
    let patched = patch(&canonical, &it.edits).expect("a patch").to_string();
    let input = Input::Ast { json: &patched };
    let mut results = vec![compile(input, &Options::default()).expect("a program")];
    if !name.ends_with(".json") {
        let edits = Lowerer::of(&result.ast).edits(&it.edits).expect("edits");
        let text = edited(text, &edits).expect("edits that fit");
        let file = "main.clank";
        let input = Input::Source { file, text: &text };
        results.push(compile(input, &Options::default()).expect("a program"));
    }
    results
}

#[test]
fn every_candidate_does_what_it_promises_to_the_whole_program() {
    // K-16 K-56
    if !fixtures().exists() {
        println!("skipped: no fixtures at {}", fixtures().display());
        return;
    }
    let mut all = 0;
    for (name, text, _) in programs() {
        if name.starts_with("perf") {
            continue;
        }
        let Ok(result) = compile(input(&name, &text), &Options::default()) else {
            continue;
        };
        for candidate in &result.repairs {
            all += 1;
            let resolved: Vec<_> = result
                .diagnostics
                .iter()
                .filter(|it| it.repair_refs.contains(&candidate.id))
                .map(|it| (it.code, it.message.as_str()))
                .collect();
            for after in after(&name, &text, &result, candidate) {
                let (was, is) = (Counts::of(&result), Counts::of(&after));
                assert!(is.total() <= was.total(), "{name}: {candidate:?}");
                for problem in &resolved {
                    let count = |it: &CompileResult| {
                        let all = it.diagnostics.iter();
                        all.filter(|it| (it.code, it.message.as_str()) == *problem)
                            .count()
                    };
                    let promised = resolved.iter().filter(|it| *it == problem).count();
                    assert!(
                        count(&after) + promised <= count(&result),
                        "{name}: {candidate:?}"
                    );
                }
                let promised = candidate.expected_delta.obligations_discharged.len();
                assert!(
                    is.obligations + promised <= was.obligations.max(promised),
                    "{name}"
                );
            }
        }
    }
    println!("candidates that keep their promise, by text and by tree: {all} of {all}");
}

#[test]
fn programs_that_the_table_can_repair_are_repaired() {
    if !fixtures().exists() {
        println!("skipped: no fixtures at {}", fixtures().display());
        return;
    }
    let (mut done, mut all) = (0, 0);
    for (name, text, verdict) in programs() {
        let demands = verdict.get("seed").and_then(|it| it["repairs"].as_array());
        let is_demanded = demands.is_some_and(|it| !it.is_empty());
        let program = if name.ends_with(".json") {
            Program::Ast { json: text.clone() }
        } else {
            source(&text)
        };
        let Ok(result) = compile(input(&name, &text), &Options::default()) else {
            continue;
        };
        if result.repairs.is_empty() && !is_demanded {
            continue;
        }
        all += 1;
        let repaired = repaired(program);
        if repaired.ending == Ending::Success {
            done += 1;
        } else {
            println!("{name}: {:?}", repaired.ending);
        }
    }
    println!("programs with repairs that are repaired to success: {done} of {all}");
    assert!(
        done >= FLOOR_REPAIRED,
        "{done} of at least {FLOOR_REPAIRED}"
    );
}
