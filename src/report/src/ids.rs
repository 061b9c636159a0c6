//! Ids derived from what a thing is. Where it stands does not enter, so an unrelated edit above it
//! keeps the id; things alike in every other way are told apart by counting them in text order.

use std::collections::BTreeMap;

use fixpoint_text::{Digest, Snapshot};

use crate::wire::{Diagnostic, Fix};

/// The ids given so far for one file. Findings in an edited form of the text keep the ids they
/// have in the base: they are recognised by what they are and by the place in the base they came
/// from.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The number of the twin with a fingerprint that came from a place in the base; several can
    /// come from one place when an edit put them there.
    numbers: BTreeMap<(Digest, usize, u32), u32>,
    twins: BTreeMap<Digest, u32>,
}

impl Names {
    /// Gives every diagnostic its id. `origin` tells where an offset of `source` came from.
    pub fn name_diagnostics(
        &mut self,
        source: &Snapshot,
        diagnostics: &mut [Diagnostic],
        origin: &dyn Fn(usize) -> usize,
    ) {
        let things = diagnostics.iter().map(|diagnostic| {
            let start = diagnostic.span.map_or(0, |span| span.start);
            (diagnostic_fingerprint(source, diagnostic), start)
        });
        let ids = self.name("d", things.collect(), origin);
        for (diagnostic, id) in diagnostics.iter_mut().zip(ids) {
            diagnostic.id = id;
        }
    }

    /// Gives every fix its id, from its rule, its title and the texts its edits remove and put in.
    pub fn name_fixes(&mut self, fixes: &mut [Fix], origin: &dyn Fn(usize) -> usize) {
        let things = fixes.iter().map(|fix| {
            let start = fix.edits.first().map_or(0, |edit| edit.start);
            (fix_fingerprint(fix), start)
        });
        let ids = self.name("f", things.collect(), origin);
        for (fix, id) in fixes.iter_mut().zip(ids) {
            fix.id = id;
        }
    }

    fn name(
        &mut self,
        prefix: &str,
        things: Vec<(Digest, u64)>,
        origin: &dyn Fn(usize) -> usize,
    ) -> Vec<String> {
        let mut in_text_order: Vec<usize> = (0..things.len()).collect();
        in_text_order.sort_by_key(|&index| (things[index].1, index));
        let mut at_one_place: BTreeMap<(Digest, usize), u32> = BTreeMap::new();
        let mut ids = vec![String::new(); things.len()];
        for index in in_text_order {
            let (fingerprint, start) = things[index];
            let place = origin(usize::try_from(start).unwrap_or(usize::MAX));
            let nth = at_one_place.entry((fingerprint, place)).or_default();
            let number = *self
                .numbers
                .entry((fingerprint, place, *nth))
                .or_insert_with(|| {
                    let twins = self.twins.entry(fingerprint).or_default();
                    *twins += 1;
                    *twins - 1
                });
            *nth += 1;
            ids[index] = match number {
                0 => format!("{prefix}-{}", fingerprint.short()),
                _ => format!("{prefix}-{}.{number}", fingerprint.short()),
            };
        }
        ids
    }
}

/// What a diagnostic is, without telling twins apart: its rule, its words and the text it marks.
fn diagnostic_fingerprint(snapshot: &Snapshot, diagnostic: &Diagnostic) -> Digest {
    let marked = diagnostic.span.as_ref().and_then(|span| {
        let start = usize::try_from(span.start).ok()?;
        let end = usize::try_from(span.end).ok()?;
        snapshot.text().as_bytes().get(start..end)
    });
    Digest::of_parts([
        b"diagnostic".as_slice(),
        snapshot.path().as_bytes(),
        diagnostic.phase.as_bytes(),
        diagnostic.rule.as_bytes(),
        diagnostic.code.as_bytes(),
        diagnostic.message.as_bytes(),
        diagnostic.node_id.as_deref().unwrap_or_default().as_bytes(),
        diagnostic
            .json_pointer
            .as_deref()
            .unwrap_or_default()
            .as_bytes(),
        marked.unwrap_or_default(),
    ])
}

fn fix_fingerprint(fix: &Fix) -> Digest {
    let head = [
        b"fix".as_slice(),
        fix.phase.as_bytes(),
        fix.rule.as_bytes(),
        fix.title.as_bytes(),
    ];
    let edits = fix.edits.iter().flat_map(|edit| {
        [
            edit.path.as_bytes(),
            edit.expected_sha256.as_bytes(),
            edit.replacement.as_bytes(),
        ]
    });
    Digest::of_parts(head.into_iter().chain(edits))
}

#[cfg(test)]
mod tests {
    use fixpoint_text::Span;

    use super::*;
    use crate::wire::Edit;

    fn finding(snapshot: &Snapshot, marked: &str, from: usize) -> Diagnostic {
        let start = from + snapshot.text()[from..].find(marked).expect("marked text");
        Diagnostic {
            rule: "rule".to_owned(),
            message: "message".to_owned(),
            span: Some(Span::from(start..start + marked.len()).into()),
            ..Diagnostic::default()
        }
    }

    fn named(snapshot: &Snapshot, mut diagnostics: Vec<Diagnostic>) -> Vec<String> {
        Names::default().name_diagnostics(snapshot, &mut diagnostics, &|offset| offset);
        diagnostics.into_iter().map(|it| it.id).collect()
    }

    #[test]
    fn an_unrelated_edit_keeps_the_id() {
        // F-54 X-15
        let before = Snapshot::new("a.txt", "x = bad\n");
        let after = Snapshot::new("a.txt", "a new first line\nx = bad\n");
        let ids = named(&before, vec![finding(&before, "bad", 0)]);
        assert_eq!(ids, named(&after, vec![finding(&after, "bad", 0)]));
        assert!(ids[0].starts_with("d-"));
    }

    #[test]
    fn twins_are_numbered_in_text_order_whatever_the_order_of_the_list() {
        let text = Snapshot::new("a.txt", "bad bad");
        let forwards = named(
            &text,
            vec![finding(&text, "bad", 0), finding(&text, "bad", 3)],
        );
        let mut backwards = named(
            &text,
            vec![finding(&text, "bad", 3), finding(&text, "bad", 0)],
        );
        backwards.reverse();
        assert_eq!(forwards, backwards);
        assert_ne!(forwards[0], forwards[1]);
    }

    #[test]
    fn a_twin_keeps_its_number_when_the_first_one_is_gone() {
        let (base, edited) = (
            Snapshot::new("a.txt", "bad bad"),
            Snapshot::new("a.txt", " bad"),
        );
        let mut names = Names::default();
        let mut before = [finding(&base, "bad", 0), finding(&base, "bad", 3)];
        names.name_diagnostics(&base, &mut before, &|offset| offset);
        let mut after = [finding(&edited, "bad", 0)];
        names.name_diagnostics(&edited, &mut after, &|offset| offset + 3);
        assert_eq!(after[0].id, before[1].id);
    }

    #[test]
    fn a_fix_is_what_it_does() {
        let text = Snapshot::new("a.txt", "ab");
        let fix = |start: usize, replacement: &str| Fix {
            edits: vec![Edit::replace(
                &text,
                Span::from(start..start + 1),
                replacement,
            )],
            ..Fix::default()
        };
        let mut fixes = [fix(0, "x"), fix(0, "y"), fix(1, "x")];
        Names::default().name_fixes(&mut fixes, &|offset| offset);
        assert_ne!(fixes[0].id, fixes[1].id);
        assert_ne!(fixes[0].id, fixes[2].id);
    }
}
