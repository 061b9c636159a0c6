//! Clank files that are compiled together, each from its canonical text. Messages refer to the lines of
//! the source.

use std::sync::Arc;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_clank::ast::Program;
use fixpoint_clank::emit::{EmitError, Emitted, Module, SourceMap, Target, emit_module};
use fixpoint_clank::modules::{Interface, ModuleError, Modules, SourceFile, interfaces};
use fixpoint_clank::result::{CompileResult, Obligation};
use fixpoint_clank::source::Source as Lines;
use fixpoint_clank::{Input, Options, compile};
use fixpoint_edit::{Applied, apply};
use fixpoint_engine::Pending;
use fixpoint_report::{Diagnostic, FixReport, Safety, Severity};
use fixpoint_text::{Snapshot, Span};

use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::pool::{TimedResult, with_large_stack};
use crate::render::findings::first_fix;
use crate::render::snippet::Source;
use crate::render::words::shown;

/// A file as its author wrote it, and the text that is compiled.
pub(crate) struct Unit {
    pub(crate) snapshot: Snapshot,
    pub(crate) report: Option<FixReport>,
    canonical: Applied,
    /// The path of its code.
    pub(crate) code: String,
}

impl Unit {
    /// A file without a report is compiled as it is.
    pub(crate) fn new(
        snapshot: Snapshot,
        report: Option<FixReport>,
        code: String,
    ) -> Result<Self, Failure> {
        let canonical = report.as_ref().and_then(|it| it.canonical.as_ref());
        let edits = canonical.map_or(&[][..], |it| &it.edits);
        let canonical = apply(&snapshot, edits)?;
        Ok(Self {
            snapshot,
            report,
            canonical,
            code,
        })
    }

    /// What strict mode fails on in the file.
    pub(crate) fn pending(&self) -> Pending {
        let pending = self.report.as_ref().map(Pending::in_report);
        pending.unwrap_or_default()
    }

    /// The span in the source of a span in the canonical text.
    pub(crate) fn base(&self, span: Span) -> Span {
        let start = self.canonical.source_map.base(span.start());
        let end = self.canonical.source_map.base(span.end());
        Span::from(start..end.max(start))
    }

    /// The text that is compiled.
    pub(crate) fn text(&self) -> &str {
        &self.canonical.text
    }

    /// The text that is compiled, as a module.
    pub(crate) fn source_file(&self) -> SourceFile {
        SourceFile {
            path: self.snapshot.path().to_owned(),
            text: self.canonical.text.clone(),
            code: self.code.clone(),
        }
    }

    /// The source map from the code to the source, not to the canonical text.
    pub(crate) fn author_map(&self, emitted: &Emitted) -> SourceMap {
        let (path, text) = (self.snapshot.path(), self.snapshot.text());
        if self.canonical.text == text {
            return emitted.map.clone();
        }
        let canonical = Lines::new(path, self.canonical.text.as_str());
        let author = Lines::new(path, text);
        emitted.map.clone().onto(&author, |line, column| {
            let offset = canonical.offset(line, column);
            let at = author.position(self.canonical.source_map.base(offset));
            (at.line - 1, at.column - 1)
        })
    }

    /// The file with code at `path`, and the file with its source map.
    pub(crate) fn code_files(&self, path: &str, emitted: &Emitted) -> [(String, Vec<u8>); 2] {
        let name = path.rsplit('/').next().unwrap_or(path);
        let code = format!("{}//# sourceMappingURL={name}.map\n", emitted.code);
        let map = self.author_map(emitted).to_json();
        [
            (path.to_owned(), code.into_bytes()),
            (format!("{path}.map"), map.into_bytes()),
        ]
    }
}

/// The result for one file.
pub(crate) struct Done {
    pub(crate) result: CompileResult,
    /// JavaScript and TypeScript; empty if there are errors.
    pub(crate) emitted: Result<Vec<Emitted>, EmitError>,
}

/// How files are compiled together.
pub(crate) struct Together<M, E> {
    /// The modules that they may use besides each other.
    pub(crate) known: Modules,
    /// Whether the code of a file runs its `main`.
    pub(crate) runs_main: M,
    /// Whether an error between modules is relevant.
    pub(crate) is_error: E,
}

