//! Prints statements and blocks.

use super::Printer;
use crate::tree::{Kind, NONE, NodeId};

impl<'t> Printer<'t, '_> {
    pub(super) fn file(&mut self) {
        let tree = self.tree;
        for comment in &tree.head {
            self.put_comment(*comment);
            self.newline();
        }
        self.statements(&tree.statements);
        // Comments after the last expression. The first one goes at the end of the last line,
        // unless there was a blank line above it or that line already ends with a comment.
        let mut tail = &tree.tail[self.leading_blanks(&tree.tail)..];
        if let [first, rest @ ..] = tail
            && tail.len() == tree.tail.len()
            && !self.ends_in_comment()
        {
            self.pending.push(*first);
            tail = rest;
        }
        for comment in tail {
            self.newline_if_owed();
            self.put_comment(*comment);
            self.owed = true;
        }
        self.newline_if_owed();
        self.trim();
    }

    fn ends_in_comment(&self) -> bool {
        let line = &self.out[self.out.len() - self.column()..];
        !self.pending.is_empty() || line.trim_start().starts_with('#')
    }

    fn statements(&mut self, list: &'t [NodeId]) {
        let tree = self.tree;
        for (at, id) in list.iter().enumerate() {
            self.statement(*id);
            self.owed |= tree.kind(*id) != Kind::CommentBlock;
            for comment in tree.after(*id) {
                self.newline_if_owed();
                self.put_comment(*comment);
                self.owed = true;
            }
            if let Some(next) = list.get(at + 1)
                && !self.is_next_line(*id, *next)
            {
                self.newline_if_owed();
                self.owed = true;
            }
        }
    }

    /// Prints a block on its own lines, indented by one level.
    fn nested(&mut self, block: NodeId) {
        let tree = self.tree;
        self.margin += 4;
        self.level += 1;
        self.newline();
        self.statements(tree.list(block));
        self.level -= 1;
        self.margin -= 4;
    }

    fn statement(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        match node.kind {
            Kind::CommentBlock => self.lead(id),
            Kind::Def => {
                self.lead(id);
                let def = tree.def(id);
                self.put("def ");
                self.put(tree.slice(def.name.0, def.name.1));
                self.parameters(id);
                if def.returns != NONE {
                    self.put(" -> ");
                    self.expression(def.returns);
                }
                self.put(":");
                self.nested(def.body);
                self.trail(id);
            }
            Kind::For => {
                self.lead(id);
                self.put("for ");
                self.expression(node.a);
                self.put(" in ");
                self.expression(node.b);
                self.put(":");
                self.nested(node.c);
                self.trail(id);
            }
            Kind::If => {
                self.lead(id);
                self.if_chain(id);
                self.trail(id);
            }
            _ => self.expression(id),
        }
    }

    fn if_chain(&mut self, mut id: NodeId) {
        let tree = self.tree;
        self.put("if ");
        loop {
            let node = tree.node(id);
            self.expression(node.a);
            self.put(":");
            self.nested(node.b);
            if node.c == NONE {
                return;
            }
            let marker = tree.node(node.c);
            self.newline_if_owed();
            if marker.line.saturating_sub(tree.node(node.b).end_line) > 1 {
                self.newline();
            }
            let Some(next) = tree.elif(id) else {
                self.put("else:");
                self.trail(node.c);
                self.nested(marker.a);
                return;
            };
            self.put("elif ");
            id = next;
        }
    }
}
