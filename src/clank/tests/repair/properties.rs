//! Properties of all programs: errors are repaired back, in any combination and order.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_clank::lex::{Token, lex};
use fixpoint_clank::repair::{Candidate, Counts, Ending, Lowerer, PatchOp, Program, edited, patch};
use fixpoint_clank::result::CompileResult;
use proptest::prelude::*;
use proptest::sample::subsequence;

use serde_json::{Value, json};

use crate::{canonical, compiled, repaired, source};

/// Functions with an error, and the repaired function. `N` is a number that makes names distinct,
/// `~` marks a place for a comment, and `@` marks one for an expression over `a: Int`.
const ROWS: &[(&str, &str)] = &[
    (
        "fn fN(a: Int) -> Int {~\n  let totalN = @ * 2;\n  totlN~ + 1\n}\n",
        "fn fN(a: Int) -> Int {~\n  let totalN = @ * 2;\n  totalN~ + 1\n}\n",
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
        "fn gN(a: Int, _b: Str) -> Int { a }\nfn fN(a: Int) -> Int {\n  gN(~@)~\n}\n",
        "fn gN(a: Int, _b: Str) -> Int { a }\nfn fN(a: Int) -> Int {\n  gN(~@, \"\")~\n}\n",
    ),
    (
        "rec RN { owner: Str, balance: Int }\nfn fN(r: RN, a: Int) -> Int {\n  r~.balence + @~\n}\n",
        "rec RN { owner: Str, balance: Int }\nfn fN(r: RN, a: Int) -> Int {\n  r~.balance + @~\n}\n",
    ),
    (
        "fn fN(a: Int) -> Int {\n  let~ acc = ((@));~\n  for n in [a] {~ acc = acc + n; };\n  acc\n}\n",
        "fn fN(a: Int) -> Int {\n  let~ mut acc = ((@));~\n  for n in [a] {~ acc = acc + n; };\n  acc\n}\n",
    ),
    (
        "sum SN { AN(Int), BN, CN }\nfn fN(s: SN, a: Int) -> Int {\n  match s {~\n    AN(x) -> ((x)),\n    BN -> @~\n  }\n}\n",
        "sum SN { AN(Int), BN, CN }\nfn fN(s: SN, a: Int) -> Int {\n  match s {~\n    AN(x) -> ((x)),\n    BN -> @,~\n    _ -> panic(\"case not handled\")\n  }\n}\n",
    ),
    (
        "fn gN(d: Int{d != 0}) -> Int { d }\nfn fN(k: Int) -> Int {\n  gN(~k) + 1\n}\n",
        "fn gN(d: Int{d != 0}) -> Int { d }\nfn fN(k: Int) -> Int {\n  if k != 0 { gN(~k) } else { panic(\"k must not be zero\") } + 1\n}\n",
    ),
    (
        "fn fN(a: Int) -> ~Int {\n  println(\"x\");~\n  println(\"y\");\n  @\n}\n",
        "fn fN(a: Int) -> ~IO + Int {\n  println(\"x\");~\n  println(\"y\");\n  @\n}\n",
    ),
    (
        "fn fN(r: Result[Int, Str]) -> IO + Int {\n  ~r? * 2\n}\n",
        "fn fN(r: Result[Int, Str]) -> Err + IO + Int {\n  ~r? * 2\n}\n",
    ),
    (
        "fn fN(a: Int) -> Int {\n  let rate~ = @;~\n  a\n}\n",
        "fn fN(a: Int) -> Int {\n  let _rate~ = @;~\n  a\n}\n",
    ),
    (
        "fn hN(a: Int) -> Int {\n  println(\"h\");~\n  @\n}\nfn fN(a: Int) -> ~Int {\n  println(\"f\");\n  hN(a)\n}\n",
        "fn hN(a: Int) -> IO + Int {\n  println(\"h\");~\n  @\n}\nfn fN(a: Int) -> ~IO + Int {\n  println(\"f\");\n  hN(a)\n}\n",
    ),
    (
        "fn mN(o: Option[Int], a: Int) -> Int {\n  match o {~\n    Some(0) -> ~@,\n    Some(1) -> a~\n  }\n}\n",
        "fn mN(o: Option[Int], a: Int) -> Int {\n  match o {~\n    Some(0) -> ~@,\n    Some(1) -> a,~\n    _ -> panic(\"case not handled\")\n  }\n}\n",
    ),
    (
        "fn iN(xs: [Int], a: Int) -> Int {~\n  xs[a]\n}\n",
        "fn iN(xs: [Int], a: Int) -> Int {~\n  if a >= 0 && a < len(xs) {\n    xs[a]\n  } else {\n    panic(\"index out of range\")\n  }\n}\n",
    ),
];

