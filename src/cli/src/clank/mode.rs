//! Permissive and strict mode of the commands that compile. In permissive mode, a file that is not
//! canonical has one warning. In strict mode it is an error, and so are unproved obligations.

use std::path::{Path, PathBuf};

use annotate_snippets::Level;
use fixpoint_analysis::Phases;
use fixpoint_clank::print;
use fixpoint_clank::result::CompileResult;
use fixpoint_engine::Pending;
use fixpoint_language::Language;
use fixpoint_report::{FixReport, Safety};
use fixpoint_text::Snapshot;
use fixpoint_workspace::Excludes;

use super::args::InputForm;
use super::program::Compiled;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::session::Session;
use crate::survey::survey_texts;

/// Reports what is pending in a file, and returns whether the mode accepts it.
pub(crate) fn accepts(
    path: &str,
    pending: Pending,
    (is_strict, fix_command): (bool, &str),
    output: &mut Output,
) -> bool {
    if !pending.is_canonical() {
        // Findings about style that a safe fix resolves are counted with the fix.
        let pending = match pending.fixes {
            0 => count(pending.style, "style finding"),
            fixes => count(fixes, "safe fix"),
        };
        let message = format!("{path} is not canonical: {pending} pending; run `{fix_command}`");
        let level = match is_strict {
            true => Level::ERROR,
            false => Level::WARNING,
        };
        output.note(level, &shown(&message));
    }
    // In permissive mode, each obligation has a warning of its own.
    if is_strict && pending.unproved > 0 {
        let unproved = count(pending.unproved, "unproved obligation");
        let message = format!("{path} has {unproved}, which strict mode does not accept");
        output.note(Level::ERROR, &shown(&message));
    }
    !is_strict || (pending.is_canonical() && pending.unproved == 0)
}

/// Reports what is pending in a program that was compiled, and returns whether the mode accepts it.
pub(crate) fn accepts_compiled(
    arguments: &Arguments,
    compiled: &Compiled,
    typed: &Path,
    is_strict: bool,
    output: &mut Output,
) -> Result<bool, Failure> {
    let pending = match (compiled.form, &compiled.canonical) {
        (_, Some(unit)) => unit.pending(),
        (InputForm::Source, None) => {
            pending_in(arguments, &compiled.file, &compiled.result, typed)?
        }
        (InputForm::Ast, None) => unproved(&compiled.result),
    };
    let command = fix_command(typed);
    let path = compiled.file.path();
    Ok(accepts(path, pending, (is_strict, &command), output))
}

/// The command that fixes a file.
pub(crate) fn fix_command(typed: &Path) -> String {
    format!("fixpoint fix {}", typed.display())
}

/// The report of a program, unless the file is excluded or outside of the workspace.
pub(crate) fn analyzed(
    arguments: &Arguments,
    text: &str,
    typed: &Path,
) -> Result<Option<FixReport>, Failure> {
    let session = Session::open(arguments, &[PathBuf::from(typed)])?;
    let Ok(path) = session.workspace.relative(typed) else {
        return Ok(None);
    };
    if Excludes::new(session.config().exclude())?.cover(&path) {
        return Ok(None);
    }
    let texts = vec![Snapshot::new(path, text)];
    let survey = survey_texts(&session, arguments, texts, Phases::All);
    Ok(survey.files.into_iter().next().map(|it| it.report))
}

/// A program without findings whose layout is not canonical.
const NOT_LAID_OUT: &str = "fn main() -> Int {  0 }\n";

/// What strict mode fails on in a program. Only a file that is not laid out or has findings is analyzed
/// as by `check`, which also respects settings and comments.
fn pending_in(
    arguments: &Arguments,
    file: &Snapshot,
    result: &CompileResult,
    typed: &Path,
) -> Result<Pending, Failure> {
    let canonical = print::format(file.path(), file.text());
    let is_laid_out = canonical.is_ok_and(|canonical| canonical == file.text());
    let mut repairs = result.repairs.iter();
    let has_safe_repair = repairs.any(|repair| repair.safety == Safety::BehaviorPreserving);
    let has_findings = has_safe_repair || !result.obligations.is_empty();
    if is_laid_out && !has_findings {
        return Ok(Pending::default());
    }
    if Language::of_name(file.path()) != Some(Language::Clank) {
        return Ok(Pending {
            fixes: usize::from(!is_laid_out || has_safe_repair),
            ..unproved(result)
        });
    }
    // Without findings and comments that control Fixpoint, only the settings decide whether the layout is
    // pending. They do so by path, so the analysis of a short program shows it.
    let is_controlled = file.text().contains("fixpoint:");
    let only_layout = !has_findings && !is_controlled && result.diagnostics.is_empty();
    let text = if only_layout {
        NOT_LAID_OUT
    } else {
        file.text()
    };
    let report = analyzed(arguments, text, typed)?;
    Ok(report.as_ref().map(Pending::in_report).unwrap_or_default())
}

fn unproved(result: &CompileResult) -> Pending {
    Pending {
        unproved: result.obligations.len(),
        ..Pending::default()
    }
}
