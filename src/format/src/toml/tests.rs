//! Tests of the grammar, and of properties that hold for every text.

use proptest::prelude::*;

use toml_edit::Item;

use super::*;
use crate::Indent;

fn style(line_width: u16, indent: Indent) -> Style {
    Style::new(line_width, indent)
}

fn print(text: &str) -> Result<String, FormatError> {
    printed(style(80, Indent::Spaces(2)), text)
}

/// The data that toml_edit reads from the text.
fn tree(text: &str) -> String {
    let document = toml_edit::Document::parse(text).unwrap();
    let mut out = String::new();
    write_item(&mut out, document.as_item());
    out
}

fn write_item(out: &mut String, item: &Item) {
    if let Some(table) = item.as_table_like() {
        out.push('{');
        for (key, item) in table.iter() {
            out.push_str(&format!("{key:?}: "));
            write_item(out, item);
        }
        out.push('}');
    } else if let Some(tables) = item.as_array_of_tables() {
        out.push('[');
        for table in tables {
            write_item(out, &Item::Table(table.clone()));
        }
        out.push(']');
    } else if let Some(array) = item.as_array() {
        out.push('[');
        for value in array {
            write_item(out, &Item::Value(value.clone()));
        }
        out.push(']');
    } else {
        let (text, number) = (item.as_str(), (item.as_integer(), item.as_float()));
        let date = item.as_datetime().map(ToString::to_string);
        out.push_str(&format!(
            "{text:?} {number:?} {:?} {date:?}, ",
            item.as_bool()
        ));
    }
}

fn comment_texts(text: &str) -> Vec<&str> {
    let spans = comments(text);
    let mut texts: Vec<_> = spans
        .iter()
        .map(|span| text[span.range()].trim_end())
        .collect();
    texts.sort_unstable();
    texts
}

/// Space, line breaks and comments that may be between the values of an array.
fn gap() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        12 => Just(""),
        6 => Just(" "),
        1 => Just("\t"),
        2 => Just("\n"),
        1 => Just("\n\n \n"),
        1 => Just(" # a\n"),
        1 => Just("\n#b  \n"),
        1 => Just("\n\n # ü\tx\n\n"),
    ]
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("1".to_owned()),
        Just("-0.5e+1_0".to_owned()),
        Just("1979-05-27 07:32Z".to_owned()),
        Just("'''a'''".to_owned()),
        Just("\"\"\"\n a\\\n b\"\"\"\"".to_owned()),
        "'[a-z\"#\\\\]{0,12}'",
        "\"[a-z'#ä]{0,30}\"",
    ]
}

fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(4, 24, 5, |inner| {
        let items = prop::collection::vec((gap(), inner, gap()), 0..5);
        (any::<bool>(), any::<bool>(), items, gap()).prop_map(|(is_table, comma, items, end)| {
            let mut out = String::from(if is_table { "{" } else { "[" });
            for (index, (before, value, after)) in items.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(before);
                if is_table {
                    out.push_str(&format!("k{index} . \"x\"="));
                }
                out.push_str(value);
                out.push_str(after);
            }
            out.push_str(if comma && !items.is_empty() { "," } else { "" });
            out.push_str(end);
            out.push(if is_table { '}' } else { ']' });
            out
        })
    })
}

fn document() -> impl Strategy<Value = String> {
    let line = (
        prop::sample::select(vec!["", "  ", "\t"]),
        prop::sample::select(vec!["", "\n", "\n\n\n", "# c\n", "\n  # d\n"]),
        prop::option::weighted(0.3, prop::sample::select(vec!["a", "a.b", "a . b . 'c'"])),
        value(),
        prop::sample::select(vec!["", " # e", "#f"]),
    );
    prop::collection::vec(line, 1..6).prop_map(|lines| {
        let mut out = String::new();
        for (number, (indent, above, header, value, comment)) in lines.iter().enumerate() {
            out.push_str(above);
            if let Some(header) = header {
                out.push_str(&format!("{indent}[[ {header} ]]{comment}\n"));
            }
            out.push_str(&format!("{indent}key{number}  =\t{value}{comment}\n"));
        }
        out
    })
}

