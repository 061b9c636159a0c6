//! Ids for diagnostics and fixes, derived from their content and not from their position. An
//! unrelated edit above them therefore does not change an id. Identical items are numbered in text
//! order. Their ids contain the total (`.1of2`), so that an id never moves from one item to
//! another.

use std::collections::BTreeMap;

use fixpoint_text::{Digest, Snapshot};

use crate::wire::{Diagnostic, Edit, Fix};

/// Bytes on either side of an edit that are part of the fix's fingerprint. The limit is for
/// minified files, which are a single line.
const LINE_CONTEXT: usize = 120;

/// The ids assigned so far in one file. Items found in an edited text keep the ids they have in the
/// base. They are recognized by their content and by their position in the base.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By content, position in the base, and a counter. The counter distinguishes items that an
    /// edit put at the same position.
    ids: BTreeMap<(Digest, usize, u32), String>,
    duplicates: BTreeMap<Digest, Duplicates>,
}

/// The items that share a fingerprint.
#[derive(Clone, Copy, Debug)]
struct Duplicates {
    /// The number of items when the fingerprint was first seen.
    total: u32,
    named: u32,
}

struct Item {
    /// Identifies the item even after the text around it has been edited.
    kind: Digest,
    /// The part that the id is made from.
    fingerprint: Digest,
    start: u64,
}

impl Names {
    /// Assigns an id to every diagnostic. `origin` maps an offset of `source` to the base.
    pub fn name_diagnostics(
        &mut self,
        source: &Snapshot,
        diagnostics: &mut [Diagnostic],
        origin: &dyn Fn(usize) -> usize,
    ) {
        let items = diagnostics.iter().map(|diagnostic| {
            let kind = diagnostic_fingerprint(source, diagnostic);
            Item {
                kind,
                fingerprint: kind,
                start: diagnostic.span.map_or(0, |span| span.start),
            }
        });
        let ids = self.name("d", &items.collect::<Vec<_>>(), origin);
        for (diagnostic, id) in diagnostics.iter_mut().zip(ids) {
            diagnostic.id = id;
        }
    }

    /// Assigns an id to every fix without one. It is derived from the rule, the title, the removed and inserted
    /// texts, and the line on which the fix starts. `origin` maps an offset of `source` to the
    /// base.
    pub fn name_fixes(
        &mut self,
        source: &Snapshot,
        fixes: &mut [Fix],
        origin: &dyn Fn(usize) -> usize,
    ) {
        let mut fixes: Vec<&mut Fix> = fixes.iter_mut().filter(|it| it.id.is_empty()).collect();
        let items = fixes.iter().map(|fix| {
            let kind = fix_fingerprint(fix);
            let first = fix.edits.iter().find(|edit| edit.path == source.path());
            let line = first.map_or("", |edit| line_around(source.text(), edit));
            Item {
                kind,
                fingerprint: Digest::of_parts([kind.to_string().as_bytes(), line.as_bytes()]),
                start: fix.edits.first().map_or(0, |edit| edit.start),
            }
        });
        let ids = self.name("f", &items.collect::<Vec<_>>(), origin);
        for (fix, id) in fixes.iter_mut().zip(ids) {
            fix.id = id;
        }
    }

    fn name(
        &mut self,
        prefix: &str,
        items: &[Item],
        origin: &dyn Fn(usize) -> usize,
    ) -> Vec<String> {
        let mut in_text_order: Vec<usize> = (0..items.len()).collect();
        in_text_order.sort_by_key(|&index| (items[index].start, index));
        let mut totals: BTreeMap<Digest, u32> = BTreeMap::new();
        for item in items {
            *totals.entry(item.fingerprint).or_default() += 1;
        }
        let mut at_one_place: BTreeMap<(Digest, usize), u32> = BTreeMap::new();
        let mut ids = vec![String::new(); items.len()];
        for index in in_text_order {
            let item = &items[index];
            let place = origin(usize::try_from(item.start).unwrap_or(usize::MAX));
            let nth = at_one_place.entry((item.kind, place)).or_default();
            let id = self.ids.entry((item.kind, place, *nth)).or_insert_with(|| {
                let duplicates =
                    self.duplicates
                        .entry(item.fingerprint)
                        .or_insert_with(|| Duplicates {
                            total: totals[&item.fingerprint],
                            named: 0,
                        });
                duplicates.named += 1;
                let short = item.fingerprint.short();
                match (duplicates.named, duplicates.total) {
                    (1, 1) => format!("{prefix}-{short}"),
                    (number, total) => format!("{prefix}-{short}.{number}of{total}"),
                }
            });
            *nth += 1;
            ids[index].clone_from(id);
        }
        ids
    }
}

/// The content of a diagnostic: its rule, its message and the text it marks. Identical diagnostics
/// have the same fingerprint.
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

/// The text around the start of an edit, on the same line, trimmed.
fn line_around<'a>(text: &'a str, edit: &Edit) -> &'a str {
    let at = usize::try_from(edit.start)
        .unwrap_or(usize::MAX)
        .min(text.len());
    let from = text.floor_char_boundary(at.saturating_sub(LINE_CONTEXT));
    let to = text.floor_char_boundary(at.saturating_add(LINE_CONTEXT));
    let at = text.floor_char_boundary(at);
    let start = text[from..at]
        .rfind('\n')
        .map_or(from, |newline| from + newline + 1);
    let end = text[at..to].find('\n').map_or(to, |newline| at + newline);
    text[start..end].trim()
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
    fn duplicates_are_numbered_in_text_order_for_any_list_order() {
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
    fn a_duplicate_keeps_its_number_when_the_first_one_is_gone() {
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
    fn a_fix_id_depends_on_its_edits() {
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
        Names::default().name_fixes(&text, &mut fixes, &|offset| offset);
        assert_ne!(fixes[0].id, fixes[1].id);
        assert_ne!(fixes[0].id, fixes[2].id);
    }

    #[test]
    fn an_approved_id_never_moves_to_another_fix() {
        let ids = |text: &str| -> Vec<String> {
            let text = Snapshot::new("a.txt", text);
            let fix = |(start, found): (usize, &str)| Fix {
                edits: vec![Edit::replace(
                    &text,
                    Span::from(start..start + found.len()),
                    "y",
                )],
                ..Fix::default()
            };
            let mut fixes: Vec<Fix> = text.text().match_indices('x').map(fix).collect();
            Names::default().name_fixes(&text, &mut fixes, &|offset| offset);
            fixes.into_iter().map(|it| it.id).collect()
        };
        let both = ids("x += 1\nx += 1\n");
        let second = ids("y += 1\nx += 1\n");
        assert!(!both.contains(&second[0]), "{both:?} {second:?}");
        let other = ids("x += 2\n");
        assert_ne!(other, second);
        assert_eq!(ids("a new line\n  x += 2\n"), other);
    }
}
