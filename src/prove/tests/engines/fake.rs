//! Fake programs and a local server that give scripted replies.

use std::cell::RefCell;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fixpoint_prove::config::ProveConfig;
use fixpoint_prove::engine::openai::Pause;
use fixpoint_prove::engine::{
    CommandResult, EditContext, PatchResponse, Policies, PromptPack, SummaryContext, VerifyContext,
};
use fixpoint_prove::policy::{DiffSummary, TestPolicyDecision};
use fixpoint_prove::record::Phase;
use serde_json::{Value, json};

/// One scripted reply.
#[derive(Clone)]
pub enum Reply {
    /// An answer of the engine, in the form of its protocol.
    Answer(Value),
    /// An answer that is not JSON.
    Text(&'static str),
    /// More bytes than are accepted.
    Huge,
    /// No reply at all.
    Hang,
}

pub const HUGE: usize = 9_000_000;

pub const GOOD_DIFF: &str = "diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n\
    @@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n";

pub fn patch_answer(diff: &str) -> Value {
    json!({
        "patch_diff": diff,
        "root_cause": "r",
        "fix_summary": "f",
        "tests_summary": "t",
        "risk_rollback": "k",
        "file_justifications": [{ "file": "src/a.py", "reason": "because", "extra": 1 }],
        "unknown": true,
    })
}

pub fn config() -> ProveConfig {
    let mut config = ProveConfig::default();
    config.openai.max_retries = 1;
    config.commands.timeout_ms = 20_000;
    config.openai.timeout_ms = 20_000;
    config
}

fn result() -> CommandResult {
    CommandResult {
        command: "pytest".into(),
        stdout: "1 failed".into(),
        stderr: String::new(),
        exit_code: Some(1),
        duration_ms: 5,
        phase: Phase::Reproduce,
        started_at: "2026-01-01T00:00:00Z".into(),
        timed_out: false,
        truncated: false,
    }
}

pub fn edit_context() -> EditContext {
    EditContext {
        repo_path: "/scratch".into(),
        repro_command: "pytest".into(),
        repro_result: result(),
        files: vec!["src/a.py".into(), "tests/test_a.py".into()],
        contents: [("src/a.py".to_owned(), "text of a".to_owned())].into(),
        policies: Policies::from(&ProveConfig::default()),
        prompt_pack: PromptPack::default(),
        feedback: None,
    }
}

pub fn verify_context() -> VerifyContext {
    VerifyContext {
        repo_path: "/scratch".into(),
        verification_results: vec![result()],
        policies: Policies::from(&ProveConfig::default()),
    }
}

pub fn summary_context() -> SummaryContext {
    SummaryContext {
        repo_path: "/scratch".into(),
        repro_command: "pytest".into(),
        repro_result: result(),
        verification_results: vec![result()],
        diff_summary: DiffSummary::default(),
        test_policy: TestPolicyDecision::default(),
        patch: PatchResponse::default(),
    }
}

const SCRIPT: &str = r#"cd "$(dirname "$0")"
n=$(($(cat count) + 1))
echo $n > count
printf '%s\n' "$@" > "arguments-$n"
case "$(cat "mode-$n")" in
  hang) sleep 30 ;;
  huge) head -c 9000000 /dev/zero ;;
  unread) cat "reply-$n" ;;
  fail) cat > /dev/null; echo broken >&2; exit 3 ;;
  *) cat > "request-$n"; cat "reply-$n" ;;
esac
"#;

/// A program that gives the replies in order and stores what it receives.
pub struct FakeProgram {
    folder: tempfile::TempDir,
}

impl FakeProgram {
    /// `modes` are the modes of the script and the texts that it prints.
    pub fn new(modes: &[(&str, String)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("run.sh", SCRIPT);
        write("count", "0");
        for (index, (mode, text)) in modes.iter().enumerate() {
            write(&format!("mode-{}", index + 1), mode);
            write(&format!("reply-{}", index + 1), text);
        }
        Self { folder }
    }

    pub fn argv(&self) -> Vec<String> {
        let script = self.folder.path().join("run.sh");
        vec!["sh".into(), script.to_string_lossy().into_owned()]
    }

    fn path(&self, name: &str, number: usize) -> PathBuf {
        self.folder.path().join(format!("{name}-{number}"))
    }

    pub fn request(&self, number: usize) -> String {
        fs::read_to_string(self.path("request", number)).unwrap()
    }

    pub fn arguments(&self, number: usize) -> String {
        fs::read_to_string(self.path("arguments", number)).unwrap()
    }
}

/// A whole HTTP response, or silence.
#[derive(Clone)]
pub struct HttpReply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    pub hang: bool,
}

impl HttpReply {
    pub fn new(status: u16, body: impl Into<String>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
            hang: false,
        }
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// A chat completion with this content.
    pub fn completion(content: &str) -> Self {
        let body = json!({
            "choices": [{ "finish_reason": "stop", "message": { "content": content } }],
            "usage": { "prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10 },
        });
        Self::new(200, body.to_string())
    }
}

/// A server on 127.0.0.1 that gives the replies in order and stores the requests.
pub struct FakeServer {
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl FakeServer {
    pub fn new(replies: Vec<HttpReply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let stored = Arc::clone(&requests);
        thread::spawn(move || {
            for reply in replies {
                let Ok((stream, _)) = listener.accept() else {
                    return;
                };
                serve(stream, &reply, &stored);
            }
        });
        Self { url, requests }
    }

    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, reply: &HttpReply, stored: &Mutex<Vec<String>>) {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.to_lowercase().lines().find_map(|line| {
                let value = line.strip_prefix("content-length:")?;
                value.trim().parse::<usize>().ok()
            });
            if body.len() >= length.unwrap_or(0) {
                stored.lock().unwrap().push(text);
                break;
            }
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
        }
    }
    if reply.hang {
        thread::sleep(Duration::from_secs(3));
        return;
    }
    let mut head = format!("HTTP/1.1 {} X\r\nconnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {}\r\n\r\n", reply.body.len()));
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(reply.body.as_bytes());
}

/// Records the waits and takes no time.
#[derive(Clone, Default)]
pub struct FakePause {
    pub slept: Rc<RefCell<Vec<Duration>>>,
    pub random: f64,
}

impl Pause for FakePause {
    fn sleep(&mut self, duration: Duration) {
        self.slept.borrow_mut().push(duration);
    }

    fn random(&mut self) -> f64 {
        self.random
    }

    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(784_111_770)
    }
}
