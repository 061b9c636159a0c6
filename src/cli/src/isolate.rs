//! Large files are analysed in a process of their own: whatever a parser does to itself on one of
//! them, by recursion or memory, ends that process and not the run.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use clap::ValueEnum as _;
use fixpoint_clank::modules::{Interface, Modules, read_interfaces, write_interfaces};
use fixpoint_engine::{Config, Policy};
use fixpoint_lint::Deprecated;
use fixpoint_report::{FixReport, from_protobuf, to_protobuf};
use fixpoint_text::Snapshot;
use serde::{Deserialize, Serialize};

use crate::Verdict;
use crate::args::{IsolatedOptions, PolicyOptions, SafetyLevel};
use crate::documents::{Assigned, Documents, Source, Texts};
use crate::failure::Failure;
use crate::loads::Loads;
use crate::modules::ModuleSource;
use crate::pipeline::{Phases, Settings, analyze_guarded};
use crate::pool::{Worked, with_large_stack};
use crate::session::parse_config;

/// Below this size the stack that workers have suffices for any nesting; above it files are few.
pub(crate) const ISOLATION_SIZE: usize = 256 << 10;

/// Analyses `snapshot` in another process.
pub(crate) fn analyze_isolated(
    snapshot: &Snapshot,
    handed: &Handed,
    policy: &PolicyOptions,
    wanted: Phases,
    time_limit: Duration,
) -> Result<Option<FixReport>, String> {
    let cannot = |error: std::io::Error| format!("cannot start a process for it: {error}");
    let program = std::env::current_exe().map_err(cannot)?;
    let mut child = Command::new(program)
        .args(isolated_arguments(snapshot.path(), policy, wanted))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(cannot)?;
    let (sender, receiver) = channel();
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let request = request(handed, snapshot.text());
    // Written from its own thread, since a child that answers early stops reading.
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&request)));
    thread::spawn(move || {
        let mut answer = Vec::new();
        let read = stdout.map(|mut stdout| stdout.read_to_end(&mut answer));
        sender.send(read.and_then(Result::ok).map(|_| answer))
    });
    let answer = receiver.recv_timeout(time_limit).ok().flatten();
    let ended = end(&mut child, answer.is_none());
    match answer {
        None => Err(timed_out(time_limit)),
        Some(_) if !ended => {
            Err("the analysis crashed on it: nested too deeply, or out of memory".to_owned())
        }
        Some(answer) if answer.is_empty() => Ok(None),
        Some(answer) => from_protobuf(&answer)
            .map(Some)
            .map_err(|error| error.to_string()),
    }
}

pub(crate) fn timed_out(time_limit: Duration) -> String {
    format!(
        "took longer than {} seconds, and was given up (see --time-limit)",
        time_limit.as_secs()
    )
}

/// Whether the child ended well.
fn end(child: &mut Child, kill: bool) -> bool {
    if kill {
        let _ = child.kill();
    }
    child.wait().is_ok_and(|status| status.success())
}

fn isolated_arguments(path: &str, policy: &PolicyOptions, wanted: Phases) -> Vec<String> {
    let mut arguments = vec!["isolated".to_owned(), format!("--path={path}")];
    if let Some(phases) = wanted.to_possible_value() {
        arguments.push(format!("--phases={}", phases.get_name()));
    }
    if policy.safety == SafetyLevel::Likely {
        arguments.push("--safety=likely".to_owned());
    }
    arguments.extend(policy.approve.iter().map(|id| format!("--approve={id}")));
    arguments.extend(policy.only.iter().map(|rule| format!("--only={rule}")));
    arguments
}

/// What the other process needs beside the text: it sees no workspace.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Handed {
    pub(crate) config: String,
    /// Schemas and rules files.
    pub(crate) files: Texts,
    /// What the text is to meet beside it.
    pub(crate) assigned: Vec<Assigned>,
    pub(crate) modules: HandedModules,
    /// What is deprecated among that which the text loads.
    pub(crate) deprecated: Deprecated,
}

