//! Bad input of any kind: a run ends, reports the problem, and continues with the other files.

use std::os::unix::fs::symlink;

use crate::project::{CANONICAL_JSON, Ended, MESSY_JSON, Project};

/// A run on a tree with one bad file: the good file beside it is still checked.
fn check_beside(name: &str, contents: impl AsRef<[u8]>) -> Ended {
    let project = Project::new(&[("good.json", MESSY_JSON)]);
    project.write(name, contents);
    project
        .run(&["check", "--time-limit", "5"])
        .prints("good.json")
}

#[test]
fn bytes_that_are_not_text() {
    check_beside("bad.json", b"\"\xff\xfe\"")
        .exits_with(0)
        .complains("bad.json is not UTF-8 at byte 1");
    check_beside("bad.json", b"\"a\0b\"")
        .exits_with(0)
        .complains("bad.json contains a NUL at byte 2");
    check_beside("bad.py", b"\0")
        .exits_with(0)
        .complains("bad.py contains a NUL");
}

#[test]
fn fixes_of_documents_keep_a_byte_order_mark() {
    for (name, text) in [
        ("a.json", "{ \"nmae\": \"x\" }\n"),
        ("a.yaml", "nmae: x\n"),
        ("a.toml", "nmae = \"x\"\n"),
    ] {
        let settings =
            format!("[[validate.schema]]\nfiles = [\"{name}\"]\nschema = \"schema.json\"\n");
        let project = Project::new(&[
            (name, &format!("\u{feff}{text}")),
            ("fixpoint.toml", &settings),
            (
                "schema.json",
                "{ \"properties\": { \"name\": {} }, \"additionalProperties\": false }\n",
            ),
        ]);
        project.run(&["fix", "--safety=likely"]).exits_with(0);
        let after = text.replace("nmae", "name");
        assert_eq!(project.read(name), format!("\u{feff}{after}"));
    }
}

#[test]
fn a_file_of_200_megabytes_in_one_line() {
    let project = Project::new(&[("good.json", MESSY_JSON)]);
    let file = std::fs::File::create(project.path("huge.json")).expect("created");
    file.set_len(200 << 20).expect("sparse");
    project
        .run(&["check"])
        .exits_with(0)
        .prints("good.json")
        .complains("huge.json has 209715200 bytes");
    project.run(&["check", "huge.json"]).exits_with(3);
}

#[test]
fn one_line_of_megabytes_in_every_language() {
    for (name, text) in [
        ("a.json", format!("[{}1]", "1,".repeat(500_000))),
        ("a.yaml", format!("a: {}\n", "x".repeat(1_000_000))),
        ("a.toml", format!("a = [{}1]", "1,".repeat(200_000))),
        ("a.md", "word ".repeat(200_000)),
        ("a.txt", "word ".repeat(200_000)),
    ] {
        let ended = check_beside(name, text);
        assert!(matches!(ended.status, Some(0 | 3)), "{name}: {ended:?}");
    }
}

#[test]
fn a_hundred_thousand_nested_brackets_in_every_language() {
    let deep = 100_000;
    for (name, text) in [
        (
            "a.json",
            format!("{}{}", "[".repeat(deep), "]".repeat(deep)),
        ),
        ("b.json", "[".repeat(deep)),
        (
            "a.jsonc",
            format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep)),
        ),
        (
            "a.yaml",
            format!("{}{}", "[".repeat(deep), "]".repeat(deep)),
        ),
        ("b.yaml", format!("{}x\n", "- ".repeat(deep))),
        (
            "a.toml",
            format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
        ),
        (
            "a.py",
            format!("x = {}{}", "(".repeat(deep), ")".repeat(deep)),
        ),
        ("b.py", format!("x = {}1\n", "-".repeat(deep))),
        ("c.py", format!("x = {}1\n", "1 + ".repeat(deep))),
        (
            "a.ts",
            format!("x = {}1{};", "(".repeat(deep), ")".repeat(deep)),
        ),
        ("b.ts", format!("x = {}1;", "!".repeat(deep))),
        ("c.ts", format!("x = {}1;", "1 + ".repeat(deep))),
        (
            "d.tsx",
            format!("x = {}{};", "<a>".repeat(deep), "</a>".repeat(deep)),
        ),
        (
            "a.css",
            format!("{}{}", "a{".repeat(deep), "}".repeat(deep)),
        ),
        (
            "a.html",
            format!("{}{}", "<b>".repeat(deep), "</b>".repeat(deep)),
        ),
        (
            "a.graphql",
            format!("{}{}", "{a".repeat(deep), "}".repeat(deep)),
        ),
        ("a.md", format!("{}x\n", "> ".repeat(deep))),
        (
            "b.md",
            format!("{}x{}\n", "[".repeat(deep), "]".repeat(deep)),
        ),
    ] {
        let ended = check_beside(name, text);
        assert!(matches!(ended.status, Some(0 | 1 | 3)), "{name}: {ended:?}");
        let output = format!("{}{}", ended.stdout, ended.stderr);
        assert!(
            output.contains(name) || ended.status == Some(0),
            "{name}: {output}"
        );
    }
}

#[test]
fn a_yaml_alias_bomb_is_only_text() {
    let mut bomb = "a0: &a0 [x, x]\n".to_owned();
    for level in 1..60 {
        let list = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{list}]\n"));
    }
    check_beside("bomb.yaml", bomb).exits_with(0);
}

