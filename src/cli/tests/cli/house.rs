//! Rules for the repository itself: which crate may depend on which, which code may access files, and
//! that links in the documents have targets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::project::Project;

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository")
}

pub fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The dependencies each crate declares for its library, by crate.
pub fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let crates = fs::read_dir(repository().join("src")).expect("src");
    crates
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .map(|name| {
            let manifest = read(&format!("src/{name}/Cargo.toml"));
            let list = manifest
                .split("\n[")
                .find_map(|section| section.strip_prefix("dependencies]\n"))
                .unwrap_or_default()
                .lines()
                .filter(|line| !line.starts_with('#'))
                .filter_map(|line| {
                    line.split(['.', ' ', '='])
                        .next()
                        .filter(|name| !name.is_empty())
                })
                .map(str::to_owned)
                .collect();
            (name, list)
        })
        .collect()
}

/// The crates that each crate may depend on directly, from the table in ARCHITECTURE.md.
fn allowed_dependencies(page: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let rows = page.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `src/")?.split('|').map(str::trim);
        Some((cells.next()?.strip_suffix('`')?, cells.nth(1)?))
    });
    let rows: BTreeMap<&str, &str> = rows.collect();
    let listed = |name: &str| match rows[name] {
        "no internal crates" => BTreeSet::new(),
        "all" => rows.keys().copied().filter(|it| *it != name).collect(),
        names => names.split(", ").collect(),
    };
    let closure = |name: &str| {
        let mut open: Vec<&str> = listed(name).into_iter().collect();
        let mut found = BTreeSet::new();
        while let Some(next) = open.pop() {
            if found.insert(next) {
                open.extend(listed(next));
            }
        }
        found
    };
    rows.keys().map(|name| (*name, closure(name))).collect()
}

#[test]
fn crates_depend_only_downwards() {
    // C-09 C-73
    let page = read("ARCHITECTURE.md");
    let allowed = allowed_dependencies(&page);
    for (name, allowed) in &allowed {
        assert!(!allowed.contains(name), "src/{name} is above itself");
    }
    for (name, dependencies) in dependencies() {
        let allowed = allowed
            .get(name.as_str())
            .unwrap_or_else(|| panic!("ARCHITECTURE.md does not list src/{name}"));
        for ours in dependencies
            .iter()
            .filter_map(|it| it.strip_prefix("fixpoint-"))
        {
            assert!(
                allowed.contains(ours),
                "ARCHITECTURE.md does not allow that src/{name} depends on src/{ours}"
            );
        }
    }
}

#[test]
fn only_the_writer_can_write_and_only_printers_print() {
    // C-11 C-72 C-74 C-75
    let printers = [
        "markup_fmt",
        "oxc_",
        "pulldown-cmark",
        "ruff_",
        "jsonc-parser",
    ];
    let files = ["cap-std", "cap-tempfile", "ignore", "tempfile", "rustix"];
    for (name, dependencies) in dependencies() {
        for dependency in &dependencies {
            let is_printer = printers
                .iter()
                .any(|printer| dependency.starts_with(printer));
            // `document` uses only the tree of a parser that a printer is built on.
            let is_tree = name == "document" && dependency == "jsonc-parser";
            // JavaScript expressions in a Clank program are only parsed, and rules only read trees.
            let is_parser = ["clank", "learn"].contains(&name.as_str())
                && (dependency.starts_with("oxc_")
                    || dependency == "ruff_python_ast"
                    || dependency == "ruff_python_parser"
                    || dependency == "ruff_text_size");
            assert!(
                name == "format" || is_tree || is_parser || !is_printer,
                "src/{name} depends on the printer {dependency}"
            );
            let is_file_access = files.contains(&dependency.as_str());
            // `prove` has scratch copies, artifacts and a sandbox, and never writes source files.
            let is_scratch =
                name == "prove" && ["rustix", "tempfile"].contains(&dependency.as_str());
            assert!(
                name == "workspace" || is_scratch || !is_file_access,
                "src/{name} depends on {dependency}"
            );
        }
    }
}

#[test]
fn computing_crates_are_banned_from_files_clocks_and_environment() {
    // C-11 F-52: clippy enforces the bans; this checks that nobody has lifted them.
    let bans = read("clippy.toml");
    for banned in [
        "std::fs::read",
        "std::fs::write",
        "std::env::var",
        "std::time::SystemTime::now",
        "std::process::Command::new",
    ] {
        assert!(bans.contains(banned), "{banned} is not banned");
    }
    let mut exempt = BTreeSet::new();
    for name in dependencies().into_keys() {
        let roots =
            ["lib.rs", "main.rs"].map(|file| repository().join(format!("src/{name}/src/{file}")));
        let text: String = roots
            .iter()
            .filter_map(|path| fs::read_to_string(path).ok())
            .collect();
        if text.contains("clippy::disallowed_methods") {
            exempt.insert(name);
        }
    }
    // `prove` runs commands in scratch copies and writes artifacts, but never source files.
    let expected = ["cli", "prove", "workspace"].map(str::to_owned);
    assert_eq!(exempt, BTreeSet::from(expected));
}

