//! Tests of `fixpoint rules`: from a change made by hand to a pinned rule.

use crate::project::Project;

/// A rule as a person writes it.
const SHORT: &str = r#"{
  "language": "python",
  "pattern": "requests.get($URL)",
  "template": "requests.get({{ URL }}, timeout=10)",
  "message": "Requests need a time limit",
  "constraints": [{ "import": { "name": "requests.get", "module": "requests", "symbol": "get" } }],
  "examples": [
    {
      "before": "import requests\n\nrequests.get(\"a\")\n",
      "after": "import requests\n\nrequests.get(\"a\", timeout=10)\n"
    }
  ],
  "counter_examples": ["requests = Client()\n\nrequests.get(\"a\")\n"]
}
"#;

/// Files in which the rule applies, does not apply because of its guard, and does not match.
const SOURCES: &[(&str, &str)] = &[
    ("rule.json", SHORT),
    (
        "a.py",
        "import requests\n\nrequests.get(url)  # why\nx={}\n",
    ),
    ("shadowed.py", "requests = Client()\nrequests.get(url)\n"),
    (
        "other.py",
        "import requests\n\nrequests.get(url, timeout=1)\n",
    ),
];

fn id_of_rule(project: &Project) -> String {
    let listed = project
        .run(&["rules", "list", "--format=json"])
        .exits_with(0)
        .stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    listed[0]["id"].as_str().expect("an id").to_owned()
}

fn with_rule() -> (Project, String) {
    let project = Project::new(SOURCES);
    project
        .run(&["rules", "import", "rule.json"])
        .exits_with(0)
        .prints("Imported 1 rule");
    let id = id_of_rule(&project);
    (project, id)
}

#[test]
fn a_rule_applies_where_its_guard_holds_and_changes_nothing_else() {
    let (project, _) = with_rule();
    let before = project.tree();
    project
        .run(&["rules", "try"])
        .exits_with(0)
        .prints("+requests.get(url, timeout=10)  # why\n");
    assert_eq!(project.tree(), before);

    project
        .run(&["rules", "apply", "."])
        .exits_with(0)
        .prints("Fixed a.py (1 place)");
    let after = "import requests\n\nrequests.get(url, timeout=10)  # why\nx={}\n";
    assert_eq!(project.read("a.py"), after);
    assert_eq!(project.read("shadowed.py"), SOURCES[2].1);
    assert_eq!(project.read("other.py"), SOURCES[3].1);
    project
        .run(&["rules", "apply", "."])
        .exits_with(0)
        .prints("Fixed 0 places");
}

#[test]
fn why_names_the_guard_that_fails() {
    let (project, id) = with_rule();
    project
        .run(&["rules", "why", "a.py:3"])
        .exits_with(0)
        .prints("applies");
    project
        .run(&["rules", "why", "other.py:3"])
        .exits_with(0)
        .prints("no pattern matches at other.py:3");
    project
        .run(&["rules", "test"])
        .exits_with(0)
        .prints("2 passed, 0 failed");
    project
        .run(&["rules", "show", &id[..8]])
        .exits_with(0)
        .prints("- requests.get($URL)\n+ requests.get({{ URL }}, timeout=10)\n");
}

#[test]
fn rules_are_pinned_unpinned_exported_and_removed() {
    // B-04
    let (project, id) = with_rule();
    project
        .run(&["rules", "list"])
        .exits_with(0)
        .prints("1 rule, 0 pinned");
    project
        .run(&["rules", "pin", &id[..6]])
        .exits_with(0)
        .prints("Pinned");
    project
        .run(&["rules", "import", "rule.json"])
        .exits_with(0)
        .prints("Known");
    project
        .run(&["rules", "list"])
        .exits_with(0)
        .prints("1 rule, 1 pinned");
    project
        .run(&["rules", "export", "-o", "pack.json"])
        .exits_with(0)
        .prints("Wrote 1 rule to pack.json");
    project.run(&["rules", "unpin", &id]).exits_with(0);
    project.run(&["rules", "remove", &id]).exits_with(0);
    project
        .run(&["rules", "list"])
        .exits_with(0)
        .prints("0 rules, 0 pinned");

    project.run(&["rules", "import", "pack.json"]).exits_with(0);
    project
        .run(&["rules", "list"])
        .exits_with(0)
        .prints("1 rule, 0 pinned");
    let wrong = "0".repeat(64);
    project
        .run(&["rules", "import", "pack.json", "--pin", &wrong])
        .exits_with(2)
        .complains("nothing was imported");
}

