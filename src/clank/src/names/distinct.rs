//! Reports duplicate names. Owns E1002.

use rustc_hash::FxHashSet as HashSet;

use fixpoint_text::Span;

use super::resolve::Resolver;
use crate::ast::{Name, NodeId, Pattern, PatternKind};
use crate::diagnostic::{Code, Diagnostic, Payload};

/// Up to this number of names, comparing all pairs is faster than building a set.
const FEW: usize = 8;

/// The node, text and span of a name.
type Place<'g> = (NodeId, &'g str, Span);

impl<'g, 'a: 'g> Resolver<'g, 'a> {
    /// Reports each duplicate among the names of one declaration.
    pub(super) fn distinct(
        &mut self,
        what: &str,
        names: impl Iterator<Item = (NodeId, &'g Name)> + Clone,
    ) {
        self.each_once(
            what,
            names.map(|(node, name)| (node, name.text.as_str(), name.span)),
        );
    }

    /// Reports duplicates among the bindings of one pattern.
    pub(super) fn distinct_binders(&mut self, pattern: &'g Pattern) {
        if matches!(
            pattern.kind,
            PatternKind::Tuple(_) | PatternKind::Record(_) | PatternKind::Variant { .. }
        ) {
            let mut names = Vec::new();
            binders(pattern, &mut names);
            self.each_once("variables", names.iter().copied());
        }
    }

    fn each_once(&mut self, what: &str, names: impl Iterator<Item = Place<'g>> + Clone) {
        let mut seen = HashSet::default();
        for (at, (node, text, span)) in names.clone().enumerate() {
            let is_new = if at < FEW {
                names.clone().take(at).all(|it| it.1 != text)
            } else {
                if at == FEW {
                    seen.extend(names.clone().take(at).map(|it| it.1));
                }
                seen.insert(text)
            };
            // `_` may occur several times.
            if is_new || text == "_" {
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
