//! Fills the slots of a template. What the pattern and the template share stays as it is in the source.

use fixpoint_text::Span;

use super::Template;
use crate::apply::{Refusal, TextEdit};
use crate::pattern::{Expected, Leaf, LeafContent, PatternMatch};
use crate::tree::{NodeId, Tree};

/// How a template is written.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wrap<'a> {
    /// The slots that get parentheses.
    pub slots: &'a [NodeId],
    /// The indentation of the template's first line; that of the match if none is given.
    pub indent: Option<&'a str>,
}

/// A filled template.
#[derive(Clone, Debug)]
pub(crate) struct Rendered {
    pub text: String,
    pub edits: Vec<TextEdit>,
    /// The places of slots and resolved names in the text.
    pub slots: Expected,
}

/// A leaf that is not left out, and the white space before it in the template.
struct Item<'a> {
    index: usize,
    gap: &'a str,
}

impl Template {
    pub fn render(
        &self,
        tree: &Tree,
        found: &PatternMatch,
        wrap: Wrap<'_>,
    ) -> Result<Rendered, Refusal> {
        let source = tree.text();
        let line = line_indent(source, found.span.start());
        let mut writer = Writer {
            tree,
            start: found.span.start(),
            base: wrap.indent.unwrap_or(line),
            is_moved: wrap.indent.is_some_and(|indent| indent != line),
            text: String::new(),
            at: found.span.start(),
            pending: String::new(),
            edits: Vec::new(),
            used: Vec::new(),
        };
        // The position of each leaf of the pattern among those that the match has.
        let mut count = 0;
        let present = self.pattern_leaves.iter().map(|leaf| {
            let place = *found.places.get(&leaf.node)?;
            (!place.is_empty()).then(|| {
                count += 1;
                (count, place)
            })
        });
        let present: Vec<Option<(usize, Span)>> = present.collect();
        let mut slots = Expected::new();
        let items = self.items(found);
        let kept = items.iter().map(|item| {
            let partner = self.kept[item.index]?;
            present[partner]
        });
        let kept: Vec<Option<(usize, Span)>> = kept.collect();
        let leaves = present.iter().zip(&self.pattern_leaves);
        let in_order = leaves.filter_map(|(place, leaf)| Some((place.as_ref()?.1, leaf)));
        let in_order: Vec<(Span, &Leaf)> = in_order.collect();
        let new: Vec<&Leaf> = items.iter().map(|item| &self.leaves[item.index]).collect();
        let places = substitutes(&kept, &new, &in_order);
        for (position, item) in items.into_iter().enumerate() {
            let leaf = &self.leaves[item.index];
            let kept = kept[position];
            if position > 0 {
                match (places[position - 1], places[position]) {
                    (Some((last, before)), Some((this, after))) if last + 1 == this => {
                        writer.keep(Span::from(before.end()..after.start()));
                    }
                    _ => writer.gap(item.gap),
                }
            }
            let start = writer.text.len();
            let is_wrapped = wrap.slots.contains(&leaf.node);
            match &leaf.content {
                LeafContent::Token(text) => match kept {
                    Some((_, place)) => writer.keep(place),
                    None => writer.push(text),
                },
                LeafContent::Hole(_) | LeafContent::Name(_) => {
                    let place = self.content(found, &leaf.content).ok_or(Refusal::NoMatch)?;
                    if is_wrapped {
                        writer.push("(");
                    }
                    writer.moved(kept.map_or(place, |(_, place)| place), kept.is_some());
                    if is_wrapped {
                        writer.push(")");
                    }
                    slots.insert(leaf.node, Span::from(start..writer.text.len()));
                }
            }
        }
        let used = std::mem::take(&mut writer.used);
        check_comments(tree, found.span, &used)?;
        writer.flush(found.span.end(), found.span.end());
        Ok(Rendered {
            text: writer.text,
            edits: writer.edits,
            slots,
        })
    }

    /// The code of a slot or of a resolved name.
    fn content(&self, found: &PatternMatch, content: &LeafContent) -> Option<Span> {
        match content {
            LeafContent::Hole(hole) => {
                let name = self.fragment.holes[*hole].name.as_deref()?;
                Some(found.captures.get(name)?.span)
            }
            LeafContent::Name(_) => {
                let mut leaves = self.pattern_leaves.iter();
                let leaf = leaves.find(|leaf| leaf.content == *content)?;
                found.places.get(&leaf.node).copied()
            }
            LeafContent::Token(_) => None,
        }
    }

    /// The leaves without the slots that are empty, and without the separators of those.
    fn items(&self, found: &PatternMatch) -> Vec<Item<'_>> {
        let is_empty = |index: usize| match &self.leaves[index].content {
            LeafContent::Hole(hole) => {
                let name = self.fragment.holes[*hole]
                    .name
                    .as_deref()
                    .unwrap_or_default();
                found
                    .captures
                    .get(name)
                    .is_none_or(|binding| binding.nodes.is_empty())
            }
            _ => false,
        };
        let is_comma = |index: usize| matches!(&self.leaves[index].content, LeafContent::Token(text) if text == ",");
        let mut items: Vec<Item<'_>> = Vec::new();
        let mut index = 0;
        let mut gap_of_next = None;
        while index < self.leaves.len() {
            let gap = match index.checked_sub(1) {
                Some(before) => self
                    .fragment
                    .gap(self.leaves[before].node, self.leaves[index].node),
                None => "",
            };
            let gap = gap_of_next.take().unwrap_or(gap);
            if is_empty(index) {
                if index + 1 < self.leaves.len() && is_comma(index + 1) {
                    gap_of_next = Some(gap);
                    index += 1;
                } else if items.last().is_some_and(|last| is_comma(last.index)) {
                    items.pop();
                }
            } else {
                items.push(Item { index, gap });
            }
            index += 1;
        }
        items
    }
}

