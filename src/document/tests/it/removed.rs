//! Comments on the lines of a removed entry are removed with it; comments on other lines stay.

use fixpoint_document::Format;

use crate::harness::{edited, ops};

#[track_caller]
fn check(format: Format, before: &str, list: &str, after: &str) {
    for (before, after) in [
        (before.to_owned(), after.to_owned()),
        (before.replace('\n', "\r\n"), after.replace('\n', "\r\n")),
    ] {
        let found = edited(format, &before, ops(format, list));
        let found = found.unwrap_or_else(|error| panic!("{error}\n{before}"));
        assert_eq!(found, after, "{list}\n{before}");
    }
}

const YAML: &str = "# head\na: 1 # on a\n# above b\nb: # on b\n  # inside b\n  - x # on x\n  - y # on y\n# above c\nc: 3 # on c\n# tail\n";
const TOML: &str = "# head\na = 1 # on a\n# above b\nb = [ # on b\n  # inside b\n  1, # on 1\n  2, # on 2\n] # behind b\n# above c\nc = 3 # on c\n# tail\n";
const JSONC: &str = "{\n  // head\n  \"a\": 1, // on a\n  // above b\n  /* before b */ \"b\": [ // on b\n    // inside b\n    1, // on 1\n    2 // on 2\n  ], // behind b\n  // above c\n  \"c\": 3 /* on c */\n  // tail\n}\n";

#[test]
fn removing_a_key_at_any_position_removes_its_comments() {
    for (format, text, key, gone) in [
        (Format::Yaml, YAML, "a", "a: 1 # on a\n"),
        (Format::Yaml, YAML, "c", "c: 3 # on c\n"),
        (Format::Toml, TOML, "a", "a = 1 # on a\n"),
        (
            Format::Toml,
            TOML,
            "b",
            "b = [ # on b\n  # inside b\n  1, # on 1\n  2, # on 2\n] # behind b\n",
        ),
        (Format::Toml, TOML, "c", "c = 3 # on c\n"),
        (Format::Jsonc, JSONC, "a", "  \"a\": 1, // on a\n"),
        (
            Format::Jsonc,
            JSONC,
            "b",
            "  /* before b */ \"b\": [ // on b\n    // inside b\n    1, // on 1\n    2 // on 2\n  ], // behind b\n",
        ),
    ] {
        let list = format!("{{op: remove_key, at: '', key: {key}}}");
        assert!(text.contains(gone));
        check(format, text, &list, &text.replace(gone, ""));
    }
    let list = "{op: remove_key, at: '', key: c}";
    let after = JSONC
        .replace("  \"c\": 3 /* on c */\n", "")
        .replace("], // behind b", "] // behind b");
    check(Format::Jsonc, JSONC, list, &after);
    // A comment alone on its line is neither on a line of the key nor inside of its value.
    let list = "{op: remove_key, at: '', key: b}";
    let after = YAML.replace(
        "b: # on b\n  # inside b\n  - x # on x\n  - y # on y\n",
        "# inside b\n",
    );
    check(Format::Yaml, YAML, list, &after);
}

#[test]
fn a_comma_at_the_start_of_a_line_does_not_keep_its_comment() {
    let text = "{\n  \"a\": 1 // on a\n  , \"b\": 2 // on b\n  , \"c\": 3 /* on */ // c\n}\n";
    for (key, after) in [
        (
            "b",
            "{\n  \"a\": 1 // on a\n  , \"c\": 3 /* on */ // c\n}\n",
        ),
        ("c", "{\n  \"a\": 1 // on a\n  , \"b\": 2 // on b\n}\n"),
    ] {
        let list = format!("{{op: remove_key, at: '', key: {key}}}");
        check(Format::Jsonc, text, &list, after);
    }
}

#[test]
fn removing_an_item_removes_its_comments() {
    for (format, text, index, gone) in [
        (Format::Yaml, YAML, 0, "  - x # on x\n"),
        (Format::Yaml, YAML, 1, "  - y # on y\n"),
        (Format::Toml, TOML, 0, "  1, # on 1\n"),
        (Format::Toml, TOML, 1, "  2, # on 2\n"),
        (Format::Jsonc, JSONC, 0, "    1, // on 1\n"),
    ] {
        let list = format!("{{op: remove_array_item, at: /b, index: {index}}}");
        check(format, text, &list, &text.replace(gone, ""));
    }
    let list = "{op: remove_array_item, at: /b, index: 1}";
    let after = JSONC
        .replace("    2 // on 2\n", "")
        .replace("1, // on 1", "1 // on 1");
    check(Format::Jsonc, JSONC, list, &after);
}

