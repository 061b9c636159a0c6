//! A document algebra for printers: text with places where a line may break.
//!
//! A printer builds a [`Doc`] with a [`DocBuilder`], and [`print`] chooses the breaks. The commands and
//! the rules by which a group fits on a line are those of prettier, so that a printer can reproduce its
//! layout.
//!
//! Documents are in an arena and can be copied, so alternatives share their parts. Every document
//! knows whether it contains a forced break. So no pass over the finished document is necessary, and
//! printing is linear in the size of the document.

mod builder;
mod indentation;
mod print;
mod width;

#[cfg(test)]
mod tests;

pub(crate) use builder::DocBuilder;
pub(crate) use print::{PrintOptions, print};
pub(crate) use width::text_width;

/// Identifies a group, so that another part of the document can depend on whether it breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GroupId(u32);

/// A mark for the printer that built a document. It does not change the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(pub(crate) &'static str);

#[derive(Clone, Copy, Debug)]
pub(crate) enum Doc<'a> {
    /// Text without line ends.
    Text(&'a str),
    Line(LineKind),
    /// Breaks all groups around it.
    BreakParent,
    /// Removes the indentation of the current line, for text that must start in the first column.
    Trim,
    /// Ends the line if a line suffix is pending.
    LineSuffixBoundary,
    Concat(Breaks, &'a [Doc<'a>]),
    /// Alternates contents and separators, and breaks only the separators where the line is full.
    Fill(Breaks, &'a [Doc<'a>]),
    Indent(&'a Node<'a>),
    Align(Align, &'a Node<'a>),
    Group(&'a Group<'a>),
    IfBreak(&'a IfBreak<'a>),
    /// Indents its contents if the named group breaks, or if `negate` is set, if it does not.
    IndentIfBreak {
        contents: &'a Node<'a>,
        group: GroupId,
        negate: bool,
    },
    /// Printed before the next line end, like a comment at the end of a line.
    LineSuffix(&'a Node<'a>),
    Labeled(Label, &'a Node<'a>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineKind {
    /// A space if the group is flat.
    Space,
    /// Nothing if the group is flat.
    Soft,
    /// Always breaks. Most printers need [`DocBuilder::hardline`], which also breaks all groups around
    /// it.
    Hard,
    /// Like `Hard`, but the next line is not indented.
    Literal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Align {
    Spaces(u16),
    /// Removes one level of indentation or alignment.
    Dedent,
    /// Makes the current indentation the root of its contents.
    Root,
    /// Indents like the root.
    ToRoot,
}

/// The forced breaks in a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Breaks {
    /// Some part breaks.
    pub(crate) contained: bool,
    /// The groups around it break too. A conditional group contains breaks that do not propagate.
    pub(crate) propagated: bool,
}

impl Breaks {
    const FORCED: Self = Self {
        contained: true,
        propagated: true,
    };

    fn or(self, other: Self) -> Self {
        Self {
            contained: self.contained || other.contained,
            propagated: self.propagated || other.propagated,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    pub(crate) contents: Doc<'a>,
    breaks: Breaks,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<'a> {
    pub(crate) contents: Doc<'a>,
    /// Alternatives of a conditional group, from the flattest to the most expanded one. The first one is
    /// `contents`.
    pub(crate) states: &'a [Doc<'a>],
    pub(crate) id: Option<GroupId>,
    /// The group is printed in break mode.
    pub(crate) is_broken: bool,
    contains_break: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct IfBreak<'a> {
    pub(crate) broken: Doc<'a>,
    pub(crate) flat: Doc<'a>,
    pub(crate) group: Option<GroupId>,
}

impl<'a> Doc<'a> {
    pub(crate) const NIL: Self = Doc::Text("");
    pub(crate) const SPACE: Self = Doc::Text(" ");
    /// A space, or a line end if the group breaks.
    pub(crate) const LINE: Self = Doc::Line(LineKind::Space);
    /// Nothing, or a line end if the group breaks.
    pub(crate) const SOFTLINE: Self = Doc::Line(LineKind::Soft);
    /// A line end that does not break the groups around it.
    pub(crate) const HARDLINE_WITHOUT_BREAK: Self = Doc::Line(LineKind::Hard);
    /// A line end that breaks all groups around it.
    pub(crate) const HARDLINE: Self = Doc::Concat(
        Breaks::FORCED,
        &[Doc::Line(LineKind::Hard), Doc::BreakParent],
    );
    /// Like [`Self::HARDLINE`], but the next line is not indented.
    pub(crate) const LITERALLINE: Self = Doc::Concat(
        Breaks::FORCED,
        &[Doc::Line(LineKind::Literal), Doc::BreakParent],
    );

    pub(crate) fn is_nil(&self) -> bool {
        match self {
            Doc::Text(text) => text.is_empty(),
            Doc::Concat(_, parts) => parts.iter().all(Doc::is_nil),
            _ => false,
        }
    }

    /// Whether some part of the document always breaks.
    pub(crate) fn will_break(&self) -> bool {
        self.breaks().contained
    }

    /// Whether some part of the document could break.
    pub(crate) fn can_break(&self) -> bool {
        match self {
            Doc::Line(_) => true,
            Doc::Text(_) | Doc::BreakParent | Doc::Trim | Doc::LineSuffixBoundary => false,
            Doc::Concat(_, parts) | Doc::Fill(_, parts) => parts.iter().any(Doc::can_break),
            Doc::Indent(node)
            | Doc::Align(_, node)
            | Doc::LineSuffix(node)
            | Doc::Labeled(_, node)
            | Doc::IndentIfBreak { contents: node, .. } => node.contents.can_break(),
            Doc::Group(group) => group.contents.can_break(),
            Doc::IfBreak(choice) => choice.broken.can_break() || choice.flat.can_break(),
        }
    }

    pub(crate) fn label(&self) -> Option<Label> {
        match self {
            Doc::Labeled(label, _) => Some(*label),
            _ => None,
        }
    }

    fn breaks(&self) -> Breaks {
        match self {
            Doc::BreakParent => Breaks::FORCED,
            Doc::Line(LineKind::Hard | LineKind::Literal) => Breaks {
                contained: true,
                propagated: false,
            },
            Doc::Line(LineKind::Space | LineKind::Soft)
            | Doc::Text(_)
            | Doc::Trim
            | Doc::LineSuffixBoundary => Breaks::default(),
            Doc::Concat(breaks, _) | Doc::Fill(breaks, _) => *breaks,
            Doc::Indent(node)
            | Doc::Align(_, node)
            | Doc::LineSuffix(node)
            | Doc::Labeled(_, node)
            | Doc::IndentIfBreak { contents: node, .. } => node.breaks,
            Doc::Group(group) => Breaks {
                contained: group.contains_break,
                propagated: group.is_broken,
            },
            Doc::IfBreak(choice) => choice.broken.breaks().or(choice.flat.breaks()),
        }
    }
}

impl<'a> From<&'a str> for Doc<'a> {
    fn from(text: &'a str) -> Self {
        Doc::Text(text)
    }
}
