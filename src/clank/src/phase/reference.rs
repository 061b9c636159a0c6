//! Generates the reference page of the codes, and the text about the repair of a code.

use std::fmt::Write as _;
use std::sync::Arc;

use fixpoint_engine::Example;
use fixpoint_report::{Confidence, Safety, word};

use super::rules::RULES;
use crate::json::InputError;
use crate::modules::Modules;
use crate::repair::Program;
use crate::result::CompileResult;
use crate::{Options, compile};

/// The contents of `docs/clank-codes.md`.
pub fn reference() -> String {
    let mut page = String::from(
        "# Clank codes\n\n`cargo run -p fixpoint-clank --example codes` generates this page from the code, and a test compares it.\n\
         `fixpoint explain E2015` prints the same text for one code.\n",
    );
    for rule in RULES {
        let _ = write!(
            page,
            "\n## {}\n\n{}\n\n{}\n\n",
            rule.name, rule.summary, rule.why
        );
        let Some(example) = &rule.example else {
            continue;
        };
        let language = example.path.rsplit('.').next().unwrap_or_default();
        let _ = writeln!(page, "```{language}\n{}```\n", example.before);
        let _ = match repair_of(rule.name) {
            Some(repair) => write!(page, "Repair: {repair}\n\n{}", rule.safety_reason),
            None => write!(page, "{} A possible correction:", rule.safety_reason),
        };
        let _ = write!(page, "\n\n```{language}\n{}```\n", example.after);
    }
    page
}

/// The best repair for the example of a code.
pub fn repair_of(code: &str) -> Option<String> {
    let rule = RULES.iter().find(|it| it.name == code)?;
    let example = rule.example.as_ref()?;
    let result = compiled(example, example.before).ok()?;
    let best = result.repairs.iter().min_by(|a, b| a.rank(b))?;
    let ops: Vec<String> = best
        .edits
        .iter()
        .map(|it| format!("`{}`", it.name()))
        .collect();
    let safety = word::<Safety>(best.safety.into()).unwrap_or_default();
    let confidence = word::<Confidence>(best.confidence.into()).unwrap_or_default();
    let (title, why) = (&best.title, &best.rationale);
    let ops = ops.join(", ");
    Some(format!(
        "{title} ({ops}, {safety}, {confidence} confidence). {why}."
    ))
}

pub(super) fn program(example: &Example, text: &str) -> Program {
    let text = text.to_owned();
    if example.path.ends_with(".json") {
        return Program::Ast { json: text };
    }
    let file = example.path.to_owned();
    Program::Source { file, text }
}

/// Compiles an example as if all modules were known. Two of the codes are only reported then.
pub(super) fn compiled(example: &Example, text: &str) -> Result<CompileResult, Vec<InputError>> {
    let options = Options {
        modules: Some(Arc::new(Modules::default())),
        ..Options::default()
    };
    compile(program(example, text).input(), &options)
}
