//! Properties that hold for every text, tested on random texts made of Markdown pieces.

use proptest::prelude::*;

use super::meaning;
use crate::{FormatError, Language, Style, canonical};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

fn printed(text: &str) -> Result<String, FormatError> {
    canonical(Language::Markdown, "a.md", text, &styles).map(|printed| printed.into_owned())
}

fn becomes(text: &str, expected: &str) {
    assert_eq!(printed(text).as_deref(), Ok(expected), "{text:?}");
    assert_eq!(printed(expected).as_deref(), Ok(expected), "{text:?} again");
}

#[test]
fn code_spans_keep_their_backticks_next_to_lone_backticks() {
    let text = "A [`x`], B `y` and\n`z is [`w`].\n\n[`x`]: http://e.invalid\n";
    becomes(text, text);
    becomes("``a`` and ``b`c``\n", "`a` and ``b`c``\n");
}

#[test]
fn emphasis_keeps_its_meaning() {
    becomes("*a* __b__ ***c***\n", "_a_ **b** _**c**_\n");
    becomes("a*b*c **d**e\n", "a*b*c **d**e\n");
    becomes("*a_b* and *_a*\n", "_a_b_ and *_a*\n");
    becomes("*a* **b *c* d**\n", "_a_ **b _c_ d**\n");
}

#[test]
fn a_space_at_the_end_of_a_link_is_kept() {
    becomes("a [  b ](c) d\n", "a [ b ](c) d\n");
    becomes("a[ b  ](c)d\n", "a[ b ](c)d\n");
    becomes(
        "a [  b ][  c ]\n\n[  c ]: d\n",
        "a [ b ][ c ]\n\n[ c ]: d\n",
    );
}

#[test]
fn adjacent_lists_have_different_markers() {
    becomes("* a\n* b\n\n+ c\n", "- a\n- b\n\n* c\n");
    becomes("1. a\n2. b\n\n5) c\n", "1. a\n2. b\n\n5) c\n");
    becomes("3) a\n3) b\n", "3. a\n4. b\n");
    becomes("1. a\n1. b\n1. c\n", "1. a\n1. b\n1. c\n");
}

#[test]
fn a_thematic_break_after_a_dash_is_printed_with_stars() {
    becomes("* ---\n", "- ***\n");
    becomes("- a\n  ***\n", "- a\n  ***\n");
    becomes("a\n\n* * *\n", "a\n\n---\n");
}

#[test]
fn a_hard_break_keeps_its_form() {
    becomes("a    \nb\\\nc\n", "a  \nb\\\nc\n");
    for text in [
        "http://a.invalid \\\nb\n",
        "> [!NOTE]  \n> a\n",
        "[a](<b  \nc>)\n",
    ] {
        becomes(text, text);
    }
}

#[test]
fn an_underlined_heading_stays_underlined() {
    becomes("a  \nb\n===\n", "a  \nb\n===\n");
    becomes("> a\\\n> *b*\n> -\n", "> a\\\n> _b_\n> -\n");
    becomes("- a  \n  2. b\n  ==\n", "- a  \n  2\\. b\n  ==\n");
    becomes("a   b\nc\n   =====  \n", "a b\nc\n=====\n");
}

#[test]
fn a_lazy_line_does_not_become_a_delimiter_row() {
    becomes("* a\n:-\n", "- a :-\n");
    becomes("a\n:-\n", "a\n:-\n");
    becomes("* a\n\u{b}-\n", "- a \u{b}-\n");
    becomes("a\n\u{b}-\n", "a\n\u{b}-\n");
    becomes(
        "* a|b <!--\n-|:-:\n-->\n",
        "- a|b <!--\n      -|:-:\n  -->\n",
    );
    becomes("* a <!--\n===\n-->\n", "- a <!--\n      ===\n  -->\n");
    becomes(
        "* ![a|b\n-|-](c \"d\n-|-\")\n",
        "- ![a|b -|-](c \"d -|-\")\n",
    );
}

/// What looks like a formula may be two amounts of money.
#[test]
fn a_formula_means_the_same_to_a_parser_without_formulas() {
    becomes("it  costs *5$* or *6$*\n", "it costs *5$* or *6$*\n");
    becomes("*a* $x_1$\n", "_a_ $x_1$\n");
    becomes("*a* $b  \nc$ d\n", "_a_ $b  \nc$ d\n");
}

/// Without formulas, the text between the two backticks would be code, and its spaces content.
#[test]
fn a_formula_with_a_backtick_keeps_its_paragraph() {
    let text = "*a*  $b ` c$   *d*  ` e\n";
    becomes(text, text);
    becomes("*a*  $b$  `c`\n", "_a_ $b$ `c`\n");
}

