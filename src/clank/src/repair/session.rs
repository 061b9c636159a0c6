//! The repair loop: compile, choose a batch, apply it, and compile again to verify what it
//! promised.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fixpoint_engine::trial::try_together;
use fixpoint_engine::{Turn, Waiting};
use fixpoint_text::Digest;
use serde::Serialize;
use serde_json::Value;

use super::candidate::Candidate;
use super::permission::{Approved, Permission};
use super::problems::{Class, Counts, Problems, problems, promised_by};
use super::{Lowerer, PatchError, TextEdit, edited, patch, precondition};
use crate::diagnostic::Code;
use crate::json::{Form, InputError, diagnostic_id, obligation_id, program_json};
use crate::modules::Modules;
use crate::result::{CompileResult, Status};
use crate::{Deadline, Input, Options, compile};

/// The default limit on the number of rounds.
pub const MAX_ROUNDS: usize = 100;

/// A program in its input format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    Source { file: String, text: String },
    Ast { json: String },
}

impl Program {
    pub fn input(&self) -> Input<'_> {
        match self {
            Self::Source { file, text } => Input::Source { file, text },
            Self::Ast { json } => Input::Ast { json },
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Source { text, .. } => text,
            Self::Ast { json } => json,
        }
    }
}

/// A round that applied repairs.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    pub round: usize,
    /// The applied repairs, in order.
    pub applied: Vec<Candidate>,
    pub before: Counts,
    pub after: Counts,
}

/// The outcome of the repair loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Ending {
    /// No error, unproved obligation or hole is left.
    Success,
    /// The remaining repairs need approval.
    NeedsApproval { ids: Vec<String> },
    /// The remaining problems have no repair.
    NeedsClarification { problems: Vec<String> },
    /// The loop cannot continue although repairs remain.
    Stuck { reason: String },
}

#[derive(Clone, Debug)]
pub struct Repaired {
    pub ending: Ending,
    pub steps: Vec<Step>,
    pub program: Program,
    /// The result of compiling the repaired program.
    pub result: CompileResult,
    /// Approved ids that did not match a repair in any round.
    pub unknown: Vec<String>,
    /// Approved repairs that were found but not applied.
    pub unapplied: Vec<Unapplied>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unapplied {
    pub id: String,
    pub reason: String,
}

/// Repairs a program without modules, within the given permission.
pub fn repair(program: Program, permission: &Permission) -> Result<Repaired, Vec<InputError>> {
    repair_with(program, permission, None)
}

/// Repairs a program that may use modules.
pub fn repair_with(
    program: Program,
    permission: &Permission,
    modules: Option<Arc<Modules>>,
) -> Result<Repaired, Vec<InputError>> {
    let options = Options {
        modules,
        deadline: Deadline::default(),
    };
    let result = compile(program.input(), &options)?;
    Ok(repair_compiled(program, result, permission, &options))
}

/// Repairs a program that was compiled with these options.
fn repair_compiled(
    program: Program,
    mut result: CompileResult,
    permission: &Permission,
    options: &Options,
) -> Repaired {
    let mut repaired = Repaired {
        ending: Ending::Success,
        steps: Vec::new(),
        program,
        result: result.clone(),
        unknown: Vec::new(),
        unapplied: Vec::new(),
    };
    let mut named: BTreeMap<String, Candidate> = BTreeMap::new();
    let mut unknown = match &permission.approved {
        Approved::Ids(ids) => ids.clone(),
        Approved::Everything => BTreeSet::new(),
    };
    let mut seen = BTreeSet::from([Digest::of(repaired.program.text().as_bytes())]);
    for round in 1.. {
        let of_this_round = result.repairs.iter().filter(|it| permission.names(it));
        named.extend(of_this_round.map(|it| (it.id.clone(), it.clone())));
        unknown.retain(|id| !named.contains_key(id));
        let Some(batch) = next_batch(&result, permission) else {
            repaired.ending = ending(&result, permission);
            break;
        };
        if round > permission.max_rounds {
            let reason = match permission.max_rounds {
                1 => "gave up after 1 round".to_owned(),
                rounds => format!("gave up after {rounds} rounds"),
            };
            repaired.ending = Ending::Stuck { reason };
            break;
        }
        let (program, after, applied) = match apply(&repaired.program, &result, &batch, options) {
            Ok(done) => done,
            Err(reason) => {
                repaired.ending = Ending::Stuck { reason };
                break;
            }
        };
        if !seen.insert(Digest::of(program.text().as_bytes())) {
            let reason = "the repairs lead back to a program that was there before".to_owned();
            repaired.ending = Ending::Stuck { reason };
            break;
        }
        repaired.steps.push(Step {
            round,
            applied: applied.into_iter().cloned().collect(),
            before: Counts::of(&result),
            after: Counts::of(&after),
        });
        repaired.program = program;
        result = after;
    }
    repaired.result = result;
    repaired.unknown = unknown.into_iter().collect();
    repaired.unapplied = unapplied(named.values(), &repaired);
    repaired
}

/// The approved repairs that were not applied, and why.
fn unapplied<'c>(
    named: impl Iterator<Item = &'c Candidate>,
    repaired: &Repaired,
) -> Vec<Unapplied> {
    let applied = || repaired.steps.iter().flat_map(|it| &it.applied);
    let named = named.filter(|it| applied().all(|done| done.id != it.id));
    let reason = |it: &Candidate| {
        if let Some(rival) = applied().find(|done| it.conflicts_with(done)) {
            format!("it conflicts with {}, which was applied", rival.id)
        } else if repaired.result.repairs.iter().all(|left| left.id != it.id) {
            "the repairs before it left nothing for it to do".to_owned()
        } else if it.compatibility.requires.is_empty() {
            "the repair ended before it".to_owned()
        } else {
            format!("it requires {}", it.compatibility.requires.join(", "))
        }
    };
    let unapplied = named.map(|it| Unapplied {
        id: it.id.clone(),
        reason: reason(it),
    });
    unapplied.collect()
}

