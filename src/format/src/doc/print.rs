//! Chooses where a document breaks, and writes it as text.

use super::indentation::{Indentation, Indentations};
use super::{Doc, Group, GroupId, LineKind, text_width};

#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintOptions {
    pub(crate) width: usize,
    pub(crate) tab_width: usize,
    pub(crate) use_tabs: bool,
}

/// Prints `doc`. Lines end in LF. Blanks before a line end are removed, except before a literal one.
pub(crate) fn print(doc: Doc<'_>, options: PrintOptions) -> String {
    let mut printer = Printer {
        width: options.width,
        out: String::new(),
        column: 0,
        commands: vec![Command {
            indentation: Indentation::ROOT,
            mode: Mode::Break,
            doc,
        }],
        fit_commands: Vec::new(),
        indentations: Indentations::new(options.tab_width, options.use_tabs),
        line_suffixes: Vec::new(),
        group_modes: Vec::new(),
        must_remeasure: false,
    };
    printer.run();
    printer.out
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Flat,
    Break,
}

#[derive(Clone, Copy)]
struct Command<'a> {
    indentation: Indentation,
    mode: Mode,
    doc: Doc<'a>,
}

struct Printer<'a> {
    width: usize,
    out: String,
    column: usize,
    /// What remains to be printed, the next command last.
    commands: Vec<Command<'a>>,
    /// The stack of [`Printer::fits`], kept to reuse its memory.
    fit_commands: Vec<(Mode, Doc<'a>)>,
    indentations: Indentations,
    line_suffixes: Vec<Command<'a>>,
    /// The modes of printed groups, by id.
    group_modes: Vec<Option<Mode>>,
    /// A forced line end in flat mode was printed, so the next group is measured again.
    must_remeasure: bool,
}

impl<'a> Printer<'a> {
    fn run(&mut self) {
        loop {
            while let Some(command) = self.commands.pop() {
                self.print(command);
            }
            if self.line_suffixes.is_empty() {
                return;
            }
            self.commands.extend(self.line_suffixes.drain(..).rev());
        }
    }

    fn print(&mut self, command: Command<'a>) {
        let Command {
            indentation,
            mode,
            doc,
        } = command;
        let with = |doc| Command { doc, ..command };
        match doc {
            Doc::Text(text) => {
                self.out.push_str(text);
                self.column += text_width(text);
            }
            Doc::Concat(_, parts) => self
                .commands
                .extend(parts.iter().rev().map(|part| with(*part))),
            Doc::Indent(node) => {
                let indentation = self.indentations.indent(indentation);
                self.push(indentation, mode, node.contents);
            }
            Doc::Align(align, node) => {
                let indentation = self.indentations.align(indentation, align);
                self.push(indentation, mode, node.contents);
            }
            Doc::Trim => self.column = self.column.saturating_sub(self.trim()),
            Doc::Group(group) => {
                let (mode, contents) = self.choose(command, group);
                self.push(indentation, mode, contents);
                if let Some(id) = group.id {
                    self.set_group_mode(id, mode);
                }
            }
            Doc::Fill(breaks, parts) => self.fill(command, breaks, parts),
            Doc::IfBreak(choice) => {
                let mode = choice.group.map_or(mode, |id| self.group_mode(id));
                self.commands.push(with(match mode {
                    Mode::Break => choice.broken,
                    Mode::Flat => choice.flat,
                }));
            }
            Doc::IndentIfBreak {
                contents,
                group,
                negate,
            } => {
                let is_broken = self.group_mode(group) == Mode::Break;
                let indentation = if is_broken == negate {
                    indentation
                } else {
                    self.indentations.indent(indentation)
                };
                self.push(indentation, mode, contents.contents);
            }
            Doc::LineSuffix(node) => self.line_suffixes.push(with(node.contents)),
            Doc::LineSuffixBoundary => {
                if !self.line_suffixes.is_empty() {
                    self.commands.push(with(Doc::HARDLINE_WITHOUT_BREAK));
                }
            }
            Doc::Labeled(_, node) => self.commands.push(with(node.contents)),
            Doc::BreakParent => {}
            Doc::Line(kind) => self.line(command, kind),
        }
    }

    fn line(&mut self, command: Command<'a>, kind: LineKind) {
        match (command.mode, kind) {
            (Mode::Flat, LineKind::Space) => {
                self.out.push(' ');
                self.column += 1;
                return;
            }
            (Mode::Flat, LineKind::Soft) => return,
            (Mode::Flat, LineKind::Hard | LineKind::Literal) => self.must_remeasure = true,
            (Mode::Break, _) => {}
        }
        if !self.line_suffixes.is_empty() {
            self.commands.push(command);
            self.commands.extend(self.line_suffixes.drain(..).rev());
            return;
        }
        let start = if kind == LineKind::Literal {
            self.indentations.root_of(command.indentation)
        } else {
            self.trim();
            command.indentation
        };
        self.out.push('\n');
        self.out.push_str(self.indentations.text(start));
        self.column = self.indentations.width(start);
    }

    /// Removes blanks at the end of the current line, and returns their number.
    fn trim(&mut self) -> usize {
        let trimmed = self.out.trim_end_matches([' ', '\t']).len();
        let count = self.out.len() - trimmed;
        self.out.truncate(trimmed);
        count
    }

