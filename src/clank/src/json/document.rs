//! Writes report types in the JSON form of results: enum values as words, and no empty lists.

use fixpoint_report::{Compatibility, Confidence, Kind, Safety, Severity, Targets, word};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

pub(crate) fn confidence<S: Serializer>(value: &Confidence, to: S) -> Result<S::Ok, S::Error> {
    word::<Confidence>((*value).into()).serialize(to)
}

pub(crate) fn safety<S: Serializer>(value: &Safety, to: S) -> Result<S::Ok, S::Error> {
    word::<Safety>((*value).into()).serialize(to)
}

pub(crate) fn kind<S: Serializer>(value: &Kind, to: S) -> Result<S::Ok, S::Error> {
    word::<Kind>((*value).into()).serialize(to)
}

pub(crate) fn severity<S: Serializer>(value: &Severity, to: S) -> Result<S::Ok, S::Error> {
    word::<Severity>((*value).into()).serialize(to)
}

/// The ids of diagnostics are in the expected delta, and not repeated here.
pub(crate) fn targets<S: Serializer>(targets: &Targets, to: S) -> Result<S::Ok, S::Error> {
    let lists = [
        ("node_ids", &targets.node_ids),
        ("diagnostic_codes", &targets.diagnostic_codes),
        ("obligation_ids", &targets.obligation_ids),
        ("hole_ids", &targets.hole_ids),
    ];
    without_empty(&lists, None, to)
}

pub(crate) fn compatibility<S: Serializer>(
    compatibility: &Compatibility,
    to: S,
) -> Result<S::Ok, S::Error> {
    let lists = [
        ("conflicts_with", &compatibility.conflicts_with),
        ("requires", &compatibility.requires),
    ];
    without_empty(&lists, compatibility.batch_key.as_ref(), to)
}

pub(crate) fn is_empty(compatibility: &Compatibility) -> bool {
    *compatibility == Compatibility::default()
}

fn without_empty<S: Serializer>(
    lists: &[(&str, &Vec<String>)],
    batch_key: Option<&String>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    for (name, list) in lists.iter().filter(|it| !it.1.is_empty()) {
        map.serialize_entry(name, list)?;
    }
    if let Some(key) = batch_key {
        map.serialize_entry("batch_key", key)?;
    }
    map.end()
}
