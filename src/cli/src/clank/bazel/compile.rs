//! The action that compiles the modules of a Clank target, each from its canonical text.
//!
//! If they have errors, it fails. It reports them at the lines of the source, with the commands that
//! repair them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_clank::emit::{EmitError, Emitted, Module, Target, emit_module};
use fixpoint_clank::modules::{SourceFile, interfaces, write_interfaces};
use fixpoint_clank::result::{CompileResult, Obligation};
use fixpoint_clank::source::Source as Lines;
use fixpoint_clank::{Input, Options, compile};
use fixpoint_edit::{Applied, apply};
use fixpoint_report::{FixReport, Safety, Severity};
use fixpoint_text::{Snapshot, Span};
use fixpoint_workspace::write_outputs;

use super::args::CompileOptions;
use super::modules::{known_modules, source_files};
use crate::Verdict;
use crate::args::Arguments;
use crate::bazel::built::stored_report;
use crate::bazel::verdict::FIX_COMMAND;
use crate::clank::run::has_main;
use crate::failure::Failure;
use crate::output::Output;
use crate::pool::{TimedResult, with_large_stack};
use crate::render::findings::first_fix;
use crate::render::snippet::Source;
use crate::render::words::{count, shown};

/// A file as its author wrote it, and the text that is compiled.
struct Unit {
    snapshot: Snapshot,
    report: Option<FixReport>,
    canonical: Applied,
    code: String,
}

impl Unit {
    /// The span in the source of a span in the canonical text.
    fn base(&self, span: Span) -> Span {
        let start = self.canonical.source_map.base(span.start());
        let end = self.canonical.source_map.base(span.end());
        Span::from(start..end.max(start))
    }
}

/// The result for one file.
struct Done {
    result: CompileResult,
    emitted: Result<Vec<Emitted>, EmitError>,
}

pub(crate) fn run(
    arguments: &Arguments,
    options: &CompileOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let base = Path::new(".");
    let units = Arc::new(units(options, base)?);
    let known = known_modules(&options.modules, base)?;
    let files: Vec<SourceFile> = units
        .iter()
        .map(|it| SourceFile {
            path: it.snapshot.path().to_owned(),
            text: it.canonical.text.clone(),
            code: it.code.clone(),
        })
        .collect();
    let main = options.main.clone();
    let work = {
        let units = Arc::clone(&units);
        move || {
            let (modules, own, errors) = interfaces(&files, known.clone());
            if let Some(error) = errors.first() {
                return Err(Failure::Usage(error.to_string()));
            }
            let options = Options {
                modules: Some(Arc::new(modules)),
                ..Options::default()
            };
            let done = units
                .iter()
                .map(|it| compiled(it, &options, main.as_deref()));
            Ok((own, done.collect::<Result<Vec<Done>, Failure>>()?))
        }
    };
    let limit = arguments.time_limit;
    let TimedResult::Done(worked) = with_large_stack(Duration::from_secs(limit), work) else {
        return Err(Failure::Run(format!(
            "{} was not compiled within {limit} seconds",
            options.label
        )));
    };
    let (own, done) = worked?;
    let mut errors = 0;
    for (unit, done) in units.iter().zip(&done) {
        errors += report_errors(unit, done, output);
    }
    for (unit, done) in units.iter().zip(&done) {
        report_unproved(unit, &done.result.obligations, output);
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
        let at = units.iter().position(|it| it.snapshot.path() == main);
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
        for (file, emitted) in files.into_iter().zip(done.emitted.into_iter().flatten()) {
            let Some(file) = file else {
                continue;
            };
            let name = file.rsplit('/').next().unwrap_or(file);
            let code = format!("{}//# sourceMappingURL={name}.map\n", emitted.code);
            let map = author_map(unit, emitted);
            outputs.push((file.clone(), code.into_bytes()));
            outputs.push((format!("{file}.map"), map.into_bytes()));
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
            let snapshot = Snapshot::new(file.path, file.text);
            let canonical = report.as_ref().and_then(|it| it.canonical.as_ref());
            let edits = canonical.map_or(&[][..], |it| &it.edits);
            let canonical = apply(&snapshot, edits)?;
            Ok(Unit {
                snapshot,
                report,
                canonical,
                code: file.code,
            })
        })
        .collect()
}

