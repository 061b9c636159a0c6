//! Finds the nodes around each comment, and the node that the comment belongs to.

use std::cell::Cell;

use oxc_ast::AstKind;
use oxc_ast::ast::{FunctionType, Program, PropertyKind, Statement};
use oxc_span::GetSpan;

use super::super::kind::ToKind;
use super::super::tree::{Tree, id_of, same};
use super::super::{scan, spans};
use super::place::{Context, Placement, Target};
use super::{Comments, Marker, Role, comments_of, handlers};

/// The text with blanks instead of comments, at the same positions.
pub(in super::super) fn without_comments(program: &Program<'_>) -> Option<String> {
    let comments = comments_of(program);
    if comments.is_empty() {
        return None;
    }
    let text = program.source_text;
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    for comment in &comments {
        code.push_str(&text[at..comment.start]);
        let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
        code.extend(text[comment.start..comment.end].bytes().map(blank));
        at = comment.end;
    }
    code.push_str(&text[at..]);
    Some(code)
}

/// Attaches every comment to a node.
pub(in super::super) fn attach<'a>(
    program: &'a Program<'a>,
    tree: &Tree<'a>,
    code: &str,
) -> Comments {
    let mut comments = Comments {
        all: comments_of(program),
        slots: Vec::new(),
        lists: Vec::new(),
        ignored_nodes: Vec::new(),
    };
    if comments.all.is_empty() {
        return comments;
    }
    comments.slots = vec![0; tree.len()];
    let children = Children::new(tree, code);
    let neighbors: Vec<_> = comments
        .all
        .iter()
        .map(|comment| children.around(program, comment.start, comment.end))
        .collect();
    let mut ties: Vec<usize> = Vec::new();
    for index in 0..comments.all.len() {
        let Neighbors {
            enclosing,
            preceding,
            following,
        } = neighbors[index];
        let placement = placement(program.source_text, &comments, &neighbors, index);
        let comment = &comments.all[index];
        let context = Context {
            text: program.source_text,
            code,
            tree,
            program,
            start: comment.start,
            end: comment.end,
            is_block: comment.is_block,
            ignores: comment.ignores,
            placement,
            enclosing,
            preceding,
            following,
            ignored_node: Cell::new(None),
        };
        let target = handlers::handle(&context);
        if let Some(node) = context.ignored_node.get() {
            comments.all[index].ignores = false;
            comments.ignored_nodes.push(id_of(node));
        }
        let leading = following.map(Target::leading);
        let trailing = preceding.map(Target::trailing);
        let dangling = Target::dangling(enclosing.unwrap_or(AstKind::Program(program)));
        let target = match (target, placement) {
            (Some(target), _) => target,
            (None, Placement::OwnLine) => leading.or(trailing).unwrap_or(dangling),
            (None, Placement::EndOfLine) => trailing.or(leading).unwrap_or(dangling),
            (None, Placement::Remaining) => match (preceding, following) {
                (Some(_), Some(following)) => {
                    let is_other = |node: AstKind<'_>| !same(node, following);
                    if let Some(last) = ties.last()
                        && neighbors[*last].following.is_none_or(is_other)
                    {
                        break_ties(program.source_text, &mut comments, &neighbors, &mut ties);
                    }
                    ties.push(index);
                    continue;
                }
                _ => trailing.or(leading).unwrap_or(dangling),
            },
        };
        comments.add(target.node, index, target.role, target.marker);
    }
    break_ties(program.source_text, &mut comments, &neighbors, &mut ties);
    for list in &mut comments.lists {
        list.sort_unstable();
    }
    comments
}

#[derive(Clone, Copy)]
struct Neighbors<'a> {
    enclosing: Option<AstKind<'a>>,
    preceding: Option<AstKind<'a>>,
    following: Option<AstKind<'a>>,
}

fn is_same_option(one: Option<AstKind<'_>>, two: Option<AstKind<'_>>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => same(one, two),
        (None, None) => true,
        _ => false,
    }
}

