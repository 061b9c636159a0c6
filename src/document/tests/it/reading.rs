//! The format-independent interface to values and their locations.

use fixpoint_document::{Document, Format, Node, Pointer};

fn find<'d>(document: &'d Document, pointer: &str) -> Node<'d> {
    let pointer = Pointer::parse(pointer).expect("a pointer");
    document
        .find(&pointer)
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn values_keys_and_their_bytes_are_found_by_pointer() {
    // F-45
    let texts = [
        (Format::Json, r#"{"a/b": {"m~n": [10, "x"]}}"#),
        (
            Format::Jsonc,
            "{ // c\n  \"a/b\": {\"m~n\": [10, /* c */ \"x\",]},\n}",
        ),
        (Format::Yaml, "# c\na/b:\n  m~n:\n  - 10 # c\n  - \"x\"\n"),
        (Format::Yaml, "'a/b': {m~n: [10, \"x\"]}"),
        (Format::Toml, "[\"a/b\"]\n'm~n' = [10, # c\n  \"x\"]\n"),
        (Format::Toml, "\"a/b\".\"m~n\" = [10, \"x\"]\n"),
    ];
    for (format, text) in texts {
        let document = Document::parse(format, text).unwrap_or_else(|error| panic!("{error}"));
        let written = |node: Node<'_>| &text[node.span().range()];
        assert_eq!(written(find(&document, "/a~1b/m~0n/0")), "10", "{text}");
        assert_eq!(written(find(&document, "/a~1b/m~0n/1")), "\"x\"", "{text}");
        let member = document.root().members().next().expect("a member");
        assert_eq!(member.key, "a/b");
        assert_eq!(
            text[member.key_span.range()].trim_matches(['"', '\'']),
            "a/b"
        );
        assert_eq!(
            document.root().value().to_json(),
            r#"{"a/b": {"m~n": [10, "x"]}}"#
        );
    }
}

#[test]
fn a_pointer_to_nothing_reports_the_failing_token() {
    let document = Document::parse(Format::Yaml, "a: {b: [1, 2]}\n").expect("readable");
    for (pointer, message) in [
        ("/z", "no key `z` in the object at ``"),
        ("/a/b/7", "the array at `/a/b` has 2 items"),
        ("/a/b/-", "`-` is not an index of the array at `/a/b`"),
        ("/a/b/00", "`00` is not an index"),
        ("/a/b/0/x", "the value at `/a/b/0` is a number"),
    ] {
        let pointer = Pointer::parse(pointer).expect("a pointer");
        let error = document.find(&pointer).expect_err("nothing");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn block_scalars_properties_and_odd_keys_are_found() {
    let text = "? complex key\n: v\na: &x !!str 5 # c\nb: |+\n  keep\n\nc: >-\n  folded\n  text\n\nd:\n  ? |\n    k\n  : 1\n'e': \"\\u00e4\"\n";
    let document = Document::parse(Format::Yaml, text).expect("readable");
    let written = |pointer: &str| &text[find(&document, pointer).span().range()];
    assert_eq!(written("/complex key"), "v");
    assert_eq!(written("/a"), "&x !!str 5");
    assert_eq!(written("/b"), "|+\n  keep\n");
    assert_eq!(written("/c"), ">-\n  folded\n  text");
    assert_eq!(find(&document, "/b").as_str(), Some("keep\n\n"));
    assert_eq!(find(&document, "/c").as_str(), Some("folded text"));
    assert_eq!(find(&document, "/d/k\n").value().to_json(), "1");
    assert_eq!(find(&document, "/e").as_str(), Some("ä"));
    assert_eq!(find(&document, "/a").as_str(), Some("5"));
}

#[test]
fn several_documents_are_an_array_and_a_single_one_is_not() {
    let one = Document::parse(Format::Yaml, "---\na: 1\n").expect("readable");
    assert!(!one.is_stream());
    assert_eq!(one.documents().len(), 1);
    let two = Document::parse(Format::Yaml, "a: 1\n---\nb: 2\n").expect("readable");
    assert!(two.is_stream());
    assert_eq!(two.root().value().to_json(), r#"[{"a": 1}, {"b": 2}]"#);
    let none = Document::parse(Format::Yaml, "# nothing\n").expect("readable");
    assert_eq!(none.root().value().to_json(), "null");
}