#[test]
fn empty_files_are_canonical() {
    for name in [
        "a.json",
        "a.yaml",
        "a.toml",
        "a.md",
        "a.py",
        "a.ts",
        "a.css",
        "a.html",
        "a.graphql",
    ] {
        let project = Project::new(&[(name, "")]);
        project
            .run(&["check", "--strict"])
            .exits_with(0)
            .prints("Checked 2 files: all canonical");
    }
}

#[test]
fn things_that_are_not_files() {
    let project = Project::new(&[
        ("x.json/inner.json", MESSY_JSON),
        ("good.json", CANONICAL_JSON),
    ]);
    let fifo = project.path("pipe.json");
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        &fifo,
        rustix::fs::Mode::from_raw_mode(0o644),
    )
    .expect("a pipe");
    symlink("loop.json", project.path("loop.json")).expect("a link");
    symlink(".", project.path("around")).expect("a link");
    symlink("nowhere.json", project.path("dangling.json")).expect("a link");
    project
        .run(&["check"])
        .exits_with(0)
        .prints("x.json/inner.json")
        .prints("Checked 3 files");
    project
        .run(&["check", "x.json"])
        .exits_with(0)
        .prints("Checked 1 file");
    for name in ["pipe.json", "loop.json", "dangling.json", "missing.json"] {
        let ended = project.run(&["check", name]);
        assert_ne!(ended.status, None, "{name}");
        assert!(
            format!("{}{}", ended.stdout, ended.stderr).contains(name),
            "{name}: {ended:?}"
        );
    }
}

#[test]
fn the_time_limit_ends_a_file_and_not_the_run() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    project.write("large.json", format!("[{}1]", "1,\n".repeat(200_000)));
    project
        .run(&["check", "--time-limit", "0", "large.json"])
        .exits_with(3)
        .complains("large.json")
        .complains("--time-limit")
        .prints("Checked 0 files: 1 file skipped, see the messages");
}

#[test]
fn a_closed_output_pipe_is_not_a_failure() {
    let project = Project::new(&[]);
    for number in 0..200 {
        project.write(&format!("f{number}.json"), MESSY_JSON);
    }
    let mut child = project
        .command(&["check"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    assert!(output.status.code().is_some());
}

#[test]
fn a_full_device_is_reported() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("a device");
    let output = project
        .command(&["format", "a.json"])
        .stdout(full)
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the output"));
}

/// The processes of the binary under test that run in a project.
fn processes_in(project: &Project) -> Vec<std::path::PathBuf> {
    let root = project.root().canonicalize().expect("there");
    let entries = std::fs::read_dir("/proc").expect("processes");
    let entries = entries.flatten().map(|entry| entry.path());
    let works_there = |process: &std::path::PathBuf| {
        let folder = std::fs::read_link(process.join("cwd"));
        folder.is_ok_and(|folder| folder == root)
    };
    entries.filter(works_there).collect()
}

/// A schema that takes twice as long to check with each of its levels.
fn endless_schema() -> String {
    let levels = (0..60).map(|level| {
        let next = format!("{{ \"$ref\": \"#/$defs/d{}\" }}", level + 1);
        format!("\"d{level}\": {{ \"allOf\": [{next}, {next}] }},")
    });
    let levels: String = levels.collect();
    format!("{{ \"$defs\": {{ {levels} \"d60\": {{}} }}, \"$ref\": \"#/$defs/d0\" }}\n")
}

#[test]
fn work_that_does_not_end_is_ended_and_the_other_files_are_kept() {
    let project = Project::new(&[
        ("schema.json", &endless_schema()),
        (
            "endless.json",
            "{ \"$schema\": \"./schema.json\", \"a\": 1 }\n",
        ),
    ]);
    for number in 0..20 {
        project.write(&format!("good{number}.json"), MESSY_JSON);
    }
    let ended = project.run(&["check", "--time-limit", "2", "--jobs", "2"]);
    for number in 0..20 {
        assert!(ended.stdout.contains(&format!("good{number}.json")));
    }
    assert_eq!(processes_in(&project), Vec::<std::path::PathBuf>::new());
}

#[test]
fn no_helper_outlives_the_run_that_gave_it_up() {
    let project = Project::new(&[]);
    for number in 0..10 {
        project.write(&format!("f{number}.json"), MESSY_JSON);
    }
    project
        .run(&["check", "--time-limit", "0", "--jobs", "2"])
        .exits_with(3)
        .complains("f9.json")
        .complains("--time-limit");
    assert_eq!(processes_in(&project), Vec::<std::path::PathBuf>::new());
}

#[test]
fn few_and_many_files_get_the_same_reports() {
    let project = Project::new(&[
        ("a.py", "x=1\n"),
        ("b.yaml", "a:   1\n"),
        ("c.bin", "\u{1}"),
    ]);
    project.write("bad.json", b"\xff");
    project.write("broken.json", "{");
    let one = project.run(&["check", "--format=json", "--jobs", "50"]);
    let many = project.run(&["check", "--format=json", "--jobs", "1"]);
    assert_eq!(one.stdout, many.stdout);
    assert_eq!(one.stderr, many.stderr);
    assert_eq!(one.status, many.status);
}

#[test]
fn settings_of_an_unreasonable_size_are_rejected() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let globs: String = (0..200_000).map(|it| format!("\"*x{it}*\",")).collect();
    project.write("fixpoint.toml", format!("exclude = [{globs}]\n"));
    project
        .run(&["check"])
        .exits_with(3)
        .complains("fixpoint.toml has");
}
