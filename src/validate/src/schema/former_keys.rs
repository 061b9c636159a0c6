//! Reads the extension in which a schema says what replaced its former keys: `{"old": {"rename":
//! "new"}, "older": {"remove": true}}`.

use fixpoint_document::Pointer;
use fixpoint_report::{Safety, parse_word};
use serde_json::Value;

const FORMER_KEYS: &str = "x-fixpoint-former-keys";

/// What replaced a former key.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Former<'s> {
    pub became: Became<'s>,
    pub safety: Safety,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Became<'s> {
    Renamed(&'s str),
    Removed,
}

/// What the object schema `part` says about a former key.
pub(super) fn former_key<'s>(part: &'s Value, key: &str) -> Option<Former<'s>> {
    let former = part.get(FORMER_KEYS)?.get(key)?;
    read(former).ok()
}

/// Checks everything that a schema says about former keys. An error contains the position and the
/// message.
pub(super) fn check_former_keys(schema: &Value) -> Result<(), (String, String)> {
    let mut open = vec![(Pointer::root(), schema)];
    while let Some((at, value)) = open.pop() {
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate();
                open.extend(items.map(|(index, it)| (at.join(index.to_string()), it)));
            }
            Value::Object(members) => {
                if let Some(former) = members.get(FORMER_KEYS) {
                    check_table(former).map_err(|(key, message)| {
                        let at = at.join(FORMER_KEYS);
                        (
                            key.map_or(at.clone(), |key| at.join(key)).to_string(),
                            message,
                        )
                    })?;
                }
                let others = members.iter().filter(|(key, _)| *key != FORMER_KEYS);
                open.extend(others.map(|(key, it)| (at.join(key), it)));
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_table(former: &Value) -> Result<(), (Option<&str>, String)> {
    let Some(keys) = former.as_object() else {
        let message = format!("`{FORMER_KEYS}` must be an object, with a former key as each key");
        return Err((None, message));
    };
    for (key, former) in keys {
        read(former).map_err(|message| (Some(key.as_str()), message))?;
    }
    Ok(())
}

fn read(former: &Value) -> Result<Former<'_>, String> {
    const FORMS: &str = "say `{\"rename\": \"new\"}` or `{\"remove\": true}`";
    let members = former.as_object().ok_or(FORMS)?;
    let known = |key: &&String| !["remove", "rename", "safety"].contains(&key.as_str());
    if let Some(unknown) = members.keys().find(known) {
        return Err(format!("unknown key `{unknown}`; {FORMS}"));
    }
    let became = match (members.get("rename"), members.get("remove")) {
        (Some(Value::String(name)), None) => Became::Renamed(name),
        (None, Some(Value::Bool(true))) => Became::Removed,
        _ => return Err(FORMS.to_owned()),
    };
    let safety = match members.get("safety") {
        None => Safety::LikelyPreserving,
        Some(word) => word
            .as_str()
            .and_then(|word| parse_word(word).ok())
            .filter(|it| *it != Safety::Unspecified)
            .ok_or(
                "`safety` must be behavior_preserving, likely_preserving or behavior_changing",
            )?,
    };
    Ok(Former { became, safety })
}
