//! `fixpoint rules`: learns, curates and applies rewrite rules.

mod args;
mod curate;
mod learn;
mod patched;
mod rewrite;
mod show;
mod sources;
mod transfer;
mod why;

use annotate_snippets::Level;
use fixpoint_workspace::RulesFolder;

pub(crate) use args::RulesOptions;
use args::{ListForm, RulesCommand};
pub(crate) use sources::pairs_of;

use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::shown;
use crate::rule_store::RuleStore;
use crate::session::Session;

pub(crate) fn run(
    arguments: &Arguments,
    options: &RulesOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let paths = match &options.command {
        RulesCommand::Try { paths, .. } | RulesCommand::Apply { paths, .. } => &paths[..],
        _ => &[],
    };
    let session = Session::open(arguments, paths)?;
    let folder = match &options.rules {
        Some(folder) if !folder.is_dir() && !may_create(&options.command) => {
            let message = format!("--rules {}: no such folder", folder.display());
            return Err(Failure::Usage(message));
        }
        Some(folder) => RulesFolder::with_root(folder.clone()),
        None => RulesFolder::of_project(session.workspace.root()),
    };
    let mut store = RuleStore::open(folder)?;
    for error in store.damaged() {
        output.note(
            Level::WARNING,
            &shown(&format!("{error}; the rule is not used")),
        );
    }
    let verdict = match &options.command {
        RulesCommand::Learn(options) => learn::run(&session, store, options, output),
        RulesCommand::List { format } => curate::list(&store, *format, output),
        RulesCommand::Show { id } => show::run(store.one(id)?, output),
        RulesCommand::Test { ids } => curate::test(&store, ids, output),
        RulesCommand::Try { ids, paths } => {
            let request = rewrite::Request {
                ids,
                paths,
                shows_diff: true,
                records: false,
            };
            rewrite::run(arguments, &session, &mut store, &request, output)
        }
        RulesCommand::Apply { ids, diff, paths } => {
            let request = rewrite::Request {
                ids,
                paths,
                shows_diff: *diff,
                // The rules of another folder are only read.
                records: options.rules.is_none(),
            };
            rewrite::run(arguments, &session, &mut store, &request, output)
        }
        RulesCommand::Pin { ids } => curate::pin(&mut store, ids, true, output),
        RulesCommand::Unpin { ids } => curate::pin(&mut store, ids, false, output),
        RulesCommand::Remove { ids } => curate::remove(&mut store, ids, output),
        RulesCommand::Import { source, pin } => {
            transfer::import(&mut store, source, pin.as_deref(), output)
        }
        RulesCommand::Export { output: file, ids } => transfer::export(&store, file, ids, output),
        RulesCommand::Why { place } => why::run(&session, &store, place, output),
    }?;
    output.flush()?;
    Ok(verdict)
}

/// Whether the command may store the first rule of a folder.
fn may_create(command: &RulesCommand) -> bool {
    matches!(
        command,
        RulesCommand::Learn(_) | RulesCommand::Import { .. }
    )
}