#[test]
fn the_digest_of_a_pack_pins_rules_that_were_imported_before() {
    let (project, id) = with_rule();
    let exported = project.run(&["rules", "export", "-o", "pack.json"]);
    let exported = exported.exits_with(0).stdout;
    let digest = exported.trim().rsplit(' ').next().expect("a digest");
    project
        .run(&["rules", "import", "pack.json", "--pin", digest])
        .exits_with(0)
        .prints(&format!("Pinned {}", &id[..8]));
    project
        .run(&["rules", "list"])
        .exits_with(0)
        .prints("1 rule, 1 pinned");
}

#[test]
fn rules_of_the_other_form_are_imported_as_they_are() {
    let rule = "{\n  \"id\": \"535f9eaf7ae216181699c84e55adef83d6e9918ceccc6330237fa3fed4a5c9e8\",\n  \
        \"target_id\": \"js\",\n  \"node_kind\": \"Match\",\n  \"pattern\": \"a match\",\n  \
        \"template\": \"switch x {}\",\n  \"provenance\": \"extracted\",\n  \"pinned\": true,\n  \
        \"confidence\": 0.88,\n  \"priority\": 10,\n  \"created\": \"2026-01-01T00:00:00Z\"\n}\n";
    let name = "js/535f9eaf7ae216181699c84e55adef83d6e9918ceccc6330237fa3fed4a5c9e8.json";
    let project = Project::new(&[(&format!(".bock/rules/{name}"), rule)]);
    project
        .run(&["rules", "import", ".bock/rules"])
        .exits_with(0)
        .prints("cannot be applied");
    assert_eq!(project.read(&format!(".fixpoint/rules/{name}")), rule);
}

#[test]
fn pairs_teach_a_rule_that_fixes_other_files() {
    let project = Project::new(&[
        ("pairs/a.before.py", "import os\n\nx = os.getcwdu()\n"),
        ("pairs/a.after.py", "import os\n\nx = os.getcwd()\n"),
        (
            "pairs/b.before.py",
            "import os\n\n\ndef f():\n    return [os.getcwdu(), 1]\n",
        ),
        (
            "pairs/b.after.py",
            "import os\n\n\ndef f():\n    return [os.getcwd(), 1]\n",
        ),
        ("pairs/c.before.py", "import os\n\nprint(os.getcwdu())\n"),
        ("pairs/c.after.py", "import os\n\nprint(os.getcwd())\n"),
        (
            "negatives/n.py",
            "import notos as os\n\nprint(os.getcwdu())\n",
        ),
        (
            "src/missed.py",
            "import os as system\n\nassert system.getcwdu()\n",
        ),
        (
            "src/other.py",
            "from other import os\n\nassert os.getcwdu()\n",
        ),
    ]);
    let learn = [
        "rules",
        "learn",
        "--from-pairs",
        "pairs",
        "--negatives",
        "negatives",
        "--output",
        "learned",
    ];
    project.run(&learn).exits_with(0).prints("Learned 1 rule");
    project.run(&learn).exits_with(0).prints("Learned 0 rules");
    project
        .run(&["rules", "test", "--rules", "learned"])
        .exits_with(0)
        .prints("3 passed, 0 failed");
    project
        .run(&["rules", "apply", "--rules", "learned", "src"])
        .exits_with(0);
    assert_eq!(
        project.read("src/missed.py"),
        "import os as system\n\nassert system.getcwd()\n"
    );
    assert_eq!(
        project.read("src/other.py"),
        "from other import os\n\nassert os.getcwdu()\n"
    );
}

#[test]
fn a_commit_teaches_a_rule_that_finds_what_it_missed() {
    let before = |argument: &str| format!("import os\n\nx = os.getcwdu({argument})\n");
    let project = Project::new(&[
        ("a.py", &before("")),
        (
            "b.py",
            &before("").replace("x =", "print(").replace("()", "())"),
        ),
        ("c.py", &before("").replace("x = ", "assert ")),
        ("missed.py", &before("").replace("x = ", "y += ")),
    ]);
    let git = |arguments: &[&str]| {
        project.git(arguments);
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "before"]);
    for file in ["a.py", "b.py", "c.py"] {
        let text = project.read(file).replace("getcwdu", "getcwd");
        std::fs::write(project.root().join(file), text).expect("written");
    }
    git(&["commit", "-q", "-a", "-m", "after"]);

    let learn = ["rules", "learn", "--from", "HEAD~1..HEAD", "--output"];
    project
        .run(&[&learn[..], &["strict"]].concat())
        .prints("without a rule");
    let missed = project.read("missed.py");
    if project.root().join("strict").exists() {
        project
            .run(&["rules", "apply", "--rules", "strict", "."])
            .exits_with(0);
    }
    assert_eq!(project.read("missed.py"), missed);

    let allowed = [&learn[..], &["wide", "--allow-unchanged"]].concat();
    project.run(&allowed).exits_with(0).prints("Learned 1 rule");
    project
        .run(&["rules", "apply", "--rules", "wide", "."])
        .exits_with(0);
    assert_eq!(
        project.read("missed.py"),
        missed.replace("getcwdu", "getcwd")
    );
}