/// Declarations around the functions, which expressions call: generics, records, sums, lambdas,
/// loops, effects and refinements, with comments in between.
const AROUND: &[&str] = &[
    "// One\nfn twice(x: Int) -> Int { x * 2 } // two\n",
    "fn same_as[T](x: T) -> T { /* the same */ x }\n",
    "rec Pt { px: Int, /* and */ py: Int } // a point\n",
    "fn applied(f: (Int) -> Int, x: Int) -> Int { f(x) }\n",
    "sum Shape[T] { Dot, Box(T, T) }\nfn area(s: Shape[Int]) -> Int {\n  match s {\n    Dot -> 0, // nothing\n    Box(w, h) if w > 0 -> w * h,\n    Box(_, h) -> h,\n  }\n}\n",
    "fn count(xs: [Int]) -> Int {\n  let mut n = 0;\n  for x in xs {\n    // each\n    while n < x { n = n + 1; };\n  };\n  n\n}\n",
    "fn positive(n: Int{n > 0}) -> (Int{result > 0}) { n }\nfn say(n: Int) -> IO + Unit {\n  if n > 0 { println(to_string(positive(n))) };\n}\n",
    "external fn now() -> IO + Int = \"now\"\ntype Pair = (Int, Int)\n",
];

fn written(template: &str, number: usize, comment: &str, expr: &str) -> String {
    template
        .replace('N', &number.to_string())
        .replace('~', comment)
        .replace('@', expr)
}

/// An expression over `a` without problems.
fn expr() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("a".to_owned()),
        Just("/* it */ a".to_owned()),
        (0..99_u8).prop_map(|it| format!("(a + {it})")),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        (inner.clone(), inner, 0..9_usize).prop_map(|(l, r, form)| match form {
            0 => format!("({l} + {r})"),
            1 => format!("({l} - {r} * 2)"),
            2 => format!("(if {l} > {r} {{ {l} }} else {{ {r} }})"),
            3 => format!("(match {l} {{ 0 -> {r}, _ -> {l} }})"),
            4 => format!("twice({l})"),
            5 => format!("same_as({l} + {r})"),
            6 => format!("applied(\\(z) -> z + {l}, {r})"),
            7 => format!("Pt({l}, {r}).px"),
            _ => format!("area(Box({l}, {r}))"),
        })
    })
}

/// A comment, or an empty text.
fn comment() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just(""), Just(" /* why */ "), Just(" // why\n  ")]
}

/// A program with errors in some functions, and the same program without errors.
fn program() -> impl Strategy<Value = (String, String)> {
    let rows = subsequence((0..ROWS.len()).collect::<Vec<_>>(), 1..=ROWS.len());
    let slots = prop::collection::vec((comment(), expr()), ROWS.len());
    (rows.prop_shuffle(), slots).prop_map(|(rows, slots)| {
        let mut texts = (String::new(), String::new());
        for (number, (row, (comment, expr))) in rows.into_iter().zip(slots).enumerate() {
            let (broken, whole) = ROWS[row];
            let around = AROUND.get(number).copied().unwrap_or_default();
            for (text, row) in [(&mut texts.0, broken), (&mut texts.1, whole)] {
                text.push_str(around);
                text.push_str(&written(row, number, comment, &expr));
            }
        }
        for rest in AROUND.iter().skip(texts.1.matches("fn f").count()) {
            if !texts.0.contains(rest) {
                texts.0.push_str(rest);
                texts.1.push_str(rest);
            }
        }
        texts
    })
}

/// The tokens of a text without layout, and its comments.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let tokens = lex(text);
    let part = |it: &Token| text[it.span.range()].to_owned();
    let comments = tokens.all.iter().filter(|it| it.kind.is_comment());
    (
        tokens.significant().iter().map(part).collect(),
        comments.map(part).collect(),
    )
}

#[test]
fn each_error_is_repaired_back() {
    for (broken, whole) in ROWS {
        for comment in ["", " /* why */ "] {
            let done = repaired(source(&written(broken, 1, comment, "a")));
            assert_eq!(done.program.text(), written(whole, 1, comment, "a"));
            assert_eq!(done.ending, Ending::Success);
        }
    }
}

#[test]
fn the_surrounding_declarations_have_no_problems() {
    let text = AROUND.concat();
    assert_eq!(
        Counts::of(&compiled(&text)).total(),
        0,
        "{:?}",
        compiled(&text).diagnostics
    );
}

