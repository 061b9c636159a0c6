//! From a rule to findings.

use std::borrow::Cow;

use super::condition::Violation;
use super::file::PolicyRule;
use crate::found::{Found, Repair};
use crate::subject::{Subject, plain};

/// What a rule has to say about a document. `rule` is the name it has in reports.
pub(crate) fn check(
    rule: &PolicyRule,
    name: Cow<'static, str>,
    subject: &Subject<'_>,
    found: &mut Vec<Found>,
) {
    for (at, node) in rule.at.places(subject.node) {
        if let Some(when) = &rule.when
            && !when.is_valid(&plain(node))
        {
            continue;
        }
        for violation in rule.require.violations(subject, &at, node) {
            found.push(tell(rule, name.clone(), subject, &at, violation));
        }
    }
}

fn tell(
    rule: &PolicyRule,
    name: Cow<'static, str>,
    subject: &Subject<'_>,
    matched: &fixpoint_document::Pointer,
    violation: Violation,
) -> Found {
    let key = violation.pointer.split_last().map(|it| it.1.to_owned());
    let value = subject.node_at(&violation.pointer).map(plain);
    let words = [
        ("{key}", key.unwrap_or_default()),
        ("{value}", value.map(|it| shown(&it)).unwrap_or_default()),
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
    Found {
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

/// A value in a message, a text without quotes.
fn shown(value: &serde_json::Value) -> String {
    let text = crate::found::brief(value);
    match value.as_str() {
        Some(_) => text.trim_matches('"').to_owned(),
        None => text,
    }
}