/// The most urgent class of the problems that a repair resolves.
fn class_of(result: &CompileResult, candidate: &Candidate) -> Class {
    let promised = promised_by(result, &candidate.expected_delta);
    let first = promised.into_keys().map(|it| it.0).min();
    first.unwrap_or(Class::Warning)
}

/// The best permitted repair and the repairs that can be batched with it.
///
/// [`Turn`] chooses the class of repairs. Within a class, repairs approved by id come first, and
/// repairs that conflict with them are skipped.
fn next_batch<'r>(
    result: &'r CompileResult,
    permission: &Permission,
) -> Option<Vec<&'r Candidate>> {
    let all = result.repairs.iter();
    let named: Vec<&Candidate> = all.filter(|it| permission.names(it)).collect();
    let is_possible = |it: &&Candidate| {
        permission.names(it) || named.iter().all(|chosen| !chosen.conflicts_with(it))
    };
    let possible = result.repairs.iter().filter(is_possible);
    let possible: Vec<(Waiting, &Candidate)> = possible
        .map(|it| {
            let waiting = Waiting {
                class: class_of(result, it),
                admitted: permission.admits(it),
                named: permission.names(it),
            };
            (waiting, it)
        })
        .collect();
    let turn = Turn::among(possible.iter().map(|it| it.0))?;
    let admitted = possible.into_iter().filter(|it| turn.includes(it.0));
    // The repairs of a result are ranked already.
    let mut ranked: Vec<&Candidate> = admitted.map(|it| it.1).collect();
    ranked.sort_by_key(|it| !permission.names(it));
    ranked.iter().find_map(|best| {
        let batch = batch(&result.repairs, best, &ranked, permission);
        (!batch.is_empty()).then_some(batch)
    })
}

/// A repair preceded by the repairs it requires, and followed by others with the same batch key.
/// Approval of a repair by id includes the repairs it requires. Empty if a required repair is not
/// permitted.
fn batch<'r>(
    all: &'r [Candidate],
    best: &'r Candidate,
    ranked: &[&'r Candidate],
    permission: &Permission,
) -> Vec<&'r Candidate> {
    let mut batch: Vec<&Candidate> = Vec::new();
    for id in &best.compatibility.requires {
        let required = all.iter().find(|it| it.id == *id);
        match required.filter(|it| permission.admits(it) || permission.names(best)) {
            Some(required) => batch.push(required),
            None => return Vec::new(),
        }
    }
    batch.push(best);
    let key = &best.compatibility.batch_key;
    let others = ranked
        .iter()
        .filter(|it| it.compatibility.batch_key == *key);
    for other in others.filter(|_| key.is_some()) {
        let fits = batch
            .iter()
            .all(|it| it.id != other.id && !it.conflicts_with(other));
        if fits {
            batch.push(other);
        }
    }
    batch
}

