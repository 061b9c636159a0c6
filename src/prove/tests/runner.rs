//! What the runner records: output, environment and times, without secrets.
#![allow(
    clippy::disallowed_methods,
    reason = "these tests write files and start processes"
)]

mod support;

use std::sync::atomic::{AtomicU64, Ordering};

use fixpoint_prove::clock::Clock;
use fixpoint_prove::runner::{RunError, RunRequest};
use support::Fixture;

#[test]
fn the_environment_is_an_allowlist_without_secrets() {
    let mut fixture = Fixture::new();
    for (name, value) in [
        ("TOKEN", "top-secret-value"),
        ("LANG", "C.UTF-8"),
        ("LC_ALL", "C"),
        ("TERM", "xterm"),
        ("SSH_AUTH_SOCK", "/tmp/agent"),
        ("GOPROXY", "https://user:top-secret-value@example.com"),
        ("LD_PRELOAD", "/nonexistent.so"),
    ] {
        fixture.variables.insert(name.to_owned(), value.to_owned());
    }
    fixture.config.secrets = vec!["TOKEN".to_owned(), "EXTRA_TOKEN".to_owned()];
    let request = RunRequest {
        environment: [("EXTRA", "1"), ("EXTRA_TOKEN", "2"), ("TOKEN", "3")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        ..fixture.request(&["env"])
    };
    let outcome = fixture.runner().run(&request).expect("a run");
    let mut lines: Vec<&str> = outcome.stdout.text.lines().collect();
    lines.sort_unstable();
    let home = format!("HOME={}", fixture.home.display());
    assert_eq!(
        lines,
        [
            "CI=true",
            "EXTRA=1",
            &home,
            "LANG=C.UTF-8",
            "LC_ALL=C",
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "TERM=dumb",
            "TMPDIR=/tmp",
        ]
    );
    let again = fixture.runner().run(&request).expect("a run");
    assert_eq!(again.environment_sha256, outcome.environment_sha256);
    let other = fixture.run(&["env"]);
    assert_ne!(other.environment_sha256, outcome.environment_sha256);
}

// E-38
#[test]
fn secrets_are_redacted_from_both_streams() {
    let mut fixture = Fixture::new();
    let secret = "top-secret-value";
    fixture
        .variables
        .insert("TOKEN".to_owned(), secret.to_owned());
    fixture.config.secrets = vec!["TOKEN".to_owned()];
    // A file of the repository may contain the secret.
    std::fs::write(fixture.tree.join("secret"), secret).expect("a file");
    let outcome = fixture.shell(
        "cat secret; echo; base64 secret; od -An -tx1 secret | tr -d ' \\n'; echo; \
         printf top-; sleep 0.05; printf secret-value; cat secret >&2",
    );
    assert_eq!(
        outcome.stdout.text,
        "[redacted:TOKEN]\n[redacted:TOKEN]==\n[redacted:TOKEN]\n[redacted:TOKEN]",
    );
    assert_eq!(outcome.stderr.text, "[redacted:TOKEN]");
    assert_eq!(outcome.stdout.whole, outcome.stdout.text.as_bytes());
}

// E-39 E-42
#[test]
fn long_output_keeps_its_start_and_its_end() {
    let mut fixture = Fixture::new();
    fixture.config.max_text = 100;
    let script = "echo start; seq 100000 | tr -d '\\n'; echo; echo end; seq 5 >&2";
    let outcome = fixture.shell(script);
    let output = &outcome.stdout;
    assert!(output.truncated && !output.overflowed);
    assert!(output.text.starts_with("start\n123"), "{}", output.text);
    assert!(output.text.ends_with("100000\nend\n"), "{}", output.text);
    assert_eq!(output.whole.len(), 488_895 + 11);
    assert!(
        output.text.contains("\n[488806 bytes left out]\n"),
        "{}",
        output.text
    );
    assert!(!outcome.stderr.truncated);
    assert_eq!(outcome.stderr.text, "1\n2\n3\n4\n5\n");

    fixture.config.max_whole = 1000;
    let outcome = fixture.shell(script);
    assert!(outcome.stdout.overflowed);
    assert_eq!(outcome.stdout.whole.len(), 1000);
    assert_eq!(outcome.stdout.text, output.text);
    assert_ne!(outcome.stdout.sha256, output.sha256);
}

#[test]
fn characters_are_not_cut_in_two() {
    let mut fixture = Fixture::new();
    for size in 20..32 {
        fixture.config.max_text = size;
        let outcome = fixture.shell("for i in 1 2 3 4 5 6 7 8 9 10; do printf 'aüß€😀'; done");
        assert!(outcome.stdout.truncated);
        assert!(
            !outcome.stdout.text.contains('\u{fffd}'),
            "{}",
            outcome.stdout.text
        );
    }
}

struct StepClock(AtomicU64);

impl Clock for StepClock {
    fn now(&self) -> u64 {
        self.0.fetch_add(1500, Ordering::Relaxed)
    }
}

#[test]
fn times_come_from_the_clock() {
    let fixture = Fixture::new();
    let clock = StepClock(AtomicU64::new(951_782_400_250));
    let runner = fixture.runner().with_clock(Box::new(clock));
    let outcome = runner.run(&fixture.request(&["true"])).expect("a run");
    assert_eq!(outcome.started_at, "2000-02-29T00:00:00.250Z");
    assert_eq!(outcome.duration_ms, 1500);
}

#[test]
fn programs_of_the_tree_are_not_found_by_name() {
    let mut fixture = Fixture::new();
    for tree in [&fixture.tree, &fixture.repository] {
        std::fs::copy("/bin/false", tree.join("true")).expect("a copy");
    }
    let path = format!(
        "{}:.:{}:/usr/bin:/bin",
        fixture.repository.display(),
        fixture.tree.display()
    );
    fixture.variables.insert("PATH".to_owned(), path);
    assert_eq!(fixture.run(&["true"]).exit_code, Some(0));
    assert_eq!(fixture.shell("env true").exit_code, Some(0));
    assert_eq!(fixture.run(&["./true"]).exit_code, Some(1));
}

#[test]
fn a_missing_folder_is_an_error() {
    let mut fixture = Fixture::new();
    fixture.config.state = fixture.root.join("missing");
    let result = fixture.runner().run(&fixture.request(&["true"]));
    assert!(matches!(result, Err(RunError::Folder { .. })), "{result:?}");
    let fixture = Fixture::new();
    let request = RunRequest {
        tree: fixture.root.join("missing"),
        ..fixture.request(&["true"])
    };
    assert!(fixture.runner().run(&request).is_err());
}

#[test]
fn private_folders_are_removed() {
    let fixture = Fixture::new();
    fixture.shell("mkdir -p a/b; touch a/b/c; chmod 000 a/b a; touch /tmp/x ~/y");
    let rest = std::fs::read_dir(&fixture.config.state).expect("a folder");
    assert_eq!(rest.count(), 0);
}
