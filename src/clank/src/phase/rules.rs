//! All codes with an explanation, an example that has the problem, and the same example without it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use fixpoint_engine::{Example, Rule};
use fixpoint_report::Safety;

const PRESERVING: Option<Safety> = Some(Safety::BehaviorPreserving);
const LIKELY: Option<Safety> = Some(Safety::LikelyPreserving);
const CHANGING: Option<Safety> = Some(Safety::BehaviorChanging);

const NO_REPAIR: &str = "There is no repair, because the intent is unknown.";

const ADDS_TYPE: &str = "The repair adds the type that follows from a later use to a parameter of a lambda. Types do not change what \
                         the code does. For other values there is no repair, because the intent is unknown.";

const fn code(
    name: &'static str,
    summary: &'static str,
    why: &'static str,
    (safety, safety_reason): (Option<Safety>, &'static str),
    before: &'static str,
    after: &'static str,
) -> Rule {
    Rule {
        name,
        summary,
        why,
        safety,
        safety_reason,
        example: Some(Example {
            path: "main.clank",
            before,
            after,
        }),
    }
}

/// The phase that owns a code.
pub(super) fn owner(code: &str) -> &'static str {
    match code.get(..2) {
        Some("E0") => "clank-syntax",
        Some("E1") => "clank-names",
        Some("E3") => "clank-refinements",
        Some("E4") => "clank-effects",
        Some(_) if code == "W0006" => "clank-names",
        Some("W0") => "clank-unused",
        _ => "clank-types",
    }
}

/// The codes of a phase.
pub(super) fn rules_of(phase: &str) -> &'static [Rule] {
    static BY_PHASE: LazyLock<BTreeMap<&str, Vec<Rule>>> = LazyLock::new(|| {
        let mut by_phase: BTreeMap<&str, Vec<Rule>> = BTreeMap::new();
        for rule in RULES {
            by_phase.entry(owner(rule.name)).or_default().push(*rule);
        }
        by_phase
    });
    BY_PHASE.get(phase).map_or(&[], Vec::as_slice)
}

