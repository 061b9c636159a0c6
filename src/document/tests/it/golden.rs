//! Golden files for each op on each format: before, actions, after.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fixpoint_document::{ActionPack, Format};

use crate::harness::applied;

const OPS: [&str; 7] = [
    "add_value",
    "insert_array_item",
    "remove_array_item",
    "remove_key",
    "rename_key",
    "replace_array_item",
    "replace_value",
];

#[test]
#[allow(clippy::disallowed_methods, reason = "a test reads its files")]
fn every_op_on_every_format_matches_its_golden_file() {
    // F-37 F-38 F-39 F-40 F-43 F-44 F-70 X-44
    for format in ["jsonc", "yaml", "toml"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/golden")
            .join(format);
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let name = format!("before.{format}");
        let before = read(&name);
        for op in OPS {
            let actions = read(&format!("{op}.actions.yaml"));
            let pack = ActionPack::parse(Format::Yaml, &actions)
                .unwrap_or_else(|error| panic!("{format} {op}: {error}"));
            let made: BTreeSet<&str> = pack.fix_actions[0]
                .ops
                .iter()
                .map(|it| it.change.name())
                .collect();
            assert_eq!(made, BTreeSet::from([op]), "{format}");
            let (mut texts, errors) = applied(&pack, &[(&name, &before)]);
            assert!(errors.is_empty(), "{format} {op}: {errors:?}");
            let after = read(&format!("{op}.after.{format}"));
            assert_eq!(texts.remove(&name), Some(after), "{format} {op}");
        }
    }
}
