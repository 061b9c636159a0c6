//! Searches for a value that no row of a pattern matrix matches.

use std::fmt;

use super::check::Checker;
use super::{Ty, TyKind};
use crate::ast::{FieldPattern, Literal, Pattern, PatternKind, Text};
use crate::names::{Def, Primitive, TypeDef, VariantDef};

/// The maximum number of rows to inspect. Hand-written matrices need a few dozen.
const MAX_ROWS: usize = 1 << 16;
/// The maximum nesting depth of columns.
const MAX_COLUMNS: usize = 1 << 10;

/// The patterns of an arm, one for each column; `None` matches everything.
#[derive(Clone)]
pub(super) struct Row<'p>(Vec<Option<&'p Pattern>>);

impl<'p> Row<'p> {
    pub fn of(pattern: &'p Pattern) -> Self {
        Self(vec![refutable(pattern)])
    }

    pub fn catches_all(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    fn head(&self) -> Option<&'p Pattern> {
        self.0.last().copied().flatten()
    }
}

fn refutable(pattern: &Pattern) -> Option<&Pattern> {
    match pattern.kind {
        PatternKind::Wildcard | PatternKind::Ident(_) => None,
        _ => Some(pattern),
    }
}

/// The constructors of a type.
pub(super) enum Shape {
    /// All constructors.
    Closed(Vec<Constructor>),
    /// More constructors than patterns can name.
    Open,
}

pub(super) enum Constructor {
    Variant {
        name: Text,
        sum: Text,
        field_names: Vec<Text>,
        fields: Vec<Ty>,
    },
    Bool(bool),
    Unit,
    Tuple(Vec<Ty>),
    Record(Vec<(Text, Ty)>),
}

impl Constructor {
    fn fields(&self) -> Vec<Ty> {
        match self {
            Self::Variant { fields, .. } | Self::Tuple(fields) => fields.clone(),
            Self::Record(fields) => fields.iter().map(|(_, ty)| *ty).collect(),
            Self::Bool(_) | Self::Unit => Vec::new(),
        }
    }

    /// The patterns for the fields of this constructor, if the pattern can match its values.
    fn parts<'p>(&self, pattern: &'p Pattern) -> Option<Vec<Option<&'p Pattern>>> {
        match (self, &pattern.kind) {
            (Self::Variant { name, fields, .. }, PatternKind::Variant { name: own, payload })
                if own.text == *name =>
            {
                let given = payload.iter().flatten().map(refutable);
                let given = given.chain(std::iter::repeat(None));
                Some(given.take(fields.len()).collect())
            }
            (Self::Bool(value), PatternKind::Literal(Literal::Bool(own))) if own == value => {
                Some(Vec::new())
            }
            (Self::Unit, _) => Some(Vec::new()),
            (Self::Tuple(fields), PatternKind::Tuple(given)) if given.len() == fields.len() => {
                Some(given.iter().map(refutable).collect())
            }
            (Self::Record(fields), PatternKind::Record(given)) => {
                let of = |name: &str| given.iter().find(|it| it.name.text == name);
                let of = |name: &str| of(name).and_then(|it| it.pattern.as_ref());
                let parts = fields.iter().map(|(name, _)| of(name).and_then(refutable));
                Some(parts.collect())
            }
            _ => None,
        }
    }

    pub fn witness(&self, parts: Vec<Witness>) -> Witness {
        match self {
            Self::Variant { name, .. } => Witness::Variant(name.to_string(), parts),
            Self::Bool(value) => Witness::Variant(value.to_string(), Vec::new()),
            Self::Unit => Witness::Anything,
            Self::Tuple(_) => Witness::Tuple(parts),
            Self::Record(fields) => {
                let names = fields.iter().map(|(name, _)| name.to_string());
                Witness::Record(names.zip(parts).collect())
            }
        }
    }
}

