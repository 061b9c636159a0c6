//! Obligations that are not proved: the code checks them when it runs.

use crate::project::Project;

/// Runs a program whose obligation does not hold, and one for which it holds.
fn assert_checked(
    declarations: &str,
    call: impl Fn(&str) -> String,
    bad: &str,
    good: &str,
    obligation: &str,
) {
    let text = |value: &str| {
        let call = call(value);
        format!("{declarations}\nfn main() -> IO + Unit {{\n  println(to_string({call}))\n}}\n")
    };
    let project = Project::new(&[("good.clank", &text(good)), ("bad.clank", &text(bad))]);
    let good = project.run(&["run", "good.clank"]).exits_with(0);
    assert!(good.stderr.contains("warning[E3001]"), "{}", good.stderr);
    let expected = format!("unproved `{obligation}` does not hold");
    let bad = project.run(&["run", "bad.clank"]).exits_with(1);
    assert!(bad.stderr.contains(&expected), "{}", bad.stderr);
    assert_eq!(bad.stdout, "");
}

#[test]
fn an_argument_is_checked_where_it_is_passed() {
    assert_checked(
        "fn half(n: Int{n != 0}) -> Int { n - n % 2 }\nfn f(k: Int) -> Int { half(k + 1) }",
        |value| format!("f({value})"),
        "-1",
        "4",
        "(k + 1) != 0",
    );
}

#[test]
fn arguments_that_depend_on_each_other_are_checked_at_the_call() {
    assert_checked(
        "fn span(lo: Int, hi: Int{hi > lo}) -> Int { hi - lo }\nfn f(hi: Int, lo: Int) -> Int { span(hi, lo) }",
        |value| format!("f(1, {value})"),
        "0",
        "2",
        "lo > hi",
    );
}

#[test]
fn a_result_is_checked_against_the_parameters() {
    assert_checked(
        "fn f(a: Int, b: Int) -> (Int{result >= a}) {\n  let a = b;\n  if b > 10 { return a };\n  a * 2\n}",
        |value| format!("f(5, {value})"),
        "1",
        "11",
        "(a * 2) >= a",
    );
}

#[test]
fn a_variable_and_an_element_are_checked() {
    assert_checked(
        "fn f(n: Int) -> Int {\n  let m: Int{m > 1} = n;\n  m\n}",
        |value| format!("f({value})"),
        "1",
        "2",
        "n > 1",
    );
    assert_checked(
        "fn f(n: Int) -> [Int{x | x > 1}] {\n  [7, n]\n}",
        |value| format!("f({value})"),
        "1",
        "2",
        "n > 1",
    );
}

#[test]
fn an_index_is_checked_with_the_text_of_its_obligation() {
    assert_checked(
        "fn f(xs: [Int], i: Int) -> Int { xs[i] }",
        |value| format!("f([1, 2], {value})"),
        "2",
        "1",
        "(i >= 0 && i < len(xs))",
    );
}

#[test]
fn a_function_with_requirements_is_checked_when_it_is_called() {
    assert_checked(
        "fn half(n: Int{n != 0}) -> Int { n - n % 2 }\nfn f(xs: [Int]) -> [Int] { map(xs, half) }",
        |value| format!("f([1, {value}])"),
        "0",
        "4",
        "n != 0",
    );
}

#[test]
fn an_array_is_checked_for_its_elements() {
    assert_checked(
        "fn total(xs: [Int{x | x > 0}]) -> Int { len_of(xs) }\nfn len_of(xs: [Int]) -> Int { fold(xs, 0, \\(a, x) -> a + x) }\nfn f(xs: [Int]) -> Int { total(xs) }",
        |value| format!("f([1, {value}])"),
        "0",
        "4",
        "x > 0",
    );
}

#[test]
fn fields_that_depend_on_each_other_are_checked_after_a_write() {
    assert_checked(
        "rec Range { lo: Int, hi: Int{hi > lo} }\nfn f(n: Int) -> Int {\n  let mut r = Range(1, 5);\n  r.lo = n;\n  r.hi\n}",
        |value| format!("f({value})"),
        "5",
        "4",
        "r.hi > n",
    );
}
