//! Changes an old node into a new one with a minimal text diff. Unchanged children keep their text
//! and lists lose and gain items. Text that really differs is compared token by token.

use fixpoint_text::Span;

use super::text::node_text;
use super::{Layout, Lowering};
use crate::ast::{Expr, ExprKind, NodeRef, Step, Stmt, StmtKind};
use crate::lex::{Token, TokenKind as T, lex};
use crate::repair::same::{children, head, same};

type Children<'a> = Vec<(Step, NodeRef<'a>)>;

impl<'a> Lowering<'_, 'a> {
    pub fn diff(&mut self, old: NodeRef<'a>, new: NodeRef<'_>) {
        if same(old, new) {
            return;
        }
        let (olds, news) = (children(old), children(new));
        if let Some(mutable) = made_mutable(old, new)
            && roles(&olds) == roles(&news)
        {
            self.set_mutable(old.span(), mutable);
            for role in roles(&olds) {
                self.role(old, of_role(&olds, role), of_role(&news, role));
            }
            return;
        }
        if head(old) == head(new) && roles(&olds) == roles(&news) && !olds.is_empty() {
            for role in roles(&olds) {
                self.role(old, of_role(&olds, role), of_role(&news, role));
            }
            return;
        }
        if head(old) == head(new)
            && let Some(role) = list_role(old)
            && rest(&olds, role) == rest(&news, role)
        {
            for other in rest(&olds, role) {
                self.role(old, of_role(&olds, other), of_role(&news, other));
            }
            self.list(old, of_role(&olds, role), of_role(&news, role));
            return;
        }
        // `\x` becomes `\(x: Int)`.
        let needs_parentheses = matches!(new, NodeRef::LambdaParam(it) if it.ty.is_some())
            && self.layout.previous(old.span().start()).kind == T::Lambda;
        let text = node_text(new);
        match needs_parentheses {
            true => self.rewrite(old.span(), &format!("({text})")),
            false => self.rewrite(old.span(), &text),
        }
    }

    /// Adds or removes the `mut` of a `let`.
    fn set_mutable(&mut self, span: Span, mutable: bool) {
        let word = self.layout.next(span.start());
        let next = self.layout.next(word.span.end());
        if mutable {
            self.insert(next.span.start(), "mut ");
        } else {
            let name = self.layout.next(next.span.end());
            self.erase(Span::from(next.span.start()..name.span.start()));
        }
    }

    fn role(&mut self, parent: NodeRef<'a>, olds: Vec<NodeRef<'a>>, news: Vec<NodeRef<'_>>) {
        match (olds.as_slice(), news.as_slice()) {
            ([old], [new]) => self.diff(*old, *new),
            _ => self.list(parent, olds, news),
        }
    }

    /// Keeps items that are the same. In each gap between kept items, items are changed, added or
    /// removed.
    fn list(&mut self, parent: NodeRef<'a>, olds: Vec<NodeRef<'a>>, news: Vec<NodeRef<'_>>) {
        let kept = common(&olds, &news);
        let (mut old_at, mut new_at) = (0, 0);
        for (old_next, new_next) in kept.into_iter().chain([(olds.len(), news.len())]) {
            while old_at < old_next && new_at < new_next {
                self.diff(olds[old_at], news[new_at]);
                old_at += 1;
                new_at += 1;
            }
            if old_at < old_next {
                self.remove_items(&olds, old_at, old_next);
            }
            if new_at < new_next {
                let texts = news[new_at..new_next].iter().map(|it| node_text(*it));
                let texts: Vec<String> = texts.collect();
                self.add_items(parent, &olds, old_at.max(old_next), &texts);
            }
            old_at = old_next + 1;
            new_at = new_next + 1;
        }
    }

    pub(super) fn remove_items(&mut self, olds: &[NodeRef<'a>], from: usize, to: usize) {
        let (Some(first), Some(last)) = (olds.get(from), to.checked_sub(1).map(|at| olds[at]))
        else {
            return;
        };
        let (first, last) = (self.outer(*first), self.outer(last));
        let previous = from.checked_sub(1).and_then(|at| olds.get(at));
        let span = match (previous, olds.get(to)) {
            (_, Some(next)) => first.start()..self.outer(*next).start(),
            (Some(previous), None) => self.outer(*previous).end()..last.end(),
            (None, None) => first.start()..last.end(),
        };
        self.erase(span.into());
    }

    fn add_items(
        &mut self,
        parent: NodeRef<'a>,
        olds: &[NodeRef<'a>],
        at: usize,
        texts: &[String],
    ) {
        let separator = match olds.first() {
            Some(NodeRef::Stmt(_)) => ";",
            _ => ",",
        };
        if let Some(next) = olds.get(at) {
            let offset = self.outer(*next).start();
            let texts = texts.iter();
            let texts = texts.map(|it| self.layout.item_before(offset, it, separator));
            let text: String = texts.collect();
            self.insert(offset, text);
        } else if let Some(last) = olds.last() {
            let span = self.outer(*last);
            let gap = match self.layout.starts_line(span.start()) {
                true => format!("{separator}\n"),
                false => format!("{separator} "),
            };
            self.item_after(span, &texts.join(&gap));
        } else {
            let close = self.layout.previous(parent.span().end()).span.start();
            let text = texts.join(", ");
            let is_match = matches!(
                parent,
                NodeRef::Expr(Expr {
                    kind: ExprKind::Match { .. },
                    ..
                })
            );
            let text = if is_match { format!(" {text} ") } else { text };
            self.insert(close, text);
        }
    }

    /// Adds an item to a comma-separated list, after the item at `span`. Comments at the end of
    /// that item's line stay with it.
    pub(super) fn item_after(&mut self, span: Span, text: &str) {
        let start = span.start();
        let text = self.layout.indented(start, text);
        let next = self.layout.next(span.end());
        let has_comma = next.kind == T::Comma;
        let line_end = self.layout.rest_of_line(span.end());
        match line_end.filter(|_| self.layout.starts_line(start)) {
            Some(end) => {
                let indent = self.layout.indent(start);
                let comma = if has_comma { "," } else { "" };
                if !has_comma && end > span.end() {
                    self.insert(span.end(), ",");
                    self.insert(end, format!("\n{indent}{text}"));
                } else {
                    let before = if has_comma { "" } else { "," };
                    self.insert(end, format!("{before}\n{indent}{text}{comma}"));
                }
            }
            None => self.insert(span.end(), format!(", {text}")),
        }
    }

    /// Replaces the tokens from the first to the last one that differs.
    fn rewrite(&mut self, span: Span, new_text: &str) {
        let old: Vec<Token> = self.layout.within(span).to_vec();
        let mut new = lex(new_text).significant();
        new.retain(|it| it.kind != T::End);
        let equal = |a: &Token, b: &Token| same_token(self.layout, a, new_text, b);
        let prefix = old
            .iter()
            .zip(&new)
            .take_while(|(a, b)| equal(a, b))
            .count();
        let suffix = old
            .iter()
            .skip(prefix)
            .rev()
            .zip(new.iter().skip(prefix).rev())
            .take_while(|(a, b)| equal(a, b))
            .count();
        let gone = &old[prefix..old.len() - suffix];
        let added = &new[prefix..new.len() - suffix];
        let added_text = match (added.first(), added.last()) {
            (Some(first), Some(last)) => {
                let range = first.span.start()..last.span.end();
                new_text.get(range).unwrap_or_default()
            }
            _ => "",
        };
        let added_text = self.layout.indented(span.start(), added_text);
        match (gone.first(), gone.last()) {
            (Some(first), Some(last)) => {
                let range = Span::from(first.span.start()..last.span.end());
                let mut pieces = self.layout.between_comments(range).into_iter();
                match pieces.next() {
                    Some(piece) => self.replace(piece, added_text),
                    None => self.insert(range.start(), added_text),
                }
                for piece in pieces {
                    self.replace(piece, "");
                }
            }
            _ => match old.get(prefix) {
                Some(next) => self.insert(next.span.start(), format!("{added_text} ")),
                None => self.insert(span.end(), format!(" {added_text}")),
            },
        }
    }
}

/// Whether a `let` becomes mutable (`true`) or immutable (`false`), or `None` if it does not
/// change.
fn made_mutable(old: NodeRef<'_>, new: NodeRef<'_>) -> Option<bool> {
    let mutable = |node: NodeRef<'_>| match node {
        NodeRef::Stmt(Stmt {
            kind: StmtKind::Let { mutable, .. },
            ..
        }) => Some(*mutable),
        _ => None,
    };
    let (old, new) = (mutable(old)?, mutable(new)?);
    (old != new).then_some(new)
}

