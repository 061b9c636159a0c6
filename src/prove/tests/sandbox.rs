//! What a command can see, change and leave behind in the sandbox.
#![allow(
    clippy::disallowed_methods,
    reason = "these tests write files and start processes"
)]

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use fixpoint_prove::runner::{RunError, RunOutcome};
use support::{Fixture, processes};

fn stdout(outcome: &RunOutcome) -> &str {
    assert_eq!(outcome.exit_code, Some(0), "{outcome:?}");
    &outcome.stdout.text
}

#[test]
fn all_layers_are_active() {
    let outcome = Fixture::new().run(&["true"]);
    assert_eq!(
        outcome.layers.active,
        ["user", "mount", "pid", "network", "landlock"]
    );
    assert_eq!(outcome.layers.refused.len(), 0, "{:?}", outcome.layers);
}

#[test]
fn the_tree_appears_at_the_path_of_the_repository() {
    let fixture = Fixture::new();
    let before = fixture.snapshot();
    let script = "cat src/a.txt; pwd; echo changed > src/a.txt; cat src/a.txt; rm src/a.txt; \
                  echo new > b; mkdir c; echo d > c/d; mv c e";
    let expected = format!("scratch\n{}\nchanged\n", fixture.repository.display());
    for _ in 0..3 {
        let outcome = fixture.shell(script);
        assert_eq!(stdout(&outcome), expected, "{}", outcome.stderr.text);
        assert_eq!(
            outcome.changed,
            ["b", "e/d", "src/a.txt"].map(Path::new),
            "{outcome:?}"
        );
    }
    assert_eq!(fixture.snapshot(), before);
}

#[test]
fn changes_are_kept_on_request() {
    let fixture = Fixture::new();
    let request = fixpoint_prove::runner::RunRequest {
        keep_changes: true,
        cwd: "src".into(),
        ..fixture.request(&["sh", "-c", "echo kept > a.txt"])
    };
    let outcome = fixture.runner().run(&request).expect("a run");
    stdout(&outcome);
    let read = |path: &Path| std::fs::read_to_string(path.join("src/a.txt")).expect("a file");
    assert_eq!(read(&fixture.tree), "kept\n");
    assert_eq!(read(&fixture.repository), "user\n");
}

#[test]
fn works_below_the_temporary_folder() {
    let fixture = Fixture::in_folder(&std::env::temp_dir());
    let before = fixture.snapshot();
    let outside = format!("/tmp/fixpoint-sandbox-test-{}", std::process::id());
    let script = format!(
        "cat src/a.txt; echo result > {0}/result; echo x > {outside}; ls -A ~ | wc -l; echo y > ~/y",
        fixture.results.display()
    );
    assert_eq!(stdout(&fixture.shell(&script)), "scratch\n0\n");
    assert!(fixture.results.join("result").exists());
    assert_eq!(fixture.snapshot(), before);
    assert!(!Path::new(&outside).exists());
}

#[test]
fn writes_outside_fail() {
    let fixture = Fixture::new();
    std::fs::write(fixture.root.join("outside"), "outside").expect("a file");
    let before = fixture.snapshot();
    let root = fixture.root.display();
    let script = format!(
        "for file in {root}/outside {root}/new {root}/scratch/tree/src/a.txt /etc/fixpoint-test \
         /usr/fixpoint-test /var/tmp/fixpoint-test /proc/sys/kernel/core_pattern \
         /proc/sysrq-trigger /sys/kernel/mm/ksm/run /proc/self/uid_map /run/fixpoint/x; do \
         if (echo bad > $file) 2>/dev/null; then echo wrote $file; fi; done; \
         rm -rf {root}/outside {root}/scratch/tree/src; ln {root}/outside here; \
         echo ok > /dev/null; echo ok > /tmp/t; echo ok > /dev/shm/t; echo ok > {root}/scratch/results/r; \
         ls /dev/vd* /dev/sd* /dev/nvme* /dev/mem 2>/dev/null; test -e /dev/pts/ptmx && echo ptmx"
    );
    let outcome = fixture.shell(&script);
    assert_eq!(stdout(&outcome), "ptmx\n", "{}", outcome.stderr.text);
    assert_eq!(fixture.snapshot(), before);
    let result = std::fs::read_to_string(fixture.results.join("r")).expect("a result");
    assert_eq!(result, "ok\n");
}