#[test]
fn removing_the_only_key_removes_its_comment() {
    for (format, before, list, after) in [
        (
            Format::Yaml,
            "m: # on m\n  a: 1 # on a\n",
            "{op: remove_key, at: /m, key: a}",
            "m: {} # on m\n",
        ),
        (
            Format::Yaml,
            "# head\na: 1 # on a\n",
            "{op: remove_key, at: '', key: a}",
            "# head\n{}\n",
        ),
        (
            Format::Yaml,
            "a: # on a\n  1 # on 1\n",
            "{op: remove_key, at: '', key: a}",
            "{}\n",
        ),
        (
            Format::Toml,
            "[m] # on m\na = 1 # on a\n",
            "{op: remove_key, at: /m, key: a}",
            "[m] # on m\n",
        ),
        (
            Format::Toml,
            "m.a = 1 # on a\n",
            "{op: remove_key, at: /m, key: a}",
            "m = {}\n",
        ),
        (
            Format::Toml,
            "[m.a] # on a\nb = 1 # on b\n",
            "{op: remove_key, at: /m, key: a}",
            "[m]\n",
        ),
        (
            Format::Toml,
            "[[m]] # on m\nb = 1 # on b\n",
            "{op: remove_array_item, at: /m, index: 0}",
            "m = []\n",
        ),
        (
            Format::Jsonc,
            "{\n  // head\n  \"a\": 1 // on a\n}\n",
            "{op: remove_key, at: '', key: a}",
            "{\n  // head\n}\n",
        ),
        (
            Format::Jsonc,
            "{\n  \"a\": 1 // on a\n} // behind\n",
            "{op: remove_key, at: '', key: a}",
            "{} // behind\n",
        ),
        (
            Format::Jsonc,
            "{ /* before */ \"a\": /* why */ 1 /* on a */ }\n",
            "{op: remove_key, at: '', key: a}",
            "{}\n",
        ),
    ] {
        check(format, before, list, after);
    }
}

#[test]
fn comments_on_every_line_of_an_entry_are_removed() {
    for (format, before, list, after) in [
        (
            Format::Yaml,
            "m:\n  a: # why\n    # more\n    x: 1 # inside\n    y: 2 # behind\n  b: 2\n",
            "{op: remove_key, at: /m, key: a}",
            "m:\n  # more\n  b: 2\n",
        ),
        (
            Format::Yaml,
            "- a: # why\n    1\n  b: 2\n",
            "{op: remove_key, at: /0, key: a}",
            "- b: 2\n",
        ),
        (
            Format::Yaml,
            "- a: 1 # why\n  # above b\n  b: 2\n",
            "{op: remove_key, at: /0, key: a}",
            "-\n  # above b\n  b: 2\n",
        ),
        (
            Format::Yaml,
            "? # why\n  a # key\n: 1 # value\nb: 2\n",
            "{op: remove_key, at: '', key: a}",
            "b: 2\n",
        ),
        (
            Format::Yaml,
            "- # why\n  a: 1\n- 2\n",
            "{op: remove_array_item, at: '', index: 0}",
            "- 2\n",
        ),
        (
            Format::Yaml,
            "a: | # how\n  text\n# below\nb: 2\n",
            "{op: remove_key, at: '', key: a}",
            "# below\nb: 2\n",
        ),
        (
            Format::Yaml,
            "a: # nothing\nb: 2\n",
            "{op: remove_key, at: '', key: a}",
            "b: 2\n",
        ),
        (
            Format::Toml,
            "[m] # on m\n# inside\na = 1 # on a\n# below\n\n[n] # on n\nb = 1\n",
            "{op: remove_key, at: '', key: m}",
            "# below\n\n[n] # on n\nb = 1\n",
        ),
        (
            Format::Toml,
            "m.a = 1 # on a\n# between\nm.b = 2 # on b\nn = 3 # on n\n",
            "{op: remove_key, at: '', key: m}",
            "# between\nn = 3 # on n\n",
        ),
        (
            Format::Toml,
            "[[m]] # one\na = 1 # on a\n[m.n] # on n\n[[m]] # two\na = 2\n",
            "{op: remove_array_item, at: /m, index: 0}",
            "[[m]] # two\na = 2\n",
        ),
        (
            Format::Jsonc,
            "{\n  \"a\" /* key */ : // why\n    // alone\n    1 // one\n    , // comma\n  \"b\": 2\n}\n",
            "{op: remove_key, at: '', key: a}",
            "{\n    // alone\n  \"b\": 2\n}\n",
        ),
    ] {
        check(format, before, list, after);
    }
}

#[test]
fn a_comment_on_a_line_with_a_remaining_entry_is_kept() {
    for (format, before, list, after) in [
        (
            Format::Yaml,
            "m: {a: 1, b: 2} # on m\n",
            "{op: remove_key, at: /m, key: b}",
            "m: {a: 1} # on m\n",
        ),
        (
            Format::Yaml,
            "m: [1, 2, # both\n  3]\n",
            "{op: remove_array_item, at: /m, index: 1}",
            "m: [1, # both\n  3]\n",
        ),
        (
            Format::Yaml,
            "{a: # why\n  1, b: 2}\n",
            "{op: remove_key, at: '', key: a}",
            "{b: 2}\n",
        ),
        (
            Format::Toml,
            "m = { a = 1, b = 2 } # on m\n",
            "{op: remove_key, at: /m, key: a}",
            "m = { b = 2 } # on m\n",
        ),
        (
            Format::Toml,
            "m = [\n  1, 2, # both\n  3,\n]\n",
            "{op: remove_array_item, at: /m, index: 0}",
            "m = [\n  2, # both\n  3,\n]\n",
        ),
        (
            Format::Jsonc,
            "{\"a\": /* why */ 1, \"b\": 2}",
            "{op: remove_key, at: '', key: a}",
            "{ /* why */ \"b\": 2}",
        ),
        (
            Format::Jsonc,
            "[\n  1, 2, // both\n  3\n]\n",
            "{op: remove_array_item, at: '', index: 1}, {op: remove_array_item, at: '', index: 0}",
            "[\n  3\n]\n",
        ),
        (
            Format::Jsonc,
            "[\n  { \"a\": 1, /* b */ \"b\": 2 }, // item\n  3\n]\n",
            "{op: remove_key, at: /0, key: a}",
            "[\n  { /* b */ \"b\": 2 }, // item\n  3\n]\n",
        ),
    ] {
        check(format, before, list, after);
    }
}
