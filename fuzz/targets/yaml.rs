//! Any text as YAML: checks the properties of `src/format`, and that libyaml reads the same values
//! before and after.

#![no_main]

mod panic_hook;
#[path = "../../src/format/tests/common/properties.rs"]
mod properties;

use fixpoint_engine::Config;
use libfuzzer_sys::fuzz_target;
use serde::Deserialize as _;
use serde_yaml_ng::{Deserializer, Value};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    panic_hook::allow_caught_panics();
    let Some(canonical) = properties::hold("a.yaml", text, &Config::default()) else {
        return;
    };
    if let Some(before) = values(text) {
        assert_eq!(Some(before), values(&canonical), "{canonical}");
    }
});

/// The documents as libyaml reads them, as text because NaN does not equal itself.
fn values(text: &str) -> Option<String> {
    // A byte order mark is not content. But this parser sets an encoding, and then libyaml counts the mark as
    // a column: the first line is indented by one more than the others.
    let text = text.trim_start_matches('\u{feff}');
    let documents = Deserializer::from_str(text).map(Value::deserialize);
    let values: Vec<Value> = documents.collect::<Result<_, _>>().ok()?;
    Some(format!("{values:?}"))
}