/// A pattern for values that are not matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Witness {
    Anything,
    Variant(String, Vec<Witness>),
    Tuple(Vec<Witness>),
    Record(Vec<(String, Witness)>),
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, parts: &[Self]| {
            for (at, part) in parts.iter().enumerate() {
                let separator = if at > 0 { ", " } else { "" };
                write!(f, "{separator}{part}")?;
            }
            write!(f, ")")
        };
        match self {
            Self::Anything => write!(f, "_"),
            Self::Variant(name, parts) if parts.is_empty() => write!(f, "{name}"),
            Self::Variant(name, parts) => {
                write!(f, "{name}(")?;
                list(f, parts)
            }
            Self::Tuple(parts) => {
                write!(f, "(")?;
                list(f, parts)
            }
            Self::Record(fields) => {
                let shown = fields.iter().filter(|(_, part)| *part != Self::Anything);
                let shown: Vec<String> = shown
                    .map(|(name, part)| format!("{name}: {part}"))
                    .collect();
                write!(f, "{{{}}}", shown.join(", "))
            }
        }
    }
}

/// The search with its remaining budget. Columns are in reverse order, so that the next one is at
/// the end.
pub(super) struct Coverage<'k, 'c, 'a> {
    checker: &'k mut Checker<'c, 'a>,
    rows: usize,
}

/// `None` if the budget ran out. Otherwise unmatched values for each column, or `None` if all
/// values are matched.
type SearchResult = Option<Option<Vec<Witness>>>;

impl<'k, 'c, 'a> Coverage<'k, 'c, 'a> {
    pub fn new(checker: &'k mut Checker<'c, 'a>) -> Self {
        Self { checker, rows: 0 }
    }