#[test]
fn mounts_cannot_be_undone() {
    let fixture = Fixture::new();
    let before = fixture.snapshot();
    let root = fixture.root.display();
    let script = format!(
        "mount -o remount,rw / ; umount {root}/repository; umount -l /tmp; \
         unshare -Urm sh -c 'mount -o remount,rw,bind / ; umount -l {root}/repository; \
         echo bad > {root}/repository/bad; echo bad > {root}/bad; echo bad > /etc/bad'; \
         chroot /proc/1/root true && echo chroot; nsenter -t 1 -m true && echo nsenter; true"
    );
    let outcome = fixture.shell(&script);
    assert_eq!(stdout(&outcome), "", "{}", outcome.stderr.text);
    assert_eq!(fixture.snapshot(), before);
    assert!(!Path::new("/etc/bad").exists());
}

#[test]
fn the_home_is_private_and_has_no_credentials() {
    let mut fixture = Fixture::new();
    let write = |name: &str, text: &str| {
        let path = fixture.home.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    for name in [
        ".ssh/id_ed25519",
        ".aws/credentials",
        ".netrc",
        ".git-credentials",
        ".config/gh/hosts.yml",
        ".config/gcloud/a.db",
        ".cargo/credentials.toml",
        ".npmrc",
        ".pypirc",
        ".docker/config.json",
        ".kube/config",
        ".gnupg/key",
        "real-ssh/key",
        "custom/token",
    ] {
        write(name, "SECRET");
    }
    std::os::unix::fs::symlink("real-ssh", fixture.home.join(".azure")).expect("a link");
    write(".cargo/config.toml", "visible");
    fixture.config.hidden = vec![fixture.home.join("custom/token")];
    let before = fixture.snapshot();
    let outcome = fixture.shell(
        "grep -r SECRET ~; cat ~/.cargo/config.toml; echo cache > ~/.cache; echo a > ~/.ssh/a; \
         echo b > ~/.netrc; rm -rf ~/.ssh ~/.netrc; cat ~/.cache; ls ~/.ssh | wc -l",
    );
    assert_eq!(stdout(&outcome), "visiblecache\n0\n", "{outcome:?}");
    assert_eq!(fixture.snapshot(), before);
}

// D-11
#[test]
fn the_network_is_off_and_loopback_is_on() {
    let fixture = Fixture::new();
    let listener = "import socket, threading
server = socket.create_server(('127.0.0.1', 0))
threading.Thread(target=lambda: server.accept()[0].sendall(b'loopback'), daemon=True).start()
print(socket.create_connection(server.getsockname(), 5).recv(8).decode())
import os
print(sorted(os.listdir('/sys/class/net')) and [name for _, name in socket.if_nameindex()])
for address in ('1.1.1.1', '8.8.8.8', '10.0.0.1'):
    try:
        socket.create_connection((address, 53), 1)
        print('connected', address)
    except OSError as error:
        print(error.errno)
";
    let outcome = fixture.run(&["/usr/bin/python3", "-c", listener]);
    assert_eq!(
        stdout(&outcome),
        "loopback\n['lo']\n101\n101\n101\n",
        "{}",
        outcome.stderr.text
    );
}

#[test]
fn background_processes_end_with_the_command() {
    let fixture = Fixture::new();
    let outcome = fixture.shell(
        "sleep 98761 & setsid sleep 98762 & (setsid sh -c 'sleep 98763 & sleep 98764' &) ; \
         nohup sleep 98765 >/dev/null 2>&1 & \
         setsid sh -c 'trap \"\" TERM HUP INT; while :; do sleep 98766; done' </dev/null >/dev/null 2>&1 & \
         echo done",
    );
    assert_eq!(stdout(&outcome), "done\n");
    for number in 98761..=98766 {
        assert_eq!(processes(&format!("sleep {number}")), 0);
    }
}

#[test]
fn a_command_that_fills_the_disk_is_ended() {
    let mut fixture = Fixture::new();
    fixture.config.min_free_space = u64::MAX;
    let request = fixture.request(&["sleep", "87653"]);
    let error = fixture.runner().run(&request).expect_err("ended");
    assert!(matches!(error, RunError::DiskFull { .. }), "{error}");
    assert_eq!(processes("sleep 87653"), 0);
}

// E-37
#[test]
fn a_timeout_ends_everything() {
    let mut fixture = Fixture::new();
    fixture.config.grace = Duration::from_millis(100);
    let runner = fixture.runner();
    let mut request = fixture.request(&[
        "sh",
        "-c",
        "trap '' TERM; setsid sleep 87651 & echo started; while :; do sleep 87652; done",
    ]);
    request.timeout = Duration::from_millis(300);
    let start = Instant::now();
    let outcome = runner.run(&request).expect("a run");
    assert!(outcome.timed_out);
    assert_eq!((outcome.exit_code, outcome.signal), (None, Some(9)));
    assert_eq!(outcome.stdout.text, "started\n");
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(processes("sleep 87651") + processes("sleep 87652"), 0);

    let mut polite = fixture.request(&[
        "sh",
        "-c",
        "trap 'echo bye; exit 3' TERM; echo hi; sleep 60 & wait",
    ]);
    polite.timeout = Duration::from_millis(300);
    fixture.config.grace = Duration::from_secs(20);
    let outcome = fixture.runner().run(&polite).expect("a run");
    assert!(outcome.timed_out);
    assert_eq!(outcome.exit_code, Some(3), "{outcome:?}");
    assert_eq!(outcome.stdout.text, "hi\nbye\n");
}

#[test]
fn results_of_commands() {
    let fixture = Fixture::new();
    assert_eq!(fixture.shell("exit 7").exit_code, Some(7));
    let killed = fixture.shell("kill -SEGV $$");
    assert_eq!((killed.exit_code, killed.signal), (None, Some(11)));
    assert_eq!(fixture.shell("cat").exit_code, Some(0));
    let missing = fixture.runner().run(&fixture.request(&["./missing"]));
    assert!(matches!(missing, Err(RunError::Start(_))), "{missing:?}");
    let unknown = fixture
        .runner()
        .run(&fixture.request(&["fixpoint-missing"]));
    assert!(matches!(unknown, Err(RunError::Command(_))), "{unknown:?}");
}

#[test]
fn toolchains_of_the_real_home_run() {
    let mut fixture = Fixture::new();
    fixture.variables = std::env::vars().collect();
    let path = fixture.variables["PATH"].clone();
    for (program, argument, expected) in [
        ("python3", "--version", "Python 3"),
        ("cargo", "--version", "cargo 1"),
        ("node", "--version", "v"),
        ("go", "version", "go version"),
    ] {
        if std::env::split_paths(&path).any(|folder| folder.join(program).exists()) {
            let outcome = fixture.run(&[program, argument]);
            assert!(stdout(&outcome).starts_with(expected), "{outcome:?}");
        }
    }
}

#[test]
fn cargo_tests_run_with_the_toolchain_of_the_real_home() {
    let mut fixture = Fixture::new();
    fixture.variables = std::env::vars().collect();
    let manifest = "[package]\nname = \"a\"\nedition = \"2021\"\n[workspace]\n";
    std::fs::write(fixture.tree.join("Cargo.toml"), manifest).expect("a file");
    let test = "#[test]\nfn passes() {}\n";
    std::fs::write(fixture.tree.join("src/lib.rs"), test).expect("a file");
    let outcome = fixture.run(&["cargo", "test", "--offline", "--lib"]);
    assert!(
        stdout(&outcome).contains("test passes ... ok"),
        "{outcome:?}"
    );
    assert!(!fixture.tree.join("target").exists());
}

#[test]
fn the_repository_and_the_state_may_be_in_the_home() {
    let mut fixture = Fixture::new();
    let path = |name: &str| {
        let path = fixture.home.join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        path
    };
    std::fs::write(fixture.home.join("note"), "note\n").expect("a file");
    let (repository, state, tree) = (
        path("repository"),
        path(".cache/state"),
        path(".cache/tree"),
    );
    std::fs::write(repository.join("a"), "user\n").expect("a file");
    std::fs::write(tree.join("a"), "scratch\n").expect("a file");
    fixture.repository = repository;
    fixture.config.state = state;
    fixture.tree = tree;
    let before = fixture.snapshot();
    let outcome =
        fixture.shell("cat a ~/note; echo x > a; echo x > ~/note; echo x > ~/new; cat ~/new");
    assert_eq!(stdout(&outcome), "scratch\nnote\nx\n", "{outcome:?}");
    assert_eq!(outcome.layers.refused.len(), 0, "{:?}", outcome.layers);
    assert_eq!(fixture.snapshot(), before);
}

#[test]
fn the_network_layer_is_left_out_on_request() {
    let mut fixture = Fixture::new();
    fixture.config.network = true;
    let outcome = fixture.run(&["true"]);
    assert_eq!(outcome.layers.active, ["user", "mount", "pid", "landlock"]);
    assert_eq!(outcome.layers.refused.len(), 0);
}

#[test]
fn everything_ends_with_the_program_that_was_killed() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let mut program = std::process::Command::new(std::env::current_exe().expect("a test program"))
        .args([support::RUN_ARGUMENT.as_ref(), folder.path().as_os_str()])
        .arg("setsid sleep 76541 & sleep 76542")
        .spawn()
        .expect("a process");
    // The command line of the program itself contains the script.
    let wait_for = |pattern: &str, enough: &dyn Fn(usize) -> bool| {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !enough(processes(pattern)) {
            assert!(
                Instant::now() < deadline,
                "{pattern}: {}",
                processes(pattern)
            );
            std::thread::yield_now();
        }
    };
    wait_for("sleep 76541", &|count| count >= 3);
    program.kill().expect("a kill");
    program.wait().expect("a status");
    wait_for("sleep 7654", &|count| count == 0);
}

