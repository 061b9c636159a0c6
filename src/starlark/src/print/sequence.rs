//! Prints elements between brackets, on one line or each on its own line.

use super::Printer;
use crate::kind::FileKind;
use crate::literal;
use crate::tree::{Flags, Kind, NONE, NodeId, Op};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Lists, sets, dicts.
    Plain,
    Call,
    Tuple,
    /// A tuple without brackets.
    Bare,
    Paren,
    Def,
}

impl<'t> Printer<'t, '_> {
    /// Prints the list of a node between `brackets`.
    pub(super) fn sequence(&mut self, id: NodeId, brackets: [&str; 2], mode: Mode) {
        let tree = self.tree;
        let list = tree.list(id);
        let end = match mode {
            Mode::Bare | Mode::Def => NONE,
            _ => tree.end_of(id),
        };
        self.put(brackets[0]);
        // A tuple without brackets does not make line breaks safe.
        let opened = u32::from(mode != Mode::Bare);
        self.depth += opened;
        self.bare += 1 - opened;
        if self.is_compact(id, list, end, mode) {
            for (at, element) in list.iter().enumerate() {
                if at > 0 {
                    self.put(", ");
                }
                self.expression(*element);
            }
            if list.len() == 1 && mode == Mode::Tuple {
                self.put(",");
            }
        } else {
            let indent = if mode == Mode::Def { 8 } else { 4 };
            self.margin += indent;
            for (at, element) in list.iter().enumerate() {
                self.open_line(at == 0);
                self.expression(*element);
                if at + 1 < list.len() || self.has_final_comma(*element, mode) {
                    self.put(",");
                }
            }
            self.close_lines(end, indent, mode != Mode::Def);
        }
        self.depth -= opened;
        self.bare -= 1 - opened;
        self.put(brackets[1]);
    }

    pub(super) fn parameters(&mut self, def: NodeId) {
        self.sequence(def, ["(", ")"], Mode::Def);
    }

    fn has_final_comma(&self, last: NodeId, mode: Mode) -> bool {
        match mode {
            Mode::Def | Mode::Paren | Mode::Bare => false,
            Mode::Call => {
                let node = self.tree.node(last);
                node.kind != Kind::Unary || !matches!(node.op, Op::Star | Op::StarStar)
            }
            Mode::Plain | Mode::Tuple => true,
        }
    }

    /// Starts the line of an element. Pending comments of the line with the opening bracket are
    /// printed on their own lines above the first element.
    fn open_line(&mut self, first: bool) {
        if first && !self.pending.is_empty() {
            self.put("\n");
            self.put_spaces(self.margin.saturating_sub(2));
        }
        self.newline();
    }

    /// Prints the comments above the closing bracket, and starts the line of the bracket.
    fn close_lines(&mut self, end: NodeId, indent: usize, own_line: bool) {
        if end != NONE {
            let tree = self.tree;
            for comment in tree.before(end) {
                self.newline();
                self.put_comment(*comment);
            }
        }
        self.margin -= indent;
        if own_line {
            self.newline();
        }
    }

    fn is_compact(&self, id: NodeId, list: &[NodeId], end: NodeId, mode: Mode) -> bool {
        let tree = self.tree;
        let node = tree.node(id);
        let spread = |id: &NodeId| {
            let commented = tree.attached(*id);
            commented.is_some_and(|c| {
                !c.before.is_empty() || (mode != Mode::Def && !c.suffix.is_empty())
            })
        };
        if list.iter().any(spread) || (end != NONE && !tree.before(end).is_empty()) {
            return false;
        }
        if mode == Mode::Bare || (mode == Mode::Call && list.is_empty()) {
            return true;
        }
        if self.level > 0 || !self.kind.is_build_family() || mode == Mode::Def {
            let open = if end == NONE {
                node.line
            } else {
                tree.node(end).a
            };
            let mut line = open;
            let same_line = |id: &NodeId| {
                let node = tree.node(*id);
                node.line == std::mem::replace(&mut line, node.end_line)
            };
            return list.iter().all(same_line) && (end == NONE || tree.node(end).line == line);
        }
        if mode == Mode::Call && self.kind == FileKind::Module && self.is_module_call(node.c) {
            let multi_line = node.flags.has(Flags::MULTI_LINE);
            return !multi_line && (node.line == node.end_line || list.len() <= 1);
        }
        if node.flags.has(Flags::MULTI_LINE) {
            return false;
        }
        node.flags.has(Flags::COMPACT) || list.len() <= 1
    }

    /// Calls of MODULE files that stay on one line if they are written on one line.
    fn is_module_call(&self, callee: NodeId) -> bool {
        let names = ["bazel_dep", "use_repo", "use_extension"];
        names.iter().any(|name| self.tree.is_name(callee, name))
    }

    pub(super) fn comprehension(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        let end = tree.end_of(id);
        let multi_line = node.flags.has(Flags::MULTI_LINE) || !tree.before(end).is_empty();
        let brackets = if node.flags.has(Flags::CURLY) {
            ["{", "}"]
        } else {
            ["[", "]"]
        };
        self.put(brackets[0]);
        self.depth += 1;
        if multi_line {
            self.margin += 4;
            self.newline();
        }
        self.expression(node.c);
        for clause in tree.list(id) {
            if multi_line {
                self.newline();
            } else {
                self.put(" ");
            }
            self.expression(*clause);
        }
        if multi_line {
            self.close_lines(end, 4, true);
        }
        self.depth -= 1;
        self.put(brackets[1]);
    }

    pub(super) fn load(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        let end = tree.end_of(id);
        let pairs = tree.load_pairs(id);
        let (pairs, _) = pairs.as_chunks::<2>();
        // If there is a comment between the two names, both of them must be printed.
        let is_plain = |[local, remote]: &[NodeId; 2]| {
            let between = !tree.suffix(*local).is_empty() || !tree.before(*remote).is_empty();
            tree.name(*local) == tree.name(*remote) && !between
        };
        let commented = |pair: &[NodeId; 2]| {
            is_plain(pair) && (!tree.before(pair[0]).is_empty() || !tree.suffix(pair[1]).is_empty())
        };
        let compact = node.flags.has(Flags::COMPACT)
            && tree
                .attached(node.c)
                .is_none_or(|c| c.before.is_empty() && c.suffix.is_empty())
            && tree.before(end).is_empty()
            && !pairs.iter().any(commented);
        self.put("load(");
        self.depth += 1;
        if compact {
            self.expression(node.c);
            for pair in pairs {
                self.put(", ");
                self.load_symbol(*pair, is_plain(pair));
            }
        } else {
            self.margin += 4;
            self.open_line(true);
            self.expression(node.c);
            self.put(",");
            for pair in pairs {
                self.newline();
                self.load_symbol(*pair, is_plain(pair));
                self.put(",");
            }
            self.close_lines(end, 4, true);
        }
        self.depth -= 1;
        self.put(")");
    }

    fn load_symbol(&mut self, [local, remote]: [NodeId; 2], plain: bool) {
        let tree = self.tree;
        self.lead(local);
        if !plain {
            self.put(tree.source(local));
            self.trail(local);
            self.put(" = ");
            self.lead(remote);
        }
        literal::quote(&tree.name(remote), false, &mut self.out);
        self.trail(remote);
    }
}
