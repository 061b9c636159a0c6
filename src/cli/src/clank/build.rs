//! `fixpoint build`: compiles all Clank programs below the paths, and the modules that they use, from
//! their canonical texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use annotate_snippets::Level;
use fixpoint_analysis::Phases;
use fixpoint_clank::ast::Program;
use fixpoint_clank::modules::{ModuleError, Modules, names_in};
use fixpoint_language::Language;
use fixpoint_text::Snapshot;
use fixpoint_workspace::Excludes;

use super::args::BuildOptions;
use super::generated::write_code;
use super::mode::{accepts, fix_command};
use super::program::Main;
use super::unit::{Together, Unit, compile_units, report_errors, report_unproved};
use crate::Verdict;
use crate::args::{Arguments, ChangedOption};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::count;
use crate::session::Session;
use crate::survey::{find, survey_texts};

pub(crate) fn run(
    arguments: &Arguments,
    options: &BuildOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let session = Session::open(arguments, &options.paths)?;
    session.workspace.check_output_directory(&options.output)?;
    let programs = programs(&session, &options.paths)?;
    let used: BTreeSet<String> = programs.iter().flat_map(|it| it.uses.clone()).collect();
    let names = programs
        .iter()
        .map(|program| (program.path().to_owned(), program.name.clone()));
    let names: BTreeMap<String, String> = names.collect();
    let units = Arc::new(units(&session, arguments, programs)?);
    let together = Together {
        known: Modules::complete([]),
        // A module that another program uses is not a program of its own.
        runs_main: {
            let used = used.clone();
            move |unit: &Unit, program: &Program| {
                let name = names.get(unit.snapshot.path());
                let is_used = name.is_some_and(|name| used.contains(name));
                !is_used && Main::RunUnlessNamed.is_run(program)
            }
        },
        is_error: move |error: &ModuleError| match error {
            // Independent programs may have the same name.
            ModuleError::Twice { module, .. } => used.contains(module),
            ModuleError::TakenByOther { .. } | ModuleError::Circle(_) => true,
        },
    };
    let (_, done) = compile_units(arguments, "the programs", &units, together)?;
    let here = std::env::current_dir().map_err(Failure::CurrentFolder)?;
    let command = |unit: &Unit| {
        let file = session.workspace.root().join(unit.snapshot.path());
        fix_command(file.strip_prefix(&here).unwrap_or(&file))
    };
    let mut errors = 0;
    for (unit, done) in units.iter().zip(&done) {
        errors += report_errors(unit, done, &command(unit), output);
    }
    let mut is_accepted = true;
    for (unit, done) in units.iter().zip(&done) {
        report_unproved(unit, &done.result.obligations, output);
        let command = command(unit);
        let mode = (options.mode.strict, command.as_str());
        is_accepted &= accepts(unit.snapshot.path(), unit.pending(), mode, output);
    }
    if errors > 0 || !is_accepted {
        let why = match errors {
            0 => "strict mode failed".to_owned(),
            _ => format!("the programs have {}", count(errors, "error")),
        };
        output.note(Level::ERROR, &format!("{why}; nothing was written"));
        return Ok(Verdict::Findings);
    }
    let mut files = Vec::new();
    for (unit, done) in units.iter().zip(&done) {
        let stem = unit.code.strip_suffix(".mjs").unwrap_or(&unit.code);
        for (extension, emitted) in ["mjs", "mts"].iter().zip(done.emitted.iter().flatten()) {
            files.extend(unit.code_files(&format!("{stem}.{extension}"), emitted));
        }
    }
    write_code(&options.output, files, output)?;
    let programs = count(units.len(), "program");
    output.line(&format!(
        "Built {programs} into {}",
        options.output.display()
    ))?;
    output.flush()?;
    Ok(Verdict::Done)
}

/// A program with the name of its module, and the names of modules that it may use.
struct Source {
    snapshot: Snapshot,
    name: String,
    uses: Vec<String>,
}

impl Source {
    fn path(&self) -> &str {
        self.snapshot.path()
    }
}

/// The programs below the paths, and the modules of the workspace that they use, by path.
fn programs(session: &Session, paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let mut chosen = BTreeMap::new();
    for source in sources(session, paths)? {
        chosen.insert(source.path().to_owned(), source);
    }
    if chosen.is_empty() {
        return Err(Failure::Usage(
            "there is no Clank program to build; name files or folders with `.clank` files"
                .to_owned(),
        ));
    }
    let mut others: Option<Vec<Source>> = None;
    loop {
        let known: BTreeSet<&str> = chosen.values().map(|it| it.name.as_str()).collect();
        let uses = chosen.values().flat_map(|it| &it.uses);
        let missing = uses.filter(|name| !known.contains(name.as_str()));
        let missing: BTreeSet<String> = missing.cloned().collect();
        if missing.is_empty() {
            break;
        }
        let others = match &mut others {
            Some(others) => others,
            None => others.insert(sources(session, &[session.workspace.root().to_owned()])?),
        };
        let found: Vec<Source> = others
            .extract_if(.., |it| missing.contains(&it.name))
            .collect();
        if found.is_empty() {
            break;
        }
        chosen.extend(
            found
                .into_iter()
                .map(|program| (program.path().to_owned(), program)),
        );
    }
    Ok(chosen.into_values().collect())
}

/// The programs below the paths that are not generated.
fn sources(session: &Session, paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    let found = find(session, paths, &ChangedOption::default())?;
    let is_program = |path: &String| Language::of_name(path) == Some(Language::Clank);
    let files = found.into_files().into_iter().filter(is_program);
    let files = files.filter(|path| session.workspace.generated(path).is_none());
    files
        .map(|path| {
            let snapshot = session.workspace.read(&path)?;
            let (name, uses) = names_in(snapshot.path(), snapshot.text());
            Ok(Source {
                snapshot,
                name,
                uses,
            })
        })
        .collect()
}

/// Analyzes the programs as `check` does. Its reports lead to their canonical texts.
fn units(
    session: &Session,
    arguments: &Arguments,
    programs: Vec<Source>,
) -> Result<Vec<Unit>, Failure> {
    let excludes = Excludes::new(session.config().exclude())?;
    let texts = programs.iter().map(|it| it.snapshot.clone());
    let texts = texts.filter(|text| !excludes.cover(text.path()));
    let survey = survey_texts(session, arguments, texts.collect(), Phases::All);
    if let Some((_, reason)) = survey.failed.first() {
        return Err(Failure::Run(reason.clone()));
    }
    let reports = survey.files.into_iter();
    let mut reports: BTreeMap<String, _> = reports
        .map(|file| (file.report.path().to_owned(), file.report))
        .collect();
    let units = programs.into_iter().map(|it| {
        let path = it.path();
        let stem = path.strip_suffix(".clank").unwrap_or(path);
        let code = format!("{stem}.mjs");
        let report = reports.remove(path);
        Unit::new(it.snapshot, report, code)
    });
    units.collect()
}
