//! Which code owns what: who makes diagnostics, lays out text, starts processes, and merges edits.

use std::collections::BTreeSet;

use crate::house::{dependencies, links, read, repository, walk};
use crate::project::Project;

#[test]
fn rules_live_in_phases_and_not_in_the_command_line() {
    // C-21: nothing outside a phase makes a diagnostic.
    for name in ["analysis", "cli", "document", "edit", "view", "workspace"] {
        let makers = files_with(name, &["Finding::", "Diagnostic {", "Diagnostic::"]);
        assert_eq!(makers, [""; 0], "src/{name} makes diagnostics");
    }
    // The engine converts the findings of phases, in one place and without a text of its own. A fix
    // of another tool needs a finding without a message to pass the gate.
    let converts = ["src/engine/src/analysis.rs"];
    let diagnostics = ["Diagnostic {", "Diagnostic::new"];
    assert_eq!(files_with("engine", &diagnostics), converts);
    let conversion = production("src/engine/src/analysis.rs");
    assert!(conversion.contains("message: finding.message.clone()"));
    let makers = files_with("engine", &["Finding::style(", "Finding::problem("]);
    assert_eq!(makers, ["src/engine/src/reported.rs"]);
    let imported = production("src/engine/src/reported.rs");
    assert_eq!(imported.matches("Finding::").count(), 1);
    assert!(imported.contains("Finding::style(fix.rule.clone(), \"\", span)"));
}

#[test]
fn the_command_line_owns_no_rules_edits_or_writes() {
    // C-79: other crates decide what is wrong, what a fix is, who wins, and what is written.
    let owned = [
        "impl Phase for",
        "Rule {",
        "Proposal",
        "Edit::replace(",
        "Edit::delete(",
        "Edit {",
        "Fix {",
        "fs::write(",
        "fs::rename(",
        "fs::remove_",
        "File::create(",
        "OpenOptions",
    ];
    for text in owned {
        let owners = files_with("cli", &[text]);
        assert_eq!(owners, [""; 0], "src/cli contains `{text}`");
    }
}

/// The code of a file without its tests.
fn production(path: &str) -> String {
    let text = read(path);
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.to_owned()
}

/// The files of a crate whose code, without tests and comments, has one of the texts.
fn files_with(name: &str, texts: &[&str]) -> Vec<String> {
    let root = repository();
    let mut files: Vec<String> = walk(&root.join(format!("src/{name}/src")))
        .iter()
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .map(|path| {
            let path = path.strip_prefix(&root).expect("in the repository");
            path.to_string_lossy().into_owned()
        })
        .filter(|path| {
            let code = production(path);
            let mut lines = code
                .lines()
                .map(|line| line.split("//").next().unwrap_or(line));
            lines.any(|line| texts.iter().any(|text| line.contains(text)))
        })
        .collect();
    files.sort();
    files
}

fn crates() -> Vec<String> {
    dependencies().into_keys().collect()
}

#[test]
fn only_the_formatter_lays_out_text() {
    // C-06 C-74: a phase of the layout stage defines what canonical text looks like.
    let makers: Vec<String> = crates()
        .iter()
        .filter(|name| *name != "engine")
        .flat_map(|name| files_with(name, &["Stage::Layout"]))
        .collect();
    assert_eq!(makers, ["src/format/src/phase.rs"]);
    // No external program lays out text either: the two programs that are started are Fixpoint
    // itself and git.
    assert_eq!(process_starters(), STARTERS);
}

/// The files that start a process: Fixpoint itself as a helper, and git for `--changed`. The crate
/// `prove` is not listed: to run the commands of a user in a sandbox is its purpose.
const STARTERS: [&str; 2] = ["src/cli/src/helper.rs", "src/workspace/src/git.rs"];

fn process_starters() -> Vec<String> {
    let crates = crates();
    let starters = ["Command::new", "process::Command", ".exec()", "fork("];
    let crates = crates.iter().filter(|name| *name != "prove");
    let files = crates.flat_map(|name| files_with(name, &starters));
    files.collect()
}

