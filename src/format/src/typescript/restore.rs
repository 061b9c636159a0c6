//! Keeps the original bytes of parts that are printed wrong, and prints the rest.
//!
//! The printed text is compared with its source. Where the meaning differs, a comment is lost, or a
//! pragma applies to other code, the smallest enclosing unit is replaced by its original bytes. If
//! the result is still wrong, the next enclosing unit is used, until nothing is wrong.

use std::collections::BTreeMap;
use std::ops::Range;

use fixpoint_text::{LineIndex, Span};
use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_span::ContentEq;

use super::meaning::normalize;
use super::unit::{Unit, units};
use super::{Variant, comments_of, parse};
use crate::FormatError;
use crate::comment::{comment_key, first_lost};
use crate::pragma::{Numbers, Pragma, moved, pragmas};

/// The maximum number of times that a unit is replaced by its enclosing unit.
const MAX_ROUNDS: usize = 16;

/// A parsed text, in the form that is compared.
struct Reading<'a> {
    program: Program<'a>,
    jsx_children: Vec<String>,
    units: Vec<Unit>,
    comments: Vec<Span>,
    pragmas: Vec<Pragma>,
}

/// A fault of the printer.
struct Fault {
    /// The source units that contain it.
    units: Vec<usize>,
    /// The top-level statements to keep with the text around them, if keeping `units` and the units
    /// that enclose them is not enough.
    statements: Vec<usize>,
    what: String,
}

/// The units that keep their bytes, and whether the text between them and the adjacent statements
/// is kept too.
type Kept = BTreeMap<usize, bool>;

/// Whether both texts have the same meaning. `None` if one does not parse.
pub(super) fn same_meaning(variant: Variant<'_>, one: &str, two: &str) -> Option<bool> {
    let allocator = Allocator::default();
    let read = |variant, text| Reading::of(&allocator, variant, text);
    let (before, after) = (read(variant, one)?, read(variant, two)?);
    let same = before.means_the_same_as(&after);
    if !same || before.program.source_type.is_module() {
        return Some(same);
    }
    // A file without imports and exports can be a module too, where `await` is an operator.
    let module = Variant {
        path: "a.mjs",
        ..variant
    };
    Some(match read(module, one) {
        Some(before) => read(module, two).is_some_and(|after| before.means_the_same_as(&after)),
        None => true,
    })
}

/// Returns `printed`, the output for `text`, with the original bytes where it is wrong.
pub(super) fn restore_faulty_units(
    variant: Variant<'_>,
    text: &str,
    printed: String,
) -> Result<String, FormatError> {
    let allocator = Allocator::default();
    let read = |text: &str| Reading::of(&allocator, variant, text);
    let (Some(mut source), Some(mut output)) = (read(text), read(&printed)) else {
        return Ok(printed);
    };
    let mut faults = source.faults(text, &output, &printed);
    let nested = source.has_units_of(&output);
    if !faults.is_empty() && !nested {
        source.forget_nested_units();
        output.forget_nested_units();
        faults = source.faults(text, &output, &printed);
    }
    let mut kept = Kept::new();
    let mut result = printed.clone();
    for _ in 0..MAX_ROUNDS {
        let Some(first) = faults.first() else {
            return Ok(result);
        };
        let give_up = || FormatError::damaged(&first.what);
        if !source.has_units_of(&output) {
            return Err(give_up());
        }
        let kept_before = kept.clone();
        for fault in &faults {
            let units = fault.units.iter();
            let mut next: Vec<_> = units
                .filter_map(|unit| unkept(&source.units, &kept_before, *unit))
                .map(|unit| (unit, false))
                .collect();
            if next.is_empty() {
                let statements = fault.statements.iter().map(|unit| (*unit, true));
                next.extend(statements.filter(|(unit, _)| kept_before.get(unit) != Some(&true)));
            }
            for (unit, with_surroundings) in next {
                *kept.entry(unit).or_default() |= with_surroundings;
            }
        }
        if kept == kept_before {
            return Err(give_up());
        }
        result = splice((text, &source.units), (&printed, &output.units), &kept);
        let allocator = Allocator::default();
        faults = match Reading::of(&allocator, variant, &result) {
            Some(mut reading) => {
                if !nested {
                    reading.forget_nested_units();
                }
                source.faults(text, &reading, &result)
            }
            None => vec![Fault {
                units: kept.keys().copied().collect(),
                statements: Vec::new(),
                what: "the result does not parse".to_owned(),
            }],
        };
    }
    match faults.first() {
        None => Ok(result),
        Some(fault) => Err(FormatError::damaged(&fault.what)),
    }
}

