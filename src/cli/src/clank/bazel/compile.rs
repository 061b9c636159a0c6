//! The action that compiles the modules of a Clank target, each from its canonical text.
//!
//! If they have errors, it fails. It reports them at the lines of the source, with the commands that
//! repair them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use annotate_snippets::Level;
use fixpoint_clank::modules::write_interfaces;
use fixpoint_report::FixReport;
use fixpoint_text::Snapshot;
use fixpoint_workspace::write_outputs;

use super::args::CompileOptions;
use super::modules::{known_modules, source_files};
use crate::Verdict;
use crate::args::Arguments;
use crate::bazel::built::stored_report;
use crate::bazel::verdict::FIX_COMMAND;
use crate::clank::mode::accepts;
use crate::clank::run::has_main;
use crate::clank::unit::{Together, Unit, compile_units, report_errors, report_unproved};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::count;

pub(crate) fn run(
    arguments: &Arguments,
    options: &CompileOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let base = Path::new(".");
    let units = Arc::new(units(options, base)?);
    let main = options.main.clone();
    let together = Together {
        known: known_modules(&options.modules, base)?,
        runs_main: move |unit: &Unit, _: &_| main.as_deref() == Some(unit.snapshot.path()),
        is_error: |_: &_| true,
    };
    let (own, done) = compile_units(arguments, &options.label, &units, together)?;
    let mut errors = 0;
    let approve = format!("{FIX_COMMAND} --");
    for (unit, done) in units.iter().zip(&done) {
        errors += report_errors(unit, done, &approve, output);
    }
    for (unit, done) in units.iter().zip(&done) {
        report_unproved(unit, &done.result.obligations, output);
        // Strict mode fails in an action of its own, so that the code exists in both modes.
        accepts(
            unit.snapshot.path(),
            unit.pending(),
            (false, FIX_COMMAND),
            output,
        );
    }
    if errors > 0 {
        let label = &options.label;
        output.note(
            Level::ERROR,
            &format!("{label} has {}", count(errors, "error")),
        );
        return Ok(Verdict::Findings);
    }
    if let Some(main) = &options.main {
        let at = units.iter().position(|unit| unit.snapshot.path() == main);
        let Some(done) = at.and_then(|at| done.get(at)) else {
            return Err(Failure::Usage(format!("{main} is not one of the srcs")));
        };
        has_main(&done.result.canonical, main)?;
    }
    let mut outputs = vec![(
        options.interface_output.clone(),
        write_interfaces(&own).into_bytes(),
    )];
    for ((unit, done), module) in units.iter().zip(done).zip(&options.modules.module) {
        let files = [&module.code_output, &module.typescript_output];
        for (file, emitted) in files.into_iter().zip(done.emitted.iter().flatten()) {
            if let Some(file) = file {
                outputs.extend(unit.code_files(file, emitted));
            }
        }
    }
    write_outputs(base, &options.inputs(base), outputs)?;
    Ok(Verdict::Done)
}

fn units(options: &CompileOptions, base: &Path) -> Result<Vec<Unit>, Failure> {
    let mut reports: BTreeMap<String, FixReport> = BTreeMap::new();
    for file in &options.report {
        if let Some(report) = stored_report(&base.join(file))? {
            reports.insert(report.path().to_owned(), report);
        }
    }
    let files = source_files(&options.modules, base).into_iter();
    files
        .map(|file| {
            let file = file?;
            let report = reports.remove(&file.path);
            Unit::new(Snapshot::new(file.path, file.text), report, file.code)
        })
        .collect()
}
