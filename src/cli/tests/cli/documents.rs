//! Runs the examples in the documents.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use crate::project::{CANONICAL_JSON, Ended, MESSY_JSON, Project};

fn document(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    fs::read_to_string(&path).expect("a document")
}

/// The fenced blocks of a language in a document.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1);
    blocks
        .filter_map(|rest| Some(rest.split_once("```")?.0.to_owned()))
        .collect()
}

#[test]
fn the_readme_shows_the_real_output_of_the_commands() {
    let messy =
        "load(\":defs.bzl\", \"old_tool\", \"tool\")\n\ntool(name=\"run\", srcs=[\"run.py\"])\n";
    let project = Project::new(&[("tool/BUILD.bazel", messy)]);
    let shown = blocks(&document("README.md"), "console");
    for part in shown[0].split("$ fixpoint ").skip(1) {
        let (arguments, expected) = part.split_once('\n').expect("a command line");
        let arguments: Vec<&str> = arguments.split(' ').collect();
        assert_eq!(
            project.run(&arguments).exits_with(0).stdout,
            expected,
            "{arguments:?}"
        );
    }
    let fixed = "load(\":defs.bzl\", \"tool\")\n\ntool(\n    name = \"run\",\n    srcs = [\"run.py\"],\n)\n";
    assert_eq!(project.read("tool/BUILD.bazel"), fixed);
}

#[test]
fn the_settings_in_the_documents_are_valid() {
    let project = Project::new(&[("a.py", "x = 1\n")]);
    project.write(
        "fixpoint.toml",
        &blocks(&document("docs/use.md"), "toml")[0],
    );
    project
        .run(&["check", "--strict"])
        .exits_with(0)
        .prints("all canonical");
}

#[test]
fn the_comments_in_the_documents_keep_their_regions() {
    let shown = &blocks(&document("docs/use.md"), "python")[0];
    let project = Project::new(&[("a.py", shown)]);
    project.run(&["fix"]).exits_with(0);
    assert_eq!(&project.read("a.py"), shown);
    let without = shown.replace("fixpoint:", "nothing:");
    project.write("a.py", &without);
    project.run(&["fix"]).exits_with(0);
    assert_ne!(project.read("a.py"), without);
}

#[test]
fn the_shipped_hook_fixes_the_files_of_a_commit() {
    // C-68
    let hooks = document(".pre-commit-hooks.yaml");
    let entry = hooks
        .lines()
        .find_map(|line| line.trim().strip_prefix("entry: "));
    let mut words = entry.expect("an entry").split(' ');
    assert_eq!(words.next(), Some("fixpoint"));
    let project = Project::new(&[("committed.json", MESSY_JSON), ("other.json", MESSY_JSON)]);
    // pre-commit appends the names of the files to the entry.
    let arguments: Vec<&str> = words.chain(["committed.json"]).collect();
    project.run(&arguments).exits_with(0);
    assert_eq!(project.read("committed.json"), CANONICAL_JSON);
    assert_eq!(project.read("other.json"), MESSY_JSON);
}

#[test]
fn the_hook_in_the_documents_stops_a_commit_until_its_fixes_are_staged() {
    let hook = &blocks(&document("docs/use.md"), "sh")[0];
    let project = Project::new(&[]);
    project.git(&["init", "--quiet"]);
    project.write(".git/hooks/pre-commit", hook);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(project.path(".git/hooks/pre-commit"), mode).expect("a mode");
    let commit = |what: &str| {
        let binary = Path::new(env!("CARGO_BIN_EXE_fixpoint"));
        let mut path = binary.parent().expect("a folder").as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.invalid"])
            .args(["commit", "--quiet", "-m", what])
            .current_dir(project.root())
            .env("PATH", path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        Ended::from(git.output().expect("git runs"))
    };
    let committed = |path: &str| project.git(&["show", &format!("HEAD:{path}")]).stdout;

    // Names that a shell or git could misread, a binary file and a link.
    let names = ["a.json", "with space.json", "-dash.json", "[a].json"];
    for name in names {
        project.write(name, CANONICAL_JSON);
    }
    project.write("image.png", [0, 159, 146, 150]);
    symlink("a.json", project.path("link.json")).expect("a link");
    project.git(&["add", "."]);
    commit("canonical").exits_with(0);

    for name in names {
        project.write(name, MESSY_JSON);
    }
    project.git(&["rm", "--quiet", "--cached", "image.png"]);
    project.git(&["add", "--", "a.json", "with space.json", "-dash.json"]);
    project.git(&["--literal-pathspecs", "add", "--", "[a].json"]);
    commit("messy")
        .exits_with(1)
        .complains("stage them and commit again");
    for name in names {
        assert_eq!(project.read(name), CANONICAL_JSON, "{name}");
        assert_eq!(committed(name), CANONICAL_JSON, "{name}");
    }
    project.git(&["reset", "--quiet", "--hard"]);

    // Staged links, with a target that is not staged and not canonical.
    project.write("untracked.json", MESSY_JSON);
    project.write("folder/untracked.json", MESSY_JSON);
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("a.json"), MESSY_JSON).expect("written");
    for (target, link) in [
        (Path::new("untracked.json"), "inside.json"),
        (Path::new("folder"), "linked"),
        (Path::new("nowhere.json"), "dangling.json"),
        (&outside.path().join("a.json"), "outside.json"),
        (outside.path(), "elsewhere"),
    ] {
        symlink(target, project.path(link)).expect("a link");
        project.git(&["add", link]);
    }
    commit("links").exits_with(0);
    for path in ["untracked.json", "folder/untracked.json"] {
        assert_eq!(project.read(path), MESSY_JSON);
        fs::remove_file(project.path(path)).expect("removed");
    }
    let text = fs::read_to_string(outside.path().join("a.json"));
    assert_eq!(text.expect("there"), MESSY_JSON);

    // A file that becomes a link, and a link that becomes a file.
    fs::remove_file(project.path("with space.json")).expect("removed");
    symlink("nowhere", project.path("with space.json")).expect("a link");
    fs::remove_file(project.path("dangling.json")).expect("removed");
    project.write("dangling.json", CANONICAL_JSON);
    project.git(&["add", "."]);
    commit("other types").exits_with(0);

    // Staged messy, but fixed in the working tree: the hook examines only the working tree.
    project.write("a.json", MESSY_JSON);
    project.git(&["add", "a.json"]);
    project.write("a.json", CANONICAL_JSON);
    commit("in part").exits_with(1).complains("not staged");
    assert_eq!(committed("a.json"), CANONICAL_JSON);

    project.git(&["reset", "--quiet", "--hard"]);
    project.write("a.json", "{ \"b\": 2 }\n");
    project.git(&["add", "a.json"]);
    commit("canonical again").exits_with(0);
    assert_eq!(committed("a.json"), "{ \"b\": 2 }\n");
}

