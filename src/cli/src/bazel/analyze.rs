//! From sources to reports and canonical files. Findings are data, so this succeeds on any text.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fixpoint_clank::modules::{Interface, Modules, SourceFile, interfaces, write_interfaces};
use fixpoint_report::{FixReport, to_protobuf};
use fixpoint_text::{Digest, Snapshot};
use fixpoint_view::LineMap;
use fixpoint_workspace::{
    Excludes, MAX_FILE_SIZE, MAX_REPORT_SIZE, read_file, read_text_file, write_outputs,
};

use super::args::{AnalyzeOptions, DocumentOptions};
use super::ignores::ignored_by;
use super::memory::{self, Done, Memory};
use super::modules::{known_modules, source_files};
use crate::Verdict;
use crate::args::Arguments;
use crate::documents::Texts;
use crate::failure::Failure;
use crate::isolate::timed_out;
use crate::modules::ModuleSource;
use crate::pool::{WhenLate, Worked, with_large_stack, work_on};
use crate::survey::{Analyst, Seen, canonical_text};

/// The limit for a file that is passed on as it is, such as a binary among the sources.
const MAX_PASSED_SIZE: u64 = 1 << 32;

/// A file that was looked at: its report, or nothing where Fixpoint has nothing to say about it,
/// because it is excluded, no text, or of no language that is known and switched on.
pub(crate) type Looked = Option<(FixReport, Snapshot)>;

pub(crate) fn run(arguments: &Arguments, options: &AnalyzeOptions) -> Result<Verdict, Failure> {
    analyze(arguments, options, Path::new("."), None)?;
    Ok(Verdict::Done)
}

/// Does one action, whose paths start from `base`.
pub(crate) fn analyze(
    arguments: &Arguments,
    options: &AnalyzeOptions,
    base: &Path,
    memory: Option<&Memory>,
) -> Result<(), Failure> {
    let config = options.config.as_deref().map_or_else(
        || Err(Failure::Usage("--config is missing".to_owned())),
        |config| read_text(&base.join(config)),
    )?;
    let count = options.source.len();
    let lists = [&options.path, &options.report, &options.canonical];
    let has_maps = !options.map.is_empty();
    if lists.iter().any(|list| list.len() != count) || has_maps && options.map.len() != count {
        return Err(Failure::Usage(
            "each --source needs one --path, one --report and one --canonical".to_owned(),
        ));
    }
    let sources: Vec<PathBuf> = options.source.iter().map(|it| base.join(it)).collect();
    let files: Vec<(PathBuf, String)> = sources
        .iter()
        .cloned()
        .zip(options.path.iter().cloned())
        .collect();
    let key = match memory {
        Some(memory) => memory::key(options, &config, base)?.map(|key| (memory, key)),
        None => None,
    };
    let (interface, looked) = match recalled(arguments, key, &files)? {
        Some(done) => done,
        None => full_look(arguments, options, (&config, base), files, key)?,
    };
    let mut outputs = Vec::with_capacity(3 * count);
    if let (Some(output), Some(interface)) = (&options.interface_output, interface) {
        outputs.push((output.clone(), interface));
    }
    for (index, looked) in looked.into_iter().enumerate() {
        let (report, canonical, map) = match looked {
            Some((report, snapshot)) => {
                let canonical = canonical_text(&report, &snapshot)?;
                let map =
                    has_maps.then(|| LineMap::new(snapshot.path(), snapshot.text(), &canonical));
                (to_protobuf(&report), canonical.into_bytes(), map)
            }
            // What a folder holds is known to Bazel alone; there is no one text to give.
            None if sources[index].is_dir() && !has_maps => (Vec::new(), Vec::new(), None),
            None if sources[index].is_dir() => {
                return Err(Failure::Usage(format!(
                    "{} is a folder, which has no canonical text; name its files",
                    options.path[index]
                )));
            }
            None => {
                let bytes = read_file(&sources[index], MAX_PASSED_SIZE).map_err(Failure::unread)?;
                let map = has_maps.then(|| LineMap::identity(&options.path[index]));
                (Vec::new(), bytes, map)
            }
        };
        outputs.push((options.report[index].clone(), report));
        outputs.push((options.canonical[index].clone(), canonical));
        if let Some(map) = map {
            outputs.push((options.map[index].clone(), map.to_json().into_bytes()));
        }
    }
    write_outputs(base, outputs).map_err(Failure::run)
}

/// What a worker knows without a full look.
fn recalled(
    arguments: &Arguments,
    key: Option<(&Memory, Digest)>,
    files: &[(PathBuf, String)],
) -> Result<Option<Done>, Failure> {
    let Some((memory, key)) = key else {
        return Ok(None);
    };
    let mut snapshots = Vec::with_capacity(files.len());
    for (source, path) in files {
        let Some(snapshot) = read(source, path)? else {
            return Ok(None);
        };
        snapshots.push(snapshot);
    }
    let time_limit = Duration::from_secs(arguments.time_limit);
    Ok(memory.recall(key, snapshots, time_limit))
}