impl<'a> Reading<'a> {
    /// `None` if `text` does not parse.
    fn of(allocator: &'a Allocator, variant: Variant<'_>, text: &str) -> Option<Self> {
        let text = allocator.alloc_str(text);
        let mut tree = parse(allocator, variant, text);
        if !tree.diagnostics.is_empty() {
            return None;
        }
        let comments = comments_of(&tree);
        let jsx_children = normalize(allocator, &mut tree.program);
        Some(Self {
            units: units(&tree.program, &jsx_children),
            pragmas: pragmas(text, &comments, Numbers::Count),
            program: tree.program,
            jsx_children,
            comments,
        })
    }

    fn means_the_same_as(&self, other: &Self) -> bool {
        let contents = self.units.iter().map(|unit| unit.content);
        self.jsx_children == other.jsx_children
            && contents.eq(other.units.iter().map(|unit| unit.content))
            && self.program.content_eq(&other.program)
    }

    /// Whether the units of both texts correspond by index.
    fn has_units_of(&self, other: &Self) -> bool {
        let parents = |reading: &Self| -> Vec<_> {
            let parents = reading.units.iter().map(|unit| unit.parent);
            parents.collect()
        };
        parents(self) == parents(other)
    }

    fn forget_nested_units(&mut self) {
        self.units.retain(|unit| unit.parent.is_none());
    }

    /// The units whose content differs, or else the top-level statements that differ.
    fn different_units(&self, other: &Self) -> Vec<usize> {
        let pairs = self.units.iter().zip(&other.units).enumerate();
        let different: Vec<_> = pairs
            .filter(|(_, (one, two))| one.content != two.content)
            .map(|(index, _)| index)
            .collect();
        if !different.is_empty() {
            return different;
        }
        let top_level = (0..self.units.len()).filter(|index| self.units[*index].parent.is_none());
        let statements = top_level.skip(self.program.directives.len());
        let pairs = self.program.body.iter().zip(&other.program.body);
        statements
            .zip(pairs)
            .filter(|(_, (one, two))| !one.content_eq(two))
            .map(|(index, _)| index)
            .collect()
    }

    /// The faults of `output`, which was printed from this `text`.
    fn faults(&self, text: &str, output: &Self, output_text: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        if !self.means_the_same_as(output) {
            faults.push(Fault {
                units: self.different_units(output),
                statements: Vec::new(),
                what: "the meaning changed".to_owned(),
            });
        }
        let line_of = |at| LineIndex::new(text).line_of(at) + 1;
        for comment in self.changed_comments(text, output, output_text) {
            faults.push(Fault {
                units: self.innermost(comment.range()).into_iter().collect(),
                statements: self.statements_on_lines(text, &comment.range()),
                what: format!("the comment on line {} is lost", line_of(comment.start())),
            });
        }
        for pragma in moved(&self.pragmas, &output.pragmas) {
            faults.push(Fault {
                units: self.units_under(text, pragma),
                statements: self.statements_on_lines(text, &pragma.range()),
                what: format!(
                    "the comment on line {} would apply to other code",
                    line_of(pragma.comment.start())
                ),
            });
        }
        faults
    }

    /// The comments that `output` has fewer or more times.
    fn changed_comments(&self, text: &str, output: &Self, output_text: &str) -> Vec<Span> {
        let lost = first_lost(text, &self.comments, output_text, &output.comments);
        if lost.is_none() && self.comments.len() >= output.comments.len() {
            return Vec::new();
        }
        let key = |text: &str, comment: &Span| comment_key(&text[comment.range()]);
        let mut rest: Vec<_> = output
            .comments
            .iter()
            .map(|comment| key(output_text, comment))
            .collect();
        let mut changed = Vec::new();
        for comment in &self.comments {
            let key = key(text, comment);
            match rest.iter().position(|other| *other == key) {
                Some(found) => drop(rest.remove(found)),
                None => changed.push(*comment),
            }
        }
        let doubled = |comment: &&Span| rest.contains(&key(text, comment));
        changed.extend(self.comments.iter().filter(doubled));
        changed
    }