/// Some parsers skip tildes when they decide whether a `_` is inside a word.
#[test]
fn emphasis_next_to_a_struck_word_keeps_its_delimiters() {
    becomes("~a~*b*\n", "~~a~~*b*\n");
    becomes("*a*~b~\n", "*a*~~b~~\n");
    becomes("a~~*b*~~\n", "a~~*b*~~\n");
    becomes("~a~ *b*\n", "~~a~~ _b_\n");
    becomes("~*a*~\n", "~~_a_~~\n");
}

#[test]
fn a_line_break_in_a_footnote_name_stays() {
    for text in ["[^a\n-<q>]\n", "[^a\n    - _b_]\n"] {
        becomes(text, text);
    }
    becomes("a\n-<q>\n", "a\n-<q>\n");
    becomes("a\n    - _b_\n", "a - _b_\n");
}

#[test]
fn blank_lines_after_a_byte_order_mark_stay() {
    let text = "\u{feff}\n\n```a\nx\n```\n";
    becomes(text, text);
}

/// On one line, `[^a _b_]` would be a footnote for some parsers, and its emphasis would be lost.
#[test]
fn a_heading_with_a_line_break_in_a_footnote_keeps_it() {
    becomes("[^a\n*b*]\n===\n", "[^a\n_b_]\n===\n");
    becomes(
        "- a [^b\n  \\] *c*]\n  ---\n",
        "- a [^b\n  \\] _c_]\n  ---\n",
    );
}

#[test]
fn spaces_after_front_matter_marks_are_kept() {
    becomes("--- \na:  1\n---  \n\nb\n", "--- \na: 1\n---  \n\nb\n");
}

#[test]
fn indented_lines_that_look_like_blocks_stay_text() {
    becomes("a\n    # b\n", "a # b\n");
    becomes("a\n    - b\n", "a - b\n");
    becomes("a  \n2. b\n", "a  \n2\\. b\n");
}

#[test]
fn printing_neither_creates_nor_breaks_front_matter() {
    for text in [
        "***\n\n---\n\na\n",
        "---\n\ntitle:  a\n---\n\nb\n",
        "+++\n\ntitle =  1\n+++\n\nb\n",
        "---\n---\n\na\n",
        "---\n\n---\n\na\n",
        "---\na: 1\n...\n\na\n",
    ] {
        becomes(text, text);
    }
    becomes(
        "---\ntitle:  a\n---\nb\n\n***\n",
        "---\ntitle: a\n---\n\nb\n\n---\n",
    );
    for rule in ["* * *", "---", "----", " ---", "\n---"] {
        becomes(&format!("{rule}\n\na\n\n----\n"), "***\n\na\n\n---\n");
    }
    becomes("---\n\na b:  c\n---\n", "***\n\na b: c\n---\n");
}

#[test]
fn an_empty_link_destination_before_a_title_is_printed() {
    becomes(
        "[a](<> 't') ![a](<> \"t\") [a](<>)\n",
        "[a](<> \"t\") ![a](<> \"t\") [a](<>)\n",
    );
}

#[test]
fn white_space_that_is_part_of_a_value_is_kept_in_fences() {
    for text in [
        "```yaml\na: |+\n  x\n\n\n```\n",
        "```yaml\na: >+\n  x\n\n```\n",
        "- ```yaml\n  a: |+\n    x\n\n  ```\n",
    ] {
        becomes(text, text);
    }
    becomes(
        "```yaml\n\na:  |\n  x\n\n```\n",
        "```yaml\na: |\n  x\n```\n",
    );
    becomes(
        "```md\n*a*\n\n~~~\nb\n\n\n```\n",
        "````md\n_a_\n\n```\nb\n\n\n```\n````\n",
    );
    becomes("```json\n\n{ }\n\n```\n", "```json\n{}\n```\n");
    becomes("```json\n\n```\n", "```json\n\n```\n");
    becomes("```yaml\n```\n", "```yaml\n\n```\n");
}

#[test]
fn white_space_that_a_browser_shows_is_kept_in_html() {
    let text = "<pre>\na  \n b\n</pre>\n";
    becomes(text, text);
    becomes("<div>  \na\n</div>  \n", "<div>  \na\n</div>\n");
    becomes("<!-- a  \nb -->\n", "<!-- a\nb -->\n");
}

