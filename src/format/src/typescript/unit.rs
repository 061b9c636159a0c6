//! The parts of a script whose bytes can be kept while the rest is printed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use oxc_allocator::Vec as ArenaVec;
use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, ClassElement, Directive, JSXAttributeItem, JSXChild, JSXElement, JSXFragment,
    ObjectPropertyKind, Program, Statement, SwitchCase,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

/// A statement, class member, property, case, JSX element or attribute.
pub(super) struct Unit {
    pub(super) range: Range<usize>,
    pub(super) parent: Option<usize>,
    /// A hash of its node kinds, texts and parenthesized names, excluding nested units.
    pub(super) content: u64,
}

/// The units of a normalized tree in text order, each before its nested units.
pub(super) fn units(program: &Program<'_>, jsx_children: &[String]) -> Vec<Unit> {
    let mut collector = Collector {
        units: Vec::new(),
        hashers: Vec::new(),
        open: None,
        jsx_children: jsx_children.iter(),
    };
    collector.visit_program(program);
    for (unit, hasher) in collector.units.iter_mut().zip(collector.hashers) {
        unit.content = hasher.finish();
    }
    collector.units
}

struct Collector<'c> {
    units: Vec<Unit>,
    hashers: Vec<DefaultHasher>,
    open: Option<usize>,
    jsx_children: std::slice::Iter<'c, String>,
}

impl Collector<'_> {
    fn unit(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
        let parent = self.open;
        self.open = Some(self.units.len());
        self.units.push(Unit {
            range: span.start as usize..span.end as usize,
            parent,
            content: 0,
        });
        self.hashers.push(DefaultHasher::new());
        walk(self);
        self.open = parent;
    }

    fn hash(&mut self, content: impl Hash) {
        if let Some(hasher) = self.open.and_then(|open| self.hashers.get_mut(open)) {
            content.hash(hasher);
        }
    }
}

/// Whether an assignment has parentheses around the name that it assigns to. The function of
/// `a = () => {}` is named `a`, and the function of `(a) = () => {}` has no name.
fn is_parenthesized(assignment: Span, target: &AssignmentTarget<'_>) -> bool {
    matches!(target, AssignmentTarget::AssignmentTargetIdentifier(name) if name.span.start != assignment.start)
}

impl<'a> Visit<'a> for Collector<'_> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        self.hash(kind.ty());
        match kind {
            AstKind::StringLiteral(string) => self.hash(string.value.as_str()),
            AstKind::AssignmentExpression(it) => self.hash(is_parenthesized(it.span, &it.left)),
            AstKind::AssignmentTargetWithDefault(it) => {
                self.hash(is_parenthesized(it.span, &it.binding));
            }
            _ => {}
        }
    }

    fn visit_statement(&mut self, it: &Statement<'a>) {
        self.unit(it.span(), |this| walk::walk_statement(this, it));
    }

    fn visit_directive(&mut self, it: &Directive<'a>) {
        self.unit(it.span, |this| walk::walk_directive(this, it));
    }

    fn visit_class_element(&mut self, it: &ClassElement<'a>) {
        self.unit(it.span(), |this| walk::walk_class_element(this, it));
    }

    fn visit_object_property_kind(&mut self, it: &ObjectPropertyKind<'a>) {
        self.unit(it.span(), |this| walk::walk_object_property_kind(this, it));
    }

    fn visit_switch_case(&mut self, it: &SwitchCase<'a>) {
        self.unit(it.span, |this| walk::walk_switch_case(this, it));
    }

    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.unit(it.span, |this| walk::walk_jsx_element(this, it));
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.unit(it.span, |this| walk::walk_jsx_fragment(this, it));
    }

    fn visit_jsx_attribute_item(&mut self, it: &JSXAttributeItem<'a>) {
        self.unit(it.span(), |this| walk::walk_jsx_attribute_item(this, it));
    }

    fn visit_jsx_children(&mut self, it: &ArenaVec<'a, JSXChild<'a>>) {
        let children = self.jsx_children.next();
        self.hash(children);
        walk::walk_jsx_children(self, it);
    }
}