proptest! {
    #[test]
    fn printing_changes_only_the_layout(
        text in document(),
        width in 20_u16..120,
        spaces in 0_u8..9,
    ) {
        let indent = if spaces == 0 { Indent::Tab } else { Indent::Spaces(spaces) };
        // Two headers may contradict each other. Only the check parser rejects that.
        prop_assume!(parses(&text).is_ok());
        let once = printed(style(width, indent), &text).unwrap();
        prop_assert_eq!(&printed(style(width, indent), &once).unwrap(), &once);
        prop_assert_eq!(tree(&text), tree(&once));
        prop_assert_eq!(check::meaning(&text), check::meaning(&once));
        prop_assert_eq!(comment_texts(&text), comment_texts(&once));
    }

    #[test]
    fn any_text_is_printed_or_rejected(text in "[ \t\n\r\"'#\\[\\]{},=.\\\\_+:0-9a-fuxTZ\u{7f}ä-]{0,60}") {
        match print(&text) {
            Ok(once) => prop_assert_eq!(print(&once).unwrap(), once),
            Err(FormatError::Syntax(error)) => prop_assert!(text.get(error.span().range()).is_some()),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn values_that_the_check_parser_accepts_are_printed(text in "a *=[ \t]*[\"'+0-9a-f_:.TZx\\\\-]{1,14}") {
        if parses(&text).is_ok() {
            prop_assert!(print(&text).is_ok());
        }
    }
}

#[test]
fn values_follow_the_grammar() {
    let good = [
        "0",
        "+1_000",
        "-0",
        "0xdead_BEEF",
        "0o17",
        "0b1_0",
        "1.5",
        "1e6",
        "-6.6E-1_0",
        "+inf",
        "-nan",
        "true",
        "1979-05-27",
        "1979-05-27T07:32:00Z",
        "1979-05-27 07:32:00.5-07:00",
        "07:32",
        "07:32:00.123",
        "\"\\u00e9\\x41\\e\\U0001F600\"",
        "'\\'",
        "\"\"\"\"a\"\"\"\"\"",
        "\"\"\"a\\ \t\n b\"\"\"",
        "''''a'''",
        "[]",
        "[1,]",
        "{}",
        "{ a.b = 1, }",
    ];
    for value in good {
        let text = format!("a = {value}\n");
        assert_eq!(parses(&text), Ok(()), "{value}");
        assert!(print(&text).is_ok(), "{value}");
    }
    let bad = [
        "",
        "x",
        "True",
        "01",
        "1_",
        "_1",
        "1__0",
        "+0x1",
        "0x",
        "0o8",
        "1.",
        ".5",
        "1.e5",
        "1e",
        "1979-13-01",
        "1979-05-32",
        "1979-5-27",
        "24:00",
        "07:60",
        "07:32:61",
        "07:32:00.",
        "7:32",
        "1979-05-27T",
        "1979-05-27 ",
        "1979-05-27T07:32:00+7:00",
        "\"",
        "\"a",
        "\"\\q\"",
        "\"\\ud800\"",
        "\"\\u12\"",
        "'a",
        "\"\"\"a",
        "\"\"\"a\\ b\"\"\"",
        "'''a''''''",
        "\"\u{7f}\"",
        "'\u{1}'",
        "\"a\rb\"",
        "[",
        "[1",
        "[1 2]",
        "[,]",
        "[1,,2]",
        "{",
        "{ a }",
        "{ a = }",
        "{ a = 1 b = 2 }",
        "{,}",
        "1 2",
        "[1] [2]",
        "\"a\" b",
        "# a",
    ];
    for value in bad {
        let text = format!("a = {value}\n");
        let Err(FormatError::Syntax(error)) = print(&text) else {
            // A date may be followed by a space.
            assert_eq!(value, "1979-05-27 ");
            continue;
        };
        assert!(text.get(error.span().range()).is_some(), "{value}");
    }
}

#[test]
fn keys_and_headers_follow_the_grammar() {
    for line in [
        "a-_1 = 1",
        "\"\" = 1",
        "'a b'.c . \"d\" = 1",
        "[a]",
        "[[ a . 'b' ]]  # c",
    ] {
        assert!(print(line).is_ok(), "{line}");
    }
    for line in [
        "a",
        "= 1",
        "a b = 1",
        "a. = 1",
        ".a = 1",
        "ä = 1",
        "\"\"\"a\"\"\" = 1",
        "\"a = 1",
        "a == 1",
        "[",
        "[]",
        "[a",
        "[a.]",
        "[a]]",
        "[[a]",
        "[[a] ]",
        "[ [a]]",
        "[a] b",
        "[a] b = 1",
        "# \u{1}",
        "a = 1\rb = 2",
    ] {
        assert!(matches!(print(line), Err(FormatError::Syntax(_))), "{line}");
    }
}

#[test]
fn a_syntax_error_has_the_correct_position() {
    let text = "a = [1,\n  \"ä\" \"b\"]\n";
    let Err(FormatError::Syntax(error)) = print(text) else {
        panic!("the text is not TOML");
    };
    assert_eq!(error.span().start(), text.find("\"b\"").unwrap());
}

/// Each level must be printed only once. Otherwise the time would double with each of the 80
/// levels.
#[test]
fn the_nesting_limit_equals_that_of_the_check_parser() {
    let nested = |depth: usize, open: &str, close: &str| {
        format!("a = {}1, 2{}\n", open.repeat(depth), close.repeat(depth))
    };
    for (open, close) in [
        ("[", "]"),
        ("[0, ", ", 3]"),
        ("[ # c\n", "]"),
        ("[\n\n", "\n]"),
    ] {
        let text = nested(80, open, close);
        assert_eq!(parses(&text), Ok(()));
        let once = print(&text).unwrap();
        assert_eq!(print(&once).unwrap(), once);

        let deeper = nested(81, open, close);
        assert!(parses(&deeper).is_err());
        assert!(matches!(
            print(&deeper),
            Err(FormatError::TooDeep { limit: 80, .. })
        ));
    }
}

#[test]
fn the_check_distinguishes_layout_from_meaning() {
    let same = [
        ("a=[1,2]", "\n\na = [ # c\n  1,\n\n  2,\n]\n\n"),
        ("a . b='c'\n[ d ]", "a.b = \"c\"\n\n[d]\n"),
        ("a={b=1}", "a = {\n  b = 1, # c\n}"),
        ("a = \"\"\"\r\nb\"\"\"\r\n", "\u{feff}a=\"\"\"\nb\"\"\""),
    ];
    let other = [
        ("a = [1, 2]", "a = [12]"),
        ("a = [1979-05-27, 07:32:00]", "a = [1979-05-27 07:32:00]"),
        ("a = [[1], 2]", "a = [[1, 2]]"),
        ("a = 'b\\t'", "a = \"b\\t\""),
        ("a = ['b', 'c']", "a = [\"b', 'c\"]"),
        ("a = '#'", "a = '' #"),
        ("a = '''b'''", "a = '''b '''"),
        ("a = 1", "a = '1'"),
        ("a.b = 1", "'a.b' = 1"),
        ("[a]\nb = 1", "[[a]]\nb = 1"),
        ("a = 1\nb = 2", "b = 2\na = 1"),
    ];
    let meaning = |text: &str| outline(text).unwrap().meaning;
    for (one, two) in same {
        assert_eq!(meaning(one).same(&meaning(two)), Some(true), "{one} {two}");
    }
    for (one, two) in other {
        assert_eq!(meaning(one).same(&meaning(two)), Some(false), "{one} {two}");
    }
    assert!(outline("a = [1\r\n").is_err());
}

#[test]
fn a_hash_in_a_string_is_not_a_comment() {
    let text = "a = \"# \\\" #\" # one\nb = '''\n# '' #'''''# two\nc = '\\'# three\r\n";
    let found: Vec<_> = comments(text)
        .iter()
        .map(|span| &text[span.range()])
        .collect();
    assert_eq!(found, ["# one", "# two", "# three"]);
}
