use bumpalo::Bump;

use super::{Align, Doc, DocBuilder, PrintOptions, print};

/// Prints a document with a width, and tabs or two spaces as indentation.
macro_rules! check {
    ($width:literal, |$b:ident| $doc:expr, $expected:literal) => {
        check!($width, use_tabs: false, |$b| $doc, $expected)
    };
    ($width:literal, use_tabs: $use_tabs:literal, |$b:ident| $doc:expr, $expected:literal) => {{
        let arena = Bump::new();
        let $b = DocBuilder::new(&arena);
        let options = PrintOptions {
            width: $width,
            tab_width: 2,
            use_tabs: $use_tabs,
        };
        assert_eq!(print($doc, options), $expected);
    }};
}

/// `[one, two]`, broken as a list.
fn list<'a>(b: &DocBuilder<'a>, items: &[Doc<'a>]) -> Doc<'a> {
    let items = b.join(b.concat(&[",".into(), Doc::LINE]), items);
    b.group(b.concat(&[
        "[".into(),
        b.indent(b.concat(&[Doc::SOFTLINE, items])),
        b.if_break(",", ""),
        Doc::SOFTLINE,
        "]".into(),
    ]))
}

#[test]
fn a_group_is_flat_if_it_fits_with_what_follows_on_its_line() {
    check!(
        10,
        |b| list(&b, &["one".into(), "two".into()]),
        "[one, two]"
    );
    check!(
        10,
        |b| b.concat(&[list(&b, &["one".into(), "two".into()]), ";".into()]),
        "[\n  one,\n  two,\n];"
    );
}

#[test]
fn a_forced_break_breaks_the_groups_around_it_but_not_those_beside_it() {
    check!(
        80,
        |b| list(
            &b,
            &[
                list(&b, &["a".into()]),
                list(&b, &[b.concat(&["b".into(), Doc::HARDLINE])])
            ]
        ),
        "[\n  [a],\n  [\n    b\n    ,\n  ],\n]"
    );
}

#[test]
fn a_fill_breaks_only_where_a_line_is_full() {
    check!(
        7,
        |b| b.fill(&[
            "aa".into(),
            Doc::LINE,
            "bb".into(),
            Doc::LINE,
            "cc".into(),
            Doc::LINE,
            "d".into()
        ]),
        "aa bb\ncc d"
    );
}

#[test]
fn a_conditional_group_takes_the_first_state_that_fits() {
    check!(
        5,
        |b| b.conditional_group(&["too long".into(), "fits".into(), "last".into()], false),
        "fits"
    );
    check!(
        3,
        |b| b.conditional_group(
            &["too long".into(), "long".into(), list(&b, &["a".into()])],
            false
        ),
        "[a]"
    );
}

#[test]
fn a_break_in_a_conditional_group_does_not_propagate() {
    check!(
        80,
        |b| {
            let state = b.concat(&["{".into(), Doc::HARDLINE, "}".into()]);
            let inner = b.conditional_group(&[state, state], false);
            assert!(inner.will_break());
            b.group(b.concat(&["a".into(), Doc::LINE, inner]))
        },
        "a {\n}"
    );
}

#[test]
fn a_line_suffix_is_printed_before_the_next_line_end() {
    check!(
        80,
        |b| b.concat(&[
            "a".into(),
            b.line_suffix(" // c".into()),
            ";".into(),
            Doc::HARDLINE,
            "b".into(),
            b.line_suffix(" // d".into()),
        ]),
        "a; // c\nb // d"
    );
    check!(
        80,
        |b| b.concat(&[
            b.line_suffix("// c".into()),
            Doc::LineSuffixBoundary,
            "}".into()
        ]),
        "// c\n}"
    );
}

#[test]
fn a_part_can_depend_on_a_group_that_was_printed() {
    check!(
        4,
        |b| {
            let id = b.group_id();
            let head = b.concat(&["head".into(), Doc::LINE, "x".into()]);
            b.concat(&[
                b.group_with(head, Some(id), false),
                b.if_group_breaks(id, "!", "?"),
                b.indent_if_break(b.concat(&[Doc::HARDLINE, "y".into()]), id, false),
            ])
        },
        "head\nx!\n  y"
    );
}

#[test]
fn alignment_uses_tabs_only_where_an_indentation_follows() {
    check!(
        80,
        use_tabs: true,
        |b| b.align(
            Align::Spaces(3),
            b.concat(&[
                "a".into(),
                Doc::HARDLINE,
                "b".into(),
                b.indent(b.concat(&[Doc::HARDLINE, "c".into()])),
            ])
        ),
        "a\n   b\n\t\tc"
    );
}

#[test]
fn a_literal_line_starts_at_the_root() {
    check!(
        80,
        |b| b.indent(b.concat(&["a".into(), Doc::LITERALLINE, "b".into()])),
        "a\nb"
    );
    check!(
        80,
        |b| b.indent(b.concat(&[
            Doc::HARDLINE,
            b.align(
                Align::Root,
                b.indent(b.concat(&["a".into(), Doc::LITERALLINE, "b".into()]))
            )
        ])),
        "\n  a\n  b"
    );
}

#[test]
fn blanks_at_the_end_of_a_line_are_removed() {
    check!(
        80,
        |b| b.concat(&["a ".into(), Doc::HARDLINE, Doc::HARDLINE, "b".into()]),
        "a\n\nb"
    );
}

#[test]
fn lines_can_be_removed_and_text_can_be_split_into_lines() {
    check!(
        3,
        |b| b.remove_lines(list(&b, &["one".into(), "two".into()])),
        "[one, two]"
    );
    check!(80, |b| b.lines("a\nb", Doc::HARDLINE), "a\nb");
}

#[test]
fn wide_characters_take_two_columns() {
    check!(
        6,
        |b| b.group(b.concat(&["日本".into(), Doc::LINE, "語".into()])),
        "日本\n語"
    );
}
