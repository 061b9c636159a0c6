//! Checking an edited program gives the same result as compiling it from scratch.

use fixpoint_clank::json::result_json;
use fixpoint_clank::{Checked, Editing, Input, Options, compile};

const PROGRAM: &str = "\
rec Item { name: Str, qty: Int }
sum Kind { Small, Large(Int) }
type Count = Int{n | n >= 0}

fn weight(k: Kind) -> Int {
  match k { Small -> 1, Large(w) -> w }
}

fn share(total: Int, people: Int{people > 0}) -> Int {
  let rest = total - people;
  rest + 1
}

fn use_all(item: Item, k: Kind, d: Int{d > 0}) -> Int {
  let mut acc = item.qty + weight(k);
  if d > 2 { acc = acc + share(acc, d) } else { acc = acc - d };
  acc
}

fn told(item: Item) -> IO + Unit {
  println(item.name);
}
";

/// Text snippets that are inserted anywhere.
const PIECES: &[&str] = &[
    "1",
    "x",
    "share(1, 0)",
    "share(acc, 3)",
    "println(\"a\");",
    "let unread = 1;\n",
    "let _spare = weight(Small);\n",
    "// a comment\n",
    "/* open",
    "\"",
    "`${rest}`",
    "}",
    "{",
    "fn extra(x: Int) -> Int { x }\n",
    "Large(2)",
    "item.name",
    "item.qtty",
    "0 + ",
    "é",
    "",
];

fn compare(editing: &mut Editing, text: &str) -> bool {
    let file = "main.clank";
    let fresh = compile(Input::Source { file, text }, &Options::default()).expect("a program");
    let is_sound =
        fresh.diagnostics.is_empty() && fresh.obligations.is_empty() && fresh.holes.is_empty();
    match editing.check(file, text) {
        Checked::Sound { alone } => {
            assert!(is_sound, "{text}");
            alone
        }
        Checked::Faulty(result) => {
            let json = |it| serde_json::to_string(&result_json(it)).expect("JSON");
            assert_eq!(json(&result), json(&fresh), "{text}");
            false
        }
    }
}

#[test]
fn any_sequence_of_edits_gives_the_same_result_as_a_full_compilation() {
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap_or_default() % below
    };
    let mut editing = Editing::default();
    let mut alone = 0;
    let mut text = PROGRAM.to_owned();
    compare(&mut editing, &text);
    for round in 0..600 {
        let before = text.clone();
        let mut from = next(text.len() + 1);
        let mut to = (from + next(3) * next(6)).min(text.len());
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        while !text.is_char_boundary(to) {
            to += 1;
        }
        text.replace_range(from..to, PIECES[next(PIECES.len())]);
        alone += usize::from(compare(&mut editing, &text));
        // Usually restores a sound program, so that there is a state to reuse.
        if round % 4 != 0 {
            alone += usize::from(compare(&mut editing, &before));
            text = before;
        }
        if round % 20 == 0 {
            text = PROGRAM.to_owned();
        }
    }
    assert!(alone > 0);
}

#[test]
fn a_change_in_one_body_checks_only_that_function() {
    let mut editing = Editing::default();
    compare(&mut editing, PROGRAM);
    let edited = PROGRAM.replace(
        "let rest = total - people;",
        "let rest = total - 2 * people;",
    );
    assert!(compare(&mut editing, &edited));
    let later = edited.replace("acc - d", "acc - d - d");
    assert!(compare(&mut editing, &later));
    assert!(compare(
        &mut editing,
        &later.replace("println(item.name)", "println(\"none\")")
    ));
}

#[test]
fn a_change_of_a_signature_checks_the_whole_program() {
    let mut editing = Editing::default();
    compare(&mut editing, PROGRAM);
    assert!(!compare(
        &mut editing,
        &PROGRAM.replace("people > 0", "people > 9")
    ));
}

#[test]
fn a_body_that_becomes_unrepeatable_affects_other_functions() {
    let program = "external fn rnd() -> Int = \"Math.random\"\n\
                   fn roll() -> Int { 1 }\n\
                   fn need(n: Int{n > 0}) -> Int { n }\n\
                   fn f() -> Int { if roll() > 0 { need(roll()) } else { 0 } }\n";
    let mut editing = Editing::default();
    compare(&mut editing, program);
    assert!(compare(&mut editing, &program.replace("{ 1 }", "{ 2 }")));
    compare(&mut editing, &program.replace("{ 1 }", "{ rnd() }"));
    let sound = program
        .replace("{ 1 }", "{ rnd() }")
        .replace("need(roll())", "need(1)");
    compare(&mut editing, &sound);
    compare(&mut editing, &sound.replace("need(1)", "need(roll())"));
}