/// Sorted by code.
pub(super) const RULES: &[Rule] = &[
    code(
        "E0001",
        "UnexpectedToken: the text is not valid Clank from this position on, or the document is not valid AST JSON.",
        "A program that does not parse cannot be checked.",
        (None, NO_REPAIR),
        "fn area(w: Int h: Int) -> Int {\n  w * h\n}\n",
        "fn area(w: Int, h: Int) -> Int {\n  w * h\n}\n",
    ),
    code(
        "E1001",
        "UnresolvedName: no variable, function or constructor with this name is in scope.",
        "The name is misspelled, or its declaration is missing.",
        (
            CHANGING,
            "The repair replaces the name with a similar name that is in scope. Which name was intended is a guess.",
        ),
        "fn total(price: Int) -> Int {\n  prce * 2\n}\n",
        "fn total(price: Int) -> Int {\n  price * 2\n}\n",
    ),
    code(
        "E1002",
        "DuplicateDefinition: two functions, two types, two fields of a record, two parameters of a function or two \
         variants of a sum have the same name.",
        "No code could refer to one of the two.",
        (None, NO_REPAIR),
        "fn area(w: Int) -> Int {\n  w * w\n}\n\nfn area(w: Int, h: Int) -> Int {\n  w * h\n}\n",
        "fn square(w: Int) -> Int {\n  w * w\n}\n\nfn area(w: Int, h: Int) -> Int {\n  w * h\n}\n",
    ),
    code(
        "E1003",
        "ImportNotFound: the module does not declare this name.",
        "A name that is imported from a module must be declared in that module. This is checked only where the \
         modules are known, as in a Bazel build. Names of `std` must then be built in.",
        (None, NO_REPAIR),
        "use std.io.{printn}\n\nfn main() -> IO + Unit {\n  println(\"hello\")\n}\n",
        "use std.io.{println}\n\nfn main() -> IO + Unit {\n  println(\"hello\")\n}\n",
    ),
    code(
        "E1004",
        "ModuleNotFound: no module has this name.",
        "A module is a source file of the target or of a target in its `deps`. This is checked only where the \
         modules are known, as in a Bazel build.",
        (None, NO_REPAIR),
        "use stdd.io.{println}\n\nfn main() -> IO + Unit {\n  println(\"hello\")\n}\n",
        "use std.io.{println}\n\nfn main() -> IO + Unit {\n  println(\"hello\")\n}\n",
    ),
    code(
        "E1005",
        "UnresolvedType: no type has this name.",
        "The name is misspelled, or the type is not declared.",
        (
            CHANGING,
            "The repair replaces the name with that of a similarly named type. Which type was intended is a guess.",
        ),
        "fn shout(text: Strng) -> Str {\n  text ++ \"!\"\n}\n",
        "fn shout(text: String) -> Str {\n  text ++ \"!\"\n}\n",
    ),
    code(
        "E1006",
        "VariantNotFound: the matched type has no variant with this name.",
        "The arm can never match.",
        (
            CHANGING,
            "The repair replaces the name with that of a similarly named variant. Which variant was intended is a guess.",
        ),
        "fn is_set(o: Option[Int]) -> Bool {\n  match o {\n    Sme(_) -> true,\n    _ -> false,\n  }\n}\n",
        "fn is_set(o: Option[Int]) -> Bool {\n  match o {\n    Some(_) -> true,\n    _ -> false,\n  }\n}\n",
    ),
    code(
        "E2001",
        "TypeMismatch: a value does not have the type that is required at its position, or a body ends without the value \
         that its function returns.",
        "The program would fail at run time, or do something other than its text says.",
        (
            CHANGING,
            "The repair wraps the value in a conversion. The conversion may lose digits, or only hide the mistake.",
        ),
        "fn half(x: Float) -> Float {\n  x * 0.5\n}\n\nfn mid(a: Int) -> Float {\n  half(a)\n}\n",
        "fn half(x: Float) -> Float {\n  x * 0.5\n}\n\nfn mid(a: Int) -> Float {\n  half(int_to_float(a))\n}\n",
    ),
    code(
        "E2002",
        "ArityMismatch: a function is called with too many or too few arguments.",
        "An argument was forgotten, or the function has changed.",
        (
            CHANGING,
            "The repair adds placeholder values for missing arguments, or removes surplus arguments. Only the author \
             knows the right ones.",
        ),
        "fn add(a: Int, b: Int) -> Int {\n  a + b\n}\n\nfn demo() -> Int {\n  add(1)\n}\n",
        "fn add(a: Int, b: Int) -> Int {\n  a + b\n}\n\nfn demo() -> Int {\n  add(1, 0)\n}\n",
    ),
    code(
        "E2003",
        "MissingField: a record literal does not have a field that its type declares.",
        "Code that reads the field would find no value.",
        (
            CHANGING,
            "The repair adds the field with a placeholder value.",
        ),
        "rec User { name: Str, email: Str }\n\nfn guest() -> User {\n  {name: \"guest\"}\n}\n",
        "rec User { name: Str, email: Str }\n\nfn guest() -> User {\n  {name: \"guest\", email: \"\"}\n}\n",
    ),
    code(
        "E2004",
        "UnknownField: the record has no field with this name.",
        "The name is misspelled, or the field is not declared.",
        (
            CHANGING,
            "The repair replaces the name with that of a similarly named field. Which field was intended is a guess.",
        ),
        "rec Account { balance: Int }\n\nfn rich(a: Account) -> Bool {\n  a.balence > 9\n}\n",
        "rec Account { balance: Int }\n\nfn rich(a: Account) -> Bool {\n  a.balance > 9\n}\n",
    ),
    code(
        "E2005",
        "NotCallable: the called value is not a function.",
        "Only functions can be called.",
        (None, NO_REPAIR),
        "fn demo(n: Int) -> Int {\n  n(1)\n}\n",
        "fn demo(n: Int) -> Int {\n  n * 1\n}\n",
    ),
    code(
        "E2006",
        "NotIndexable: the indexed value is not an array or a tuple.",
        "Only arrays and tuples have numbered elements. Records have named fields, and strings have no elements.",
        (None, NO_REPAIR),
        "fn first(text: Str) -> Str {\n  text[0]\n}\n",
        "fn first(text: [Str]{len(text) > 0}) -> Str {\n  text[0]\n}\n",
    ),
    code(
        "E2008",
        "RecursiveType: a type alias refers to itself.",
        "An alias is another name for a type. An alias that refers only to itself names no type.",
        (None, NO_REPAIR),
        "type Id = Key\n\ntype Key = Id\n\nfn next(id: Id) -> Id {\n  id\n}\n",
        "type Id = Key\n\ntype Key = Int\n\nfn next(id: Id) -> Id {\n  id\n}\n",
    ),
    code(
        "E2009",
        "PatternMismatch: the pattern does not have the shape of the matched value.",
        "The pattern can never match.",
        (None, NO_REPAIR),
        "fn sum_of(p: (Int, Int)) -> Int {\n  let (a, b, c) = p;\n  a + b + c\n}\n",
        "fn sum_of(p: (Int, Int)) -> Int {\n  let (a, b) = p;\n  a + b\n}\n",
    ),
    code(
        "E2010",
        "NotIterable: the value in a `for` loop is not an array.",
        "Only arrays have elements to iterate over. A parameter of a lambda has no type before its first use.",
        (PRESERVING, ADDS_TYPE),
        "fn totals(rows: [[Int]]) -> [Int] {\n  map(rows, \\row -> {\n    let mut total = 0;\n    for n in row {\n      \
         total = total + n;\n    };\n    total\n  })\n}\n",
        "fn totals(rows: [[Int]]) -> [Int] {\n  map(rows, \\(row: [Int]) -> {\n    let mut total = 0;\n    for n in \
         row {\n      total = total + n;\n    };\n    total\n  })\n}\n",
    ),
    code(
        "E2011",
        "NotARecord: a field is read from a value that is not a record.",
        "Only records have fields.",
        (None, NO_REPAIR),
        "fn width(n: Int) -> Int {\n  n.width\n}\n",
        "rec Box { width: Int }\n\nfn width(n: Box) -> Int {\n  n.width\n}\n",
    ),
    code(
        "E2012",
        "InvalidPropagate: the operand of `?` is not an `Option` or a `Result`.",
        "Only these types can be without a value. A parameter of a lambda has no type before its first use.",
        (PRESERVING, ADDS_TYPE),
        "fn next(values: [Option[Int]]) -> Err + [Int] {\n  map(values, \\n -> n? + 1)\n}\n",
        "fn next(values: [Option[Int]]) -> Err + [Int] {\n  map(values, \\(n: Option[Int]) -> n? + 1)\n}\n",
    ),
    code(
        "E2013",
        "ImmutableAssign: the target of an assignment is not a mutable variable.",
        "Readers rely on a variable without `mut` to keep its value.",
        (
            PRESERVING,
            "The repair adds `mut` to the declaration. The program did not compile before, so no running code \
             changes.",
        ),
        "fn count() -> Int {\n  let n = 0;\n  n = n + 1;\n  n\n}\n",
        "fn count() -> Int {\n  let mut n = 0;\n  n = n + 1;\n  n\n}\n",
    ),
    code(
        "E2015",
        "NonExhaustiveMatch: some values have no arm in a `match`.",
        "The program would have no result for these values.",
        (
            LIKELY,
            "The repair adds an arm that panics for the remaining values. Cases that are already covered do not \
             change.",
        ),
        "fn day(n: Int) -> Str {\n  match n {\n    1 -> \"Mon\",\n    2 -> \"Tue\",\n  }\n}\n",
        "fn day(n: Int) -> Str {\n  match n {\n    1 -> \"Mon\",\n    2 -> \"Tue\",\n    _ -> panic(\"case not handled\"),\n  }\n}\n",
    ),
    code(
        "E2016",
        "InvalidOperandType: an operand or an index is not a number.",
        "Only numbers can be added, compared by size, or used as an index. Strings are joined with `++`.",
        (None, NO_REPAIR),
        "fn greet(name: Str) -> Str {\n  name + name\n}\n",
        "fn greet(name: Str) -> Str {\n  name ++ name\n}\n",
    ),
    code(
        "E2017",
        "TypeParamMismatch: a type has the wrong number of type arguments.",
        "Each type parameter needs exactly one argument.",
        (None, NO_REPAIR),
        "rec Pair[A, B] { a: A, b: B }\n\nfn swap(p: Pair[Int]) -> Int {\n  p.a\n}\n",
        "rec Pair[A, B] { a: A, b: B }\n\nfn swap(p: Pair[Int, Int]) -> Int {\n  p.a\n}\n",
    ),
    code(
        "E2019",
        "OutsideLoop: `break` or `continue` is outside of a loop.",
        "The statement has no loop to leave or to continue. A lambda inside a loop is outside of that loop.",
        (None, NO_REPAIR),
        "fn stop(n: Int) -> Int {\n  if n > 9 {\n    break;\n  };\n  n\n}\n",
        "fn stop(n: Int) -> Int {\n  if n > 9 {\n    return 9;\n  };\n  n\n}\n",
    ),
    code(
        "E2020",
        "UnfilledHole: a hole such as `?name` stands for a value that is still to be written.",
        "The program cannot run without the value. Everything else is checked as if the hole had the type that is \
         required at its position.",
        (
            CHANGING,
            "The repairs fill in a name in scope that has the type. Other names may have it too.",
        ),
        "fn square(side: Int) -> Int {\n  side * ?other\n}\n",
        "fn square(side: Int) -> Int {\n  side * side\n}\n",
    ),
    code(
        "E3001",
        "UnprovableRefinement: a value is not proved to satisfy the predicate that is required at its position.",
        "If the known facts contradict the predicate, the finding is an error without a repair. If they neither prove \
         nor contradict it, the finding is an obligation with repairs: a warning that fails strict mode. The compiled \
         program then checks the predicate when it runs, and panics if it does not hold.",
        (
            LIKELY,
            "The repairs add a check: a guard or an assertion before the value is used, or a check where the value \
             enters the program. Where the predicate holds, nothing changes.",
        ),
        "fn share(total: Int, people: Int{people != 0}) -> Int {\n  total - people\n}\n\nfn demo(n: Int) -> Int {\n  share(10, n)\n}\n",
        "fn share(total: Int, people: Int{people != 0}) -> Int {\n  total - people\n}\n\nfn demo(n: Int) -> Int {\n  if n != 0 { share(10, n) } else { panic(\"n must not be zero\") }\n}\n",
    ),
    code(
        "E4001",
        "EffectNotAllowed: a function has an effect that its type does not declare.",
        "Callers rely on the effects that a function declares.",
        (
            LIKELY,
            "The repair declares the effect. Callers that do not declare it must then declare it too.",
        ),
        "fn greet() -> Unit {\n  println(\"hello\")\n}\n",
        "fn greet() -> IO + Unit {\n  println(\"hello\")\n}\n",
    ),
    code(
        "E4002",
        "UnhandledEffect: `?` may return early from a function that does not declare `Err`.",
        "Callers rely on a function without `Err` to return a value.",
        (
            LIKELY,
            "The repair declares `Err`. Callers that do not declare it must then declare it too.",
        ),
        "fn twice(n: Option[Int]) -> Int {\n  n? * 2\n}\n",
        "fn twice(n: Option[Int]) -> Err + Int {\n  n? * 2\n}\n",
    ),
    code(
        "W0001",
        "UnusedVariable: a variable or a parameter is never read.",
        "The variable is left over, or other code was meant to use it.",
        (
            PRESERVING,
            "The repair adds `_` before the name, which marks the variable as intentionally unused.",
        ),
        "fn tax(amount: Int) -> Int {\n  let rate = 20;\n  amount * 2\n}\n",
        "fn tax(amount: Int) -> Int {\n  let _rate = 20;\n  amount * 2\n}\n",
    ),
    code(
        "W0006",
        "DuplicateVariantName: two sums have a variant with the same name.",
        "The later declaration wins: in every expression, the name refers to its variant.",
        (None, NO_REPAIR),
        "sum Shape { Round, Square }\nsum Bread { Round, Long }\n",
        "sum Shape { Round, Square }\nsum Bread { Loaf, Long }\n",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::reference::{compiled, program};
    use super::*;
    use crate::diagnostic::Code;
    use crate::json::{meaning, read_program};
    use crate::repair::{Approved, MAX_ROUNDS, Permission, Program, repair};

    /// The codes of a program. Unproved obligations count as E3001, and holes as E2020.
    fn codes(example: &Example, text: &str) -> BTreeSet<&'static str> {
        let result = compiled(example, text).expect("a program");
        let codes = result.diagnostics.iter().map(|it| it.code.text());
        let unproved = result.obligations.iter().map(|_| Code::E3001.text());
        let holes = result.holes.iter().map(|_| Code::E2020.text());
        codes.chain(unproved).chain(holes).collect()
    }

    #[test]
    fn every_code_is_explained_once() {
        let explained: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        let all: Vec<&str> = Code::ALL.iter().map(|code| code.text()).collect();
        assert_eq!(explained, all);
        for (rule, code) in RULES.iter().zip(Code::ALL) {
            assert!(rule.summary.starts_with(code.name()), "{}", rule.name);
        }
    }

    #[test]
    fn every_example_has_its_code_and_is_clean_once_repaired() {
        // K-98
        for rule in RULES {
            let example = rule.example.as_ref().expect("an example");
            let expected: BTreeSet<&str> = [rule.name].into();
            assert_eq!(codes(example, example.before), expected, "{}", rule.name);
            assert_eq!(
                codes(example, example.after),
                BTreeSet::new(),
                "{}",
                rule.name
            );
        }
    }

    #[test]
    fn rules_with_a_repair_lead_to_the_shown_example() {
        let everything = Permission {
            safety: Safety::LikelyPreserving,
            approved: Approved::Everything,
            max_rounds: MAX_ROUNDS,
        };
        for rule in RULES {
            let example = rule.example.as_ref().expect("an example");
            let result = compiled(example, example.before).expect("a program");
            let best = result.repairs.iter().min_by(|a, b| a.rank(b));
            assert_eq!(best.map(|it| it.safety), rule.safety, "{}", rule.name);
            if best.is_none() {
                continue;
            }
            let program = program(example, example.before);
            let done = repair(program, &everything).expect("a program");
            match done.program {
                Program::Source { text, .. } => assert_eq!(text, example.after, "{}", rule.name),
                Program::Ast { json } => {
                    let said = |json: &str| meaning(&read_program(json).expect("a program"));
                    assert_eq!(said(&json), said(example.after), "{}", rule.name);
                }
            }
        }
    }
}
