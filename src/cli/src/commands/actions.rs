//! `fixpoint apply --actions`: changes documents by JSON pointer.

use std::collections::BTreeMap;
use std::path::Path;

use fixpoint_document::{ActionPack, Format, Lowered, Problem, Sources, Value, lower};
use fixpoint_edit::Plan;
use fixpoint_format::SourceLanguage;
use fixpoint_text::Snapshot;
use fixpoint_view::unified_diff;
use fixpoint_workspace::{
    Excludes, MAX_FILE_SIZE, PathError, ReadError, Workspace, read_text_file,
};

use crate::Verdict;
use crate::args::{ActionForm, ApplyOptions, Arguments};
use crate::commands::write::{Mode, begin, write_plan};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::snippet;
use crate::render::words::{count, shown};
use crate::session::Session;

pub(crate) fn run(
    arguments: &Arguments,
    options: &ApplyOptions,
    file: &Path,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let pack = read_pack(file)?;
    let session = Session::open(arguments, &[])?;
    let mode = Mode::of(options.dry_run, options.diff);
    let access = begin(&session, mode, output)?;
    let excludes = Excludes::new(session.config().exclude())?;
    let sources = Sources::read(&pack, &mut |path| read(&session, &excludes, path));
    let mut lowered = lower(&pack, &sources);
    let mut plan = std::mem::take(&mut lowered.plan);
    let workspace = &session.workspace;
    let unwritten = write_plan(
        workspace,
        access.as_ref(),
        &mut plan,
        &lowered.files,
        output,
    )?;
    if let Some(failure) = unwritten {
        return Err(failure);
    }
    match (mode, options.format) {
        (Mode::Diff, _) => print_diff(&plan, &lowered, output)?,
        (_, ActionForm::Human) => print_summary(&pack, &plan, &lowered, mode, output)?,
        (_, ActionForm::Json) => output.print_json(&result(&plan, &lowered).to_json_pretty())?,
    }
    output.flush()?;
    Ok(if lowered.errors.is_empty() {
        Verdict::Done
    } else {
        Verdict::Findings
    })
}

/// Resolves links, so that two names of one file are one file. Rejects files that `fix` would not
/// write.
fn read(session: &Session, excludes: &Excludes, path: &str) -> Result<Snapshot, Problem> {
    let snapshot = read_real(&session.workspace, path)?;
    let real = snapshot.path();
    if excludes.cover(real) {
        return Err(Problem::left_alone(format!("{real}, which is excluded")));
    }
    match SourceLanguage::of(real, snapshot.text(), session.config()) {
        None => Err(Problem::left_alone(format!(
            "{real}, a lock file or a file whose language is unknown or switched off"
        ))),
        Some(language) if language.is_template(snapshot.text()) => {
            Err(Problem::left_alone(format!("{real}, a template")))
        }
        Some(_) => Ok(snapshot),
    }
}

fn read_real(workspace: &Workspace, path: &str) -> Result<Snapshot, Problem> {
    let real = workspace.real_path(path).map_err(ReadError::from);
    let read = real.and_then(|real| workspace.read(&real));
    read.map_err(|error| match error {
        // The error itself contains the path of the workspace, on which no result may depend.
        ReadError::Path(PathError::Outside { .. } | PathError::NotRelative { .. }) => {
            Problem::outside(path)
        }
        ReadError::Path(PathError::Missing { .. }) => {
            Problem::unreadable(format!("{path}: no such file"))
        }
        error => Problem::unreadable(error.to_string()),
    })
}

fn read_pack(file: &Path) -> Result<ActionPack, Failure> {
    let name = file.to_string_lossy();
    let unknown = || {
        let message = "is not a file of fix actions: its name must end in .json or .yaml";
        Failure::Usage(format!("{name} {message}"))
    };
    if matches!(Format::of_path(&name), Some(Format::Toml) | None) {
        return Err(unknown());
    }
    let text = read_text_file(file, MAX_FILE_SIZE).map_err(Failure::Input)?;
    let format = Format::of(&name, &text).ok_or_else(unknown)?;
    ActionPack::parse(format, &text).map_err(|error| {
        let message = shown(&error.to_string());
        Failure::Config(snippet::error(&name, &text, error.span(), &message))
    })
}

fn print_summary(
    pack: &ActionPack,
    plan: &Plan,
    lowered: &Lowered,
    mode: Mode,
    output: &mut Output,
) -> Result<(), Failure> {
    let verb = match mode {
        Mode::Write => "Applied",
        Mode::DryRun | Mode::Diff => "Would apply",
    };
    let titles = pack
        .fix_actions
        .iter()
        .map(|action| (&action.id, &action.title));
    let titles: BTreeMap<&String, &String> = titles.collect();
    for id in &lowered.applied {
        let title = titles.get(id).map_or("", |it| it.as_str());
        output.line(&shown(&format!("{verb} {id}: {title}")))?;
    }
    for error in &lowered.errors {
        output.line(&shown(&format!("Rejected {error}")))?;
    }
    output.line(&format!(
        "{verb} {} of {} to {}; {} rejected",
        lowered.applied.len(),
        count(pack.fix_actions.len(), "action"),
        count(plan.groups.iter().flatten().count(), "file"),
        lowered.errors.len(),
    ))
}

fn print_diff(plan: &Plan, lowered: &Lowered, output: &mut Output) -> Result<(), Failure> {
    let bases = lowered.files.iter().map(|(_, base)| (base.path(), base));
    let bases: BTreeMap<&str, &Snapshot> = bases.collect();
    for file in plan.groups.iter().flatten() {
        if let Some(base) = bases.get(file.path.as_str()) {
            output.print(&unified_diff(&file.path, base.text(), &file.text))?;
        }
    }
    for error in &lowered.errors {
        output.notice(&shown(&format!("Rejected {error}")));
    }
    Ok(())
}

fn result(plan: &Plan, lowered: &Lowered) -> Value {
    let strings = |list: Vec<&str>| Value::Array(list.into_iter().map(Value::from).collect());
    let mut files: Vec<&str> = plan
        .groups
        .iter()
        .flatten()
        .map(|it| it.path.as_str())
        .collect();
    files.sort_unstable();
    let errors = lowered.errors.iter().map(|it| it.to_value());
    Value::Object(vec![
        (
            "applied".to_owned(),
            strings(lowered.applied.iter().map(String::as_str).collect()),
        ),
        ("files".to_owned(), strings(files)),
        ("errors".to_owned(), Value::Array(errors.collect())),
    ])
}