/// Without namespaces the command runs in the scratch tree itself, and Landlock still protects files.
#[test]
fn works_without_namespaces() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let program = std::env::current_exe().expect("a test program");
    let output = std::process::Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c"])
        .arg(
            "echo 0 > /proc/sys/user/max_user_namespaces && \
             exec setpriv --bounding-set=-all --inh-caps=-all \"$@\"",
        )
        .arg("sh")
        .args([&program, Path::new(support::RUN_ARGUMENT), folder.path()])
        .arg(
            "cat src/a.txt; echo new > new && cat new; echo ok > $TMPDIR/x; \
             (echo bad > ../../bad) 2>/dev/null || echo refused; \
             setsid sleep 54321 & (setsid sh -c 'sleep 54322 & sleep 54323' &)",
        )
        .output()
        .expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("active: [\"landlock\"]"), "{output:?}");
    for layer in ["user", "mount", "pid", "network"] {
        assert!(text.contains(&format!("\"{layer}\": \"")), "{text}");
    }
    assert!(text.contains("\"scratch\\nnew\\nrefused\\n\""), "{text}");
    assert_eq!(processes("sleep 5432"), 0);
}

#[test]
fn a_required_sandbox_runs_nothing_without_its_layers() {
    let mut fixture = Fixture::new();
    fixture.config.require_sandbox = true;
    assert_eq!(fixture.run(&["true"]).exit_code, Some(0));
    // A folder that does not exist cannot be mounted.
    let request = fixpoint_prove::runner::RunRequest {
        results: Some(fixture.root.join("missing")),
        ..fixture.request(&["true"])
    };
    let result = fixture.runner().run(&request);
    let Err(RunError::Start(reason)) = result else {
        panic!("{result:?}");
    };
    assert!(
        reason.contains("refuses the sandbox layer `mount`"),
        "{reason}"
    );
}