/// The modules of Clank, as text.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HandedModules {
    interfaces: Option<String>,
    /// Whether there may be more.
    partial: bool,
}

impl HandedModules {
    pub(crate) fn of(source: &ModuleSource, snapshot: &Snapshot) -> Self {
        if !snapshot.path().ends_with(".clank") {
            return Self::default();
        }
        let modules = source.of_text(snapshot.text());
        let interfaces: Vec<Interface> = modules.iter().cloned().collect();
        Self {
            interfaces: Some(write_interfaces(&interfaces)),
            partial: modules.is_partial(),
        }
    }

    fn read(&self) -> ModuleSource {
        let Some(text) = &self.interfaces else {
            return ModuleSource::unknown();
        };
        let interfaces = read_interfaces(text).unwrap_or_default();
        let modules = Modules::complete(interfaces.into_iter().map(Into::into));
        let modules = if self.partial {
            modules.or_more()
        } else {
            modules
        };
        ModuleSource::Handed(modules.into())
    }
}

/// The length of what is handed over, that as JSON, the text.
fn request(handed: &Handed, text: &str) -> Vec<u8> {
    let handed = serde_json::to_vec(handed).unwrap_or_default();
    let mut request = (handed.len() as u64).to_le_bytes().to_vec();
    request.extend(handed);
    request.extend(text.as_bytes());
    request
}

fn parse_request(request: &[u8]) -> Option<(Handed, &str)> {
    let (length, rest) = request.split_first_chunk::<8>()?;
    let (handed, text) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((
        serde_json::from_slice(handed).ok()?,
        str::from_utf8(text).ok()?,
    ))
}

/// The other side: one request on standard input, its report on standard output, or nothing when
/// the language is not known.
pub(crate) fn serve(options: &IsolatedOptions) -> Result<Verdict, Failure> {
    let mut request = Vec::new();
    std::io::stdin()
        .read_to_end(&mut request)
        .map_err(Failure::run)?;
    let (handed, text) = parse_request(&request).ok_or_else(|| {
        Failure::Usage(
            "`fixpoint isolated` is for fixpoint itself; use `fixpoint check`".to_owned(),
        )
    })?;
    let config: Config = parse_config(&handed.config)?;
    let source = Source::Handed(handed.files);
    let documents = Documents::open(&config, &handed.config, source, &handed.assigned)?;
    let modules = handed.modules.read();
    let loads = Loads::Handed(handed.deprecated);
    let policy: Policy = options.policy.policy();
    let wanted = options.phases;
    let snapshot = Snapshot::new(options.path.as_str(), text);
    let Worked::Done(run) = with_large_stack(Duration::MAX, move || {
        let settings = Settings {
            config: &config,
            documents: &documents,
            modules: &modules,
            loads: &loads,
        };
        analyze_guarded(&snapshot, settings, &policy, wanted)
    }) else {
        return Err(Failure::Run("no result".to_owned()));
    };
    if let Some(run) = run.map_err(Failure::Run)? {
        std::io::stdout()
            .write_all(&to_protobuf(&run.report))
            .map_err(Failure::Output)?;
    }
    Ok(Verdict::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_back_as_it_was_made() {
        let handed = || Handed {
            config: "a = 1".to_owned(),
            files: Texts::from([("s.json".to_owned(), Some("{}".to_owned()))]),
            assigned: vec![("d.json".to_owned(), "s.json".to_owned())],
            modules: HandedModules::default(),
            deprecated: Deprecated::from([(":a.bzl".to_owned(), ["f".to_owned()].into())]),
        };
        assert_eq!(
            parse_request(&request(&handed(), "text\u{e4}")),
            Some((handed(), "text\u{e4}"))
        );
        let nothing = parse_request(&request(&Handed::default(), "").clone()).map(|it| it.0);
        assert_eq!(nothing, Some(Handed::default()));
        assert_eq!(parse_request(b"short"), None);
        assert_eq!(parse_request(&[255; 20]), None);
    }
}
