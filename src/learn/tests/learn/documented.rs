//! The rules of docs/rule-examples.md do what their examples say.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::fs;
use std::path::Path;

use fixpoint_learn::{CompiledRule, Rule, RuleSet, rewrite};

use crate::support::{NOW, path};

#[test]
fn the_rules_of_the_page_do_what_their_examples_say() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rule-examples.md");
    let page = fs::read_to_string(page).expect("the page");
    let blocks = page.split("```json\n").skip(1);
    let texts: Vec<&str> = blocks.filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(texts.len(), 10);
    for text in texts {
        let rule = Rule::from_json(text, NOW).unwrap_or_else(|error| panic!("{text}: {error}"));
        let compiled =
            CompiledRule::compile(&rule).unwrap_or_else(|error| panic!("{text}: {error}"));
        let rules = RuleSet::new(vec![compiled]);
        let language = path(&rule.target_id);
        assert!(!rule.examples.is_empty(), "{text}");
        for example in &rule.examples {
            let file = example.path.as_deref().unwrap_or(language);
            let outcome = rewrite(file, &example.before, &rules);
            assert_eq!(outcome.text, example.after, "{text} {:?}", outcome.refused);
        }
        for other in &rule.counter_examples {
            assert_eq!(rewrite(language, other, &rules).text, *other, "{text}");
        }
    }
}