#[test]
fn the_meaning_of_code_and_html_is_compared() {
    for (one, two) in [
        ("```yaml\na: |+\n  x\n\n```\n", "```yaml\na: |+\n  x\n```\n"),
        (
            "```py\nif a:\n  b\n  c\n```\n",
            "```py\nif a:\n  b\nc\n```\n",
        ),
        ("```json\n[1]\n```\n", "```json\n[2]\n```\n"),
        ("```\na  b\n```\n", "```\na b\n```\n"),
        ("    a\n     b\n", "    a\n    b\n"),
        ("<pre>\na  b\n</pre>\n", "<pre>\na b\n</pre>\n"),
        ("---\na: 1\n---\n", "---\na: 2\n---\n"),
    ] {
        assert_ne!(meaning(one), meaning(two), "{one:?}");
    }
    assert_eq!(
        meaning("```json\n[1,2]\n```\n"),
        meaning("```json\n[1, 2]\n```\n")
    );
}

#[test]
fn deep_nesting_is_an_error() {
    for marks in [">", "> ", "- ", "1. "] {
        let text = marks.repeat(10_000) + "a";
        assert!(
            matches!(printed(&text), Err(FormatError::TooDeep { .. })),
            "{marks}"
        );
    }
    let mut text = String::new();
    for level in 0..300 {
        text.push_str(&"  ".repeat(level));
        text.push_str("- a\n");
    }
    assert!(matches!(printed(&text), Err(FormatError::TooDeep { .. })));
}

#[test]
fn unclosed_constructs_are_printed_as_text() {
    // Without a limit, each of these would be read to the end of the text repeatedly.
    for piece in ["[a](", "x <!-- ", "x $a ", "![a](b \"", "x <? "] {
        let text = piece.repeat(50_000).trim_end().to_owned() + "\n";
        assert_eq!(printed(&text).as_deref(), Ok(text.as_str()), "{piece}");
    }
}

/// Pieces of Markdown in random order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b c",
        "word",
        "1",
        " ",
        "  ",
        "\n",
        "\n",
        "\n\n",
        "\n\n",
        "\n    ",
        "\n  ",
        "\t",
        "*",
        "**",
        "_",
        "__",
        "~~",
        "~",
        "`",
        "``",
        "```\n",
        "~~~\n",
        "# ",
        "## ",
        "> ",
        ">",
        "- ",
        "* ",
        "+ ",
        "1. ",
        "2) ",
        "[",
        "]",
        "](u)",
        "](<u v> 't')",
        "![",
        "[a]",
        "[a][b]",
        "[^n]",
        "\n[a]: u\n",
        "\n[^n]: x\n",
        "<b>",
        "</b>",
        "<div>\n",
        "<!-- c -->",
        "<http://a.b>",
        "\\",
        "\\\n",
        "  \n",
        "---",
        "***",
        "===",
        "\n---\n",
        "\n===\n",
        "|",
        "\n|-|-|\n",
        "| a | b |\n",
        "- [ ] ",
        "[x] ",
        "$",
        "$$",
        "&amp;",
        "é",
        "。",
        "!",
        ":",
        "(",
        ")",
        "\"",
        "#",
        "\\*",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Complete blocks, some of them in a quote or a list item.
