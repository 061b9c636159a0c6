//! Names that may stand only once in one place. Owns E1002.

use rustc_hash::FxHashSet as HashSet;

use fixpoint_text::Span;

use super::resolve::Resolver;
use crate::ast::{Name, NodeId, Pattern, PatternKind};
use crate::diagnostic::{Code, Diagnostic, Payload};

/// A name with the node and the place that have it.
type Place<'g> = (NodeId, &'g str, Span);

impl<'g, 'a: 'g> Resolver<'g, 'a> {
    /// Reports each name that was there before among those of one declaration.
    pub(super) fn distinct(&mut self, what: &str, names: impl Iterator<Item = (NodeId, &'g Name)>) {
        self.each_once(
            what,
            names.map(|(node, name)| (node, name.text.as_str(), name.span)),
        );
    }

    /// The same for what one pattern binds.
    pub(super) fn distinct_binders(&mut self, pattern: &'g Pattern) {
        if matches!(
            pattern.kind,
            PatternKind::Tuple(_) | PatternKind::Record(_) | PatternKind::Variant { .. }
        ) {
            let mut names = Vec::new();
            binders(pattern, &mut names);
            self.each_once("variables", names.into_iter());
        }
    }

    fn each_once(&mut self, what: &str, names: impl Iterator<Item = Place<'g>>) {
        let mut seen = HashSet::default();
        for (node, text, span) in names {
            // What is called `_` is not meant to be used.
            if text == "_" || seen.insert(text) {
                continue;
            }
            let message = format!("there are two {what} `{text}` here; rename one");
            let payload = Payload::DuplicateDefinition {
                name: text.to_owned(),
            };
            self.diagnostics
                .push(Diagnostic::new(Code::E1002, node, span, message, payload));
        }
    }
}

fn binders<'g>(pattern: &'g Pattern, names: &mut Vec<Place<'g>>) {
    match &pattern.kind {
        PatternKind::Wildcard | PatternKind::Literal(_) => {}
        PatternKind::Ident(name) => names.push((pattern.id, name, pattern.span)),
        PatternKind::Tuple(parts) => parts.iter().for_each(|it| binders(it, names)),
        PatternKind::Record(fields) => {
            for field in fields {
                match &field.pattern {
                    Some(pattern) => binders(pattern, names),
                    None => names.push((field.id, &field.name.text, field.name.span)),
                }
            }
        }
        PatternKind::Variant { payload, .. } => {
            payload.iter().flatten().for_each(|it| binders(it, names));
        }
    }
}
