//! Prints `docs/clank-schema.md` with what the compiler returns for its examples today. `fixpoint fix`
//! lays out the result.

use std::io::{Error, Result, Write as _, stdout};

use fixpoint_clank::repair::{Candidate, PatchOp};
use fixpoint_clank::result::CompileResult;
use fixpoint_clank::{Input, Options, compile};
use serde::Serialize;
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/clank-schema.md");

fn main() -> Result<()> {
    let mut output = stdout();
    // Every second part is the inside of a code block.
    for (index, part) in PAGE.split("```").enumerate() {
        let fence = if index == 0 { "" } else { "```" };
        let (info, _) = part.split_once('\n').unwrap_or_default();
        match returned(info)? {
            Some(returned) => write!(output, "{fence}{info}\n{}\n", returned.trim_end())?,
            None => write!(output, "{fence}{part}")?,
        }
    }
    Ok(())
}

/// The contents of a code block that shows a result.
fn returned(info: &str) -> Result<Option<String>> {
    let contents = if let Some(number) = info.strip_prefix("text problem-") {
        problems(&compiled(&format!("json input-{number}"))?)
    } else if let Some(number) = info.strip_prefix("json repair-") {
        let result = compiled(&format!("json input-{number}"))?;
        serde_json::to_string(&result.repairs.first())?
    } else if info == "json compatibility-repairs" {
        let result = compiled("json compatibility-input")?;
        let repairs = result.repairs.iter().map(Brief::of);
        let repairs: Vec<Brief<'_>> = repairs.collect::<serde_json::Result<_>>()?;
        format!("{{\"repairs\": {}}}", serde_json::to_string(&repairs)?)
    } else {
        return Ok(None);
    };
    Ok(Some(contents))
}

fn compiled(info: &str) -> Result<CompileResult> {
    let mut blocks = PAGE.split("```").filter_map(|it| it.split_once('\n'));
    let block = blocks.find(|(found, _)| *found == info);
    let (_, json) = block.ok_or_else(|| Error::other(format!("no block {info}")))?;
    compile(Input::Ast { json }, &Options::default())
        .map_err(|_| Error::other(format!("{info} is not a program")))
}

fn problems(result: &CompileResult) -> String {
    let diagnostics = result.diagnostics.iter();
    let diagnostics = diagnostics.map(|it| format!("{}: {}\n", it.code, it.message));
    let obligations = result.obligations.iter();
    let obligations = obligations.map(|it| format!("E3001: Cannot prove: {}\n", it.goal));
    diagnostics.chain(obligations).collect()
}

/// The fields of a repair that say how it goes together with others.
#[derive(Serialize)]
struct Brief<'a> {
    id: &'a str,
    title: &'a str,
    edits: &'a [PatchOp],
    compatibility: Value,
}

impl<'a> Brief<'a> {
    fn of(repair: &'a Candidate) -> serde_json::Result<Self> {
        Ok(Self {
            id: &repair.id,
            title: &repair.title,
            edits: &repair.edits,
            compatibility: serde_json::to_value(repair)?["compatibility"].take(),
        })
    }
}