/// Compiles the files. `subject` is what a message about the time limit begins with.
pub(crate) fn compile_units<M, E>(
    arguments: &Arguments,
    subject: &str,
    units: &Arc<Vec<Unit>>,
    together: Together<M, E>,
) -> Result<(Vec<Interface>, Vec<Done>), Failure>
where
    M: Fn(&Unit, &Program) -> bool + Send + Sync + 'static,
    E: Fn(&ModuleError) -> bool + Send + Sync + 'static,
{
    let work = {
        let units = Arc::clone(units);
        move || {
            let files: Vec<SourceFile> = units.iter().map(Unit::source_file).collect();
            let (modules, own, errors) = interfaces(&files, together.known.clone());
            if let Some(error) = errors.iter().find(|it| (together.is_error)(it)) {
                return Err(Failure::Usage(error.to_string()));
            }
            let options = Options {
                modules: Some(Arc::new(modules)),
                ..Options::default()
            };
            let done = units
                .iter()
                .map(|it| compiled(it, &options, &together.runs_main));
            Ok((own, done.collect::<Result<Vec<Done>, Failure>>()?))
        }
    };
    let limit = arguments.time_limit;
    match with_large_stack(Duration::from_secs(limit), work) {
        TimedResult::Done(worked) => worked,
        TimedResult::TimedOut => Err(Failure::Run(format!(
            "{subject}: not compiled within {limit} seconds; raise --time-limit"
        ))),
    }
}

fn compiled(
    unit: &Unit,
    options: &Options,
    runs_main: &impl Fn(&Unit, &Program) -> bool,
) -> Result<Done, Failure> {
    let input = Input::Source {
        file: unit.snapshot.path(),
        text: &unit.canonical.text,
    };
    let result = compile(input, options)
        .map_err(|_| Failure::Run(format!("{} is not a Clank program", unit.snapshot.path())))?;
    let module = Module {
        code: &unit.code,
        runs_main: runs_main(unit, &result.canonical),
    };
    let has_errors = result.errors().next().is_some();
    let targets = [Target::JavaScript, Target::TypeScript].into_iter();
    let (program, ast, typing) = (&result.canonical, &result.ast, &result.typing);
    let emitted = targets
        .filter(|_| !has_errors)
        .map(|target| emit_module(program, ast, typing, target, module))
        .collect();
    Ok(Done { result, emitted })
}

/// Reports the errors of a file with the commands that repair them, which begin with `fix_command`.
/// Returns how many there are.
pub(crate) fn report_errors(
    unit: &Unit,
    done: &Done,
    fix_command: &str,
    output: &mut Output,
) -> usize {
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
    let is_error = |it: &&Diagnostic| it.severity() == Severity::Error;
    let found = unit
        .report
        .iter()
        .flat_map(|report| report.diagnostics.iter().map(move |d| (report, d)));
    // An error with a safe fix does not exist in the canonical text that was compiled.
    let is_applied = |report: &FixReport, it: &Diagnostic| {
        let mut fixes = report
            .fixes
            .iter()
            .filter(|fix| it.fix_ids.contains(&fix.id));
        fixes.any(|fix| fix.safety() == Safety::BehaviorPreserving)
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
        for fix in fixes.filter_map(|id| report.fixes.iter().find(|fix| fix.id == *id)) {
            let command = format!("{fix_command} --approve {}", fix.id);
            output.notice(&shown(&format!("  {command}  # {}", fix.title)));
        }
        output.notice("");
    }
    found.len()
}

/// Warns about the obligations of a file that are not proved. The code checks them when it runs.
pub(crate) fn report_unproved(unit: &Unit, obligations: &[Obligation], output: &mut Output) {
    let source = Source::new(unit.snapshot.path(), unit.snapshot.text());
    for it in obligations {
        let message = it.message();
        let message = (Obligation::CODE.text(), message.as_str());
        output.notice(&source.message(Level::WARNING, message, unit.base(it.span), &[]));
    }
}
