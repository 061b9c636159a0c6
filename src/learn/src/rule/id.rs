//! Ids of rules, names that are safe in paths, and confidence from outcomes.

use fixpoint_text::Digest;
use serde_json::{Map, Value, json};

use super::{Matching, Outcomes, Rule};

/// The id of a rule that matches by kind: the SHA-256 of its target, kind and template as canonical JSON.
pub fn compute_rule_id(target_id: &str, node_kind: &str, template: &str) -> String {
    digest(&json!({ "kind": node_kind, "target": target_id, "template": template }))
}

/// The id of any rule. A rule with a structural pattern also hashes the pattern, the guards and the imports.
pub(super) fn of_rule(rule: &Rule) -> String {
    if rule.matching == Matching::Kind {
        return compute_rule_id(&rule.target_id, &rule.node_kind, &rule.template);
    }
    digest(&json!({
        "constraints": rule.constraints,
        "imports": rule.imports,
        "kind": rule.node_kind,
        "pattern": rule.pattern,
        "target": rule.target_id,
        "template": rule.template,
    }))
}

fn digest(value: &Value) -> String {
    Digest::of(canonical(value).as_bytes()).to_string()
}

/// JSON with sorted keys and without white space.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let sorted: std::collections::BTreeMap<&String, &Value> = object.iter().collect();
            let members = sorted
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(list) => {
            let items: Vec<String> = list.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        value => value.to_string(),
    }
}

/// The start of a rule's id, which is what people read and write.
pub fn short_id(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// Whether a target or an id can be the name of a file or folder: 1 to 128 of `a-z`, `0-9`, `_` and `-`.
pub fn is_safe_name(name: &str) -> bool {
    let is_safe = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    (1..=128).contains(&name.len()) && name.bytes().all(is_safe)
}

/// The lower end of the 95 % Wilson interval of the share of good outcomes; 0 without outcomes.
pub fn wilson_lower_bound(outcomes: Outcomes) -> f64 {
    const Z: f64 = 1.96;
    let good = outcomes.applied_ok as f64;
    let count = good + outcomes.rejected as f64;
    if count == 0.0 {
        return 0.0;
    }
    let share = good / count;
    let spread = (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
    let bound = (share + Z * Z / (2.0 * count) - Z * spread) / (1.0 + Z * Z / count);
    bound.clamp(0.0, 1.0)
}

/// The members of an object that a rule file must be.
pub(super) fn object(value: &Value) -> Option<&Map<String, Value>> {
    value.as_object()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_rules_by_kind_are_those_of_the_seed() {
        // B-07 B-26 B-42
        let id = compute_rule_id("js", "Match", "switch x {}");
        assert_eq!(
            id,
            "535f9eaf7ae216181699c84e55adef83d6e9918ceccc6330237fa3fed4a5c9e8"
        );
        assert_ne!(id, compute_rule_id("js", "Match", "switch y {}"));
    }

    #[test]
    fn unsafe_names_are_rejected() {
        // D-07
        for name in ["js", "c-sharp", "x_1", &"a".repeat(128)] {
            assert!(is_safe_name(name), "{name}");
        }
        for name in [
            "",
            "..",
            "../x",
            "a/b",
            "A",
            "a.b",
            "a\0",
            "ä",
            &"a".repeat(129),
        ] {
            assert!(!is_safe_name(name), "{name}");
        }
    }

    #[test]
    fn confidence_is_the_lower_bound_of_the_share_of_good_outcomes() {
        let bound = |applied_ok, rejected| {
            wilson_lower_bound(Outcomes {
                applied_ok,
                rejected,
            })
        };
        assert_eq!(bound(0, 0), 0.0);
        assert_eq!(bound(0, 5), 0.0);
        assert!((bound(1, 0) - 0.2065).abs() < 1e-3);
        assert!((bound(10, 0) - 0.7225).abs() < 1e-3);
        assert!((bound(90, 10) - 0.8256).abs() < 1e-3);
        assert!(bound(u64::MAX, 0) > 0.999);
    }
}
