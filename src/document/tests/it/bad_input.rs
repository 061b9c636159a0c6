//! Invalid and misleading input.

use fixpoint_document::{Document, Format, ParseError};

use crate::harness::{edited, ops};

/// The reason for which an op is rejected.
#[track_caller]
fn refused(format: Format, text: &str, list: &str) -> &'static str {
    match edited(format, text, ops(format, list)) {
        Ok(after) => panic!("applied:\n{after}"),
        Err(error) => error.problem.reason.name(),
    }
}

#[test]
fn ops_that_do_not_fit_are_rejected() {
    // F-38 F-39 F-44 F-50
    let text = "a: {k: 1, l: 2}\nb: [1, 2]\nc: x\n";
    for (list, reason) in [
        ("{op: replace_value, at: /z, value: 1}", "no_such_key"),
        ("{op: replace_value, at: /a/k/z, value: 1}", "wrong_type"),
        ("{op: replace_value, at: /b/2, value: 1}", "no_such_item"),
        ("{op: replace_value, at: /b/-, value: 1}", "not_an_index"),
        ("{op: replace_value, at: /b/01, value: 1}", "not_an_index"),
        ("{op: add_value, at: /a, key: k, value: 1}", "key_exists"),
        ("{op: add_value, at: /b, key: k, value: 1}", "wrong_type"),
        ("{op: remove_key, at: /a, key: z}", "no_such_key"),
        ("{op: remove_key, at: /b, key: '0'}", "wrong_type"),
        ("{op: rename_key, at: /a, from: k, to: l}", "key_exists"),
        ("{op: rename_key, at: /a, from: z, to: k}", "no_such_key"),
        (
            "{op: insert_array_item, at: /b, value: 1, index: 3}",
            "no_such_item",
        ),
        ("{op: insert_array_item, at: /a, value: 1}", "wrong_type"),
        (
            "{op: replace_array_item, at: /b, value: 1, index: 2}",
            "no_such_item",
        ),
        ("{op: remove_array_item, at: /b, index: 2}", "no_such_item"),
        ("{op: remove_array_item, at: /c, index: 0}", "wrong_type"),
    ] {
        assert_eq!(refused(Format::Yaml, text, list), reason, "{list}");
    }
}

#[test]
fn an_op_is_rejected_if_its_expectation_fails() {
    // F-46 F-47 F-48 F-49 F-50
    let text = "a: old\nn: 1.0\nb: [1, {x: 1, y: 2}]\n";
    for (op, expects, holds) in [
        (
            "op: replace_value, at: /a, value: 1",
            "{type: string}",
            true,
        ),
        (
            "op: replace_value, at: /a, value: 1",
            "{type: number}",
            false,
        ),
        (
            "op: replace_value, at: /a, value: 1",
            "{equals: old, exists: true}",
            true,
        ),
        (
            "op: replace_value, at: /a, value: 1",
            "{equals: new}",
            false,
        ),
        ("op: replace_value, at: /n, value: 2", "{equals: 1}", true),
        (
            "op: replace_value, at: /b, value: 2",
            "{equals: [1, {y: 2, x: 1}]}",
            true,
        ),
        (
            "op: add_value, at: '', key: z, value: 2",
            "{exists: false}",
            true,
        ),
        (
            "op: add_value, at: '', key: z, value: 2",
            "{exists: true}",
            false,
        ),
        ("op: remove_key, at: '', key: a", "{exists: false}", false),
        (
            "op: rename_key, at: '', from: a, to: z",
            "{equals: old}",
            true,
        ),
        (
            "op: insert_array_item, at: /b, value: 1",
            "{type: array}",
            true,
        ),
        (
            "op: replace_array_item, at: /b, index: 0, value: 1",
            "{equals: 1}",
            true,
        ),
        (
            "op: remove_array_item, at: /b, index: 0",
            "{equals: 2}",
            false,
        ),
    ] {
        let list = format!("{{{op}, expects: {expects}}}");
        let made = edited(Format::Yaml, text, ops(Format::Yaml, &list));
        match made {
            Ok(_) => assert!(holds, "{list}"),
            Err(error) => assert_eq!(
                (error.problem.reason.name(), holds),
                ("expectation_failed", false),
                "{list}"
            ),
        }
    }
}

