//! The events of a YAML text according to a port of libyaml, which most programs use.

use libyaml_safer::{EventData, Parser, ScalarStyle};

use super::events::{write_number, write_text};
use crate::printer::guarded;
use crate::{FormatError, Language};

/// The events of a text, as bytes to compare. `None` if the parser rejects it.
///
/// Document markers are layout; directives are not.
pub(super) fn reading(text: &str) -> Option<Vec<u8>> {
    let mut events = events(text)?;
    if !text.ends_with('\n') {
        trim_open_end(text, &mut events);
    }
    let mut out = Vec::with_capacity(text.len());
    for event in events {
        write_event(&mut out, event);
    }
    Some(out)
}

/// The events of a text with a final newline: without one, the parser panics in a block scalar.
fn events(text: &str) -> Option<Vec<EventData>> {
    let whole = format!("{text}\n");
    let text = if text.ends_with('\n') { text } else { &whole };
    let parse = || {
        let mut input = text.as_bytes();
        let mut parser = Parser::new();
        parser.set_input_string(&mut input);
        let mut events = Vec::new();
        while events.last() != Some(&EventData::StreamEnd) {
            let event = parser.parse();
            events.push(
                event
                    .map_err(|error| FormatError::damaged(error.to_string()))?
                    .data,
            );
        }
        Ok(events)
    };
    guarded(Language::Yaml, parse).ok()
}

/// Removes from the value of the final block scalar the newline that `text` does not have.
fn trim_open_end(text: &str, read: &mut [EventData]) {
    // A missing value after the scalar is an empty plain scalar.
    let is_written = |event: &EventData| {
        matches!(event, EventData::Scalar { value, style, .. }
            if *style != ScalarStyle::Plain || !value.is_empty())
    };
    let Some(last) = read.iter().rposition(is_written) else {
        return;
    };
    let EventData::Scalar { value, style, .. } = &read[last] else {
        return;
    };
    if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) || !value.ends_with('\n') {
        return;
    }
    // After the scalar there may be a comment, or blanks that are not part of its value.
    let filled = text.trim_end_matches([' ', '\t']);
    let is_open = if filled.ends_with('\n') {
        events(filled).as_deref() != Some(&*read)
    } else {
        let expected = format!("{}x\n", value.trim_end_matches('\n'));
        let other = events(&format!("{text}x"));
        let other = other.as_ref().and_then(|events| events.get(last));
        matches!(other, Some(EventData::Scalar { value, .. }) if *value == expected)
    };
    if is_open && let EventData::Scalar { value, .. } = &mut read[last] {
        value.pop();
    }
}

fn write_event(out: &mut Vec<u8>, event: EventData) {
    match event {
        EventData::StreamStart { .. } | EventData::StreamEnd | EventData::DocumentEnd { .. } => {}
        EventData::DocumentStart {
            version_directive,
            tag_directives,
            ..
        } => {
            out.push(b'D');
            if let Some(version) = version_directive {
                out.push(b'v');
                write_number(out, version.major as usize);
                write_number(out, version.minor as usize);
            }
            for directive in tag_directives {
                out.push(b't');
                write_text(out, &directive.handle);
                write_text(out, &directive.prefix);
            }
        }
        EventData::Alias { anchor } => {
            out.push(b'*');
            write_text(out, &anchor);
        }
        EventData::Scalar {
            anchor,
            tag,
            value,
            style,
            ..
        } => {
            out.push(if style == ScalarStyle::Plain {
                b'p'
            } else {
                b'q'
            });
            write_properties(out, anchor.as_deref(), tag.as_deref());
            write_text(out, &value);
        }
        EventData::SequenceStart { anchor, tag, .. } => {
            out.push(b'[');
            write_properties(out, anchor.as_deref(), tag.as_deref());
        }
        EventData::MappingStart { anchor, tag, .. } => {
            out.push(b'{');
            write_properties(out, anchor.as_deref(), tag.as_deref());
        }
        EventData::SequenceEnd => out.push(b']'),
        EventData::MappingEnd => out.push(b'}'),
    }
}

fn write_properties(out: &mut Vec<u8>, anchor: Option<&str>, tag: Option<&str>) {
    for property in [anchor, tag] {
        out.push(u8::from(property.is_some()));
        write_text(out, property.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::reading;

    #[test]
    fn a_final_newline_is_part_of_a_block_scalar_that_ends_the_text() {
        for header in ["|", ">", "|+", "|1"] {
            let text = format!("a: {header}\n x");
            assert_ne!(reading(&text), reading(&format!("{text}\n")), "{header}");
            // The key has no value.
            let key = format!("? - {header}\n   x");
            assert_ne!(reading(&key), reading(&format!("{key}\n")), "{header}");
        }
        for (open, closed) in [
            ("a: |-\n x", "a: |-\n x\n"),
            ("a: |\n x\n# c", "a: |\n x\n# c\n"),
            ("a: |\n x\nb:", "a: |\n x\nb:\n"),
            ("a: |\n x\n ", "a: |\n x\n"),
            ("a: |+\n x\n ", "a: |+\n x\n"),
            ("a: |\n x\n   ", "a: |-\n x\n   \n"),
            ("a: |+\n  ", "a: |+\n"),
        ] {
            assert_eq!(reading(open), reading(closed), "{open:?}");
        }
        assert_eq!(reading("a: x"), reading("a: x\n"));
    }

    #[test]
    fn documents_and_directives_are_distinguished() {
        assert_ne!(
            reading("--- |\n---\na: b\n"),
            reading("--- |\n ---\n a: b\n")
        );
        assert_ne!(reading("%TAG ! !x\n---\na\n"), reading("---\na\n"));
        assert_eq!(reading("---\na\n"), reading("a\n"));
        assert_eq!(reading("a: [\n  \"x\",\n]\n"), reading("a: ['x']"));
        assert_eq!(reading("a: ]"), None);
    }
}