/// A repair and its edits of the text. A program that was read from JSON has no text.
struct Lowered<'r> {
    candidate: &'r Candidate,
    edits: Vec<TextEdit>,
}

/// Applies as many repairs of a batch as work together. Also returns these repairs. If none works,
/// fails with the reason of the first.
fn apply<'r>(
    program: &Program,
    result: &CompileResult,
    batch: &[&'r Candidate],
    options: &Options,
) -> Result<(Program, CompileResult, Vec<&'r Candidate>), String> {
    let lowered = lowered(program, result, batch).map_err(|it| it.to_string())?;
    let tried = try_together(lowered.iter().collect(), |batch| {
        verified(program, result, batch, options)
    });
    match tried.result {
        Some((program, after)) => {
            let applied = tried.accepted.iter().map(|it| it.candidate);
            Ok((program, after, applied.collect()))
        }
        None => {
            let mut reasons = tried.rejected.into_iter().map(|it| it.1);
            Err(reasons.next().unwrap_or_default())
        }
    }
}

/// The repairs at the start of a batch that can be applied together. A repair that touches the edits
/// of another one waits for the next round.
fn lowered<'r>(
    program: &Program,
    result: &CompileResult,
    batch: &[&'r Candidate],
) -> Result<Vec<Lowered<'r>>, PatchError> {
    if matches!(program, Program::Ast { .. }) {
        let lowered = batch.iter().map(|candidate| Lowered {
            candidate,
            edits: Vec::new(),
        });
        return Ok(lowered.collect());
    }
    let lowerer = Lowerer::of(&result.ast);
    let mut lowered: Vec<Lowered<'_>> = Vec::new();
    for candidate in batch {
        let edits = match lowerer.edits(&candidate.edits) {
            Ok(edits) => edits,
            Err(error) if lowered.is_empty() => return Err(error),
            Err(_) => break,
        };
        let mut others = lowered.iter();
        if !others.all(|it| super::lower::disjoint(&it.edits, &edits)) {
            break;
        }
        lowered.push(Lowered { candidate, edits });
    }
    Ok(lowered)
}