#[test]
fn the_documents_list_all_languages() {
    let document = document("docs/use.md");
    let (_, listed) = document.split_once("\nLanguages: ").expect("a list");
    let (listed, _) = listed.split_once('.').expect("the end of the list");
    let names: Vec<&str> = listed.split(',').map(str::trim).collect();
    let project = Project::new(&[]);
    let settings: String = names
        .iter()
        .map(|name| format!("[language.{name}]\nenabled = true\n\n"))
        .collect();
    project.write("fixpoint.toml", settings.trim_end().to_owned() + "\n");
    project.run(&["check", "--strict"]).exits_with(0);
    project.write("fixpoint.toml", "[language.nonsense]\n");
    for name in &names {
        project.run(&["check"]).exits_with(2).complains(name);
    }
}

#[test]
fn the_messages_in_the_documents_exist_in_the_code() {
    let mut code = String::new();
    for folder in ["src", "toolchain"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(folder);
        read_code(&folder, &mut code);
    }
    code.retain(|letter| letter != '`');
    let page = document("docs/troubleshooting.md");
    let messages = page.lines().filter_map(|row| {
        let (message, _) = row.strip_prefix("| `")?.split_once('`')?;
        Some(message.trim_end_matches("..."))
    });
    let mut count = 0;
    for message in messages {
        // Words in capitals are placeholders.
        let words: Vec<&str> = message.split(' ').collect();
        let is_placeholder =
            |word: &&str| word.contains(char::is_uppercase) && !word.contains(char::is_lowercase);
        for fragment in words.split(is_placeholder) {
            let fragment = fragment.join(" ");
            let fragment = fragment.trim_matches([' ', ':', ';', ',', '"']);
            assert!(code.contains(fragment), "no message contains {fragment:?}");
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
}

/// Appends the sources in a folder, except tests, with string literals of several lines joined.
fn read_code(folder: &Path, code: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let extension = path.extension().and_then(|it| it.to_str());
        if path.is_dir() && !path.ends_with("tests") {
            read_code(&path, code);
        } else if matches!(extension, Some("rs" | "bzl")) {
            for line in fs::read_to_string(&path).expect("a source").lines() {
                match line.strip_suffix('\\') {
                    Some(joined) => code.push_str(joined.trim_start()),
                    None => {
                        code.push_str(line.trim_start());
                        code.push('\n');
                    }
                }
            }
        }
    }
}

#[test]
fn the_contract_of_fix_actions_keeps_a_log_of_its_changes() {
    // F-74
    let page = document("docs/documents.md");
    let (contract, log) = page.split_once("\n## Update log\n").expect("a log");
    let dates: Vec<&str> = log
        .lines()
        .filter_map(|it| it.strip_prefix("- ")?.split_once(": ").map(|it| it.0))
        .collect();
    assert!(!dates.is_empty() && dates.is_sorted(), "{dates:?}");
    let is_date = |it: &&str| it.len() == 10 && it.split('-').all(|it| it.parse::<u16>().is_ok());
    assert!(dates.iter().all(is_date), "{dates:?}");
    let ops = contract
        .lines()
        .filter_map(|it| it.strip_prefix("| `")?.split_once('`'));
    let ops: Vec<&str> = ops.map(|it| it.0).collect();
    assert_eq!(ops.len(), 7, "{ops:?}");
    for op in ops {
        assert!(
            log.contains(&format!("`{op}`")),
            "the log does not mention {op}"
        );
    }
}
