//! A persistent worker writes the same bytes as an action in a separate process.

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdout, Stdio};

use prost::Message as _;

use crate::bazel::analyzed_file;
use crate::project::Project;

const SHAPES: &str = "\
mod shapes

rec Item { name: Str, qty: Int }

fn twice(n: Int) -> Int {
  n * 2
}
";

const MAIN: &str = "\
mod main

use shapes.{Item, twice}

// Adds up a share.
fn share(total: Int, people: Int{people > 0}) -> Int {
  let rest = total - people;
  rest + 1
}

fn use_all(item: Item, d: Int{d > 0}) -> Int {
  let mut acc = item.qty + twice(d);
  if d > 2 {
    acc = acc + share(acc, d);
  } else {
    acc = acc - d;
  };
  acc
}
";

/// Replacements in a function body. Some of them are mistakes.
const EDITS: &[(&str, &str)] = &[
    ("rest + 1", "rest + 2"),
    ("rest + 2", "rest+3"),
    ("rest+3", "rest + 1"),
    ("n * 2", "n * 3"),
    ("  n * 3", "  // why\n  n * 2"),
    ("twice(d)", "twice(d + 1)"),
    ("twice(d + 1)", "twic(d)"),
    ("twic(d)", "twice(d)"),
    ("share(acc, d)", "share(acc, 0)"),
    ("share(acc, 0)", "share(acc, d + 1)"),
    ("d + 1", "d"),
    ("total - people;", "total - people;\n  let spare = 1;"),
    ("\n  let spare = 1;", ""),
    ("acc\n}", "acc\n"),
    ("acc\n", "acc\n}\n"),
    ("fn share", "fn shares"),
    ("fn shares", "fn share"),
    ("qty: Int", "qty: Nat"),
    ("qty: Nat", "qty: Int"),
    ("-> Int {\n  n", "-> Int { n"),
    ("-> Int { n", "-> Int {\n  n"),
];

/// As in Bazel's `worker_protocol.proto`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct WorkRequest {
    #[prost(string, repeated, tag = "1")]
    pub arguments: Vec<String>,
    #[prost(int32, tag = "3")]
    pub request_id: i32,
    #[prost(bool, tag = "4")]
    pub cancel: bool,
    #[prost(string, tag = "6")]
    pub sandbox_dir: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct WorkResponse {
    #[prost(int32, tag = "1")]
    pub exit_code: i32,
    #[prost(string, tag = "2")]
    pub output: String,
    #[prost(int32, tag = "3")]
    pub request_id: i32,
}

struct Worker {
    process: Child,
    answers: ChildStdout,
}

impl Worker {
    fn of(project: &Project) -> Self {
        Self::with(project, &[])
    }

    fn with(project: &Project, arguments: &[&str]) -> Self {
        let mut command = project.command(&["bazel", "--persistent_worker"]);
        command.args(arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = piped.spawn().expect("it starts");
        let answers = process.stdout.take().expect("piped");
        Self { process, answers }
    }

    fn ask(&mut self, arguments: &[String]) {
        let answer = self.answer(arguments);
        assert_eq!(answer.exit_code, 0, "{answer:?}");
    }

    fn answer(&mut self, arguments: &[String]) -> WorkResponse {
        let request = WorkRequest {
            arguments: arguments.to_vec(),
            request_id: 1,
            ..WorkRequest::default()
        };
        let stdin = self.process.stdin.as_mut().expect("piped");
        let request = request.encode_length_delimited_to_vec();
        stdin.write_all(&request).expect("written");
        let mut bytes = Vec::new();
        loop {
            let mut byte = [0];
            self.answers.read_exact(&mut byte).expect("an answer");
            bytes.extend(byte);
            if let Ok(answer) = WorkResponse::decode_length_delimited(&*bytes) {
                return answer;
            }
        }
    }
}

fn arguments(out: &str) -> Vec<String> {
    let mut arguments = vec![
        "analyze".to_owned(),
        "--config=fixpoint.toml".to_owned(),
        format!("--interface-output={out}/interface.json"),
    ];
    for name in ["shapes", "main"] {
        arguments.extend([
            format!(
                r#"--file={{"source":"{name}.clank","path":"{name}.clank","report":"{out}/{name}.pb","canonical":"{out}/{name}.clank","map":"{out}/{name}.map"}}"#
            ),
            format!(
                r#"--module={{"source":"{name}.clank","path":"{name}.clank","code":"{name}.mjs"}}"#
            ),
        ]);
    }
    arguments
}

#[test]
fn a_worker_writes_the_same_bytes_as_a_plain_action() {
    let project = Project::new(&[("shapes.clank", SHAPES), ("main.clank", MAIN)]);
    project.write("fixpoint.toml", "");
    let mut worker = Worker::of(&project);
    let plain = [&["bazel".to_owned()], &*arguments("plain")].concat();
    let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
    let outputs = |out: &str| {
        let names = ["interface.json", "shapes.pb", "shapes.clank", "shapes.map"];
        let names = names.iter().chain(&["main.pb", "main.clank", "main.map"]);
        let read = |name| std::fs::read(project.path(&format!("{out}/{name}"))).expect("written");
        names.map(read).collect::<Vec<_>>()
    };
    let mut seed = 11_usize;
    for step in 0..2 * EDITS.len() {
        // Forwards at first, so that each edit is made at least once, then at random.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let at = if step < EDITS.len() { step } else { seed >> 33 };
        let (old, new) = EDITS[at % EDITS.len()];
        for file in ["shapes.clank", "main.clank"] {
            let text = project.read(file);
            project.write(file, text.replacen(old, new, 1));
        }
        worker.ask(&arguments("out"));
        if step % 4 == 0 {
            // Nothing changed.
            worker.ask(&arguments("out"));
        }
        project.run(&plain).exits_with(0);
        assert!(
            outputs("out") == outputs("plain"),
            "after {old:?} -> {new:?}: {}",
            project.read("main.clank")
        );
    }
    drop(worker.process.stdin.take());
    assert!(worker.process.wait().expect("it ends").success());
}

#[test]
fn a_worker_continues_after_work_that_was_given_up() {
    let project = Project::new(&[("a.json", "{ }\n")]);
    project.write("large.json", format!("[{}1]", "1,\n".repeat(200_000)));
    let mut worker = Worker::with(&project, &["--time-limit=0"]);
    let action = |source: &str| {
        [
            "analyze".to_owned(),
            "--config=fixpoint.toml".to_owned(),
            analyzed_file(source, "out/a.pb", "out/a.json"),
        ]
    };
    for _ in 0..3 {
        let answer = worker.answer(&action("large.json"));
        assert!(answer.output.contains("was given up"), "{answer:?}");
        let missing = worker.answer(&action("none\\u001b[2J"));
        assert!(
            missing.output.contains("cannot read ./none\u{241b}[2J"),
            "{missing:?}"
        );
    }
    drop(worker.process.stdin.take());
    assert!(worker.process.wait().expect("it ends").success());
}