#[test]
fn the_applier_of_actions_can_start_no_process_and_reach_no_network() {
    // F-06 F-07: by construction, because a test cannot observe that something never happens.
    assert_eq!(process_starters(), STARTERS);
    let helper = production(STARTERS[0]);
    assert_eq!(helper.matches("Command::new(").count(), 1);
    assert!(helper.contains("Command::new(std::env::current_exe()?)"));
    let git = production(STARTERS[1]);
    assert_eq!(git.matches("Command::new(").count(), 1);
    assert!(git.contains("Command::new(\"git\")"));
    // The command that applies actions uses neither of them.
    let applier = production("src/cli/src/commands/actions.rs");
    for module in [
        "helper", "isolate", "survey", "changed", "git", "analysis", "prove",
    ] {
        let is_used = |line: &str| line.starts_with("use ") && line.contains(module);
        assert!(!applier.lines().any(is_used), "the applier uses {module}");
    }
    // The crate that computes the texts is banned from processes and knows nothing that starts one.
    let bans = read("clippy.toml");
    assert!(bans.contains("std::process::Command::new"));
    for banned in ["TcpStream", "TcpListener", "UdpSocket"] {
        assert!(bans.contains(&format!("std::net::{banned}")), "{banned}");
    }
    let sockets = [
        "std::net",
        "std::os::unix::net",
        "TcpStream",
        "UdpSocket",
        "UnixStream",
    ];
    // `prove` asks models over the network, and has a socket to its sandbox.
    for name in crates().into_iter().filter(|name| name != "prove") {
        assert_eq!(
            files_with(&name, &sockets),
            [""; 0],
            "src/{name} uses sockets"
        );
    }
    let locked = read("Cargo.lock");
    for network in [
        "curl",
        "h2",
        "hyper",
        "isahc",
        "mio",
        "native-tls",
        "openssl",
        "quinn",
        "reqwest",
        "socket2",
        "tokio",
    ] {
        assert!(
            !locked.contains(&format!("\nname = \"{network}\"\n")),
            "{network} is a dependency"
        );
    }
    for (name, dependencies) in dependencies() {
        for network in ["rustls", "ureq"] {
            let is_used = dependencies.contains(network);
            assert!(name == "prove" || !is_used, "src/{name} uses {network}");
        }
    }
}

#[test]
fn the_applier_of_actions_knows_only_the_syntax_of_documents() {
    // F-03: the crate knows the names and the syntax of JSON, YAML and TOML, and no rule, schema or phase.
    let dependencies = &dependencies()["document"];
    let ours: Vec<&str> = dependencies
        .iter()
        .filter_map(|it| it.strip_prefix("fixpoint-"))
        .collect();
    assert_eq!(ours, ["edit", "language", "report", "text"]);
    assert!(!dependencies.contains("jsonschema"));
}

#[test]
fn the_edit_model_has_one_definition() {
    // C-69: one message in the schema, and no second public type of the name.
    let schema = read("proto/fixpoint/v1/report.proto");
    assert_eq!(schema.matches("message Edit {").count(), 1);
    for name in crates() {
        let rivals = ["pub struct Edit ", "pub enum Edit ", "pub type Edit "];
        assert_eq!(files_with(&name, &rivals), [""; 0], "src/{name}");
        // C-70 C-71: who decides about conflicts and who splices texts.
        let owners = ["fn relation(", "fn splice<"];
        let is_owner = !files_with(&name, &owners).is_empty();
        assert_eq!(is_owner, name == "edit", "src/{name}");
    }
}

#[test]
fn the_execution_model_describes_every_command_and_links_to_its_companions() {
    // C-02 C-03
    let model = read("docs/execution-model.md");
    let part = |heading: &str| {
        let (_, rest) = model
            .split_once(&format!("\n## {heading}\n"))
            .unwrap_or_else(|| panic!("there is no part {heading:?}"));
        rest.split("\n## ").next().unwrap_or_default()
    };
    assert!(!part("The edit model").trim().is_empty());
    assert!(!part("Who may write").trim().is_empty());
    let rows = part("What each command does").lines();
    let described: BTreeSet<&str> = rows
        .filter_map(|line| line.strip_prefix("| `")?.split('|').next())
        .flat_map(|cell| cell.trim_end_matches([' ', '`']).split("`, `"))
        .collect();
    let help = Project::new(&[]).run(&["--help"]).exits_with(0).stdout;
    let (_, commands) = help.split_once("\nCommands:\n").expect("commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let existing: BTreeSet<&str> = commands
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    assert_eq!(described, existing);
    // The language, the architecture and the toolchain.
    let linked = links(&model);
    for page in ["clank-language.md", "../ARCHITECTURE.md", "bazel.md"] {
        assert!(
            linked.iter().any(|it| it.split('#').next() == Some(page)),
            "the execution model does not link to {page}"
        );
    }
}
