//! Each error reason, with what was expected and found.

use fixpoint_document::{ApplyError, Format, Problem, Sources, lower};
use fixpoint_text::Snapshot;

use crate::harness::{action, applied, edited, ops, pack};

#[track_caller]
fn refused(format: Format, text: &str, list: &str) -> ApplyError {
    match edited(format, text, ops(format, list)) {
        Ok(after) => panic!("applied:\n{after}"),
        Err(error) => *error,
    }
}

#[track_caller]
fn check(format: Format, text: &str, list: &str, reason: &str) {
    let error = refused(format, text, list);
    assert_eq!(error.problem.reason.name(), reason, "{error}\n{list}");
}

/// An array of arrays, nested `depth` deep.
fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[test]
fn a_removed_alias_does_not_block_later_ops() {
    let text = "base: &base {x: 1}\nuse: *base\nlist: [*base]\n";
    let free = "{op: remove_key, at: '', key: use}, {op: remove_array_item, at: /list, index: 0}";
    for (more, after) in [
        (
            "{op: replace_value, at: /base/x, value: 2}",
            "base: &base {x: 2}\nlist: []\n",
        ),
        (
            "{op: add_value, at: /base, key: z, value: 2}",
            "base: &base {x: 1, z: 2}\nlist: []\n",
        ),
        ("{op: remove_key, at: '', key: base}", "list: []\n"),
        (
            "{op: replace_value, at: /base, value: 2}",
            "base: 2\nlist: []\n",
        ),
    ] {
        let list = format!("{free}, {more}");
        let made = edited(Format::Yaml, text, ops(Format::Yaml, &list));
        assert_eq!(made.as_deref(), Ok(after), "{list}");
        // Removing one of two aliases is not enough, nor is removing one afterwards.
        let one = format!("{{op: remove_key, at: '', key: use}}, {more}");
        check(Format::Yaml, text, &one, "shared_by_alias");
        let late = format!("{more}, {free}");
        check(Format::Yaml, text, &late, "shared_by_alias");
    }
    // An alias is also gone if a container around it is removed or if it is replaced.
    for free in [
        "{op: remove_key, at: '', key: use}, {op: replace_value, at: /list, value: 0}",
        "{op: replace_value, at: /use, value: 0}, {op: replace_array_item, at: /list, index: 0, value: 0}",
    ] {
        let list = format!("{free}, {{op: replace_value, at: /base/x, value: 2}}");
        assert!(edited(Format::Yaml, text, ops(Format::Yaml, &list)).is_ok());
    }
}

#[test]
fn too_deep_files_and_values_are_reported() {
    let deep = nested(10_000);
    for (format, text) in [
        (Format::Json, deep.clone()),
        (Format::Yaml, deep.clone()),
        (Format::Yaml, "- ".repeat(10_000)),
        (Format::Toml, format!("a = {deep}")),
    ] {
        let list = "{op: replace_value, at: /a, value: 1}";
        check(format, &text, list, "too_deep");
    }
    for (format, text, most) in [
        (Format::Json, "{\"a\": 1}", 511),
        (Format::Yaml, "{a: 1}", 254),
        (Format::Toml, "a = 1", 79),
        (Format::Toml, "[t]\na = 1", 79),
    ] {
        let at = if text.starts_with("[t]") { "/t" } else { "''" };
        let list = |depth: usize| {
            // This depth exceeds what one op of a YAML pack can contain.
            let half = depth / 2;
            let inside = "/0".repeat(half - 1);
            let path = at.trim_matches('\'');
            format!(
                "{{op: add_value, at: {at}, key: z, value: {}}}, \
                 {{op: insert_array_item, at: {path}/z{inside}, value: {}}}",
                nested(half),
                nested(depth - half)
            )
        };
        if most < 400 {
            let made = edited(format, text, ops(format, &list(most)));
            assert!(made.is_ok(), "{format:?} {made:?}");
            check(format, text, &list(most + 2), "too_deep");
        }
    }
    // A scalar can be added at the deepest level.
    let text = nested(512).replace("[]", "[1]");
    let at = "/0".repeat(512);
    let list = format!("{{op: replace_value, at: {at}, value: 2}}");
    let made = edited(Format::Json, &text, ops(Format::Json, &list));
    assert_eq!(made, Ok(text.replace('1', "2")));
    let list = format!("{{op: replace_value, at: {at}, value: []}}");
    check(Format::Json, &text, &list, "too_deep");
}

#[test]
fn a_number_that_toml_cannot_express_is_not_reported_as_damage() {
    for number in ["1e400", "-1e400", "99999999999999999999"] {
        let list = format!("{{op: replace_value, at: /a, value: {number}}}");
        let error = refused(Format::Toml, "a = 1\n", &list);
        assert_eq!(
            (error.problem.reason.name(), error.problem.found.as_str()),
            ("unrepresentable", number)
        );
    }
}

