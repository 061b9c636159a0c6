//! Large files are analysed in a process of their own: whatever a parser does to itself on one of
//! them, by recursion or memory, ends that process and not the run.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use fixpoint_engine::{Config, Policy};
use fixpoint_report::{FixReport, from_protobuf, to_protobuf};
use fixpoint_text::Snapshot;

use crate::Verdict;
use crate::args::{IsolatedOptions, PolicyOptions, SafetyLevel};
use crate::failure::Failure;
use crate::pipeline::{Phases, analyze_guarded};
use crate::pool::{Worked, with_large_stack};
use crate::session::parse_config;

/// Below this size the stack that workers have suffices for any nesting; above it files are few.
pub(crate) const ISOLATION_SIZE: usize = 256 << 10;

/// Analyses `snapshot` in another process.
pub(crate) fn analyze_isolated(
    snapshot: &Snapshot,
    config_text: &str,
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
    let request = request(config_text, snapshot.text());
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
    if wanted == Phases::Layout {
        arguments.push("--layout-alone".to_owned());
    }
    if policy.safety == SafetyLevel::Likely {
        arguments.push("--safety=likely".to_owned());
    }
    arguments.extend(policy.approve.iter().map(|id| format!("--approve={id}")));
    arguments.extend(policy.only.iter().map(|rule| format!("--only={rule}")));
    arguments
}

/// The configuration's length, the configuration, the text.
fn request(config_text: &str, text: &str) -> Vec<u8> {
    let mut request = (config_text.len() as u64).to_le_bytes().to_vec();
    request.extend(config_text.as_bytes());
    request.extend(text.as_bytes());
    request
}

fn parse_request(request: &[u8]) -> Option<(&str, &str)> {
    let (length, rest) = request.split_first_chunk::<8>()?;
    let (config, text) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((str::from_utf8(config).ok()?, str::from_utf8(text).ok()?))
}

/// The other side: one request on standard input, its report on standard output, or nothing when
/// the language is not known.
pub(crate) fn serve(options: &IsolatedOptions) -> Result<Verdict, Failure> {
    let mut request = Vec::new();
    std::io::stdin()
        .read_to_end(&mut request)
        .map_err(Failure::run)?;
    let (config_text, text) = parse_request(&request).ok_or_else(|| {
        Failure::Usage(
            "`fixpoint isolated` is for fixpoint itself; use `fixpoint check`".to_owned(),
        )
    })?;
    let config: Config = parse_config(config_text)?;
    let policy: Policy = options.policy.policy();
    let wanted = match options.layout_alone {
        true => Phases::Layout,
        false => Phases::All,
    };
    let snapshot = Snapshot::new(options.path.as_str(), text);
    let Worked::Done(run) = with_large_stack(Duration::MAX, move || {
        analyze_guarded(&snapshot, &config, &policy, wanted)
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
        assert_eq!(
            parse_request(&request("a = 1", "text\u{e4}")),
            Some(("a = 1", "text\u{e4}"))
        );
        assert_eq!(parse_request(&request("", "")), Some(("", "")));
        assert_eq!(parse_request(b"short"), None);
        assert_eq!(parse_request(&[255; 20]), None);
    }
}