/// Whether a comment is alone on its line, at the end of one, or between tokens. Other comments
/// beside it do not count.
fn placement(
    text: &str,
    comments: &Comments,
    neighbors: &[Neighbors<'_>],
    index: usize,
) -> Placement {
    let is_blank = |start: usize, end: usize| {
        text.get(start..end)
            .is_some_and(|gap| gap.chars().all(|c| c.is_whitespace() && c != '\n'))
    };
    let mut start = comments.all[index].start;
    if neighbors[index].preceding.is_some() {
        for other in (0..index).rev() {
            if !is_same_option(neighbors[other].preceding, neighbors[index].preceding)
                || !is_blank(comments.all[other].end, start)
            {
                break;
            }
            start = comments.all[other].start;
        }
    }
    if scan::has_newline_before(text, start) {
        return Placement::OwnLine;
    }
    let mut end = comments.all[index].end;
    if neighbors[index].following.is_some() {
        for other in index + 1..comments.all.len() {
            if !is_same_option(neighbors[other].following, neighbors[index].following)
                || !is_blank(end, comments.all[other].start)
            {
                break;
            }
            end = comments.all[other].end;
        }
    }
    if scan::has_newline(text, end) {
        Placement::EndOfLine
    } else {
        Placement::Remaining
    }
}

/// Comments between two nodes on one line lead the second node if only spaces and open parentheses
/// are between them.
fn break_ties(
    text: &str,
    comments: &mut Comments,
    neighbors: &[Neighbors<'_>],
    ties: &mut Vec<usize>,
) {
    let Some(first) = ties.first() else { return };
    let (Some(preceding), Some(following)) =
        (neighbors[*first].preceding, neighbors[*first].following)
    else {
        return;
    };
    let mut gap_end = spans::start(following);
    let mut first_leading = ties.len();
    while first_leading > 0 {
        let comment = &comments.all[ties[first_leading - 1]];
        let is_gap = text
            .get(comment.end..gap_end)
            .is_some_and(|gap| gap.chars().all(|c| c.is_whitespace() || c == '('));
        if !is_gap {
            break;
        }
        gap_end = comment.start;
        first_leading -= 1;
    }
    for (position, index) in ties.drain(..).enumerate() {
        if position < first_leading {
            comments.add(preceding, index, Role::Trailing, Marker::None);
        } else {
            comments.add(following, index, Role::Leading, Marker::None);
        }
    }
}

/// For each node, the nodes in it that comments can be attached to, in text order.
struct Children<'a, 't> {
    tree: &'t Tree<'a>,
    first: Vec<u32>,
    children: Vec<u32>,
    ends: Vec<u32>,
}

impl<'a, 't> Children<'a, 't> {
    fn new(tree: &'t Tree<'a>, code: &str) -> Self {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let count = tree.len();
        // The nearest ancestor that comments can be attached to.
        let mut owner = vec![0_u32; count];
        let mut is_attachable = vec![true; count];
        let mut first = vec![0_u32; count + 1];
        for id in 1..count {
            let parent = tree.parent_id(id);
            is_attachable[id] = can_attach(tree, tree.node(id));
            owner[id] = match is_attachable[parent] {
                true => number(parent),
                false => owner[parent],
            };
            if is_attachable[id] {
                first[owner[id] as usize + 1] += 1;
            }
        }
        for id in 0..count {
            first[id + 1] += first[id];
        }
        let mut next = first.clone();
        let mut children = vec![0_u32; first[count] as usize];
        for id in 1..count {
            if is_attachable[id] {
                let slot = &mut next[owner[id] as usize];
                children[*slot as usize] = number(id);
                *slot += 1;
            }
        }
        let ends: Vec<u32> = tree
            .nodes()
            .iter()
            .map(|node| number(spans::end(code, *node)))
            .collect();
        for id in 0..count {
            let list = &mut children[first[id] as usize..first[id + 1] as usize];
            list.sort_by_key(|child| {
                let child = *child as usize;
                (spans::start(tree.node(child)), ends[child])
            });
        }
        Self {
            tree,
            first,
            children,
            ends,
        }
    }

    fn around(&self, program: &'a Program<'a>, start: usize, end: usize) -> Neighbors<'a> {
        let mut neighbors = Neighbors {
            enclosing: None,
            preceding: None,
            following: None,
        };
        let mut id = id_of(AstKind::Program(program));
        'node: loop {
            let list = &self.children[self.first[id] as usize..self.first[id + 1] as usize];
            let (mut left, mut right) = (0, list.len());
            neighbors.preceding = None;
            neighbors.following = None;
            while left < right {
                let middle = usize::midpoint(left, right);
                let child = list[middle] as usize;
                let node = self.tree.node(child);
                let (child_start, child_end) = (spans::start(node), self.ends[child] as usize);
                if child_start <= start && end <= child_end {
                    neighbors.enclosing = Some(node);
                    id = child;
                    continue 'node;
                }
                if child_end <= start {
                    neighbors.preceding = Some(node);
                    left = middle + 1;
                } else {
                    neighbors.following = Some(node);
                    right = middle;
                }
            }
            break;
        }
        if let Some(AstKind::TemplateLiteral(template)) = neighbors.enclosing {
            // A comment stays in its placeholder.
            let quasis: Vec<usize> = template
                .quasis
                .iter()
                .map(|quasi| quasi.span.start as usize)
                .collect();
            let placeholder = |at: usize| quasis.partition_point(|quasi| *quasi < at);
            let is_beside =
                |node: &AstKind<'_>| placeholder(spans::start(*node)) == placeholder(start);
            neighbors.preceding = neighbors.preceding.filter(is_beside);
            neighbors.following = neighbors.following.filter(is_beside);
        }
        neighbors
    }
}