fn full_look(
    arguments: &Arguments,
    options: &AnalyzeOptions,
    (config, base): (&str, &Path),
    files: Vec<(PathBuf, String)>,
    key: Option<(&Memory, Digest)>,
) -> Result<Done, Failure> {
    let analyst = analyst(arguments, config, &options.documents, base)?;
    let (analyst, interface, modules) = match &options.interface_output {
        Some(_) => {
            let (modules, own) = modules_of(arguments, options, base)?;
            let modules = Arc::new(modules);
            let analyst = analyst.with_modules(ModuleSource::Handed(Arc::clone(&modules)));
            (
                analyst,
                Some(write_interfaces(&own).into_bytes()),
                Some(modules),
            )
        }
        None => (analyst, None, None),
    };
    let ignored = ignored_by(&options.ignores, base)?;
    let done = (interface, look_at(arguments, analyst, ignored, files, 1)?);
    if let Some((memory, key)) = key {
        let time_limit = Duration::from_secs(arguments.time_limit);
        memory.keep(key, &done, modules.as_ref(), time_limit);
    }
    Ok(done)
}

/// The modules that the sources of a Clank target may use, and the interfaces of its own. What is
/// wrong with how they hang together is for the compiler to tell; here they are then not known.
fn modules_of(
    arguments: &Arguments,
    options: &AnalyzeOptions,
    base: &Path,
) -> Result<(Modules, Vec<Interface>), Failure> {
    let Ok(known) = known_modules(&options.modules, base) else {
        return Ok((Modules::default().or_more(), Vec::new()));
    };
    let files = source_files(&options.modules, base)?;
    let files: Vec<SourceFile> = files.into_iter().flatten().collect();
    let limit = Duration::from_secs(arguments.time_limit);
    let work = move || interfaces(&files, known.clone());
    match with_large_stack(limit, work) {
        Worked::Done((modules, own, errors)) if errors.is_empty() => Ok((modules, own)),
        Worked::Done((modules, own, _)) => Ok((modules.or_more(), own)),
        Worked::TimedOut => Err(Failure::Run(timed_out(limit))),
    }
}

/// One that has what an action was given; its paths start from `base`.
pub(crate) fn analyst(
    arguments: &Arguments,
    config_text: &str,
    options: &DocumentOptions,
    base: &Path,
) -> Result<Analyst, Failure> {
    if options.workspace_file.len() != options.workspace_path.len() {
        return Err(Failure::Usage(
            "each --workspace-file needs one --workspace-path".to_owned(),
        ));
    }
    let mut files = Texts::new();
    for (file, path) in options.workspace_file.iter().zip(&options.workspace_path) {
        files.insert(path.clone(), Some(read_text(&base.join(file))?));
    }
    let time_limit = Duration::from_secs(arguments.time_limit);
    Analyst::with_config(config_text, files, &options.assigned.pairs()?, time_limit)
}

/// Looks at files, each given with its workspace path, as `check` would in the workspace.
pub(crate) fn look_at(
    arguments: &Arguments,
    analyst: Analyst,
    ignored: Excludes,
    files: Vec<(PathBuf, String)>,
    jobs: usize,
) -> Result<Vec<Looked>, Failure> {
    let time_limit = Duration::from_secs(arguments.time_limit);
    let analyst = Arc::new(analyst);
    let excludes = Excludes::new(analyst.config().exclude()).map_err(Failure::run)?;
    let names: Vec<String> = files.iter().map(|(_, path)| path.clone()).collect();
    let looked = work_on(
        files,
        jobs,
        (time_limit, WhenLate::Stop),
        move |(source, path): &(PathBuf, String)| {
            if excludes.cover(path) || ignored.cover(path) {
                return Ok(None);
            }
            look(&analyst, source, path)
        },
        || {},
    );
    let mut with_names = looked.iter().zip(&names);
    if let Some((_, path)) = with_names.find(|(it, _)| matches!(it, Some(Worked::TimedOut))) {
        return Err(Failure::Run(format!("{path}: {}", timed_out(time_limit))));
    }
    let done = looked.into_iter().filter_map(|it| match it {
        Some(Worked::Done(looked)) => Some(looked),
        Some(Worked::TimedOut) | None => None,
    });
    done.collect()
}

/// The text of a file; nothing if it has none that is looked at.
fn read(source: &Path, path: &str) -> Result<Option<Snapshot>, Failure> {
    if source.is_dir() {
        return Ok(None);
    }
    match read_text_file(source, MAX_FILE_SIZE) {
        Ok(text) => Ok(Some(Snapshot::new(path, text))),
        Err(error) if error.is_about_content() => Ok(None),
        Err(error) => Err(Failure::unread(error)),
    }
}

fn look(analyst: &Analyst, source: &Path, path: &str) -> Result<Looked, Failure> {
    let Some(snapshot) = read(source, path)? else {
        return Ok(None);
    };
    match analyst.look(snapshot.clone()) {
        Seen::Report(file) => Ok(Some((file.report, snapshot))),
        Seen::Unknown(_) => Ok(None),
        Seen::Unread { message, .. } => Err(Failure::Run(message)),
        Seen::Failed(reason) => Err(Failure::Run(format!("{path}: {reason}"))),
    }
}

/// A file of an action as text.
pub(crate) fn read_text(file: &Path) -> Result<String, Failure> {
    read_text_file(file, MAX_REPORT_SIZE).map_err(Failure::unread)
}
