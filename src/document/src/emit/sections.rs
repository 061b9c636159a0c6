//! Edits the lines of TOML: removes sections and entries, and finds the position of new entries.

use fixpoint_text::Span;

use super::Emitter;
use super::place::Comments;
use super::tables::Plan;
use crate::toml::Places;
use crate::tree::NodeId;

const HASH: Comments = Comments::Hash;

impl Emitter<'_, '_> {
    /// The start of a section, including the comments directly above its header.
    pub(super) fn section_top(&self, layout: &Places<'_>, section: usize) -> usize {
        let header = layout.sections[section].header.map_or(0, Span::start);
        let mut top = self.lines.start(header);
        while top > 0 {
            let above = self.lines.start(self.lines.back_over_break(top));
            let first = self.lines.over_blanks(above);
            if above == top || self.lines.comment_end(first, HASH).is_none() {
                break;
            }
            top = above;
        }
        top
    }

    pub(super) fn remove(&mut self, layout: &Places<'_>, plan: &Plan) {
        let mut sections: Vec<usize> = plan.removed_sections.iter().copied().collect();
        sections.sort_unstable();
        // Sections that are separated only by blank lines are removed together.
        let mut spans: Vec<Span> = Vec::new();
        for section in sections {
            let Some(header) = layout.sections[section].header else {
                continue;
            };
            if plan.rewritten_headers.contains(&section) {
                continue;
            }
            let end = layout.section_end(section);
            let end = match plan.dropped_sections.contains(&section) {
                true => self.after_own_comments(end),
                false => end,
            };
            let gap = |last: &Span| self.text()[last.end()..header.start()].trim().is_empty();
            match spans.last_mut().filter(|last| gap(last)) {
                Some(last) => *last = Span::from(last.start()..end),
                None => spans.push(Span::from(header.start()..end)),
            }
        }
        for span in spans {
            self.remove_section(span);
        }
        let mut entries: Vec<(usize, usize)> = plan.removed_entries.iter().copied().collect();
        entries.sort_unstable();
        for place in entries {
            let is_gone = plan.removed_sections.contains(&place.0);
            if !is_gone && !plan.rewritten.contains(&place) {
                let span = layout.entry(place).span;
                let end = match plan.dropped_entries.contains(&place) {
                    true => self.after_own_comments(span.end()),
                    false => span.end(),
                };
                self.remove_whole_lines(Span::from(span.start()..end), HASH);
            }
        }
    }

    /// Removes a section, and the blank line before it if a blank line or the end of the text
    /// follows.
    fn remove_section(&mut self, span: Span) {
        self.remove_whole_lines(span, HASH);
        let after = self.lines.over_break(self.lines.over_blanks(span.end()));
        let start = self.lines.start(span.start());
        let above = self.lines.back_over_break(start);
        let is_blank_above = above > 0 && self.lines.back_over_break(above) < above;
        let is_alone = self.lines.is_end(after) || self.lines.is_break(after);
        if is_blank_above && is_alone && after > span.end() {
            self.delete(self.lines.back_over_break(above)..above);
        }
    }

    /// Adds entries of the form `key = value` to a table.
    pub(super) fn add_entries(
        &mut self,
        layout: &Places<'_>,
        id: NodeId,
        entries: &[String],
        plan: &Plan,
    ) {
        let newline = self.style.newline;
        let parts = layout.parts(id);
        let stays = |place: &(usize, usize)| {
            !plan.removed_entries.contains(place) && !plan.removed_sections.contains(&place.0)
        };
        if let Some(own) = parts.own {
            let section = &layout.sections[own];
            let places = (0..section.entries.len()).map(|place| (own, place));
            let last = places
                .rev()
                .find(|it| stays(it) || plan.rewritten.contains(it));
            match (last, section.header) {
                (Some(last), _) => self.add_after(layout.entry(last).span, entries),
                (None, Some(header)) => {
                    let at = self.lines.end(header.end());
                    self.insert(at, format!("{newline}{}", entries.join(newline)));
                }
                (None, None) => self.add_to_root(layout, &entries.join(newline), plan),
            }
        } else if let Some(first) = parts.entries.first() {
            let last = parts.entries.iter().rev().find(|it| stays(it));
            let model = layout.entry(*last.unwrap_or(first));
            let prefix = self.prefix(layout, model, id, plan);
            let entries: Vec<String> = entries.iter().map(|it| format!("{prefix}.{it}")).collect();
            if last.is_some() {
                self.add_after(model.span, &entries);
            } else {
                let start = self.lines.start(model.span.start());
                self.insert_above(start, &entries.join(newline));
            }
        } else if let Some(first) = parts.sections.first().copied()
            && let Some(name) = self.header_prefix(layout, first, id, plan)
        {
            let top = self.section_top(layout, first);
            let entries = entries.join(newline);
            self.insert_above(top, &format!("[{name}]{newline}{entries}{newline}"));
        }
    }

    fn add_after(&mut self, span: Span, entries: &[String]) {
        let line = format!("{}{}", self.style.newline, self.lines.indent(span.start()));
        let text: String = entries
            .iter()
            .map(|entry| format!("{line}{entry}"))
            .collect();
        self.insert(self.lines.end(span.end()), text);
    }

    /// Adds entries to the root table if none of its entries remain: before the first section.
    fn add_to_root(&mut self, layout: &Places<'_>, entries: &str, plan: &Plan) {
        let newline = self.style.newline;
        if let Some(first) = layout.sections[0].entries.first() {
            self.insert_above(self.lines.start(first.span.start()), entries);
        } else if layout.sections.len() > 1 {
            let top = self.section_top(layout, 1);
            let gap = if plan.removed_sections.contains(&1) {
                ""
            } else {
                newline
            };
            self.insert_above(top, &format!("{entries}{gap}"));
        } else {
            let text = self.text();
            let is_line = text.is_empty() || text.ends_with('\n') || text == "\u{feff}";
            let gap = if is_line { "" } else { newline };
            self.insert(text.len(), format!("{gap}{entries}{newline}"));
        }
    }
}