/// Applies repairs and compiles the program. Fails with a reason if they do not resolve what they
/// promise.
fn verified(
    program: &Program,
    result: &CompileResult,
    batch: &[&Lowered<'_>],
    options: &Options,
) -> Result<(Program, CompileResult), String> {
    let patched = patched(program, result, batch).map_err(|it| it.to_string())?;
    let after = compile(patched.input(), options).map_err(|errors| {
        let first = errors.into_iter().next();
        let message = first.map_or_else(String::new, |it| format!("{}: {}", it.path, it.message));
        format!("the patched program cannot be read: {message}")
    })?;
    if let Some(error) = after.diagnostics.iter().find(|it| it.code == Code::E0001) {
        return Err(format!(
            "the patched program has a syntax error: {}",
            error.message
        ));
    }
    let ids: Vec<&str> = batch.iter().map(|it| it.candidate.id.as_str()).collect();
    let ids = ids.join(", ");
    let (was, is) = (problems(result), problems(&after));
    let mut promised = Problems::new();
    for it in batch {
        for (problem, times) in promised_by(result, &it.candidate.expected_delta) {
            *promised.entry(problem).or_default() += times;
        }
    }
    for (problem, times) in promised {
        let left = is.get(&problem).copied().unwrap_or_default();
        if left + times > was.get(&problem).copied().unwrap_or_default() {
            return Err(format!("{ids} did not resolve `{}`", problem.1));
        }
    }
    let (before, now) = (Counts::of(result).total(), Counts::of(&after).total());
    if now > before {
        return Err(format!("{ids} would lead from {before} problems to {now}"));
    }
    Ok((patched, after))
}

fn patched(
    program: &Program,
    result: &CompileResult,
    batch: &[&Lowered<'_>],
) -> Result<Program, PatchError> {
    let candidates: Vec<&Candidate> = batch.iter().map(|it| it.candidate).collect();
    match program {
        Program::Source { file, text } => {
            if candidates.iter().any(|it| !it.preconditions.is_empty()) {
                on_canonical(result, &candidates)?;
            }
            let edits = batch.iter().flat_map(|it| it.edits.clone());
            let mut edits: Vec<TextEdit> = edits.collect();
            edits.sort_by_key(|it| (it.span.start(), it.span.end()));
            let text = edited(text, &edits).ok_or(PatchError::TextDiffers)?;
            let file = file.clone();
            Ok(Program::Source { file, text })
        }
        Program::Ast { .. } => {
            let json = on_canonical(result, &candidates)?.to_string();
            Ok(Program::Ast { json })
        }
    }
}

/// Applies a batch to the canonical program in order, checking the preconditions of each repair
/// first.
fn on_canonical(result: &CompileResult, batch: &[&Candidate]) -> Result<Value, PatchError> {
    let json = program_json(&result.canonical, &result.ast, Form::Full, true);
    let canonical = serde_json::to_value(json).unwrap_or_default();
    if batch.iter().all(|it| it.preconditions.is_empty()) {
        let ops = batch.iter().flat_map(|it| it.edits.iter().cloned());
        return patch(&canonical, &ops.collect::<Vec<_>>());
    }
    batch
        .iter()
        .try_fold(canonical, |it, next| precondition::apply(&it, next))
}

fn ending(result: &CompileResult, permission: &Permission) -> Ending {
    if result.status == Status::Success && result.obligations.is_empty() {
        return Ending::Success;
    }
    let waiting = result
        .repairs
        .iter()
        .filter(|it| !permission.admits(it) && class_of(result, it) != Class::Warning);
    let ids: Vec<String> = waiting.map(|it| it.id.clone()).collect();
    if !ids.is_empty() {
        return Ending::NeedsApproval { ids };
    }
    let blocked = result.repairs.iter().find(|it| permission.admits(it));
    if let Some(blocked) = blocked {
        let reason = format!("{} requires a repair that cannot be applied", blocked.id);
        return Ending::Stuck { reason };
    }
    let errors = result.diagnostics.iter().enumerate();
    let errors =
        errors.map(|(at, it)| format!("{} {}: {}", diagnostic_id(at), it.code, it.message));
    let goals = result.obligations.iter().enumerate();
    let goals = goals.map(|(at, it)| format!("{}: Cannot prove: {}", obligation_id(at), it.goal));
    let holes = result.holes.iter();
    let holes = holes.map(|it| format!("hole `{}` of type `{}`", it.name, it.expected_type));
    Ending::NeedsClarification {
        problems: errors.chain(goals).chain(holes).collect(),
    }
}

#[cfg(test)]
mod tests {
    use fixpoint_report::Safety;

    use super::*;

    /// Runs the loop after the first repair of a program was replaced by one that renames to
    /// `wrong`.
    fn with_fault(text: &str, wrong: &str) -> Repaired {
        let program = Program::Source {
            file: "a.clank".to_owned(),
            text: text.to_owned(),
        };
        let options = Options::default();
        let mut result = compile(program.input(), &options).expect("a program");
        let repair = result.repairs.first_mut().expect("a repair");
        for op in &mut repair.edits {
            if let super::super::PatchOp::RenameSymbol { new_name, .. } = op {
                wrong.clone_into(new_name);
            }
        }
        let permission = Permission {
            safety: Safety::LikelyPreserving,
            approved: Approved::Everything,
            max_rounds: MAX_ROUNDS,
        };
        repair_compiled(program, result, &permission, &options)
    }

    #[test]
    fn a_repair_that_does_not_do_what_it_promises_ends_the_loop() {
        // K-56
        let text = "fn cost(price: Int) -> Int {\n  prce * 2\n}\n";
        assert_eq!(with_fault(text, "price").ending, Ending::Success);
        for (wrong, reason) in [
            ("prce", "did not resolve `E1001 'prce' is not defined`"),
            ("other(", "`other(` is not a name"),
        ] {
            let done = with_fault(text, wrong);
            let Ending::Stuck { reason: found } = &done.ending else {
                panic!("{wrong}: {:?}", done.ending);
            };
            assert!(found.contains(reason), "{wrong}: {found}");
            assert!(done.steps.is_empty(), "{wrong}");
            assert_eq!(done.program.text(), text, "{wrong}");
        }
    }
}
