//! The engine, which runs `check` and `fix`, and the repair loop: the same repairs under the same ids,
//! applied in the same order.

use std::collections::BTreeSet;

use fixpoint_clank::ClankPhase;
use fixpoint_clank::parse::parse;
use fixpoint_clank::repair::{Approved, Ending, Repaired, repair};
use fixpoint_engine::{Engine, Language, Phase, Policy, Run, Suppressions};
use fixpoint_report::Fix;
use fixpoint_text::Snapshot;

use crate::{compiled, permission, source};

struct Clank;

impl Language for Clank {
    fn name(&self) -> &'static str {
        "clank"
    }

    fn parses(&self, text: &str) -> Result<(), String> {
        match parse("main.clank", text).errors.is_empty() {
            true => Ok(()),
            false => Err("it does not parse".to_owned()),
        }
    }

    fn comments(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn suppressions(&self, _: &str) -> Suppressions {
        Suppressions::default()
    }
}

fn run(text: &str, policy: &Policy) -> Run {
    let phase = ClankPhase::new(Default::default());
    let phase: &dyn Phase = &phase;
    let engine = Engine::new(&Clank, [phase]);
    engine.run(&Snapshot::new("main.clank", text), policy)
}

fn approving(ids: &[&str]) -> Policy {
    let ids = ids.iter().map(|it| (*it).to_owned());
    Policy::default().with_likely().with_approved(ids)
}

fn repaired_with(text: &str, ids: &[&str]) -> Repaired {
    let ids = ids.iter().map(|it| (*it).to_owned()).collect();
    repair(source(text), &permission(Approved::Ids(ids))).expect("a program")
}

/// What both lead to, which must be the same.
fn both(text: &str, ids: &[&str]) -> String {
    let fixed = run(text, &approving(ids)).canonical.text().to_owned();
    assert_eq!(
        fixed,
        repaired_with(text, ids).program.text(),
        "{ids:?}\n{text}"
    );
    fixed
}

/// One program for each kind of repair.
const PROGRAMS: [&str; 12] = [
    "fn f(x: Int, y: Int) -> Int { ?body }\n",
    "fn f(x: Int) -> Int { x + ?more }\nfn g(b: Bool) -> Str { if b { ?text } else { \"a\" } }\n",
    "external fn ask(n: Int) -> Int = \"Math.abs\"\nfn g(x: Int{x > 0}) -> Int { x }\nfn m() -> Int { g(ask(3)) }\n",
    "external fn ask(n: Int) -> Int = \"Math.abs\"\nfn g(x: Int{x > 0}) -> Int { x }\nfn m() -> Int {\n  let a = g(ask(3)); // one\n  a\n}\n",
    "external fn ask(n: Int) -> Int = \"Math.abs\"\nfn g(x: Int{x > 0}) -> Int { x }\nfn m() -> Int {\n  let a = ask(3);\n  let b = a + 1;\n  g(a) + b\n}\n",
    "rec User { name: Str, age: Int }\nfn f() -> User { {name: \"J\", aeg: 3} }\nfn g() -> [User] { [{name: \"J\"}] }\n",
    "rec User { name: Str }\nfn f(u: User) -> Str { u.nmae }\nfn g(u: User) -> Str { u.email }\nfn h() -> User { User(\"a\") }\n",
    "fn f(a: Int) -> Int { a }\nfn g() -> Int { f(1, 2) + f(3, 4) }\n",
    "fn f(x: Int) -> IO + Int { println(\"a\"); x }\nfn g() -> Int { f(1) }\nfn h() -> Int { g() }\n",
    "fn cost(price: Int) -> Int { let rate = 2; prce * rate }\nfn share(n: Int, k: Int{k != 0}) -> Int { n - k }\nfn all(n: Int) -> Int { share(10, n) }\n",
    "sum S { A, B(Int) }\nfn f(s: S) -> Int { match s { A -> 1 } }\nfn g(s: S) -> Int { match s { A -> 1, C(n) -> n } }\n",
    "fn f(xs: [Int], i: Int) -> Int { xs[i] }\nfn g(x: Int) -> Float { x }\nfn h() -> Int { let x = 1; x = 2; x }\n",
];

