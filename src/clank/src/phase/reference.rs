//! The page about the codes.

use std::fmt::Write as _;

use fixpoint_report::{Safety, word};

use super::rules::RULES;

/// `docs/clank-codes.md`.
pub fn reference() -> String {
    let mut page = String::from(
        "# Codes of Clank\n\nThis page is made by `cargo run -p fixpoint-clank --example codes`, and a test compares it. \
         `fixpoint explain E2015`\nprints the same for one code.\n",
    );
    for rule in RULES {
        let safety = match rule.safety {
            Some(safety) => word::<Safety>(safety.into()).unwrap_or_default(),
            None => "no repair".to_owned(),
        };
        let _ = write!(
            page,
            "\n## {}\n\n{}\n\n{}\n\nRepair: {safety}. {}\n",
            rule.name, rule.summary, rule.why, rule.safety_reason
        );
        if let Some(example) = &rule.example {
            let language = example.path.rsplit('.').next().unwrap_or_default();
            let _ = write!(
                page,
                "\n```{language}\n{}```\n\nRepaired:\n\n```{language}\n{}```\n",
                example.before, example.after
            );
        }
    }
    page
}