#[test]
fn messages_show_numbers_as_written() {
    for (format, text, found) in [
        (Format::Yaml, "a: 0o17\n", "0o17"),
        (Format::Yaml, "a: [+1.50, .inf]\n", "[+1.50, .inf]"),
        (Format::Toml, "a = 1_000\n", "1_000"),
        (Format::Toml, "a = { b = 0xFF }\n", "{\"b\": 0xFF}"),
        (Format::Json, "{\"a\": 1.0e+2}", "1.0e+2"),
    ] {
        let list = "{op: replace_value, at: /a, value: 1, expects: {equals: x}}";
        assert_eq!(refused(format, text, list).problem.found, found);
    }
    let long: Vec<String> = (0..100_000).map(|it| it.to_string()).collect();
    let text = format!("{{\"a\": [{}]}}", long.join(", "));
    let list = "{op: replace_value, at: /a, value: 1, expects: {equals: x}}";
    let found = refused(Format::Json, &text, list).problem.found;
    assert_eq!(found.chars().count(), 121);
    assert!(found.starts_with("[0, 1, 2, ") && found.ends_with('…'));
}

#[test]
fn invalid_paths_have_distinct_reasons() {
    // F-08 F-23 F-53
    let list = || ops(Format::Json, "{op: replace_value, at: /a, value: 2}");
    for (root, file, reason) in [
        ("/", "f.json", "outside_workspace"),
        ("//", "f.json", "outside_workspace"),
        ("/tmp", "f.json", "outside_workspace"),
        (".", "/f.json", "outside_workspace"),
        ("sub/..", "f.json", "outside_workspace"),
        (".", "sub/../f.json", "outside_workspace"),
        (".", "f.json/", "unreadable_file"),
        (".", "f.json/.", "unreadable_file"),
        (".", "", "unreadable_file"),
        (".", "none.json", "unreadable_file"),
        (".", "f.txt", "unknown_format"),
    ] {
        let mut made = action("a", list());
        made.ops[0].file = file.to_owned();
        let mut pack = pack(vec![made]);
        pack.workspace_root = root.to_owned();
        let (_, errors) = applied(&pack, &[("f.json", "{\"a\": 1}"), ("f.txt", "")]);
        assert_eq!(errors[0].problem.reason.name(), reason, "{root} {file}");
        assert_eq!(errors[0].file, file);
    }
    for (root, file) in [
        ("./sub//", "./f.json"),
        ("", "sub/f.json"),
        (".", "sub//./f.json"),
    ] {
        let mut made = action("a", list());
        made.ops[0].file = file.to_owned();
        let mut pack = pack(vec![made]);
        pack.workspace_root = root.to_owned();
        let (texts, errors) = applied(&pack, &[("sub/f.json", "{\"a\": 1}")]);
        assert_eq!(
            (errors.len(), texts["sub/f.json"].as_str()),
            (0, "{\"a\": 2}")
        );
    }
}

#[test]
fn a_conflict_names_the_file_as_the_author_wrote_it() {
    let change = |file: &str, value: u32| {
        let list = format!("{{op: replace_value, at: /a, value: {value}}}");
        let mut ops = ops(Format::Json, &list);
        ops[0].file = file.to_owned();
        ops
    };
    let both = [change("b.json", 2), change("a.json", 2)].concat();
    let mut pack = pack(vec![
        action("one", change("b.json", 3)),
        action("two", both),
    ]);
    pack.workspace_root = "sub".to_owned();
    let text = "{\"a\": 1}";
    let (_, errors) = applied(&pack, &[("sub/a.json", text), ("sub/b.json", text)]);
    let reasons: Vec<String> = errors
        .iter()
        .map(|it| format!("{} {} {}", it.action, it.problem.reason.name(), it.file))
        .collect();
    assert_eq!(reasons, ["two conflict b.json"]);
}

#[test]
fn two_names_of_one_file_are_one_file() {
    let list = [
        "{op: replace_value, at: /a, value: 2}",
        "{op: add_value, at: '', key: b, value: 3}",
    ];
    let mut made = list.map(|it| ops(Format::Json, it));
    made[1][0].file = "link.json".to_owned();
    let text = "{\"a\": 1, \"c\": 0}";
    let read = |path: &str| match path {
        "f.json" | "link.json" | "link.jsonc" => Ok(Snapshot::new("f.json", text)),
        _ => Err(Problem::unreadable("no such file")),
    };
    let apart = pack(vec![
        action("one", made[0].clone()),
        action("two", made[1].clone()),
    ]);
    let together = pack(vec![action("one", made.concat())]);
    for pack in [apart, together] {
        let lowered = lower(&pack, &Sources::read(&pack, &mut |it| read(it)));
        assert_eq!(lowered.errors, []);
        let plan = lowered.plan;
        let texts: Vec<(String, String)> = plan
            .groups
            .into_iter()
            .flatten()
            .map(|it| (it.path, it.text))
            .collect();
        let after = "{\"a\": 2, \"c\": 0, \"b\": 3}";
        assert_eq!(texts, [("f.json".to_owned(), after.to_owned())]);
    }
    let mut other = made[1].clone();
    other[0].file = "link.jsonc".to_owned();
    let pack = pack(vec![action("one", made[0].clone()), action("two", other)]);
    let lowered = lower(&pack, &Sources::read(&pack, &mut |it| read(it)));
    let reasons: Vec<&str> = lowered
        .errors
        .iter()
        .map(|it| it.problem.reason.name())
        .collect();
    assert_eq!(reasons, ["unknown_format"]);
}
