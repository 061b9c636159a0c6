//! One pointer edit in a document of 10 MB beside the parse of the format's own crate, and 1,000 and
//! 10,000 ops in one action. `cargo bench -p fixpoint-document`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark measures time and prints it"
)]

use std::time::{Duration, Instant};

use fixpoint_document::{ActionPack, Format, Sources, lower};
use fixpoint_text::Snapshot;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZE: usize = 10_000_000;

fn main() {
    let formats = [Format::Json, Format::Yaml, Format::Toml];
    for format in formats {
        let (name, text) = document(format);
        let parse = best(|| own_parse(format, &text));
        let edit = best(|| edited(name, &text, &ops(name, 1)));
        println!(
            "{name}: {} MB, parse {parse:.0?}, one pointer edit {edit:.0?}, {:.1} times",
            text.len() / 1_000_000,
            edit.as_secs_f64() / parse.as_secs_f64()
        );
    }
    for format in formats {
        let (name, text) = document(format);
        let few = best(|| edited(name, &text, &ops(name, 1_000)));
        let many = best(|| edited(name, &text, &ops(name, 10_000)));
        println!("{name}: 1,000 ops {few:.0?}, 10,000 ops {many:.0?}");
    }
}

fn best(mut run: impl FnMut()) -> Duration {
    let times = (0..3).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

fn document(format: Format) -> (&'static str, String) {
    let mut text = String::with_capacity(SIZE + 200);
    let mut number = 0;
    if format == Format::Json {
        text.push_str("{\n  \"items\": [\n");
    }
    if format == Format::Yaml {
        text.push_str("items:\n");
    }
    while text.len() < SIZE {
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
    match format {
        Format::Json | Format::Jsonc => {
            text.push_str("\n  ]\n}\n");
            ("f.json", text)
        }
        Format::Yaml => ("f.yaml", text),
        Format::Toml => ("f.toml", text),
    }
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

fn ops(file: &str, count: usize) -> ActionPack {
    let ops: Vec<String> = (0..count)
        .map(|it| {
            format!(
                "{{op: replace_value, file: {file}, json_pointer: /items/{}/size, value: -1}}",
                it * 3 + 7
            )
        })
        .collect();
    let text = format!(
        "{{pack_version: '1', workspace_root: ., fix_actions: [{{id: a, title: t, severity: error, \
         targets: [{{file: {file}, json_pointer: '', rule_id: r}}], ops: [{}]}}]}}",
        ops.join(", ")
    );
    ActionPack::parse(Format::Yaml, &text).unwrap_or_else(|error| panic!("{error}"))
}

fn edited(name: &str, text: &str, pack: &ActionPack) {
    let sources = Sources::read(pack, &mut |_| Ok(Snapshot::new(name, text)));
    let lowered = lower(pack, &sources);
    assert!(lowered.errors.is_empty(), "{:?}", lowered.errors);
}
