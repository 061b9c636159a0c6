//! Refinements between the fields of one record: `rec R { lo: Int, hi: Int{hi > lo} }`.

use super::pred::Term;
use super::run_time::RunTimeCheck;
use super::terms::applied;
use super::walk::{Named, TypeNames, Walker};
use crate::ast::{Expr, ExprKind, Field, Text};
use crate::types::{Refinement, TyKind};

impl<'a> Walker<'a> {
    /// The values of a record's field names in the refinement of one field, if they matter.
    pub(super) fn sibling_names(
        &self,
        refinement: &Refinement,
        object: &Expr,
        record: &Term,
    ) -> Named {
        if refinement.is_about_itself() {
            return Named::default();
        }
        let fields = self.declared_fields(object).iter();
        let named = fields.map(|it| (it.name.text.clone(), field_of(record, &it.name.text)));
        named.collect()
    }

    /// Like `sibling_names`, for a field that is assigned.
    pub(super) fn sibling_names_of(
        &mut self,
        refinement: &Refinement,
        target: &'a Expr,
    ) -> Option<Named> {
        let ExprKind::Field { object, .. } = &target.kind else {
            return None;
        };
        if refinement.is_about_itself() {
            return None;
        }
        let record = self.term(object);
        Some(self.sibling_names(refinement, object, &record))
    }

    fn declared_fields(&self, object: &Expr) -> &'a [Field] {
        let arena = &self.typing.arena;
        let ty = self.typing.of_node(object.id);
        match ty.map(|ty| arena.kind(arena.base(ty))) {
            Some(TyKind::Named(name, _)) => {
                let fields = self.records.get(arena.name(*name));
                fields.copied().unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// Checks an assignment to a field against the fields whose refinements mention it.
    pub(super) fn suits_siblings(&mut self, target: &'a Expr, value: &'a Expr) {
        let ExprKind::Field { object, field } = &target.kind else {
            return;
        };
        for other in self.declared_fields(object) {
            let ty = self.typing.of_node(other.ty.id);
            if other.name.text == field.text {
                continue;
            }
            if let Some(refinement) = self.refinement_of(ty)
                && refinement.predicate.uses(&field.text)
                && refinement.var != field.text
            {
                let record = self.term(object);
                let names = self.sibling_names(refinement, object, &record);
                let written = self.term(value);
                let names: Vec<(Text, Term)> = names
                    .iter()
                    .map(|(name, term)| {
                        let is_written = *name == field.text;
                        let term = if is_written { &written } else { term };
                        (name.clone(), term.clone())
                    })
                    .collect();
                let own = field_of(&record, &other.name.text);
                let goal = applied(refinement, &own, &names);
                let about = [(field.text.as_str(), &written)];
                if let Some(text) = self.oblige(value, target.id, &goal, &about, false) {
                    let fields: Vec<Text> = names.into_iter().map(|it| it.0).collect();
                    let pred = &refinement.predicate;
                    let check = match self.predicate(pred, &fields, TypeNames::Nothing, &text) {
                        Some(predicate) => RunTimeCheck::Fields(predicate),
                        None => RunTimeCheck::Impossible(text),
                    };
                    self.check_at_run_time(target.id, check);
                }
            }
        }
    }
}

fn field_of(record: &Term, name: &Text) -> Term {
    Term::Field(Box::new(record.clone()), name.clone())
}
