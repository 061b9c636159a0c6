//! Any bytes as a report: reading and planning never panic, and a report survives being written and
//! read again.

#![no_main]

use fixpoint_edit::plan;
use fixpoint_engine::Policy;
use fixpoint_report::{from_json, from_protobuf, read, to_json, to_protobuf};
use fixpoint_text::Snapshot;
use libfuzzer_sys::fuzz_target;

const BASE: &str = "{\"a\":1,\n \"b\": [ 2 ]}\n";

fuzz_target!(|data: &[u8]| {
    let Ok(report) = read(data) else {
        return;
    };
    let protobuf = from_protobuf(&to_protobuf(&report)).expect("protobuf is read back");
    assert_eq!(protobuf, report);
    let json = to_json(&report).expect("a report has a JSON form");
    let json = from_json(json.as_bytes()).expect("JSON is read back");
    assert_eq!(json, report);
    let base = Snapshot::new(report.path(), BASE);
    let _ = plan(&[(report, base)], &|fix| Policy::default().admits(fix));
});
