//! The meaning of a YAML text according to a second parser: its events, as bytes to compare.
//!
//! The printer's own parser would not detect its own misreadings. Plain scalars are distinguished
//! from all others, because a plain `1` is a number. Aliases stay references; nothing is expanded.

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::documents::documents;

/// The events of a text; `None` if the parser rejects a part of it.
///
/// Each document is parsed separately, because the parser reads the marker after an empty block
/// scalar as its content. The parser also counts trailing blanks as a line, so such a text is not
/// parsed.
pub(super) fn events(text: &str) -> Option<Vec<u8>> {
    if text.ends_with([' ', '\t']) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    for document in documents(text) {
        for event in Parser::new_from_str(document) {
            write_event(&mut bytes, &event.ok()?.0);
        }
    }
    Some(bytes)
}

fn write_event(out: &mut Vec<u8>, event: &Event<'_>) {
    match event {
        // Whether a document has markers is layout.
        Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        Event::DocumentStart(_) => out.push(b'D'),
        Event::Alias(anchor) => {
            out.push(b'*');
            write_number(out, *anchor);
        }
        Event::Scalar(value, style, anchor, tag) => {
            out.push(if *style == ScalarStyle::Plain {
                b'p'
            } else {
                b'q'
            });
            write_properties(out, *anchor, tag.as_deref());
            write_text(out, value);
        }
        Event::SequenceStart(anchor, tag) => {
            out.push(b'[');
            write_properties(out, *anchor, tag.as_deref());
        }
        Event::MappingStart(anchor, tag) => {
            out.push(b'{');
            write_properties(out, *anchor, tag.as_deref());
        }
        Event::SequenceEnd => out.push(b']'),
        Event::MappingEnd => out.push(b'}'),
    }
}

fn write_properties(out: &mut Vec<u8>, anchor: usize, tag: Option<&Tag>) {
    write_number(out, anchor);
    if let Some(tag) = tag {
        write_text(out, &tag.handle);
        write_text(out, &tag.suffix);
    }
}

pub(super) fn write_text(out: &mut Vec<u8>, text: &str) {
    write_number(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

pub(super) fn write_number(out: &mut Vec<u8>, number: usize) {
    out.extend_from_slice(&(number as u64).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use crate::{FormatError, Language, Style, canonical};

    #[test]
    fn a_text_whose_meaning_printing_would_change_is_kept() {
        for text in [
            "a:\n  - !y\nb: 1\n",
            "a: |+\n  z\n\n\nb: 1\n",
            "\"a\n  --- b\"\n",
            "a: |\n  x\n    \n  y\n",
        ] {
            let printed = canonical(Language::Yaml, "a.yaml", text, &|language| {
                Some(Style::default_of(language))
            });
            let is_left_alone = match &printed {
                Err(FormatError::Damaged { .. }) => true,
                Ok(printed) => printed == text,
                Err(_) => false,
            };
            assert!(is_left_alone, "{text:?}: {printed:?}");
        }
    }

    #[test]
    fn layout_does_not_change_the_events() {
        let same = |one: &str, two: &str| super::events(one) == super::events(two);
        assert!(same(
            "---\na: {b: [1, 'x']}\n",
            "a:\n  b:\n    - 1\n    - \"x\"\n"
        ));
        assert!(!same("a: 1\n", "a: '1'\n"));
        assert!(!same("a: &x 1\nb: *x\n", "a: 1\nb: 1\n"));
    }
}