fn blocks() -> impl Strategy<Value = String> {
    let block = prop::sample::select(vec![
        "# a *b*\n",
        "a b\n===\n",
        "some *words* and __more__  \nof   them\n",
        "`code` [link]( u 't' ) ![image](u) <b>tag</b> ~~x~~\n",
        "* a\n* b\n    * c\n",
        "1) a\n2) b\n\n   c\n",
        "- [ ] a\n- [X] b\n",
        "```text\n  code\n```\n",
        "~~~\n``` *a*\n~~~\n",
        "    indented\n    code\n",
        "a|b\n-|:-:\n1|*2*\n",
        "<div>\n  x\n</div>\n",
        "<!-- comment -->\n",
        "***\n",
        "> quote\nlazy\n",
        "[label]: <u> 'title'\n",
    ]);
    let nested = (block, 0..4_usize).prop_map(|(block, place)| match place {
        0 => block
            .replace('\n', "\n> ")
            .trim_end_matches("> ")
            .replacen("", "> ", 1),
        1 => block.replace('\n', "\n  ").trim_end().replacen("", "- ", 1) + "\n",
        _ => block.to_owned(),
    });
    prop::collection::vec(nested, 1..8).prop_map(|blocks| blocks.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printing_canonical_text_changes_nothing(text in pieces()) {
        if let Ok(once) = printed(&text) {
            prop_assert_eq!(printed(&once), Ok(once.clone()));
            prop_assert_eq!(meaning(&text), meaning(&once));
        }
    }

    #[test]
    fn complete_blocks_are_always_printed(text in blocks()) {
        let once = printed(&text);
        prop_assert!(once.is_ok(), "{:?}", once);
    }
}

#[test]
fn code_without_a_printer_is_not_changed() {
    for text in [
        "```\n\n\na\n\n\n```\n",
        "```diff\n-a\n+b\n \n```\n",
        "```console\n$ cat\n> \n```\n",
        "```py\nx=( \n```\n",
        "```\n    a\n      b\n```\n",
        "```\n\n```\n",
        "> ```\n> a \n>\n> b\n> ```\n",
        "- ```\n    a\n\n  b \n  ```\n",
        "text\n\n        deep  \n    b\n",
    ] {
        assert_eq!(printed(text).unwrap(), text, "{text:?}");
    }
}

#[test]
fn the_text_of_an_image_stays_as_it_is() {
    becomes("![ ^]()\n", "![ ^](<>)\n");
    becomes("![  a  b ](c)\n", "![  a  b ](c)\n");
    becomes("- ![a\n  b](c)\n", "- ![a\nb](c)\n");
}

#[test]
fn numbers_of_lists_count_unless_they_are_all_one() {
    becomes("1. a\n7. b\n", "1. a\n2. b\n");
    becomes("0. a\n1. b\n5. c\n", "0. a\n1. b\n2. c\n");
    becomes("0. a\n1. b\n1. c\n", "0. a\n1. b\n1. c\n");
    becomes("5. a\n1. b\n", "5. a\n1. b\n");
}

#[test]
fn aligned_lists_stay_aligned() {
    becomes("1.  a\n2.  b\n", "1.  a\n2.  b\n");
    becomes("1. a\n2. b\n", "1. a\n2. b\n");
    becomes("1. a\n   1.  b\n", "1. a\n   1. b\n");
    becomes("10. a\n11. b\n", "10. a\n11. b\n");
    becomes("2.  z\n1.     d\n", "2. z\n1.     d\n");
}

#[test]
fn an_item_with_a_blank_line_is_loose() {
    becomes(
        "- a\n\n  b\n  ```text\n  ```\n  - c\n- d\n",
        "- a\n\n  b\n\n  ```text\n\n  ```\n  - c\n\n- d\n",
    );
    becomes("- a\n- b\n\n- c\n- d\n", "- a\n- b\n\n- c\n- d\n");
}

#[test]
fn titles_and_destinations_have_few_escapes() {
    becomes("[a](b 'c\"d')\n", "[a](b 'c\"d')\n");
    becomes("[a](b \"c\\\"d'\")\n", "[a](b (c\"d'))\n");
    becomes(
        "[a](b_(c)) [d](e\\_f) [g](h?i=j&amp;k=l)\n",
        "[a](<b_(c)>) [d](e_f) [g](h?i=j&k=l)\n",
    );
    becomes("[a]: b_(c) ''\n\n[d]: <>\n", "[a]: b_(c)\n[d]: <>\n");
}

#[test]
fn footnotes_of_several_lines_begin_below_their_mark() {
    becomes("[^a]: b\n    c\n", "[^a]:\n    b\n    c\n");
    becomes("[^a]: b\n\n    c\n", "[^a]: b\n\n    c\n");
}

#[test]
fn delimiters_in_emphasis_are_escaped() {
    becomes("**a::_b** *c*\n", "**a::\\_b** _c_\n");
    becomes("*n*log(n)*\n", "*n*log(n)*\n");
    becomes("**a_b**\n", "**a_b**\n");
}

#[test]
fn words_that_would_begin_a_block_stay_on_the_line_before() {
    becomes("a\n32. b\n", "a 32. b\n");
    becomes("a\n    ===\n", "a\n\\===\n");
    becomes("a\n    -\nb\n", "a\n\\-\nb\n");
}

#[test]
fn code_spans_continue_without_the_prefix_of_their_containers() {
    becomes("- a `b\n  c` d\n", "- a `b\nc` d\n");
    becomes("> `b\n>     - c`\n", "> `b - c`\n");
}

#[test]
fn parts_of_templates_stay_as_they_are() {
    becomes("{{ a  b }} *c* {%  if %}\n", "{{ a  b }} _c_ {%  if %}\n");
    becomes("*{%*%}*\n", "*{%*%}*\n");
}

#[test]
fn spaces_of_a_hard_break_stay_in_an_image_with_a_formula() {
    becomes("![$]  \n^$]()\n", "![$]  \n^$]()\n");
}
