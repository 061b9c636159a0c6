//! `run`: programs with modules, programs that do not end, the location of a panic, and the programs on
//! the language page.

use std::fs;
use std::path::Path;

use crate::project::Project;

const SHAPES: &str = "rec Point { x: Int, y: Int }\n\nfn far(p: Point) -> Int {\n  assert p.x > 0;\n  p.x + p.y\n}\n";
const APP: &str = "use shapes.{far, Point}\n\nfn main() -> IO + Unit {\n  println(to_string(far(Point(3, 4))))\n}\n";

#[test]
fn a_program_runs_with_the_modules_that_are_passed_in() {
    let project = Project::new(&[
        ("app.clank", APP),
        ("lib/shapes.clank", SHAPES),
        (
            "low.clank",
            "use shapes.{far, Point}\nfn main() -> IO + Unit { println(to_string(far(Point(0, 4)))) }\n",
        ),
        ("bad/shapes.clank", "fn far() -> Int { missing }\n"),
    ]);
    let shapes = "--module=shapes=lib/shapes.clank";
    let ended = project.run(&["run", "app.clank", shapes]).exits_with(0);
    assert_eq!(ended.stdout, "7\n");
    project
        .run(&["run", "low.clank", shapes])
        .exits_with(1)
        .complains("lib/shapes.clank:4:");
    project
        .run(&["run", "app.clank"])
        .exits_with(1)
        .complains("pass it with `--module shapes=FILE`");
    project
        .run(&["run", "app.clank", "--module=other=lib/shapes.clank"])
        .exits_with(2)
        .complains("write --module shapes=lib/shapes.clank");
    project
        .run(&["run", "app.clank", "--module=shapes=bad/shapes.clank"])
        .exits_with(1)
        .complains("error[E1001]: 'missing' is not defined")
        .complains("`shapes` has no `Point`");
    let interface = project.run(&["compile", "lib/shapes.clank", "--emit=interface"]);
    project.write("shapes.json", interface.exits_with(0).stdout);
    project
        .run(&["run", "app.clank", "--module=shapes=shapes.json"])
        .exits_with(2)
        .complains("pass its source with");
    for module in [shapes, "--module=shapes=shapes.json"] {
        let code = project.run(&["compile", "app.clank", module]).exits_with(0);
        assert!(code.stdout.contains("from \"./shapes.mjs\""), "{module}");
    }
}

#[test]
fn repair_knows_the_modules_that_are_passed_in() {
    let typo = APP.replace("far(", "fra(");
    let project = Project::new(&[("app.clank", &typo), ("shapes.clank", SHAPES)]);
    project
        .run(&["repair", "app.clank", "--module=shapes=shapes.clank"])
        .exits_with(1)
        .complains("Rename 'fra' to 'far'");
    project
        .run(&["repair", "app.clank"])
        .exits_with(1)
        .complains("pass it with `--module shapes=FILE`");
}

#[test]
fn a_program_that_does_not_end_is_stopped() {
    let endless = "fn main() -> IO + Unit {\n  let mut n = 0;\n  loop {\n    n = n + 1;\n  };\n  println(to_string(n))\n}\n";
    let project = Project::new(&[("a.clank", endless)]);
    project
        .run(&["run", "a.clank", "--run-limit=1"])
        .exits_with(1)
        .complains("the program was stopped: it exceeded --run-limit=1");
}

#[test]
fn a_panic_is_shown_where_it_happened() {
    for (program, place) in [
        (
            "fn f(o: Option[Int]) -> Int {\n  let Some(n) = o;\n  n\n}\n\nfn main() -> Int { f(None) }\n",
            "a.clank:2:",
        ),
        (
            "sum S { A, B }\nexternal fn s() -> S = \"JSON.parse\"\n\nfn main() -> Int {\n  match s() {\n    A -> 1,\n    B -> 2,\n  }\n}\n",
            "a.clank:5:9",
        ),
        (
            "external fn root(x: Int) -> Float = \"Math.sqrt\"\n\nfn main() -> Float {\n  let two = 2;\n  root(two)\n}\n",
            "a.clank:5:3",
        ),
        // One line of code comes from several lines of the program.
        (
            "fn boom(x: Int) -> Int {\n  if x > 1 {\n    panic(\"deep\")\n  } else {\n    x\n  }\n}\n\nfn main() -> Int { boom(5) }\n",
            "a.clank:3:5",
        ),
    ] {
        let project = Project::new(&[("a.clank", program)]);
        project
            .run(&["run", "a.clank"])
            .exits_with(1)
            .complains("the program panicked")
            .complains(place);
    }
}

