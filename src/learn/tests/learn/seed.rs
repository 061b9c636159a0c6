//! The tests that the seed has for its rules, on rules that match code.

use fixpoint_engine::Phase as _;
use fixpoint_learn::{
    LearnedPhase, LearnedRules, Pair, Profile, Provenance, Rule, learn_from_pairs,
};
use fixpoint_text::Snapshot;
use serde_json::{Value, json};

use crate::support::{NOW, rule};

const PATH: &str = ".fixpoint/rules/python/one.json";

/// The rules of a project with these files.
fn project(files: &[(&str, &Value)], profile: Profile) -> LearnedRules {
    let texts: Vec<(&str, String)> = files
        .iter()
        .map(|(path, rule)| (*path, rule.to_string()))
        .collect();
    let texts = texts.iter().map(|(path, text)| (*path, Ok(text.as_str())));
    LearnedRules::new(texts, profile)
}

/// The replacements that rules propose in a Python file.
fn proposed(rules: &LearnedRules, text: &str) -> Vec<String> {
    let source = Snapshot::new("a.py", text);
    let found = LearnedPhase::new(rules).run(&source);
    let fixes = found.findings.iter().flat_map(|finding| &finding.proposals);
    let edits = fixes.flat_map(|fix| &fix.edits);
    edits.map(|edit| edit.replacement.clone()).collect()
}

fn pinned(mut rule: Value) -> Value {
    rule["pinned"] = json!(true);
    rule
}

#[test]
fn candidate_lifts_to_extracted_rule() {
    // B-19 B-20 B-21 B-22 B-23 B-41 B-51
    let pair = |name: &str, call: &str| Pair {
        name: name.to_owned(),
        path: "a.py".to_owned(),
        before: format!("import os\n\n{call}\n"),
        after: format!("import os\n\n{}\n", call.replace("getcwdu", "getcwd")),
    };
    let pairs = [
        pair("a", "x = os.getcwdu()"),
        pair("b", "print(os.getcwdu())"),
    ];
    let mut learned = learn_from_pairs(&pairs, &[]);
    let rule = learned.rules.remove(0).created_at(NOW);
    assert_eq!(rule.provenance, Provenance::Extracted);
    assert_eq!(
        (rule.target_id.as_str(), rule.node_kind.as_str()),
        ("python", "MethodCall")
    );
    assert_eq!(
        (rule.pinned, rule.priority, rule.created.as_str()),
        (false, 0, NOW)
    );
    assert!(rule.confidence > 0.0 && rule.confidence < 1.0);
    assert_eq!(rule.clone().with_computed_id().id, rule.id);
}

#[test]
fn lookup_matches_by_node_kind() {
    // B-44
    let rules = project(
        &[(PATH, &rule("python", "f($X)", "g({{ X }})"))],
        Profile::Development,
    );
    assert_eq!(proposed(&rules, "f(1)\n"), ["g"]);
}

#[test]
fn lookup_misses_on_different_kind() {
    // B-45
    let rules = project(
        &[(PATH, &rule("python", "f($X)", "g({{ X }})"))],
        Profile::Development,
    );
    for other in [
        "f[1]\n",
        "'f(1)'\n",
        "# f(1)\n",
        "class f(X): pass\n",
        "def f(X): pass\n",
    ] {
        assert!(proposed(&rules, other).is_empty(), "{other}");
    }
}

#[test]
fn production_mode_ignores_unpinned_rules() {
    // B-24 B-38 B-46
    let unpinned = rule("python", "f($X)", "g({{ X }})");
    let text = "f(1)\n";
    let found = |rule: &Value, profile| proposed(&project(&[(PATH, rule)], profile), text).len();
    assert_eq!(found(&unpinned, Profile::Production), 0);
    assert_eq!(found(&pinned(unpinned.clone()), Profile::Production), 1);
    for profile in [Profile::Sketch, Profile::Development] {
        assert_eq!(found(&unpinned, profile), 1, "{profile:?}");
    }
}

#[test]
fn lookup_misses_on_empty_directory() {
    // B-47
    let rules = project(&[], Profile::Development);
    assert!(!rules.has_rules_for("python") && rules.unusable().is_empty());
    assert!(proposed(&rules, "f(1)\n").is_empty());
}

#[test]
fn priority_breaks_ties() {
    // B-49
    let low = rule("python", "f($X)", "low({{ X }})");
    let mut high = rule("python", "f($X)", "high({{ X }})");
    high["priority"] = json!(7);
    let both = [(PATH, &low), (".fixpoint/rules/python/two.json", &high)];
    for files in [both, [both[1], both[0]]] {
        let rules = project(&files, Profile::Development);
        assert_eq!(proposed(&rules, "f(1)\n"), ["high"]);
    }
}

#[test]
fn the_order_of_rules_does_not_depend_on_the_order_of_their_files() {
    // D-03
    let rules = ["one", "two", "three"].map(|name| {
        let rule = rule("python", "f($X)", &format!("{name}({{{{ X }}}})"));
        Rule::from_json(&rule.to_string(), NOW).expect("a rule")
    });
    let ids = |rules: &[Rule]| {
        let mut rules = rules.to_vec();
        rules.sort_by(Rule::order);
        rules.into_iter().map(|rule| rule.id).collect::<Vec<_>>()
    };
    let mut reversed = rules.to_vec();
    reversed.reverse();
    assert_eq!(ids(&rules), ids(&reversed));
}
