//! Emits patterns: tests of a value, and bindings of its parts.

use super::Emitter;
use super::code::Code;
use super::expr::write_literal;
use super::names::{TAG, quoted};
use crate::ast::{Pattern, PatternKind, Variant};

/// The tests of a pattern, and the names that it binds.
#[derive(Default)]
pub(super) struct Bound<'a> {
    pub(super) tests: Vec<Code>,
    /// Each with the pattern that binds it, and the path to the part.
    pub(super) names: Vec<(&'a Pattern, &'a str, Code)>,
}

impl<'a> Emitter<'a> {
    /// Matches the pattern against the value of `subject`.
    pub(super) fn pattern(&self, pattern: &'a Pattern, subject: &str) -> Bound<'a> {
        let mut bound = Bound::default();
        self.match_part(pattern, subject, &mut bound);
        bound
    }

    fn match_part(&self, pattern: &'a Pattern, path: &str, bound: &mut Bound<'a>) {
        let test = |text: String| Code::of(pattern).then(text);
        match &pattern.kind {
            PatternKind::Wildcard => {}
            PatternKind::Ident(name) => bound.names.push((pattern, name, path.into())),
            PatternKind::Literal(value) => {
                let mut test = test(format!("{path} === "));
                write_literal(value, &mut test);
                bound.tests.push(test);
            }
            PatternKind::Tuple(elements) => {
                for (position, element) in elements.iter().enumerate() {
                    self.match_part(element, &format!("{path}[{position}]"), bound);
                }
            }
            PatternKind::Record(fields) => {
                for it in fields {
                    let path = format!("{path}.{}", it.name.text);
                    match &it.pattern {
                        Some(part) => self.match_part(part, &path, bound),
                        None => bound.names.push((pattern, &it.name.text, path.into())),
                    }
                }
            }
            PatternKind::Variant { name, payload } => {
                let tag = quoted(&name.text);
                bound.tests.push(test(format!("{path}.tag === {tag}")));
                let keys = self.payload_keys(&name.text);
                let parts = payload.iter().flatten();
                for (part, key) in parts.zip(keys) {
                    self.match_part(part, &format!("{path}.{key}"), bound);
                }
            }
        }
    }

    /// The names of the fields in a variant's object.
    fn payload_keys(&self, variant: &str) -> Vec<String> {
        if let Some(sum) = self.globals.variants.get(variant) {
            let variants = sum.variants.iter();
            let mut named = variants.filter(|it| it.name.text == variant);
            return named.next_back().map(keys).unwrap_or_default();
        }
        match variant {
            "Some" | "Ok" => vec!["value".to_owned()],
            "Err" => vec!["error".to_owned()],
            _ => vec![],
        }
    }
}

/// The names of the fields in a variant's object. The author's names are used if all fields have
/// distinct names and none is `tag`.
pub(super) fn keys(variant: &Variant) -> Vec<String> {
    let names: Vec<&str> = variant
        .fields
        .iter()
        .filter_map(|(name, _)| name.as_ref().map(|it| it.text.as_str()))
        .collect();
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let fit = distinct.len() == variant.fields.len() && !names.contains(&TAG);
    if fit {
        names.into_iter().map(str::to_owned).collect()
    } else {
        (0..variant.fields.len())
            .map(|at| format!("_{at}"))
            .collect()
    }
}