/// The place of each item in the source: its own place if it stays, or that of the single word or string it replaces.
fn substitutes(
    kept: &[Option<(usize, Span)>],
    new: &[&Leaf],
    in_order: &[(Span, &Leaf)],
) -> Vec<Option<(usize, Span)>> {
    let is_like = |old: &Leaf, new: &Leaf| match (&old.content, &new.content) {
        (LeafContent::Token(old), LeafContent::Token(new)) => {
            is_word(old) && is_word(new) || is_string(old) && is_string(new)
        }
        _ => false,
    };
    let number = |at: usize| kept[at].map(|(number, _)| number);
    let place = |at: usize| {
        let before = match at {
            0 => Some(0),
            at => number(at - 1),
        };
        let after = match at + 1 {
            next if next == kept.len() => Some(in_order.len() + 1),
            next => number(next),
        };
        let this = before? + 1;
        let (place, old) = *in_order.get(this - 1)?;
        (after? == this + 1 && is_like(old, new[at])).then_some((this, place))
    };
    (0..kept.len())
        .map(|at| kept[at].or_else(|| place(at)))
        .collect()
}

fn is_word(token: &str) -> bool {
    let mut chars = token.chars();
    chars.all(|char| char.is_alphanumeric() || char == '_')
}

fn is_string(token: &str) -> bool {
    token.len() > 1 && token.starts_with(['"', '\'']) && token.ends_with(['"', '\''])
}

/// Each comment of the match must be in exactly one part of it that the result contains.
fn check_comments(tree: &Tree, place: Span, used: &[Span]) -> Result<(), Refusal> {
    for comment in tree.comments_in(place) {
        let is_inside =
            |part: &&Span| part.start() <= comment.start() && comment.end() <= part.end();
        let count = used.iter().filter(is_inside).count();
        if count != 1 {
            let text = tree.text()[comment.range()].to_owned();
            return Err(Refusal::Comment { text });
        }
    }
    Ok(())
}

struct Writer<'a> {
    tree: &'a Tree,
    /// Where the match starts.
    start: usize,
    base: &'a str,
    /// Whether the result is for another place than that of the match.
    is_moved: bool,
    text: String,
    /// The end of the source text that was written or replaced.
    at: usize,
    /// New text since then.
    pending: String,
    edits: Vec<TextEdit>,
    /// The parts of the source that the result contains.
    used: Vec<Span>,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.pending.push_str(text);
    }

    /// White space of the template, with the indentation of the match.
    fn gap(&mut self, gap: &str) {
        let indented = gap.replace('\n', &format!("\n{}", self.base));
        self.push(&indented);
    }

    /// Source text that stays where it is.
    fn keep(&mut self, place: Span) {
        self.flush(place.start(), place.end());
        self.used.push(place);
        self.text.push_str(&self.tree.text()[place.range()]);
    }

    /// The code of a slot; its lines keep their indentation relative to the first one.
    fn moved(&mut self, place: Span, is_kept: bool) {
        let source = self.tree.text();
        let old = line_indent(source, place.start());
        let new = self.indent();
        let indented = reindent(self.tree, place, old, &new);
        if is_kept && indented == source[place.range()] {
            self.keep(place);
        } else {
            self.used.push(place);
            self.push(&indented);
        }
    }

    /// The indentation of the line that is being written.
    fn indent(&self) -> String {
        match self.text.rsplit_once('\n') {
            Some((_, line)) => leading_blanks(line).to_owned(),
            None if self.is_moved => self.base.to_owned(),
            None => line_indent(self.tree.text(), self.start).to_owned(),
        }
    }

    /// Replaces the source text up to `end` with the new text, and continues at `next`.
    fn flush(&mut self, end: usize, next: usize) {
        let replacement = std::mem::take(&mut self.pending);
        if self.tree.text().get(self.at..end) != Some(replacement.as_str()) {
            self.edits.push(TextEdit {
                span: Span::from(self.at..end),
                replacement,
            });
        }
        self.at = next;
    }
}

fn leading_blanks(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The white space at the start of the line that contains an offset.
pub(crate) fn line_indent(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    leading_blanks(&text[start..at])
}

/// The text of a place, with the indentation of its lines after the first changed. Lines that start inside a token or a
/// comment do not change.
fn reindent(tree: &Tree, place: Span, old: &str, new: &str) -> String {
    let source = &tree.text()[place.range()];
    if old == new || !source.contains('\n') {
        return source.to_owned();
    }
    let mut result = String::with_capacity(source.len());
    for (offset, line) in source.split_inclusive('\n').scan(0, |at, line| {
        let offset = *at;
        *at += line.len();
        Some((offset, line))
    }) {
        let at = place.start() + offset;
        let unchanged = offset == 0 || is_inside_token(tree, at) || line.trim().is_empty();
        match line.strip_prefix(old).filter(|_| !unchanged) {
            Some(rest) => {
                result.push_str(new);
                result.push_str(rest);
            }
            None => result.push_str(line),
        }
    }
    result
}

fn is_inside_token(tree: &Tree, at: usize) -> bool {
    let before = tree
        .comments()
        .partition_point(|comment| comment.start() < at);
    let in_comment = before > 0 && tree.comments()[before - 1].end() > at;
    let node = tree.covering(Span::at(at));
    let inside = |node: NodeId| tree.is_token(node) && tree.start(node) < at && at < tree.end(node);
    in_comment || inside(node)
}
