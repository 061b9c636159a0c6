//! Chains of method calls, such as `a.b().c()`.

use oxc_ast::AstKind;

use super::kind::ToKind;
use super::nodes::{self, is_call, is_computed_member, is_function_or_arrow, is_member};
use super::{MEMBER_CHAIN, Printer, docs, scan};
use crate::doc::Doc;

/// A part of a chain: its start, a call, a member access or `!`.
struct Link<'a> {
    node: AstKind<'a>,
    doc: Doc<'a>,
    has_empty_line_after: bool,
}

impl<'a> Printer<'a> {
    /// Prints a call of a member.
    pub(super) fn print_member_chain(&self, call: AstKind<'a>) -> Doc<'a> {
        let links = self.links(call);
        let groups = self.group_links(&links);
        let Some((first, rest)) = groups.split_first() else {
            return Doc::NIL;
        };
        let should_merge = rest.first().is_some_and(|second| {
            !self.comments.has(second[0].node) && self.should_not_wrap(call, first, second)
        });
        let print_group = |group: &&[Link<'a>]| {
            let docs: Vec<_> = group.iter().map(|link| link.doc).collect();
            self.concat(&docs)
        };
        let printed: Vec<_> = groups.iter().map(print_group).collect();
        let one_line = self.concat(&printed);
        let cutoff = if should_merge { 3 } else { 2 };
        let has_comment = self.has_comment_in_chain(&groups, cutoff);
        let has_empty_line = groups
            .iter()
            .any(|group| group.last().is_some_and(|link| link.has_empty_line_after));
        if groups.len() <= cutoff && !has_comment && !has_empty_line {
            return match self.is_long_curried_call(call) {
                true => one_line,
                false => self.group(one_line),
            };
        }
        let last_before_indent = groups[usize::from(should_merge)].last();
        let has_empty_line_before_indent = last_before_indent
            .is_some_and(|link| !is_call(link.node) && self.has_empty_line_after(link.node));
        let merged = 1 + usize::from(should_merge);
        let mut indented = Vec::new();
        for doc in printed.iter().skip(merged) {
            indented.extend([Doc::HARDLINE, *doc]);
        }
        let expanded = docs!(
            self,
            self.concat(&printed[..merged]),
            match has_empty_line_before_indent {
                true => Doc::HARDLINE,
                false => Doc::NIL,
            },
            self.indent(self.concat(&indented)),
        );
        let calls: Vec<_> = links
            .iter()
            .map(|link| link.node)
            .filter(|node| is_call(*node))
            .collect();
        let has_complex_call = calls.len() > 2
            && calls.iter().any(|call| {
                nodes::arguments(*call)
                    .into_iter()
                    .any(|argument| !self.is_simple_argument(argument, 2))
            });
        let breaks_early = printed[..printed.len() - 1].iter().any(Doc::will_break);
        let result = if has_comment
            || has_complex_call
            || breaks_early
            || breaks_only_at_end(&groups, &printed, &calls)
        {
            self.group(expanded)
        } else {
            let breaks = match one_line.will_break() || has_empty_line_before_indent {
                true => Doc::BreakParent,
                false => Doc::NIL,
            };
            docs!(
                self,
                breaks,
                self.conditional_group(&[one_line, expanded], false)
            )
        };
        self.label(MEMBER_CHAIN, result)
    }

    /// The parts of a chain from left to right.
    fn links(&self, call: AstKind<'a>) -> Vec<Link<'a>> {
        let mut links = vec![Link {
            node: call,
            doc: self.print_call_link(call),
            has_empty_line_after: false,
        }];
        let mut next = nodes::callee(call);
        while let Some(node) = next {
            let is_open = !self.needs_parens(node) && !self.comments.is_ignored(node);
            match (node, nodes::member(node)) {
                (AstKind::CallExpression(inner), _)
                    if is_open
                        && (is_member(inner.callee.kind()) || is_call(inner.callee.kind())) =>
                {
                    let has_empty_line_after = self.has_empty_line_after(node);
                    let doc = self.with_comments(node, self.print_call_link(node));
                    let line = match has_empty_line_after {
                        true => Doc::HARDLINE,
                        false => Doc::NIL,
                    };
                    links.push(Link {
                        node,
                        doc: docs!(self, doc, line),
                        has_empty_line_after,
                    });
                    next = Some(inner.callee.kind());
                }
                (_, Some(member)) if is_open => {
                    links.push(Link {
                        node,
                        doc: self.with_comments(node, self.print_lookup(member)),
                        has_empty_line_after: false,
                    });
                    next = Some(member.object.kind());
                }
                (AstKind::ChainExpression(chain), _) if is_open => {
                    next = Some(chain.expression.kind());
                }
                (AstKind::TSNonNullExpression(inner), _) if is_open => {
                    links.push(Link {
                        node,
                        doc: self.with_comments(node, Doc::Text("!")),
                        has_empty_line_after: false,
                    });
                    next = Some(inner.expression.kind());
                }
                _ => {
                    links.push(Link {
                        node,
                        doc: self.print(node),
                        has_empty_line_after: false,
                    });
                    next = None;
                }
            }
        }
        links.reverse();
        links
    }

    fn print_call_link(&self, node: AstKind<'a>) -> Doc<'a> {
        let optional = match node {
            AstKind::CallExpression(call) if call.optional => "?.",
            _ => "",
        };
        docs!(
            self,
            optional,
            self.print_option(nodes::type_arguments(node).map(ToKind::kind)),
            self.print_call_arguments(node),
        )
    }

    /// Whether an empty line follows a part of a chain, perhaps after a parenthesis.
    fn has_empty_line_after(&self, node: AstKind<'a>) -> bool {
        let next = scan::next_token(self.text, self.end(node));
        if self.text.as_bytes().get(next) == Some(&b')') {
            scan::is_next_line_empty(self.text, next + 1)
        } else {
            self.is_next_line_empty(node)
        }
    }

    /// Splits a chain into the parts that are on one line each.
    fn group_links<'l>(&self, links: &'l [Link<'a>]) -> Vec<&'l [Link<'a>]> {
        let mut groups = Vec::new();
        let mut start = 0;
        let mut at = 1;
        let is_number_access = |node: AstKind<'a>| {
            matches!(node, AstKind::ComputedMemberExpression(member)
                if member.expression.is_number_literal())
        };
        while let Some(link) = links.get(at)
            && (matches!(link.node, AstKind::TSNonNullExpression(_))
                || is_call(link.node)
                || is_number_access(link.node))
        {
            at += 1;
        }
        if !is_call(links[0].node) {
            while at + 1 < links.len() && is_member(links[at].node) && is_member(links[at + 1].node)
            {
                at += 1;
            }
        }
        groups.push(&links[start..at]);
        start = at;
        let mut has_call = false;
        while at < links.len() {
            let node = links[at].node;
            if has_call && is_member(node) {
                if is_number_access(node) {
                    at += 1;
                    continue;
                }
                groups.push(&links[start..at]);
                start = at;
                has_call = false;
            }
            if is_call(node) || matches!(node, AstKind::ImportExpression(_)) {
                has_call = true;
            }
            at += 1;
            let is_before_non_null = links
                .get(at)
                .is_some_and(|link| matches!(link.node, AstKind::TSNonNullExpression(_)));
            if self.comments.has_trailing(node) && !is_before_non_null {
                groups.push(&links[start..at]);
                start = at;
                has_call = false;
            }
        }
        if start < links.len() {
            groups.push(&links[start..]);
        }
        groups
    }

    /// Whether the first call stays beside the start of the chain, which is short or a factory.
    fn should_not_wrap(&self, call: AstKind<'a>, first: &[Link<'a>], second: &[Link<'a>]) -> bool {
        let is_computed = second
            .first()
            .is_some_and(|link| is_computed_member(link.node));
        let is_factory = |name: &str| {
            name.starts_with(|first: char| first.is_ascii_uppercase())
                || (!name.is_empty() && name.chars().all(|c| c == '$' || c == '_'))
        };
        if let [only] = first {
            let is_statement = || {
                let parent = match self.parent(call) {
                    chain @ AstKind::ChainExpression(_) => self.parent(chain),
                    parent => parent,
                };
                matches!(parent, AstKind::ExpressionStatement(_))
            };
            let is_short = |name: &str| name.len() <= self.options.tab_width;
            let is_start = match only.node {
                AstKind::ThisExpression(_) => true,
                node => nodes::identifier_name(node).is_some_and(|name| {
                    is_factory(name) || (is_short(name) && is_statement()) || is_computed
                }),
            };
            return is_start && !self.comments.has_trailing(only.node);
        }
        match first.last().map(|link| link.node) {
            Some(AstKind::StaticMemberExpression(member)) => {
                is_factory(&member.property.name) || is_computed
            }
            Some(AstKind::ComputedMemberExpression(member)) => {
                nodes::identifier_name(member.expression.kind())
                    .is_some_and(|name| is_factory(name) || is_computed)
            }
            _ => false,
        }
    }

    fn has_comment_in_chain(&self, groups: &[&[Link<'a>]], cutoff: usize) -> bool {
        let links: Vec<_> = groups.iter().flat_map(|group| group.iter()).collect();
        let last = links.len().saturating_sub(1);
        links.iter().enumerate().any(|(index, link)| {
            (index > 0 && index < last && self.comments.has_leading(link.node))
                || (index < last && self.comments.has_trailing(link.node))
        }) || groups
            .get(cutoff)
            .is_some_and(|group| self.comments.has_leading(group[0].node))
    }
}

/// Whether only the last call breaks and another one has a function as an argument.
fn breaks_only_at_end(groups: &[&[Link<'_>]], printed: &[Doc<'_>], calls: &[AstKind<'_>]) -> bool {
    let ends_with_call = groups
        .last()
        .and_then(|group| group.last())
        .is_some_and(|link| is_call(link.node));
    let Some((_, others)) = calls.split_last() else {
        return false;
    };
    ends_with_call
        && printed.last().is_some_and(Doc::will_break)
        && others.iter().any(|call| {
            nodes::arguments(*call)
                .into_iter()
                .any(is_function_or_arrow)
        })
}