fn compiled(unit: &Unit, options: &Options, main: Option<&str>) -> Result<Done, Failure> {
    let input = Input::Source {
        file: unit.snapshot.path(),
        text: &unit.canonical.text,
    };
    let result = compile(input, options)
        .map_err(|_| Failure::Run(format!("{} is not a Clank program", unit.snapshot.path())))?;
    let module = Module {
        code: &unit.code,
        runs_main: main == Some(unit.snapshot.path()),
    };
    let has_errors = result.errors().next().is_some();
    let targets = [Target::JavaScript, Target::TypeScript].into_iter();
    let emitted = targets
        .filter(|_| !has_errors)
        .map(|target| {
            emit_module(
                &result.canonical,
                &result.ast,
                &result.typing,
                target,
                module,
            )
        })
        .collect();
    Ok(Done { result, emitted })
}

/// Reports the errors of a file, and returns how many there are.
fn report_errors(unit: &Unit, done: &Done, output: &mut Output) -> usize {
    let source = Source::new(unit.snapshot.path(), unit.snapshot.text());
    if let Err(error) = &done.emitted {
        let path = unit.snapshot.path();
        output.note(Level::ERROR, &shown(&format!("{path}: {error}")));
        return 1;
    }
    let errors = done.result.errors().count();
    if errors == 0 {
        return 0;
    }
    let is_error = |it: &&fixpoint_report::Diagnostic| it.severity() == Severity::Error;
    let found = unit
        .report
        .iter()
        .flat_map(|it| it.diagnostics.iter().map(move |d| (it, d)));
    // An error with a safe fix does not exist in the canonical text that was compiled.
    let is_applied = |report: &FixReport, it: &fixpoint_report::Diagnostic| {
        let mut fixes = report
            .fixes
            .iter()
            .filter(|fix| it.fix_ids.contains(&fix.id));
        fixes.any(|it| it.safety() == Safety::BehaviorPreserving)
    };
    let found: Vec<_> = found
        .filter(|(report, it)| is_error(it) && !is_applied(report, it))
        .collect();
    if found.is_empty() {
        // The file has no report: it is generated or excluded.
        for it in done.result.errors() {
            let message = (it.code.text(), it.message.as_str());
            output.notice(&source.message(Level::ERROR, message, unit.base(it.span), &[]));
        }
        return errors;
    }
    for (report, diagnostic) in &found {
        output.notice(&source.finding(diagnostic, first_fix(report, diagnostic)));
        let fixes = diagnostic.fix_ids.iter();
        for fix in fixes.filter_map(|id| report.fixes.iter().find(|it| it.id == *id)) {
            let command = format!("{FIX_COMMAND} -- --approve {}", fix.id);
            output.notice(&shown(&format!("  {command}  # {}", fix.title)));
        }
        output.notice("");
    }
    found.len()
}

/// Warns about the obligations of a file that are not proved. The code checks them when it runs.
fn report_unproved(unit: &Unit, obligations: &[Obligation], output: &mut Output) {
    let source = Source::new(unit.snapshot.path(), unit.snapshot.text());
    for it in obligations {
        let message = it.message();
        let message = (Obligation::CODE.text(), message.as_str());
        output.notice(&source.message(Level::WARNING, message, unit.base(it.span), &[]));
    }
}

/// The source map from the code to the source, not to the canonical text.
fn author_map(unit: &Unit, emitted: Emitted) -> String {
    if unit.canonical.text == unit.snapshot.text() {
        return emitted.map.to_json();
    }
    let canonical = Lines::new(unit.snapshot.path(), unit.canonical.text.as_str());
    let author = Lines::new(unit.snapshot.path(), unit.snapshot.text());
    let map = emitted.map.onto(&author, |line, column| {
        let offset = canonical.offset(line, column);
        let at = author.position(unit.canonical.source_map.base(offset));
        (at.line - 1, at.column - 1)
    });
    map.to_json()
}