#[test]
fn mistakes_in_rules_and_options_are_named() {
    // D-08
    let project = Project::new(&[
        (".fixpoint/rules/python/broken.json", "{"),
        (
            "slot.json",
            r#"{"language": "python", "pattern": "f($A)", "template": "g({{ B }})"}"#,
        ),
        (
            "bad.json",
            r#"{"language": "python", "pattern": "f($A", "template": "g({{ A }})"}"#,
        ),
        (
            "all.json",
            r#"{"language": "python", "pattern": "$A", "template": "g({{ A }})"}"#,
        ),
        ("a.py", "f(1)\n"),
    ]);
    let listed = project.run(&["rules", "list"]).exits_with(0);
    listed.complains("broken.json").prints("0 rules");
    project
        .run(&["rules", "import", "slot.json"])
        .exits_with(0)
        .prints("the pattern has no $B");
    project
        .run(&["rules", "apply", "a.py"])
        .exits_with(2)
        .complains("there is no rule to apply");
    for file in ["bad.json", "all.json", "missing.json"] {
        project.run(&["rules", "import", file]).exits_with(3);
    }
    project
        .run(&["rules", "show", "abc"])
        .exits_with(2)
        .complains("there is no rule abc");
    project.run(&["rules", "learn"]).exits_with(2);
    project
        .run(&["rules", "learn", "--from", "HEAD"])
        .exits_with(2)
        .complains("HEAD~1..HEAD");
    project
        .run(&["rules", "try", "--rules", "nowhere"])
        .exits_with(2)
        .complains("no such folder");
    project.run(&["rules", "why", "a.py"]).exits_with(2);
    assert_eq!(project.read("a.py"), "f(1)\n");
}

/// The commands of the page, in order, with the id of the only rule.
fn commands_of_page(section: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/learned-rules.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let section = page.split(section).nth(1).expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let blocks = section.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines());
    lines.map(str::to_owned).collect()
}

#[test]
fn the_page_leads_from_a_commit_to_strict_mode() {
    let view = |name: &str| {
        format!(
            "from app.users import get_user\n\n\ndef {name}(request):\n    return get_user(request.{name})\n"
        )
    };
    let users = "def get_user(key):\n    return key\n";
    let project = Project::new(&[
        ("app/users.py", users),
        ("app/a.py", &view("a")),
        ("app/b.py", &view("b")),
        ("app/c.py", &view("c")),
        ("app/missed.py", &view("missed")),
    ]);
    project.git(&["init", "-q"]);
    project.git(&["add", "-A"]);
    project.git(&["commit", "-q", "-m", "before"]);
    for file in ["app/users.py", "app/a.py", "app/b.py", "app/c.py"] {
        let text = project.read(file).replace("get_user", "fetch_user");
        project.write(file, text);
    }
    project.git(&["commit", "-q", "-a", "-m", "after"]);

    for command in commands_of_page("## From a commit to a rule in CI") {
        let words: Vec<&str> = command.split(' ').collect();
        if words[0] == "git" {
            let message = command.split('"').nth(1);
            let words = words.iter().take_while(|word| !word.starts_with('"'));
            let words: Vec<&str> = words.copied().skip(1).chain(message).collect();
            project.git(&words);
            continue;
        }
        let id = command.contains("ID").then(|| id_of_rule(&project));
        let words = words.iter().skip(1).map(|word| match (*word, &id) {
            ("ID", Some(id)) => id.as_str(),
            (word, _) => word,
        });
        project.run(&words.collect::<Vec<_>>()).exits_with(0);
    }
    let missed = view("missed").replace("get_user", "fetch_user");
    assert_eq!(project.read("app/missed.py"), missed);

    project.write("app/late.py", view("late"));
    project
        .run(&["check", "--strict", "."])
        .exits_with(1)
        .prints("app/late.py");
    project.run(&["fix", "."]).exits_with(0);
    let late = view("late").replace("get_user", "fetch_user");
    assert_eq!(project.read("app/late.py"), late);
}