#[test]
fn a_return_from_a_function_that_has_ended_is_explained() {
    let program = "fn mk(n: Int) -> () -> Int {\n  let f = \\() -> {\n    if n > 0 {\n      return \\() -> 7;\n    };\n    3\n  };\n  f\n}\n\nfn main() -> IO + Unit {\n  println(to_string(mk(1)()))\n}\n";
    let project = Project::new(&[("a.clank", program)]);
    project
        .run(&["run", "a.clank"])
        .exits_with(1)
        .complains("a lambda tried to `return` from its function, which had already ended");
}

#[test]
fn a_record_with_a_field_called_tag_is_shown_as_a_record() {
    let program = "rec Item { tag: Str, size: Int }\nsum S { V(tag: Int) }\n\
        external fn parse(text: Str) -> Item = \"JSON.parse\"\n\n\
        fn main() -> IO + Unit {\n\
        \x20 println(to_string([Item(\"a\", 1), parse(\"{\\\"tag\\\": \\\"b\\\", \\\"size\\\": 2}\")]));\n\
        \x20 println(to_string((V(3), Some(Item(\"c\", 4)) == Some(Item(\"c\", 4)), Item(\"c\", 4).tag)))\n}\n";
    let project = Project::new(&[("a.clank", program)]);
    let printed = project.run(&["run", "a.clank"]).exits_with(0).stdout;
    assert_eq!(
        printed,
        "[{tag: \"a\", size: 1}, {tag: \"b\", size: 2}]\n[V(3), true, \"c\"]\n"
    );
}

#[test]
fn external_values_are_checked_with_their_other_fields() {
    let program = "rec Span { lo: Int, hi: Int{hi > lo + 1}, xs: [Int]{len(xs) == hi} }\n\
        sum S { V(a: Int, b: Int{b > a}), W }\n\
        external fn span(text: Str) -> Span = \"JSON.parse\"\n\
        external fn s(text: Str) -> S = \"JSON.parse\"\n\n\
        fn main() -> IO + Unit {\n\
        \x20 println(to_string(span(\"{\\\"lo\\\": 0, \\\"hi\\\": 2, \\\"xs\\\": [1, 2]}\")));\n\
        \x20 println(to_string(s(\"{\\\"tag\\\": \\\"V\\\", \\\"a\\\": 1, \\\"b\\\": 2}\")));\n\
        \x20 println(to_string(s(\"{\\\"tag\\\": \\\"V\\\", \\\"a\\\": 2, \\\"b\\\": 2}\")))\n}\n";
    let project = Project::new(&[("a.clank", program)]);
    let ended = project.run(&["run", "a.clank"]).exits_with(1);
    let ended =
        ended.complains("the result of s, V,, field b, is 2, against its refinement: b > a");
    assert_eq!(ended.stdout, "{lo: 0, hi: 2, xs: [1, 2]}\nV(1, 2)\n");
}

#[test]
fn the_programs_on_the_language_page_work() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clank-language.md");
    let page = fs::read_to_string(page).expect("readable");
    let programs: Vec<&str> = page
        .split("```clank\n")
        .skip(1)
        .filter_map(|it| Some(it.split_once("```")?.0))
        .collect();
    assert!(programs.len() >= 6, "{}", programs.len());
    for program in programs {
        let project = Project::new(&[("a.clank", program)]);
        let ended = project.run(&["run", "a.clank"]).exits_with(0);
        let promised = program
            .lines()
            .filter_map(|it| it.strip_prefix("// prints: "));
        let promised: Vec<&str> = promised.collect();
        assert_eq!(
            ended.stdout.lines().collect::<Vec<_>>(),
            promised,
            "{program}"
        );
        // No warning and no unproved obligation.
        assert_eq!(ended.stderr, "", "{program}");
        let formatted = project.run(&["check", "--strict", "a.clank"]);
        assert_eq!(formatted.status, Some(0), "{}", formatted.stdout);
    }
}
