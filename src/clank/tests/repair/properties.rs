//! What holds for any program: mistakes are repaired back, in any company, in any order.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_clank::json::{Form, program_json};
use fixpoint_clank::repair::{Ending, Lowerer, edited, patch};
use proptest::prelude::*;
use proptest::sample::subsequence;

use crate::{compiled, repaired, source};

/// Functions with one mistake, and without it: what the repair of each row undoes. `N` is a number
/// that makes names differ, `~` a place for a comment.
const ROWS: &[(&str, &str)] = &[
    (
        "fn fN(amount: Int) -> Int {~\n  let totalN = amount * 2;\n  totlN~ + 1\n}\n",
        "fn fN(amount: Int) -> Int {~\n  let totalN = amount * 2;\n  totalN~ + 1\n}\n",
    ),
    (
        "fn fN(text: Strng~) -> Str {\n  text ++ \"!\"~\n}\n",
        "fn fN(text: String~) -> Str {\n  text ++ \"!\"~\n}\n",
    ),
    (
        "fn fN(a: Int) -> Float {\n  ~a\n}\n",
        "fn fN(a: Int) -> Float {\n  ~int_to_float(a)\n}\n",
    ),
    (
        "fn gN(a: Int, b: Str) -> Int { a }\nfn fN() -> Int {\n  gN(~1)~\n}\n",
        "fn gN(a: Int, b: Str) -> Int { a }\nfn fN() -> Int {\n  gN(~1, \"\")~\n}\n",
    ),
    (
        "rec RN { owner: Str, balance: Int }\nfn fN(r: RN) -> Int {\n  r~.balence + 1~\n}\n",
        "rec RN { owner: Str, balance: Int }\nfn fN(r: RN) -> Int {\n  r~.balance + 1~\n}\n",
    ),
    (
        "fn fN(n: Int) -> Int {\n  let~ acc = ((0));~\n  acc = acc + n;\n  acc\n}\n",
        "fn fN(n: Int) -> Int {\n  let~ mut acc = ((0));~\n  acc = acc + n;\n  acc\n}\n",
    ),
    (
        "sum SN { AN(Int), BN, CN }\nfn fN(s: SN) -> Int {\n  match s {~\n    AN(x) -> ((x)),\n    BN -> 2~\n  }\n}\n",
        "sum SN { AN(Int), BN, CN }\nfn fN(s: SN) -> Int {\n  match s {~\n    AN(x) -> ((x)),\n    BN -> 2,~\n    _ -> panic(\"case not handled\")\n  }\n}\n",
    ),
    (
        "fn gN(d: Int{d != 0}) -> Int { d }\nfn fN(k: Int) -> Int {\n  gN(~k) + 1\n}\n",
        "fn gN(d: Int{d != 0}) -> Int { d }\nfn fN(k: Int) -> Int {\n  if k != 0 { gN(~k) } else { panic(\"k must not be zero\") } + 1\n}\n",
    ),
    (
        "fn fN(a: Int) -> ~Int {\n  println(\"x\");~\n  println(\"y\");\n  a\n}\n",
        "fn fN(a: Int) -> ~IO + Int {\n  println(\"x\");~\n  println(\"y\");\n  a\n}\n",
    ),
    (
        "fn fN(r: Result[Int, Str]) -> IO + Int {\n  ~r? * 2\n}\n",
        "fn fN(r: Result[Int, Str]) -> Err + IO + Int {\n  ~r? * 2\n}\n",
    ),
    (
        "fn fN(a: Int) -> Int {\n  let rate~ = a;~\n  a\n}\n",
        "fn fN(a: Int) -> Int {\n  let _rate~ = a;~\n  a\n}\n",
    ),
];

fn written(template: &str, number: usize, comment: &str) -> String {
    template
        .replace('N', &number.to_string())
        .replace('~', comment)
}

/// A comment, or none. One that ends its line would change what is on it, so these are blocks.
fn comment() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just(""), Just(" /* why */ ")]
}

/// A program of some rows with mistakes, and the same without.
fn program() -> impl Strategy<Value = (String, String)> {
    let rows = subsequence((0..ROWS.len()).collect::<Vec<_>>(), 1..=ROWS.len());
    let rows = rows.prop_shuffle();
    (rows, prop::collection::vec(comment(), ROWS.len())).prop_map(|(rows, comments)| {
        let mut texts = (String::new(), String::new());
        for (number, (row, comment)) in rows.into_iter().zip(comments).enumerate() {
            let (broken, whole) = ROWS[row];
            texts.0.push_str(&written(broken, number, comment));
            texts.1.push_str(&written(whole, number, comment));
        }
        texts
    })
}

#[test]
fn each_mistake_is_repaired_back() {
    for (broken, whole) in ROWS {
        for comment in ["", " /* why */ "] {
            let done = repaired(source(&written(broken, 1, comment)));
            assert_eq!(done.program.text(), written(whole, 1, comment));
            assert_eq!(done.ending, Ending::Success);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mistakes_are_repaired_back_in_company((broken, whole) in program()) {
        let done = repaired(source(&broken));
        prop_assert_eq!(done.program.text(), whole);
        prop_assert_eq!(&done.ending, &Ending::Success);
        for step in &done.steps {
            prop_assert!(step.after.total() <= step.before.total());
        }
    }

    #[test]
    fn a_batch_comes_to_the_same_as_one_by_one((broken, _) in program()) {
        // K-54 K-79 K-82 K-83 K-84
        let together = repaired(source(&broken));
        let mut text = broken;
        loop {
            let result = compiled(&text);
            let mut repairs: Vec<_> = result.repairs.iter().collect();
            repairs.sort_by(|a, b| a.rank(b));
            let Some(first) = repairs.first() else { break };
            let edits = Lowerer::of(&result.ast).edits(&first.edits).expect("edits");
            text = edited(&text, &edits).expect("edits that fit");
        }
        prop_assert_eq!(together.program.text(), text);
    }

    #[test]
    fn metadata_holds_and_repairs_of_one_key_commute((broken, _) in program()) {
        // K-03 K-10 K-11 K-15 K-17 K-18 K-71 K-72 K-73
        let result = compiled(&broken);
        let ids: BTreeSet<&str> = result.repairs.iter().map(|it| it.id.as_str()).collect();
        prop_assert_eq!(ids.len(), result.repairs.len());
        let again = compiled(&broken);
        prop_assert_eq!(&again.repairs, &result.repairs);
        let canonical = program_json(&result.canonical, &result.ast, Form::Full, true);
        let canonical = serde_json::to_value(canonical).expect("JSON");
        let mut batches: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for it in &result.repairs {
            prop_assert!(!it.edits.is_empty() && !it.expected_delta.is_empty());
            prop_assert!(patch(&canonical, &it.edits).is_ok(), "{:?}", it);
            for other in &result.repairs {
                prop_assert_eq!(it.conflicts_with(other), other.conflicts_with(it));
            }
            if let Some(key) = &it.compatibility.batch_key {
                batches.entry(key).or_default().push(it);
            }
        }
        for batch in batches.into_values() {
            prop_assert!(batch.len() > 1);
            for (a, b) in batch.iter().zip(batch.iter().skip(1)) {
                prop_assert!(!a.conflicts_with(b));
                let forth = patch(&canonical, &[a.edits.clone(), b.edits.clone()].concat());
                let back = patch(&canonical, &[b.edits.clone(), a.edits.clone()].concat());
                prop_assert_eq!(forth.expect("a patch"), back.expect("a patch"));
            }
        }
    }
}