#[test]
fn an_unrepeatable_call_is_not_guarded() {
    let text = "external fn rnd() -> Int = \"Math.random\"\n\
                fn roll() -> Int { rnd() - 50 }\n\
                fn need(n: Int{n > 0}) -> Int { n }\n\
                fn f() -> Int { need(roll()) }\n";
    for repair in &compiled(text).repairs {
        assert!(!repair.title.contains("guard"), "{}", repair.title);
    }
    let done = repaired(source(text));
    let Program::Source { text, .. } = &done.program else {
        panic!("a text");
    };
    assert_eq!(
        compiled(text).obligations.len(),
        done.result.obligations.len(),
        "{text}"
    );
}

/// The ops of a repair and of the repairs it requires.
fn with_required(result: &CompileResult, candidate: &Candidate) -> Vec<PatchOp> {
    let required = candidate.compatibility.requires.iter();
    let required = required.filter_map(|id| result.repairs.iter().find(|it| it.id == *id));
    required
        .chain([candidate])
        .flat_map(|it| it.edits.clone())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn errors_are_repaired_back_in_any_combination((broken, whole) in program()) {
        let done = repaired(source(&broken));
        prop_assert_eq!(&done.ending, &Ending::Success);
        prop_assert_eq!(read(done.program.text()), read(&whole));
        for step in &done.steps {
            prop_assert!(step.after.total() <= step.before.total());
        }
    }

    #[test]
    fn a_batch_has_the_same_outcome_as_single_repairs((broken, _) in program()) {
        // K-54 K-79 K-82 K-83 K-84
        let together = repaired(source(&broken));
        let mut text = broken;
        loop {
            let result = compiled(&text);
            let mut repairs: Vec<_> = result.repairs.iter().collect();
            repairs.sort_by(|a, b| a.rank(b));
            let Some(first) = repairs.first() else { break };
            let ops = with_required(&result, first);
            let edits = Lowerer::of(&result.ast).edits(&ops).expect("edits");
            text = edited(&text, &edits).expect("edits that fit");
        }
        prop_assert_eq!(together.program.text(), text);
    }

    #[test]
    fn metadata_holds_and_repairs_of_one_key_commute((broken, _) in program()) {
        // K-03 K-10 K-15 K-71 K-72 K-73
        let result = compiled(&broken);
        let ids: BTreeSet<&str> = result.repairs.iter().map(|it| it.id.as_str()).collect();
        prop_assert_eq!(ids.len(), result.repairs.len());
        let again = compiled(&broken);
        prop_assert_eq!(&again.repairs, &result.repairs);
        let canonical = canonical(&result);
        let mut batches: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for it in &result.repairs {
            prop_assert!(!it.edits.is_empty() && it.resolved().next().is_some());
            prop_assert!(patch(&canonical, &it.edits).is_ok(), "{:?}", it);
            for id in &it.compatibility.requires {
                // A required repair exists, does not conflict, and requires fewer repairs.
                let required = result.repairs.iter().find(|it| it.id == *id).expect("a repair");
                prop_assert!(!required.conflicts_with(it));
                let theirs: BTreeSet<&String> = required.compatibility.requires.iter().collect();
                let ours: BTreeSet<&String> = it.compatibility.requires.iter().collect();
                prop_assert!(theirs.is_subset(&ours) && theirs.len() < ours.len());
            }
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

    #[test]
    fn missing_fields_are_repaired_back(expr in expr(), (broken, _) in program(), lost in 0..3_usize) {
        // E2003, in a document that has other errors. Record literals have no text form.
        let fields = [("n", expr.as_str(), "Int"), ("s", "\"\"", "Str"), ("b", "false", "Bool")];
        let types = fields.map(|(name, _, ty)| json!({"name": name, "type": {"source": ty}}));
        let mut inits = fields.map(|(name, value, _)| json!({"name": name, "value": {"source": value}})).to_vec();
        inits.remove(lost);
        let mut document = canonical(&compiled(&broken));
        let declarations = document["declarations"].as_array_mut().expect("a list");
        declarations.push(json!({"kind": "fn", "id": "made", "name": "made",
            "params": [{"name": "a", "type": {"source": "Int"}}],
            "returnType": {"kind": "recordType", "fields": types},
            "body": {"kind": "block", "statements": [], "expr": {"kind": "record", "fields": inits}}}));
        let done = repaired(Program::Ast { json: document.to_string() });
        prop_assert_eq!(&done.ending, &Ending::Success);
        let after: Value = serde_json::from_str(done.program.text()).expect("JSON");
        let made = after["declarations"].as_array().and_then(|it| it.last()).expect("a function");
        prop_assert_eq!(&made["id"], "made");
        let names = made["body"]["expr"]["fields"].as_array().expect("fields").iter();
        let names: Vec<&str> = names.filter_map(|it| it["name"].as_str()).collect();
        let mut expected: Vec<&str> = fields.iter().map(|it| it.0).collect();
        let added = expected.remove(lost);
        expected.push(added);
        prop_assert_eq!(names, expected);
    }
}