/// The Markdown files of the repository's own documentation.
fn documents() -> Vec<String> {
    let mut documents = vec![
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ]
    .into_iter()
    .map(str::to_owned)
    .collect::<Vec<_>>();
    let docs = fs::read_dir(repository().join("docs")).expect("docs");
    documents.extend(docs.map(|entry| {
        format!(
            "docs/{}",
            entry.expect("an entry").file_name().to_string_lossy()
        )
    }));
    documents.retain(|path| path.ends_with(".md"));
    documents
}

#[test]
fn links_in_the_documents_have_targets() {
    // F-09
    let linked: BTreeSet<String> = documents().iter().flat_map(|it| links(&read(it))).collect();
    // Diagnostics, changesets, regression snapshots, workspace layout.
    for page in [
        "report.md",
        "bridge.md",
        "documents.md",
        "regression-snapshots.md",
        "validate.md",
    ] {
        assert!(
            linked
                .iter()
                .any(|it| it.split('#').next().is_some_and(|it| it.ends_with(page))),
            "nothing links to {page}"
        );
    }
    for document in documents() {
        let text = read(&document);
        let folder = repository()
            .join(&document)
            .parent()
            .expect("a folder")
            .to_path_buf();
        for target in links(&text) {
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            if file.contains("://") {
                continue;
            }
            let path = if file.is_empty() {
                repository().join(&document)
            } else {
                folder.join(file)
            };
            assert!(
                path.exists(),
                "{document} links to {target}, which does not exist"
            );
            if !heading.is_empty() {
                let page = fs::read_to_string(&path).expect("a page");
                assert!(
                    headings(&page).contains(heading),
                    "{document} links to {target}, and there is no such heading"
                );
            }
        }
    }
}

/// The link targets of a page, except in code blocks.
pub fn links(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2);
    let targets = prose.flat_map(|it| it.split("](").skip(1));
    let targets = targets.filter_map(|rest| rest.split(')').next());
    targets.map(str::to_owned).collect()
}

/// The headings of a page, as links name them.
fn headings(page: &str) -> BTreeSet<String> {
    let titles = page.lines().filter(|it| it.starts_with('#'));
    let names = titles.map(|it| it.trim_start_matches('#').trim().to_lowercase());
    names
        .map(|it| {
            let kept = it
                .chars()
                .filter(|it| it.is_alphanumeric() || " -_".contains(*it));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn the_execution_model_and_the_help_agree_on_what_commands_write() {
    // C-04 C-81
    let project = Project::new(&[]);
    let page = read("docs/execution-model.md");
    let (_, section) = page
        .split_once("## What each command does")
        .expect("the section");
    let table = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 2, "{section}");
    for row in &rows[2..] {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let said = match cells[3] {
            "source files" => "write the changed source files",
            "reports, when asked" | "artifacts" => "change no source file",
            "outputs, when asked" => "write files with `--output`",
            "outputs" => "into a folder",
            "rules; with `apply`, source files" => "only `rules apply` changes source files",
            "nothing" => "write nothing",
            other => panic!("what does {other:?} mean?"),
        };
        for command in cells[1].split('`').skip(1).step_by(2) {
            let help = project.run(&[command, "--help"]).exits_with(0).stdout;
            let summary = help.split("\n\n").next().unwrap_or_default();
            let summary: Vec<&str> = summary.split_whitespace().collect();
            let summary = summary.join(" ");
            assert!(summary.ends_with(said), "{command}: {summary}");
        }
    }
}

#[test]
fn the_execution_model_names_every_order() {
    // C-34 X-04 X-42
    let code = read("src/report/src/orders.rs");
    let functions = code.split("\npub fn ").skip(1);
    let names = functions.filter_map(|rest| rest.split('(').next());
    let in_code: BTreeSet<&str> = names.filter(|name| name.ends_with("_order")).collect();
    let page = read("docs/execution-model.md");
    let words = page.split('`').skip(1).step_by(2);
    let on_page: BTreeSet<&str> = words.filter(|word| word.ends_with("_order")).collect();
    assert_eq!(on_page, in_code);
}

pub fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                walk(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