fn same_token(layout: &Layout<'_>, a: &Token, text: &str, b: &Token) -> bool {
    a.kind == b.kind
        && (a.kind.is_fixed() || layout.text.get(a.span.range()) == text.get(b.span.range()))
}

/// The distinct roles of the children, in order. All positions of one list share a role.
fn roles(children: &Children<'_>) -> Vec<&'static str> {
    let mut roles: Vec<&'static str> = Vec::new();
    for (step, _) in children {
        let role = role_of(*step);
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    roles
}

fn role_of(step: Step) -> &'static str {
    match step {
        Step::Only(role) | Step::At(role, _) | Step::Among(role) => role,
    }
}

fn of_role<'a>(children: &Children<'a>, role: &str) -> Vec<NodeRef<'a>> {
    let all = children.iter().filter(|(step, _)| role_of(*step) == role);
    all.map(|(_, node)| *node).collect()
}

fn rest(children: &Children<'_>, without: &str) -> Vec<&'static str> {
    let mut roles = roles(children);
    roles.retain(|it| *it != without);
    roles
}

/// The role of a node's list whose position in the text is known even when the list is empty.
fn list_role(node: NodeRef<'_>) -> Option<&'static str> {
    match node {
        NodeRef::Expr(expr) => match &expr.kind {
            ExprKind::Call { .. } => Some("args"),
            ExprKind::Match { .. } => Some("arms"),
            ExprKind::Array(_) => Some("elements"),
            _ => None,
        },
        _ => None,
    }
}

/// The longest common subsequence of two lists, as pairs of indices.
fn common(olds: &[NodeRef<'_>], news: &[NodeRef<'_>]) -> Vec<(usize, usize)> {
    let width = news.len() + 1;
    let mut longest = vec![0_usize; (olds.len() + 1) * width];
    let equal: Vec<bool> = olds
        .iter()
        .flat_map(|old| news.iter().map(|new| same(*old, *new)))
        .collect();
    for old in (0..olds.len()).rev() {
        for new in (0..news.len()).rev() {
            longest[old * width + new] = if equal[old * news.len() + new] {
                longest[(old + 1) * width + new + 1] + 1
            } else {
                longest[(old + 1) * width + new].max(longest[old * width + new + 1])
            };
        }
    }
    let mut pairs = Vec::new();
    let (mut old, mut new) = (0, 0);
    while old < olds.len() && new < news.len() {
        if equal[old * news.len() + new] {
            pairs.push((old, new));
            old += 1;
            new += 1;
        } else if longest[(old + 1) * width + new] >= longest[old * width + new + 1] {
            old += 1;
        } else {
            new += 1;
        }
    }
    pairs
}