fn can_attach<'a>(tree: &Tree<'a>, node: AstKind<'a>) -> bool {
    let parent = tree.node(tree.parent_id(id_of(node)));
    match node {
        AstKind::TemplateElement(_)
        | AstKind::ChainExpression(_)
        | AstKind::FormalParameters(_)
        | AstKind::WithClause(_)
        | AstKind::Hashbang(_)
        | AstKind::Elision(_) => false,
        AstKind::BindingRestElement(_) => !matches!(parent, AstKind::FormalParameterRest(_)),
        AstKind::EmptyStatement(_) => is_meaningful_empty_statement(node, parent),
        AstKind::Function(function) => {
            function.r#type != FunctionType::TSEmptyBodyFunctionExpression
                && !(matches!(parent, AstKind::MethodDefinition(_))
                    && function.params.items.is_empty()
                    && function.params.rest.is_none()
                    && function.this_param.is_none()
                    && function.return_type.is_none()
                    && function.type_parameters.is_none()
                    && function.body.is_some())
        }
        AstKind::TSTypeAnnotation(_) => !matches!(parent, AstKind::TSPropertySignature(_)),
        AstKind::TSTypeReference(_) => !is_const_assertion(parent),
        _ => !is_repeated_name(node, parent) && !is_const_name(tree, node, parent),
    }
}

/// Whether `parent` is `x as const`.
fn is_const_assertion(parent: AstKind<'_>) -> bool {
    matches!(parent, AstKind::TSAsExpression(cast) if cast.type_annotation.is_const_type_reference())
}

fn is_const_name<'a>(tree: &Tree<'a>, node: AstKind<'a>, parent: AstKind<'a>) -> bool {
    matches!(node, AstKind::IdentifierReference(_))
        && matches!(parent, AstKind::TSTypeReference(_))
        && is_const_assertion(tree.node(tree.parent_id(id_of(parent))))
}

/// Whether a name is the second node of a shorthand such as `{ a }`.
fn is_repeated_name(node: AstKind<'_>, parent: AstKind<'_>) -> bool {
    match parent {
        AstKind::ObjectProperty(property) => {
            property.shorthand
                && property.kind == PropertyKind::Init
                && same(property.key.kind(), node)
        }
        AstKind::BindingProperty(property) => property.shorthand && same(property.key.kind(), node),
        AstKind::ImportSpecifier(specifier) => {
            specifier.local.span == specifier.imported.span() && same(specifier.local.kind(), node)
        }
        AstKind::ExportSpecifier(specifier) => {
            specifier.local.span() == specifier.exported.span()
                && same(specifier.exported.kind(), node)
        }
        _ => false,
    }
}

/// Whether an empty statement is the body of another statement.
fn is_meaningful_empty_statement(node: AstKind<'_>, parent: AstKind<'_>) -> bool {
    let is = |statement: &Statement<'_>| {
        matches!(statement, Statement::EmptyStatement(empty)
            if empty.span == node.span())
    };
    match parent {
        AstKind::IfStatement(it) => is(&it.consequent) || it.alternate.as_ref().is_some_and(is),
        AstKind::DoWhileStatement(it) => is(&it.body),
        AstKind::ForInStatement(it) => is(&it.body),
        AstKind::ForOfStatement(it) => is(&it.body),
        AstKind::ForStatement(it) => is(&it.body),
        AstKind::LabeledStatement(it) => is(&it.body),
        AstKind::WithStatement(it) => is(&it.body),
        AstKind::WhileStatement(it) => is(&it.body),
        _ => false,
    }
}
