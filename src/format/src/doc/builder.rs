//! Builds documents in an arena.

use std::cell::Cell;

use bumpalo::Bump;

use super::{Align, Breaks, Doc, Group, GroupId, IfBreak, Label, LineKind, Node};

pub(crate) struct DocBuilder<'a> {
    arena: &'a Bump,
    next_group: Cell<u32>,
}

impl<'a> DocBuilder<'a> {
    pub(crate) fn new(arena: &'a Bump) -> Self {
        Self {
            arena,
            next_group: Cell::new(0),
        }
    }

    /// An id for one group of this document.
    pub(crate) fn group_id(&self) -> GroupId {
        let id = self.next_group.get();
        self.next_group.set(id + 1);
        GroupId(id)
    }

    /// Text that is not part of the source, without line ends.
    pub(crate) fn text(&self, text: &str) -> Doc<'a> {
        Doc::Text(self.arena.alloc_str(text))
    }

    /// `text` with a `separator` for every line end.
    pub(crate) fn lines(&self, text: &'a str, separator: Doc<'a>) -> Doc<'a> {
        if !text.contains('\n') {
            return Doc::Text(text);
        }
        let lines: Vec<_> = text.split('\n').map(Doc::Text).collect();
        self.join(separator, &lines)
    }

    pub(crate) fn concat(&self, parts: &[Doc<'a>]) -> Doc<'a> {
        match parts {
            [] => Doc::NIL,
            [part] => *part,
            _ => Doc::Concat(breaks_of(parts), self.arena.alloc_slice_copy(parts)),
        }
    }

    pub(crate) fn join(&self, separator: Doc<'a>, parts: &[Doc<'a>]) -> Doc<'a> {
        let mut joined = Vec::with_capacity(parts.len() * 2);
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                joined.push(separator);
            }
            joined.push(*part);
        }
        self.concat(&joined)
    }

    /// `parts` are contents and separators in turn.
    pub(crate) fn fill(&self, parts: &[Doc<'a>]) -> Doc<'a> {
        Doc::Fill(breaks_of(parts), self.arena.alloc_slice_copy(parts))
    }

    pub(crate) fn indent(&self, contents: Doc<'a>) -> Doc<'a> {
        Doc::Indent(self.node(contents))
    }

    pub(crate) fn align(&self, align: Align, contents: Doc<'a>) -> Doc<'a> {
        Doc::Align(align, self.node(contents))
    }

    pub(crate) fn dedent(&self, contents: Doc<'a>) -> Doc<'a> {
        self.align(Align::Dedent, contents)
    }

    pub(crate) fn group(&self, contents: Doc<'a>) -> Doc<'a> {
        self.group_with(contents, None, false)
    }

    pub(crate) fn broken_group(&self, contents: Doc<'a>) -> Doc<'a> {
        self.group_with(contents, None, true)
    }

    pub(crate) fn group_with(
        &self,
        contents: Doc<'a>,
        id: Option<GroupId>,
        should_break: bool,
    ) -> Doc<'a> {
        let breaks = contents.breaks();
        let is_broken = should_break || breaks.propagated;
        Doc::Group(self.arena.alloc(Group {
            contents,
            states: &[],
            id,
            is_broken,
            contains_break: is_broken || breaks.contained,
        }))
    }

    /// A group that is printed in the first state that fits, or else in the last one. Breaks in its
    /// states do not break it.
    pub(crate) fn conditional_group(&self, states: &[Doc<'a>], should_break: bool) -> Doc<'a> {
        let Some(contents) = states.first().copied() else {
            return Doc::NIL;
        };
        Doc::Group(self.arena.alloc(Group {
            contents,
            states: self.arena.alloc_slice_copy(states),
            id: None,
            is_broken: should_break,
            contains_break: should_break || contents.breaks().contained,
        }))
    }

    /// `broken` or `flat`, by the mode of the enclosing group.
    pub(crate) fn if_break(&self, broken: impl Into<Doc<'a>>, flat: impl Into<Doc<'a>>) -> Doc<'a> {
        self.choice(broken.into(), flat.into(), None)
    }

    /// `broken` or `flat`, by the mode of a group that is printed earlier.
    pub(crate) fn if_group_breaks(
        &self,
        group: GroupId,
        broken: impl Into<Doc<'a>>,
        flat: impl Into<Doc<'a>>,
    ) -> Doc<'a> {
        self.choice(broken.into(), flat.into(), Some(group))
    }

    fn choice(&self, broken: Doc<'a>, flat: Doc<'a>, group: Option<GroupId>) -> Doc<'a> {
        Doc::IfBreak(self.arena.alloc(IfBreak {
            broken,
            flat,
            group,
        }))
    }

    pub(crate) fn indent_if_break(
        &self,
        contents: Doc<'a>,
        group: GroupId,
        negate: bool,
    ) -> Doc<'a> {
        Doc::IndentIfBreak {
            contents: self.node(contents),
            group,
            negate,
        }
    }

    pub(crate) fn line_suffix(&self, contents: Doc<'a>) -> Doc<'a> {
        Doc::LineSuffix(self.node(contents))
    }

    pub(crate) fn label(&self, label: Label, contents: Doc<'a>) -> Doc<'a> {
        Doc::Labeled(label, self.node(contents))
    }

    /// The document on one line: every line that is not forced is flat.
    pub(crate) fn remove_lines(&self, doc: Doc<'a>) -> Doc<'a> {
        let flat = |node: &Node<'a>| self.remove_lines(node.contents);
        let all = |parts: &[Doc<'a>]| -> Vec<_> {
            parts.iter().map(|part| self.remove_lines(*part)).collect()
        };
        match doc {
            Doc::Line(LineKind::Space) => Doc::SPACE,
            Doc::Line(LineKind::Soft) => Doc::NIL,
            Doc::Line(LineKind::Hard | LineKind::Literal)
            | Doc::Text(_)
            | Doc::BreakParent
            | Doc::Trim
            | Doc::LineSuffixBoundary => doc,
            Doc::Concat(_, parts) => self.concat(&all(parts)),
            Doc::Fill(_, parts) => self.fill(&all(parts)),
            Doc::Indent(node) => self.indent(flat(node)),
            Doc::Align(align, node) => self.align(align, flat(node)),
            Doc::LineSuffix(node) => self.line_suffix(flat(node)),
            Doc::Labeled(label, node) => self.label(label, flat(node)),
            Doc::IndentIfBreak {
                contents,
                group,
                negate,
            } => self.indent_if_break(flat(contents), group, negate),
            Doc::Group(group) => {
                self.group_with(self.remove_lines(group.contents), group.id, group.is_broken)
            }
            Doc::IfBreak(choice) => self.remove_lines(choice.flat),
        }
    }

    fn node(&self, contents: Doc<'a>) -> &'a Node<'a> {
        self.arena.alloc(Node {
            contents,
            breaks: contents.breaks(),
        })
    }
}

fn breaks_of(parts: &[Doc<'_>]) -> Breaks {
    parts
        .iter()
        .fold(Breaks::default(), |breaks, part| breaks.or(part.breaks()))
}