    /// The mode of a group, and which of its states is printed.
    fn choose(&mut self, command: Command<'a>, group: &Group<'a>) -> (Mode, Doc<'a>) {
        if command.mode == Mode::Flat && !self.must_remeasure {
            let mode = if group.is_broken {
                Mode::Break
            } else {
                Mode::Flat
            };
            return (mode, group.contents);
        }
        self.must_remeasure = false;
        if !group.is_broken && self.fits(&[group.contents], false) {
            return (Mode::Flat, group.contents);
        }
        let Some((most_expanded, others)) = group.states.split_last() else {
            return (Mode::Break, group.contents);
        };
        if !group.is_broken {
            for state in others.iter().skip(1) {
                if self.fits(&[*state], false) {
                    return (Mode::Flat, *state);
                }
            }
        }
        (Mode::Break, *most_expanded)
    }

    fn fill(&mut self, command: Command<'a>, breaks: super::Breaks, parts: &'a [Doc<'a>]) {
        let Some(content) = parts.first().copied() else {
            return;
        };
        let mode_if = |is_flat| if is_flat { Mode::Flat } else { Mode::Break };
        let content_fits = self.fits(&[content], true);
        let Some(separator) = parts.get(1).copied() else {
            self.push(command.indentation, mode_if(content_fits), content);
            return;
        };
        let is_separator_flat = if parts.len() == 2 {
            content_fits
        } else {
            let two_fit = self.fits(&parts[..3], true);
            let rest = Doc::Fill(breaks, &parts[2..]);
            self.push(command.indentation, command.mode, rest);
            two_fit
        };
        self.push(command.indentation, mode_if(is_separator_flat), separator);
        let is_content_flat = content_fits || is_separator_flat;
        self.push(command.indentation, mode_if(is_content_flat), content);
    }

    /// Whether `docs`, printed flat, fit on the rest of the line. `must_be_flat` measures the parts of a
    /// fill: they are measured without what follows, and a broken group does not fit.
    fn fits(&mut self, docs: &[Doc<'a>], must_be_flat: bool) -> bool {
        let mut stack = std::mem::take(&mut self.fit_commands);
        stack.clear();
        stack.extend(docs.iter().rev().map(|doc| (Mode::Flat, *doc)));
        let rest = if must_be_flat { 0 } else { self.commands.len() };
        let fits = self.fits_with(&mut stack, rest, must_be_flat);
        self.fit_commands = stack;
        fits
    }

    fn fits_with(
        &self,
        stack: &mut Vec<(Mode, Doc<'a>)>,
        mut rest: usize,
        must_be_flat: bool,
    ) -> bool {
        let Some(mut remaining) = self.width.checked_sub(self.column) else {
            return false;
        };
        let mut has_line_suffix = !self.line_suffixes.is_empty();
        // A space takes a column only if text follows it.
        let mut has_pending_space = false;
        loop {
            let Some((mode, doc)) = stack.pop() else {
                let Some(next) = rest.checked_sub(1) else {
                    return true;
                };
                rest = next;
                let command = self.commands[rest];
                stack.push((command.mode, command.doc));
                continue;
            };
            match doc {
                Doc::Text("") | Doc::BreakParent => {}
                Doc::Text(text) => {
                    let width = text_width(text) + usize::from(has_pending_space);
                    has_pending_space = false;
                    let Some(left) = remaining.checked_sub(width) else {
                        return false;
                    };
                    remaining = left;
                }
                Doc::Concat(_, parts) | Doc::Fill(_, parts) => {
                    stack.extend(parts.iter().rev().map(|part| (mode, *part)));
                }
                Doc::Indent(node)
                | Doc::Align(_, node)
                | Doc::Labeled(_, node)
                | Doc::IndentIfBreak { contents: node, .. } => stack.push((mode, node.contents)),
                Doc::Group(group) => {
                    if must_be_flat && group.is_broken {
                        return false;
                    }
                    let mode = if group.is_broken { Mode::Break } else { mode };
                    let contents = match group.states.last() {
                        Some(most_expanded) if mode == Mode::Break => *most_expanded,
                        _ => group.contents,
                    };
                    stack.push((mode, contents));
                }
                Doc::IfBreak(choice) => {
                    let group_mode = choice.group.map_or(mode, |id| self.group_mode(id));
                    let contents = match group_mode {
                        Mode::Break => choice.broken,
                        Mode::Flat => choice.flat,
                    };
                    stack.push((mode, contents));
                }
                Doc::Line(kind) => match (mode, kind) {
                    (Mode::Break, _) | (_, LineKind::Hard | LineKind::Literal) => return true,
                    (Mode::Flat, LineKind::Space) => has_pending_space = true,
                    (Mode::Flat, LineKind::Soft) => {}
                },
                Doc::LineSuffix(_) => has_line_suffix = true,
                Doc::LineSuffixBoundary if has_line_suffix => return false,
                Doc::LineSuffixBoundary | Doc::Trim => {}
            }
        }
    }

    fn push(&mut self, indentation: Indentation, mode: Mode, doc: Doc<'a>) {
        self.commands.push(Command {
            indentation,
            mode,
            doc,
        });
    }

    fn set_group_mode(&mut self, GroupId(id): GroupId, mode: Mode) {
        let index = id as usize;
        if self.group_modes.len() <= index {
            self.group_modes.resize(index + 1, None);
        }
        self.group_modes[index] = Some(mode);
    }

    /// The mode of a group; flat if it is not printed yet.
    fn group_mode(&self, GroupId(id): GroupId) -> Mode {
        let mode = self.group_modes.get(id as usize).copied().flatten();
        mode.unwrap_or(Mode::Flat)
    }
}
