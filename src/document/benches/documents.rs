//! Measures one pointer edit in a 10 MB document against the parse time of the format's own crate.
//! Also measures the cost per op in actions with 1,000 and 10,000 ops. Prints one JSON line per
//! case, which `benches/validate` reads.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark measures time and prints it"
)]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use fixpoint_document::{ActionPack, Format, Sources, lower};
use fixpoint_text::Snapshot;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FORMATS: [Format; 3] = [Format::Json, Format::Yaml, Format::Toml];
const SIZE: usize = 10_000_000;
/// Items of the document for each op of a long action.
const ITEMS_PER_OP: usize = 3;

const OPS: [(&str, &str); 7] = [
    ("replace_value", "json_pointer: /items/9/size, value: -1"),
    ("add_value", "json_pointer: /items/9, key: new, value: [1]"),
    ("remove_key", "json_pointer: /items/9, key: size"),
    ("rename_key", "json_pointer: /items/9, from: size, to: sum"),
    (
        "insert_array_item",
        "json_pointer: /items/9/tags, index: 1, value: c",
    ),
    (
        "replace_array_item",
        "json_pointer: /items, index: 9, value: {name: other}",
    ),
    ("remove_array_item", "json_pointer: /items, index: 9"),
];

fn main() {
    for format in FORMATS {
        let text = document(format, |_, length| length < SIZE);
        let parse = best(|| own_parse(format, &text));
        for (op, fields) in OPS {
            let pack = pack(format, &[format!("op: {op}, {fields}")]);
            let edit = best(|| edited(format, &text, &pack));
            println!(
                r#"{{"case":"one_edit","format":"{}","op":"{op}","parse_ms":{:.1},"edit_ms":{:.1}}}"#,
                format.name(),
                milliseconds(parse),
                milliseconds(edit)
            );
        }
    }
    for format in FORMATS {
        for count in [1_000, 10_000] {
            let text = document(format, |items, _| items < count * ITEMS_PER_OP);
            let ops: Vec<String> = (0..count).map(nth_replacement).collect();
            let pack = pack(format, &ops);
            let all = best(|| edited(format, &text, &pack));
            println!(
                r#"{{"case":"many_ops","format":"{}","ops":{count},"us_per_op":{:.2}}}"#,
                format.name(),
                1e3 * milliseconds(all) / count as f64
            );
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

fn best(mut run: impl FnMut()) -> Duration {
    let times = (0..3).map(|_| {
        let start = processor_time();
        run();
        processor_time() - start
    });
    times.min().unwrap_or_default()
}

/// The CPU time of this thread, which does not depend on the load of the machine. Falls back to
/// wall-clock time if the system does not report it.
fn processor_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let computed = || {
        let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let nanoseconds = statistics.split_whitespace().next()?;
        nanoseconds.parse().ok().map(Duration::from_nanos)
    };
    computed().unwrap_or_else(|| START.elapsed())
}

/// A document with items for as long as `wants_more` returns true for their number and the text
/// length.
fn document(format: Format, wants_more: impl Fn(usize, usize) -> bool) -> String {
    let mut text = match format {
        Format::Json | Format::Jsonc => "{\n  \"items\": [\n",
        Format::Yaml => "items:\n",
        Format::Toml => "",
    }
    .to_owned();
    let mut number = 0;
    while wants_more(number, text.len()) {
        let item = match format {
            Format::Json | Format::Jsonc => format!(
                "{}    {{\"name\": \"item {number}\", \"size\": {number}, \"tags\": [\"a\", \"b\"], \"on\": true}}",
                if number > 0 { ",\n" } else { "" }
            ),
            Format::Yaml => format!(
                "  - name: item {number} # remark\n    size: {number}\n    tags: [a, b]\n    on: true\n"
            ),
            Format::Toml => format!(
                "[[items]] # remark\nname = \"item {number}\"\nsize = {number}\ntags = [\"a\", \"b\"]\non = true\n\n"
            ),
        };
        text.push_str(&item);
        number += 1;
    }
    if format == Format::Json {
        text.push_str("\n  ]\n}\n");
    }
    text
}

fn own_parse(format: Format, text: &str) {
    match format {
        Format::Json | Format::Jsonc => {
            let parsed = jsonc_parser::parse_to_ast(text, &Default::default(), &Default::default());
            assert!(parsed.is_ok());
        }
        Format::Yaml => {
            let events = saphyr_parser::Parser::new_from_str(text).filter(Result::is_ok);
            assert!(events.count() > 0);
        }
        Format::Toml => assert!(toml_edit::Document::parse(text).is_ok()),
    }
}

fn nth_replacement(number: usize) -> String {
    let item = number * ITEMS_PER_OP;
    format!("op: replace_value, json_pointer: /items/{item}/size, value: -1")
}

/// A pack with one action of these ops.
fn pack(format: Format, ops: &[String]) -> ActionPack {
    let file = format!("f.{}", format.name());
    let ops: Vec<String> = ops
        .iter()
        .map(|op| format!("{{file: {file}, {op}}}"))
        .collect();
    let text = format!(
        "{{pack_version: '1', workspace_root: ., fix_actions: [{{id: a, title: t, severity: error, \
         targets: [{{file: {file}, json_pointer: '', rule_id: r}}], ops: [{}]}}]}}",
        ops.join(", ")
    );
    ActionPack::parse(Format::Yaml, &text).unwrap_or_else(|error| panic!("{error}"))
}

fn edited(format: Format, text: &str, pack: &ActionPack) {
    let name = format!("f.{}", format.name());
    let sources = Sources::read(pack, &mut |_| Ok(Snapshot::new(name.as_str(), text)));
    let lowered = lower(pack, &sources);
    assert!(lowered.errors.is_empty(), "{:?}", lowered.errors);
}