    /// The fields of an unmatched value with this constructor.
    pub fn uncovered_of(&mut self, constructor: &Constructor, rows: &[Row<'_>]) -> SearchResult {
        self.made_by(constructor, rows, &[], 0)
    }

    /// Unmatched values for the constructor's fields and for the other columns, in column order.
    /// The next column has this constructor.
    fn made_by(
        &mut self,
        constructor: &Constructor,
        rows: &[Row<'_>],
        others: &[Ty],
        depth: usize,
    ) -> SearchResult {
        let fields = constructor.fields();
        let special = rows.iter().filter_map(|row| {
            let parts = match row.head() {
                Some(pattern) => constructor.parts(pattern)?,
                None => vec![None; fields.len()],
            };
            let others = row.0.get(..others.len()).unwrap_or_default();
            Some(Row(others
                .iter()
                .copied()
                .chain(parts.into_iter().rev())
                .collect()))
        });
        let special: Vec<Row<'_>> = special.collect();
        let types: Vec<Ty> = others
            .iter()
            .copied()
            .chain(fields.into_iter().rev())
            .collect();
        self.uncovered(&special, &types, depth)
    }

    fn uncovered(&mut self, rows: &[Row<'_>], types: &[Ty], depth: usize) -> SearchResult {
        self.rows += rows.len();
        if self.rows > MAX_ROWS || depth > MAX_COLUMNS {
            return None;
        }
        if rows.is_empty() {
            return Some(Some(vec![Witness::Anything; types.len()]));
        }
        if rows.iter().any(Row::catches_all) {
            return Some(None);
        }
        let Some((ty, others)) = types.split_last() else {
            return Some(None);
        };
        let shape = if rows.iter().any(|it| it.head().is_some()) {
            self.checker.shape(*ty, rows)
        } else {
            Shape::Open
        };
        let constructors = match &shape {
            Shape::Closed(constructors) => constructors.as_slice(),
            Shape::Open => &[],
        };
        let is_named = |it: &&Constructor| {
            let mut heads = rows.iter().filter_map(Row::head);
            heads.any(|head| it.parts(head).is_some())
        };
        let unnamed = constructors.iter().find(|it| !is_named(it));
        if let (Shape::Closed(constructors), None) = (&shape, unnamed) {
            for constructor in constructors {
                let found = self.made_by(constructor, rows, others, depth + 1)?;
                let Some(mut values) = found else { continue };
                let rest = values.split_off(constructor.fields().len());
                let mut all = vec![constructor.witness(values)];
                all.extend(rest);
                return Some(Some(all));
            }
            return Some(None);
        }
        // A value whose constructor no row names is only matched by catch-all rows.
        let default = rows.iter().filter(|it| it.head().is_none());
        let default: Vec<Row<'_>> = default
            .map(|row| Row(row.0.get(..others.len()).unwrap_or_default().to_vec()))
            .collect();
        let rest = self.uncovered(&default, others, depth + 1)?;
        Some(rest.map(|rest| {
            let first = unnamed.map_or(Witness::Anything, |it| {
                it.witness(vec![Witness::Anything; it.fields().len()])
            });
            let mut all = vec![first];
            all.extend(rest);
            all
        }))
    }
}

impl Checker<'_, '_> {
    /// The constructors for the next column: by its type, or by the patterns if the type is not
    /// known.
    pub(super) fn shape(&mut self, ty: Ty, rows: &[Row<'_>]) -> Shape {
        let base = self.arena.base(ty);
        match self.arena.kind(base).clone() {
            TyKind::Prim(Primitive::Bool) => both(),
            TyKind::Prim(Primitive::Unit) => Shape::Closed(vec![Constructor::Unit]),
            TyKind::Tuple(parts) => Shape::Closed(vec![Constructor::Tuple(parts)]),
            TyKind::Record { .. } => match self.fields_of(base) {
                Some(fields) => Shape::Closed(vec![Constructor::Record(fields)]),
                None => Shape::Open,
            },
            TyKind::Named(name, args) => {
                let Some(def) = self.globals.type_def(self.arena.name(name)) else {
                    return Shape::Open;
                };
                if let Some(fields) = self.fields_of(base) {
                    return Shape::Closed(vec![Constructor::Record(fields)]);
                }
                self.variants(def, &args)
            }
            TyKind::Var(_) | TyKind::Generic(_) => {
                let heads: Vec<&Pattern> = rows.iter().filter_map(Row::head).collect();
                self.taken_for(&heads)
            }
            _ => Shape::Open,
        }
    }

    fn variants(&mut self, def: TypeDef, args: &[Ty]) -> Shape {
        let globals = self.globals;
        let Some(sum) = globals.sum(def).filter(|it| !it.variants.is_empty()) else {
            return Shape::Open;
        };
        let mut constructors = Vec::with_capacity(sum.variants.len());
        for (at, variant) in sum.variants.iter().enumerate() {
            let scheme = self.scheme(Def::Variant(VariantDef { sum: def, at }));
            let params = scheme.map(|scheme| self.arena.kind(scheme.ty).clone());
            let fields = match params {
                Some(TyKind::Function { params, .. }) => params
                    .into_iter()
                    .map(|ty| self.arena.instantiate(ty, args))
                    .collect(),
                _ => Vec::new(),
            };
            let names = variant.fields.iter().map(|(name, _)| name.as_ref());
            let names = names.map(|it| it.map_or_else(Text::new, |it| it.text.clone()));
            constructors.push(Constructor::Variant {
                name: variant.name.text.clone(),
                sum: sum.name.text.clone(),
                field_names: names.collect(),
                fields,
            });
        }
        Shape::Closed(constructors)
    }

    fn taken_for(&mut self, heads: &[&Pattern]) -> Shape {
        let Some(head) = heads.first() else {
            return Shape::Open;
        };
        match &head.kind {
            PatternKind::Literal(Literal::Bool(_)) => both(),
            PatternKind::Literal(Literal::Unit) => Shape::Closed(vec![Constructor::Unit]),
            PatternKind::Tuple(parts) => {
                let parts = parts.iter().map(|_| self.arena.fresh()).collect();
                Shape::Closed(vec![Constructor::Tuple(parts)])
            }
            PatternKind::Record(_) => {
                let mut names: Vec<Text> = heads
                    .iter()
                    .filter_map(|it| match &it.kind {
                        PatternKind::Record(fields) => Some(fields),
                        _ => None,
                    })
                    .flatten()
                    .map(|it: &FieldPattern| it.name.text.clone())
                    .collect();
                names.sort_unstable();
                names.dedup();
                let fields = names.into_iter().map(|name| (name, self.arena.fresh()));
                Shape::Closed(vec![Constructor::Record(fields.collect())])
            }
            PatternKind::Variant { .. } => match self.names.of_use(head.id) {
                Some(Def::Variant(variant)) => {
                    let params = self.globals.type_params(variant.sum);
                    let args: Vec<Ty> = params.iter().map(|_| self.arena.fresh()).collect();
                    self.variants(variant.sum, &args)
                }
                _ => Shape::Open,
            },
            _ => Shape::Open,
        }
    }
}

fn both() -> Shape {
    Shape::Closed(vec![Constructor::Bool(true), Constructor::Bool(false)])
}