#[test]
fn a_duplicate_key_cannot_be_addressed() {
    for (format, text) in [
        (Format::Json, "{\"a\": 1, \"a\": 2, \"b\": 3}"),
        (Format::Yaml, "a: 1\na: 2\nb: 3\n"),
    ] {
        let document = Document::parse(format, text).expect("readable");
        let twice = document.root().duplicate_keys();
        assert_eq!(twice.len(), 1);
        assert_eq!(&text[twice[0].value.span().range()], "2");
        for list in [
            "{op: replace_value, at: /a, value: 1}",
            "{op: remove_key, at: '', key: a}",
            "{op: add_value, at: '', key: a, value: 1}",
        ] {
            assert_eq!(refused(format, text, list), "duplicate_key", "{list}");
        }
        let after = edited(
            format,
            text,
            ops(format, "{op: replace_value, at: /b, value: 4}"),
        );
        assert_eq!(after, Ok(text.replace('3', "4")));
    }
    assert!(matches!(
        Document::parse(Format::Toml, "a = 1\na = 2\n"),
        Err(ParseError::Syntax { .. })
    ));
}

#[test]
fn ten_thousand_nesting_levels_are_rejected_without_a_crash() {
    let deep = 10_000;
    for (format, text) in [
        (
            Format::Json,
            format!("{}{}", "[".repeat(deep), "]".repeat(deep)),
        ),
        (
            Format::Json,
            format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep)),
        ),
        (Format::Yaml, "[".repeat(deep)),
        (Format::Yaml, "- ".repeat(deep)),
        (
            Format::Yaml,
            (0..deep)
                .map(|it| format!("{}a:\n", " ".repeat(it % 3000)))
                .collect::<String>()
                .chars()
                .take(20_000_000)
                .collect(),
        ),
        (
            Format::Toml,
            format!("a = {}{}", "[".repeat(deep), "]".repeat(deep)),
        ),
    ] {
        assert!(Document::parse(format, &text).is_err(), "{:?}", &text[..20]);
    }
    let nested = "{op: add_value, at: ''".to_owned()
        + ", key: a, value: "
        + &"[".repeat(600)
        + &"]".repeat(600)
        + "}";
    let text = format!("{{pack_version: '1', workspace_root: ., fix_actions: [{nested}]}}");
    assert!(fixpoint_document::ActionPack::parse(Format::Yaml, &text).is_err());
}

#[test]
fn alias_expansion_is_limited_and_aliases_are_never_written_through() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let last = level - 1;
        bomb.push_str(&format!(
            "a{level}: &a{level} [{}]\n",
            vec![format!("*a{last}"); 10].join(", ")
        ));
    }
    assert!(matches!(
        Document::parse(Format::Yaml, &bomb),
        Err(ParseError::AliasBomb { .. })
    ));
    assert!(matches!(
        Document::parse(Format::Yaml, "a: &a [*a]\n"),
        Err(ParseError::AliasCycle { .. })
    ));

    let text = "base: &base {x: 1}\nuse: *base\nother: 2 # two\n";
    let document = Document::parse(Format::Yaml, text).expect("readable");
    let through = document
        .find(&"/use/x".parse().expect("a pointer"))
        .expect("there");
    assert_eq!(through.value().to_json(), "1");
    for list in [
        "{op: replace_value, at: /use/x, value: 2}",
        "{op: replace_value, at: /base/x, value: 2}",
        "{op: add_value, at: /base, key: y, value: 2}",
        "{op: remove_key, at: '', key: base}",
        "{op: replace_value, at: /base, value: 2}",
    ] {
        assert_eq!(
            refused(Format::Yaml, text, list),
            "shared_by_alias",
            "{list}"
        );
    }
    let after = edited(
        Format::Yaml,
        text,
        ops(
            Format::Yaml,
            "{op: replace_value, at: /use, value: 3}, {op: rename_key, at: '', from: base, to: b}",
        ),
    );
    assert_eq!(
        after.as_deref(),
        Ok("b: &base {x: 1}\nuse: 3\nother: 2 # two\n")
    );
}

