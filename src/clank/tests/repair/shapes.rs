//! Each kind of repair in programs of every shape: the error is nested, in a lambda, in a loop, or
//! at each place that requires a refinement.

use fixpoint_clank::json::{Form, program_json};
use fixpoint_clank::repair::{Ending, Program};
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};

use crate::{compiled, repaired, source};

/// Whether there is a candidate as in the row: `CODE OP SAFETY CONFIDENCE PART`.
fn has_candidate(result: &CompileResult, row: &[&str]) -> bool {
    let &[_, op, safety, confidence, part] = row else {
        panic!("{row:?}");
    };
    result.repairs.iter().any(|it| {
        let it = serde_json::to_value(it).expect("JSON");
        let edits = it["edits"].as_array().expect("edits");
        edits.iter().all(|edit| edit["op"] == op)
            && it["safety"] == safety
            && it["confidence"] == confidence
            && (part == "-" || it["edits"].to_string().contains(part))
    })
}

#[test]
fn each_row_has_its_candidate_wherever_the_error_is() {
    // K-86 to K-97
    let table = include_str!("programs/rows.txt");
    let mut count = 0;
    for entry in table.split("\n--- ").skip(1) {
        let (row, program) = entry.split_once('\n').expect("a row and a program");
        let row: Vec<&str> = row.split(' ').collect();
        count += 1;
        let result = compiled(program);
        assert!(has_candidate(&result, &row), "{row:?}\n{program}");
        let done = repaired(source(program));
        assert_eq!(done.ending, Ending::Success, "{program}");

        let json = program_json(&result.canonical, &result.ast, Form::Full, false);
        let json = serde_json::to_string(&json).expect("JSON");
        let input = Input::Ast { json: &json };
        let read = compile(input, &Options::default()).expect("a program");
        assert!(
            has_candidate(&read, &row),
            "{row:?} of the document\n{program}"
        );
        let done = repaired(Program::Ast { json });
        assert_eq!(done.ending, Ending::Success, "the document of {program}");
    }
    assert!(count >= 75, "{count} programs");
}
