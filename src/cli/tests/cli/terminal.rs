//! Sources, names, reports and rules files are untrusted: their control characters are printed in a
//! visible form.

use std::fs::OpenOptions;
use std::io::Read as _;

use crate::project::{Ended, Project};

/// Clears the screen in three ways, reverses text, and hides text.
const HOSTILE: &str = "\u{1b}[2J\u{9b}2J\u{1b}]0;x\u{7}\u{202e}\u{2066}\u{200f}\u{e0041}\u{8}";

#[track_caller]
fn is_harmless(ended: &Ended) {
    for text in [&ended.stdout, &ended.stderr] {
        let acts = |it: char| it.is_control() && it != '\n' && it != '\t';
        assert!(!text.contains(acts), "{text:?}");
        assert!(
            !text.contains(['\u{202e}', '\u{2066}', '\u{200f}', '\u{e0041}']),
            "{text:?}"
        );
    }
}

#[test]
fn hostile_sources_and_names_are_shown_in_a_visible_form() {
    let name = format!("a{HOSTILE}.json");
    let project = Project::new(&[
        (&name, &format!("{{\"a\":1, // {HOSTILE}\n")),
        ("b.py", &format!("x='{HOSTILE}'\n")),
    ]);
    for command in [
        &["check"][..],
        &["check", "--format=json"],
        &["fix", "--dry-run"],
        &["format", &name],
        &["check", &format!("{HOSTILE}.json")],
        &["explain", HOSTILE],
        &["show", &name],
        &["check", &format!("--{HOSTILE}")],
    ] {
        let ended = project.run(command);
        is_harmless(&ended);
    }
    project
        .run(&["check"])
        .prints("<U+202E>")
        .prints("\u{241b}[2J");
    project.run(&["check", "--format=json"]).prints("\\u202e");
}

#[test]
fn a_hostile_report_is_shown_in_a_visible_form() {
    let project = Project::new(&[("b.json", "{\"a\":1}")]);
    project
        .run(&["check", "--report-dir", "reports"])
        .exits_with(0);
    let report = project.read("reports/b.json.fix.json");
    let escaped = HOSTILE.escape_unicode().to_string();
    let escaped: String = escaped
        .split("\\u{")
        .filter_map(|it| u32::from_str_radix(it.trim_end_matches('}'), 16).ok())
        .filter_map(char::from_u32)
        .flat_map(|it| it.encode_utf16(&mut [0; 2]).to_vec())
        .map(|unit| format!("\\u{unit:04x}"))
        .collect();
    let message = "\"message\": \"";
    assert!(report.contains(message), "{report}");
    let hostile = report.replace(message, &format!("{message}{escaped}"));
    project.write("hostile.json", hostile);
    for form in ["human", "json", "diff"] {
        is_harmless(&project.run(&["show", "hostile.json", "--format", form]));
    }
    is_harmless(&project.run(&["apply", "--dry-run", "hostile.json"]));
}

#[test]
fn a_hostile_rules_file_is_explained_in_a_visible_form() {
    let project = Project::new(&[
        ("fixpoint.toml", "[validate]\nrules = [\"rules.yaml\"]\n"),
        ("rules.yaml", &format!("\u{202e}{HOSTILE}: [\n")),
        ("a.json", "{}\n"),
    ]);
    is_harmless(&project.run(&["check"]).exits_with(2));
    project.write(
        "fixpoint.toml",
        format!("[validate]\n\"{}\" = 1\n", "\\u202e"),
    );
    is_harmless(&project.run(&["check"]).exits_with(2));
}

#[test]
fn json_and_yaml_are_escaped_in_pipes_and_files() {
    let text = format!("{HOSTILE}\u{7f}\u{85}\u{feff}");
    let value = serde_json::json!({ "k": text }).to_string();
    let printed = "\u{9b}\u{202e}\u{e0041}";
    let clank = format!("// {text}\nfn main() -> IO + Unit {{ print(\"{printed}\") }}\n");
    let project = Project::new(&[
        (
            "fixpoint.toml",
            "[[validate.schema]]\nfiles = [\"b.json\"]\nschema = \"s.json\"\n",
        ),
        (
            "s.json",
            &format!(
                "{{ \"properties\": {{ \"k\": {{ \"const\": {} }} }} }}\n",
                serde_json::json!(format!("{text}x"))
            ),
        ),
        ("b.json", &value),
        ("m.clank", &clank),
    ]);
    project.run(&["check", "--report-dir", "out"]);
    for form in ["json", "ast", "interface"] {
        let emit = format!("--emit={form}");
        is_harmless(&project.run(&["compile", &emit, "m.clank"]));
    }
    project.run(&["compile", "--emit=all", "--output", "out", "m.clank"]);
    let mut files = 0;
    for (path, bytes) in project.tree() {
        if path.starts_with(project.path("out"))
            && path
                .extension()
                .is_some_and(|it| it == "json" || it == "map")
        {
            files += 1;
            let stdout = String::from_utf8(bytes).expect("UTF-8");
            serde_json::from_str::<serde_json::Value>(&stdout).expect("JSON");
            is_harmless(&Ended {
                status: None,
                stdout,
                stderr: path.display().to_string(),
            });
        }
    }
    // Four reports, the result, the tree and two source maps.
    assert_eq!(files, 8);
    for form in ["json", "yaml"] {
        let format = format!("--format={form}");
        let ended = project
            .run(&["validate", &format])
            .exits_with(1)
            .prints("\\u202e");
        is_harmless(&Ended {
            stderr: String::new(),
            ..ended
        });
    }
}

/// What a command prints to a terminal.
fn on_a_terminal(project: &Project, arguments: &[&str]) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("granted");
    unlockpt(&master).expect("unlocked");
    let name = ptsname(&master, Vec::new()).expect("named");
    let slave = OpenOptions::new()
        .read(true)
        .write(true)
        .open(name.to_str().expect("a path"))
        .expect("opened");
    let mut child = project
        .command(arguments)
        .arg("--color=never")
        .stdout(slave)
        .spawn()
        .expect("the binary runs");
    // The last writer is gone when the command has ended; reading then fails or ends.
    let reader = std::thread::spawn(move || {
        let (mut master, mut bytes) = (std::fs::File::from(master), Vec::new());
        let _ = master.read_to_end(&mut bytes);
        bytes
    });
    child.wait().expect("it ends");
    let bytes = reader.join().expect("read");
    String::from_utf8_lossy(&bytes).replace("\r\n", "\n")
}

#[test]
fn contents_are_exact_in_a_pipe_and_visible_on_a_terminal() {
    let text = "{\"a\":\"\u{202e}\u{9b}\"}";
    let project = Project::new(&[("a.json", text)]);
    for command in [
        &["check", "--format=diff"][..],
        &["format", "a.json"],
        &["fix", "--diff"],
    ] {
        project.run(command).prints("\u{202e}\u{9b}");
        let stdout = on_a_terminal(&project, command);
        assert!(stdout.contains("<U+202E><U+009B>"), "{stdout:?}");
        is_harmless(&Ended {
            status: None,
            stdout,
            stderr: String::new(),
        });
    }
}
