//! Applies a rule to a document.

use std::borrow::Cow;
use std::collections::BTreeSet;

use fixpoint_document::{Node, Pointer};

use super::condition::Violation;
use super::file::PolicyRule;
use crate::finding::{Repair, ValidationFinding, shown};
use crate::schema::too_much_work;
use crate::subject::{Subject, plain};

/// Adds the findings of a rule to `found`. `name` is the rule's name in reports.
pub(crate) fn check(
    rule: &PolicyRule,
    name: Cow<'static, str>,
    subject: &Subject<'_>,
    found: &mut Vec<ValidationFinding>,
) {
    let mut seen = BTreeSet::new();
    let places = rule.at.iter().flat_map(|it| it.places(subject.node));
    for (at, node) in places {
        if rule.at.len() > 1 && !seen.insert(at.clone()) {
            continue;
        }
        if rule.takes_too_much_work(node) {
            found.push(too_much_work(&format!("the rule `{name}` is not checked")));
            return;
        }
        if let Some(when) = &rule.when
            && when.is_valid(&plain(node)) == Some(false)
        {
            continue;
        }
        for violation in rule.require.violations(subject, &at, node) {
            found.push(report_violation(
                rule,
                name.clone(),
                subject,
                &at,
                violation,
            ));
        }
    }
}

fn report_violation(
    rule: &PolicyRule,
    name: Cow<'static, str>,
    subject: &Subject<'_>,
    matched: &Pointer,
    violation: Violation,
) -> ValidationFinding {
    let key = violation.pointer.split_last().map(|it| it.1.to_owned());
    let value = subject.node_at(&violation.pointer);
    let words = [
        ("{key}", key.unwrap_or_default()),
        ("{value}", value.map(without_quotes).unwrap_or_default()),
        ("{wanted}", violation.wanted.clone()),
    ];
    let fill = |template: &str| {
        let fill = |text: String, (name, word): &(&str, String)| text.replace(name, word);
        words.iter().fold(template.to_owned(), fill)
    };
    let repair = rule.fix.as_ref().and_then(|fix| {
        let (title, ops) = match violation.edit {
            Some(edit) => (edit.title, edit.ops),
            None => {
                let ops = fix.ops_at(subject, matched, &words[1].1);
                (String::new(), ops)
            }
        };
        let title = fix.title.as_deref().map_or(title, fill);
        (!ops.is_empty()).then(|| Repair {
            title: match title.is_empty() {
                true => "Do what the rule says".to_owned(),
                false => title,
            },
            safety: fix.safety,
            confidence: fix.confidence,
            ops,
            reason: Cow::Owned(fix.reason.clone()),
        })
    });
    ValidationFinding {
        rule: name,
        tier: rule.tier,
        severity: rule.severity,
        message: fill(&rule.message),
        pointer: violation.pointer,
        marks: violation.marks,
        hint: None,
        repair,
    }
}

/// Formats a value for a message, a string without quotes.
fn without_quotes(node: Node<'_>) -> String {
    let text = shown(node);
    match node.as_str() {
        Some(_) => text.trim_matches('"').to_owned(),
        None => text,
    }
}
