//! The fast path must print what it supports exactly like the general printer.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Layout, comments, print};
use crate::yaml::libyaml::reading;
use crate::yaml::{comments_of, parse, print_with_pretty_yaml};

const LAYOUT: Layout = Layout {
    line_width: 80,
    indent_width: 2,
};

/// Each of these texts changes when it is printed.
const TEXTS: [&str; 6] = [
    "# head\n\n\nname: 'CI'\non:\n    push:\n        branches: [ main, 'v*' ]  # two\n    \
     pull_request:\n\njobs:\n    # all\n    test:\n\n        steps:\n        - uses: a/b@v4\n        \
     - name: run\n          run: |\n              cargo test\n\n              cargo doc\n        # last\n    \
     # after\n",
    "---\nkind: List\nitems:\n-   kind: Pod\n    spec: {a: 1, \"b\": [x, y]}\n-\n    kind: Job\n\
     # between\n---\n- - a\n  -   b: 'it''s'\n      c: \"\\n\"\n- d\n",
    "base: &base\n   x: 1 # one\n   y: !tag two\n   # own\nmore:\n   <<:   *base\n   list: &list\n   - *base\n   \
     - &item\n     z: >-\n        folded\n         text\n     w: !!str 3\n",
    "a:\n    plain text\n    over lines\n\n    and more\nb: \"quoted\n    over lines\"\nc:\n    \
     'alone'\nd:\n    [ one,\n    two ]\ne: first\n   second # end\n",
    "long: [alpha, beta, {gamma: delta, epsilon: [zeta, eta, theta]}, iota, kappa, lambda, my]\n\
     open: [\n    a, b: c\n]\nempty: [ ]\nnone: { }\n'k': {x: y} # why\n",
    "a:\n- x # one\n# two\nb: # three\n\n    # four\n\n    c:   1\n    # five\n  # six\nd:\n",
];

const BITS: [&str; 34] = [
    " ", "  ", "\n", "\n\n", "\n  ", "\t", ":", ": ", "-", "- ", "#", " # c", "# c\n", "  # c\n",
    "'", "\"", "\\", "[", "]", "{", "}", ", ", "|\n", ">-\n", "&a ", "*a", "!t ", "?", "%", "@",
    "---\n", "...\n", "\u{a0}", "\u{e9}",
];

#[derive(Clone, Debug)]
enum Change {
    Insert(usize, &'static str),
    Indent(usize, usize),
    Outdent(usize),
    Remove(usize),
    Repeat(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let place = 0..2000_usize;
    prop_oneof![
        3 => (place.clone(), 0..BITS.len()).prop_map(|(at, bit)| Change::Insert(at, BITS[bit])),
        2 => (place.clone(), 1..5_usize).prop_map(|(line, by)| Change::Indent(line, by)),
        1 => place.clone().prop_map(Change::Outdent),
        1 => place.clone().prop_map(Change::Remove),
        1 => (place.clone(), place).prop_map(|(line, to)| Change::Repeat(line, to)),
    ]
}

impl Change {
    fn apply(&self, text: &str) -> String {
        if let Change::Insert(at, bit) = self {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = places.get(at % places.len().max(1)).copied().unwrap_or(0);
            return format!("{}{bit}{}", &text[..at], &text[at..]);
        }
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        let count = lines.len().max(1);
        match self {
            _ if lines.is_empty() => {}
            Change::Indent(line, by) => lines[line % count].insert_str(0, &" ".repeat(*by)),
            Change::Outdent(line) => {
                let line = &mut lines[line % count];
                *line = line.strip_prefix(' ').unwrap_or(line).to_owned();
            }
            Change::Remove(line) => drop(lines.remove(line % count)),
            Change::Repeat(line, to) => lines.insert(to % count, lines[line % count].clone()),
            Change::Insert(..) => {}
        }
        lines.concat()
    }
}

/// Whether the fast path supports the text. If so, its output and comments must equal those of the
/// general printer.
fn uses_fast_path(text: &str, layout: Layout) -> bool {
    let Some(printed) = print(text, layout) else {
        return false;
    };
    let general = print_with_pretty_yaml(text, layout).ok();
    // The general printer reads the key after an empty item as a part of the item.
    if general.as_deref().map(reading) != Some(reading(text)) {
        assert_eq!(reading(&printed), reading(text), "of {text:?}");
        return true;
    }
    assert_eq!(Some(&*printed), general.as_deref(), "of {text:?}");
    let tree = parse(text).ok();
    let expected = tree.map(|tree| {
        comments_of(text, &tree)
            .iter()
            .map(|span| span.range())
            .collect()
    });
    assert_eq!(comments(text), expected, "of {text:?}");
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_fast_path_prints_like_the_general_printer(
        text in 0..TEXTS.len(),
        changes in vec(change(), 0..6),
        line_width in 20..121_usize,
        indent_width in 2..9_usize,
    ) {
        let text = changes.iter().fold(TEXTS[text].to_owned(), |text, change| change.apply(&text));
        uses_fast_path(&text, Layout { line_width, indent_width });
    }
}

#[test]
fn common_texts_use_the_fast_path() {
    for text in TEXTS {
        for line_width in [20, 80, 120] {
            let layout = Layout {
                line_width,
                ..LAYOUT
            };
            assert!(uses_fast_path(text, layout), "{text}");
            let printed = print(text, layout).unwrap_or_default();
            assert_ne!(printed, text);
            assert!(uses_fast_path(&printed, layout), "{printed}");
        }
    }
}

#[test]
fn ambiguous_texts_do_not_use_the_fast_path() {
    for text in [
        // Different parsers read these differently.
        "a:\n  - !y\nb: 1\n",
        "a: |+\n  z\n\n\nb: 1\n",
        "a:\n- |2\n    ind\n",
        "a: |\n  x\n    \n  y\n",
        "a: |\n  x\n    \nb: 1\n",
        "a: {{ b }}\n",
        // Invalid YAML.
        "a: b: c\n",
        "a: 'b' c\n",
        "a: [b\n",
        "a: 1\n  b: 2\n",
        "- a\nb: 1\n",
        "a: 1\n- b\n",
        "a:\n    b: 1\n  c: 2\n",
        "a:\tb\n",
        "a: \"b\n",
        "a: 1\n...\nb\n",
        // Excluded from formatting.
        "# prettier-ignore\na:   1\n",
    ] {
        assert_eq!(print(text, LAYOUT), None, "{text:?}");
    }
}

#[test]
fn a_canonical_text_is_not_copied() {
    let text = "# c\na:\n  - b: [1, 2] # d\n\n  - |\n    e\n";
    assert!(matches!(
        print(text, LAYOUT),
        Some(std::borrow::Cow::Borrowed(printed)) if printed == text
    ));
}