#[test]
fn scalars_have_the_type_of_their_format_and_keep_their_notation() {
    let huge = "123456789012345678901234567890.000000000000000000001";
    let text = format!("a: no\nb: 0o7\nc: 2026-01-26\nd: {huge}\ne: 1\n");
    let document = Document::parse(Format::Yaml, &text).expect("readable");
    assert_eq!(
        document.root().value().to_json(),
        format!("{{\"a\": \"no\", \"b\": 7, \"c\": \"2026-01-26\", \"d\": {huge}, \"e\": 1}}")
    );
    // A number in an action keeps its digits when it is written to a file, in every format that can
    // express it.
    for (format, before, after) in [
        (Format::Yaml, "a: 1\n", format!("a: {huge}\n")),
        (Format::Json, "{\"a\": 1}", format!("{{\"a\": {huge}}}")),
        (Format::Toml, "a = 1\n", format!("a = {huge}\n")),
    ] {
        let list = format!("{{op: replace_value, at: /a, value: {huge}}}");
        assert_eq!(edited(format, before, ops(format, &list)), Ok(after));
    }
    // Strings that a YAML 1.1 parser would read as another type are quoted.
    for word in [
        "no",
        "Yes",
        "on",
        "0o7",
        "012",
        "1_000",
        "2026-01-26",
        "12:30",
        "~",
        "null",
        "1e5",
        "",
    ] {
        let list = format!("{{op: replace_value, at: /a, value: \"{word}\"}}");
        let after = edited(Format::Yaml, "a: x\n", ops(Format::Yaml, &list));
        assert_eq!(after, Ok(format!("a: \"{word}\"\n")));
    }
}

#[test]
fn values_that_a_format_cannot_express_are_rejected() {
    for (format, text, value) in [
        (Format::Toml, "a = 1\n", "null"),
        (Format::Toml, "a = 1\n", "[1, {b: null}]"),
        (Format::Toml, "a = 1\n", "99999999999999999999"),
        (Format::Json, "{\"a\": 1}", ".inf"),
    ] {
        let list = format!("{{op: replace_value, at: /a, value: {value}}}");
        assert_eq!(refused(format, text, &list), "unrepresentable", "{value}");
    }
    assert_eq!(
        refused(
            Format::Toml,
            "a = 1\n",
            "{op: replace_value, at: '', value: 1}"
        ),
        "unrepresentable"
    );
}

#[test]
fn a_byte_order_mark_is_not_part_of_a_document() {
    for (format, text) in [
        (Format::Json, "\u{feff}{\"a\": 1}"),
        (Format::Yaml, "\u{feff}a: 1\n"),
        (Format::Toml, "\u{feff}a = 1\n"),
    ] {
        let after = edited(
            format,
            text,
            ops(
                format,
                "{op: replace_value, at: /a, value: 2}, {op: add_value, at: '', key: b, value: 3}",
            ),
        );
        let after = after.unwrap_or_else(|error| panic!("{format:?}: {error}"));
        assert!(
            after.starts_with('\u{feff}') && after.contains('3'),
            "{after:?}"
        );
    }
}