#[test]
fn the_engine_lists_every_repair_under_its_id() {
    // K-109
    let table = include_str!("programs/rows.txt").split("\n--- ").skip(1);
    let table = table.filter_map(|it| Some(it.split_once('\n')?.1));
    let mut count = 0;
    for text in PROGRAMS.into_iter().chain(table) {
        let result = compiled(text);
        let report = run(text, &Policy::default()).report;
        let ids =
            |ids: Vec<&str>| -> BTreeSet<String> { ids.into_iter().map(str::to_owned).collect() };
        let compiled: Vec<&str> = result.repairs.iter().map(|it| it.id.as_str()).collect();
        count += compiled.len();
        let listed: Vec<&str> = report.fixes.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids(compiled), ids(listed), "{text}");
    }
    assert!(count >= 150, "{count} repairs");
}

#[test]
fn each_repair_has_the_same_effect_by_its_id() {
    // K-109
    for text in PROGRAMS {
        for candidate in compiled(text).repairs {
            let fixed = both(text, &[&candidate.id]);
            let is_warning = candidate.targets.diagnostic_codes == ["W0001"];
            assert!(is_warning || fixed != text, "{}\n{text}", candidate.title);
        }
    }
}

/// A program with a problem of each class, and the repairs of each.
const CLASSES: &str = "fn cost(price: Int) -> Int {
  let rate = 2;
  prce * 3
}

fn share(total: Int, people: Int{people != 0}) -> Int {
  total - people
}

fn all(n: Int) -> Int {
  share(10, n)
}

fn rest(n: Int) -> Int {
  n + ?more
}
";

/// The id of the repair with a title.
fn id_of(text: &str, title: &str) -> String {
    let found = compiled(text)
        .repairs
        .into_iter()
        .find(|it| it.title == title);
    found.unwrap_or_else(|| panic!("{title}")).id
}

#[test]
fn nothing_is_repaired_before_an_error_that_only_needs_an_approval() {
    // K-47
    assert_eq!(both(CLASSES, &[]), CLASSES);
    let rename = id_of(CLASSES, "Rename 'prce' to 'price'");
    let done = repaired_with(CLASSES, &[]);
    assert!(matches!(done.ending, Ending::NeedsApproval { ids } if ids.contains(&rename)));
}

#[test]
fn obligations_come_after_errors_and_warnings_after_holes() {
    // K-47
    let rename = id_of(CLASSES, "Rename 'prce' to 'price'");
    let fill = id_of(CLASSES, "Fill hole 'more' with 'n'");
    let after_errors = both(CLASSES, &[&rename]);
    assert!(after_errors.contains("price * 3"), "{after_errors}");
    assert!(after_errors.contains("if n != 0 {"), "{after_errors}");
    assert!(after_errors.contains("let rate = 2"), "{after_errors}");
    let after_holes = both(CLASSES, &[&rename, &fill]);
    assert!(after_holes.contains("n + n"), "{after_holes}");
    assert!(after_holes.contains("let _rate = 2"), "{after_holes}");
}

#[test]
fn an_approved_guard_is_applied_beside_an_error_that_is_not_approved() {
    let guard = id_of(CLASSES, "Add guard for n != 0");
    let fixed = both(CLASSES, &[&guard]);
    assert!(fixed.contains("if n != 0 {"), "{fixed}");
    assert_eq!(
        fixed.replace(
            "if n != 0 { share(10, n) } else { panic(\"n must not be zero\") }",
            "share(10, n)"
        ),
        CLASSES
    );
    // A warning waits even if it is approved.
    let unused = id_of(CLASSES, "Rename 'rate' to '_rate'");
    assert_eq!(both(CLASSES, &[&unused]), CLASSES);
}

#[test]
fn a_stored_fix_of_a_warning_waits_like_any_other() {
    let unused = id_of(CLASSES, "Rename 'rate' to '_rate'");
    let listed: Vec<Fix> = run(CLASSES, &Policy::default()).report.fixes;
    let stored: Vec<Fix> = listed.into_iter().filter(|it| it.id == unused).collect();
    let phase = ClankPhase::new(Default::default());
    let phase: &dyn Phase = &phase;
    let engine = Engine::new(&Clank, [phase]);
    let base = Snapshot::new("main.clank", CLASSES);
    let only = fixpoint_engine::Reported::Only(stored.clone());
    let run = engine.run_with(&base, &Policy::default(), &only);
    assert_eq!(run.canonical.text(), CLASSES);
    let rejected: Vec<&str> = run
        .report
        .rejected
        .iter()
        .map(|it| it.fix_id.as_str())
        .collect();
    assert_eq!(rejected, [unused]);
    let first = fixpoint_engine::Reported::First(stored);
    let run = engine.run_with(&base, &Policy::default(), &first);
    assert_eq!(run.canonical.text(), CLASSES);
}