    fn innermost(&self, range: Range<usize>) -> Option<usize> {
        self.units
            .iter()
            .rposition(|unit| unit.range.start <= range.start && range.end <= unit.range.end)
    }

    /// The top-level statements that have text on the lines of `range`, or else one next to it.
    fn statements_on_lines(&self, text: &str, range: &Range<usize>) -> Vec<usize> {
        let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[range.end..].find('\n');
        let end = end.map_or(text.len(), |at| range.end + at);
        let mut statements: Vec<_> = (0..self.units.len()).collect();
        statements.retain(|index| self.units[*index].parent.is_none());
        let before = statements.partition_point(|index| self.units[*index].range.end <= start);
        let after = statements.partition_point(|index| self.units[*index].range.start < end);
        let found = if before < after {
            statements.get(before..after)
        } else {
            statements.get(before.saturating_sub(1)..before.max(1))
        };
        found.unwrap_or_default().to_vec()
    }

    /// The units that begin on the line that a pragma applies to, or the unit that encloses both.
    fn units_under(&self, text: &str, pragma: &Pragma) -> Vec<usize> {
        let line = &text[pragma.line.range()];
        let start = pragma.line.start() + line.len() - line.trim_start().len();
        let end = pragma.line.start() + line.trim_end().len();
        let begins = |unit: &Unit| (start..end).contains(&unit.range.start);
        let found: Vec<usize> = (0..self.units.len())
            .filter(|index| {
                let unit = &self.units[*index];
                begins(unit)
                    && !unit
                        .parent
                        .is_some_and(|parent| begins(&self.units[parent]))
            })
            .collect();
        if !found.is_empty() {
            return found;
        }
        let around = start.min(pragma.comment.start())..end.max(pragma.comment.end());
        // A comment after the last statement of a line is not in a unit with it.
        let code_end = text[..end.min(pragma.comment.start()).max(start)]
            .trim_end()
            .len();
        let unit = self.innermost(around);
        let unit = unit.or_else(|| self.innermost(start..code_end.max(start)));
        unit.into_iter().collect()
    }
}

/// Returns `unit`, or the nearest enclosing unit that is not kept yet.
fn unkept(units: &[Unit], kept: &Kept, unit: usize) -> Option<usize> {
    let mut candidate = unit;
    let mut around = Some(unit);
    while let Some(index) = around {
        around = units[index].parent;
        if kept.contains_key(&index) {
            candidate = around?;
        }
    }
    Some(candidate)
}

/// Returns `printed` with the bytes of the kept units of `text`.
fn splice(
    (text, units): (&str, &[Unit]),
    (printed, printed_units): (&str, &[Unit]),
    kept: &Kept,
) -> String {
    let mut pieces: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (&index, &with_surroundings) in kept {
        let extent = |text: &str, units: &[Unit]| match with_surroundings {
            true => surroundings(text, units, index),
            false => units[index].range.clone(),
        };
        let (source, place) = (extent(text, units), extent(printed, printed_units));
        match pieces.last_mut() {
            Some((last, _)) if source.end <= last.end => {}
            // Units on one line stay on one line, with the text between them.
            Some((last, last_place)) if is_one_line(text.get(last.end..source.start)) => {
                last.end = source.end;
                last_place.end = place.end;
            }
            _ => pieces.push((source, place)),
        }
    }
    let mut result = String::with_capacity(printed.len());
    let mut at = 0;
    for (source, place) in pieces {
        let original = &text[source];
        result.push_str(&printed[at..place.start]);
        result.push_str(original);
        if printed[place.clone()].ends_with(';') && !original.ends_with(';') {
            result.push(';');
        }
        at = place.end;
    }
    result.push_str(&printed[at..]);
    result
}

/// From the end of the statement before a top-level statement to the start of the one after it.
fn surroundings(text: &str, units: &[Unit], index: usize) -> Range<usize> {
    let is_statement = |unit: &&Unit| unit.parent.is_none();
    let before = units[..index].iter().rfind(is_statement);
    let after = units[index + 1..].iter().find(is_statement);
    before.map_or(0, |unit| unit.range.end)..after.map_or(text.len(), |unit| unit.range.start)
}

/// Whether there is no line break between two pieces. `None` means that the pieces overlap.
fn is_one_line(between: Option<&str>) -> bool {
    between.is_none_or(|between| !between.contains('\n'))
}