#[test]
fn a_pointer_leads_to_one_value_and_never_searches() {
    // F-34
    let text = "a: {k: 1}\nb: [1, 2]\n'*': 3\n";
    for (list, reason) in [
        ("{op: replace_value, at: /**/k, value: 9}", "no_such_key"),
        ("{op: replace_value, at: /a/*, value: 9}", "no_such_key"),
        ("{op: replace_value, at: '/a/k*', value: 9}", "no_such_key"),
        ("{op: replace_value, at: /b/*, value: 9}", "not_an_index"),
        (
            "{op: replace_value, at: '/b/0:1', value: 9}",
            "not_an_index",
        ),
        ("{op: replace_value, at: /b/-1, value: 9}", "not_an_index"),
        ("{op: remove_key, at: '', key: '?'}", "no_such_key"),
    ] {
        assert_eq!(refused(Format::Yaml, text, list), reason, "{list}");
    }
    let after = edited(
        Format::Yaml,
        text,
        ops(Format::Yaml, "{op: replace_value, at: '/*', value: 9}"),
    );
    assert_eq!(after, Ok(text.replace("'*': 3", "'*': 9")));
}

#[test]
fn edge_case_texts_keep_every_unrelated_byte() {
    let add = "{op: add_value, at: '', key: z, value: 1}";
    let set = "{op: replace_value, at: /a, value: 2}";
    for (format, text, list, after) in [
        // An empty text, or only a comment.
        (Format::Toml, "", add, "z = 1\n"),
        (Format::Toml, "# only\n", add, "# only\nz = 1\n"),
        // A comment between a key and its value.
        (
            Format::Yaml,
            "a: # why\n  1\nb: 2\n",
            set,
            "a: 2 # why\nb: 2\n",
        ),
        (
            Format::Jsonc,
            "{\"a\": /* why */ 1}",
            set,
            "{\"a\": /* why */ 2}",
        ),
        // Trailing commas, tabs, no final newline, line ends.
        (Format::Jsonc, "{\"a\": 1,}", add, "{\"a\": 1, \"z\": 1,}"),
        (
            Format::Jsonc,
            "{\n\t\"a\": 1,\n}",
            add,
            "{\n\t\"a\": 1,\n\t\"z\": 1,\n}",
        ),
        (Format::Yaml, "a: 1\r\nb: 2", set, "a: 2\r\nb: 2"),
        // Merge keys, tags, dates, and flow style inside block style.
        (
            Format::Yaml,
            "a: 1\n<<: {b: 2}\n",
            set,
            "a: 2\n<<: {b: 2}\n",
        ),
        (
            Format::Yaml,
            "a: [1, {b: 2}]\nc: !!str 3\n",
            set,
            "a: 2\nc: !!str 3\n",
        ),
        (
            Format::Toml,
            "a = 1979-05-27T07:32:00Z # d\n",
            set,
            "a = 2 # d\n",
        ),
        (
            Format::Toml,
            "a.b = 1\na.c = 2\n",
            "{op: replace_value, at: /a/b, value: 3}",
            "a.b = 3\na.c = 2\n",
        ),
        (
            Format::Toml,
            "a = { b = 1, c.d = 2 }\n",
            "{op: replace_value, at: /a/b, value: 3}",
            "a = { b = 3, c.d = 2 }\n",
        ),
        // Numbers that do not fit into a machine word.
        (
            Format::Json,
            "{\"n\": 1e9999, \"a\": 1}",
            set,
            "{\"n\": 1e9999, \"a\": 2}",
        ),
    ] {
        assert_eq!(
            edited(format, text, ops(format, list)).map_err(|it| it.to_string()),
            Ok(after.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn an_array_of_tables_with_comments_accepts_only_tables() {
    let text = "[[t]] # one\na = 1\n";
    for list in [
        "{op: insert_array_item, at: /t, value: 1}",
        "{op: replace_array_item, at: /t, index: 0, value: x}",
        "{op: replace_value, at: /t/0, value: []}",
    ] {
        assert_eq!(refused(Format::Toml, text, list), "unsupported", "{list}");
    }
}
