use super::*;
use crate::diagnostic::Code;
use crate::emit::{Module, Target, emit_module};
use crate::result::CompileResult;
use crate::{Input, Options, compile};

const GEO: &str = "rec Point { x: Int, y: Int }\n\nfn origin() -> Point {\n  Point(0, 0)\n}\n";

const SHAPES: &str = "mod shapes\nuse geo.{Point, origin}\n
sum Shape { Circle(center: Point, r: Int), Empty }
type Size = Int{n | n >= 0}
fn area(shape: Shape) -> Int { match shape { Circle(_, r) -> r * r, Empty -> 0 } }
fn half(n: Int{n != 0}) -> Int { n }
fn log(text: Str) -> IO + Unit { println(text) }
fn first[T](xs: [T]) -> Option[T] { find(xs, \\x -> true) }
fn unit_circle() -> Shape { Circle(origin(), 1) }
fn corner() -> Point { origin() }
fn main() -> IO + Unit { log(\"shapes\") }
";

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
        code: path.replace(".clank", ".mjs"),
    }
}

fn known() -> Arc<Modules> {
    let files = [file("lib/s.clank", SHAPES), file("lib/geo.clank", GEO)];
    let (modules, _, errors) = interfaces(&files, Modules::default());
    assert_eq!(errors, []);
    Arc::new(modules)
}

fn compiled(text: &str, modules: Arc<Modules>) -> CompileResult {
    let input = Input::Source {
        file: "app/app.clank",
        text,
    };
    let options = Options {
        modules: Some(modules),
        ..Options::default()
    };
    compile(input, &options).expect("a program")
}

fn codes(text: &str, modules: Arc<Modules>) -> Vec<&'static str> {
    let result = compiled(text, modules);
    result.diagnostics.iter().map(|it| it.code.text()).collect()
}

#[test]
fn imported_functions_have_types_effects_and_refinements() {
    let fine = "use shapes.{area, Shape, log, first}
        fn f(s: Shape) -> Int { match s { Circle(p, r) -> area(Circle(p, r)), Empty -> 1 } }
        fn g() -> IO + Unit { log(to_string(first([1, 2]))) }";
    assert_eq!(codes(fine, known()), [] as [&str; 0]);
    let wrong = "use shapes.{area} fn f() -> Int { area(1) }";
    assert_eq!(codes(wrong, known()), ["E2001"]);
    let missing = "use shapes.{Shape} fn f(s: Shape) -> Int { match s { Empty -> 1 } }";
    assert_eq!(codes(missing, known()), ["E2015"]);
    let effect = "use shapes.{log} fn f() -> Unit { log(\"\") }";
    assert_eq!(codes(effect, known()), ["E4001"]);
    let refuted = "use shapes.{half} fn f() -> Int { half(0) }";
    assert_eq!(codes(refuted, known()), ["E3001"]);
    let unproved = compiled("use shapes.{half} fn f(n: Int) -> Int { half(n) }", known());
    assert_eq!(unproved.obligations[0].goal, "n != 0");
}

#[test]
fn a_type_that_is_not_imported_is_still_the_same_type() {
    let text = "use shapes.{corner} use geo.{origin}
        fn f() -> Bool { corner() == origin() } fn g() -> Int { corner().x }";
    assert_eq!(codes(text, known()), [] as [&str; 0]);
    // The program's own type of the same name is a different type.
    let other = "use shapes.{corner} rec Point { x: Int } fn f() -> Point { corner() }";
    let result = compiled(other, known());
    assert_eq!(result.diagnostics[0].code, Code::E2001);
    assert_eq!(
        result.diagnostics[0].message,
        "expected `Point`, found `geo.Point`"
    );
}

#[test]
fn a_plain_use_imports_everything_except_main_and_own_names_win() {
    let text = "use shapes fn area(n: Int) -> Int { n } fn f(s: Size) -> Int { area(s) }
        fn g() -> Shape { Empty }";
    assert_eq!(codes(text, known()), [] as [&str; 0]);
    assert_eq!(
        codes("use shapes fn f() -> Unit { main() }", known()),
        ["E1001"]
    );
    assert_eq!(
        codes(
            "use shapes.area fn f() -> Int { area(unit_circle()) }",
            known()
        ),
        ["E1001"]
    );
}

#[test]
fn a_missing_module_or_item_is_reported_with_similar_names() {
    let found = |text: &str| {
        let result = compiled(text, known());
        let diagnostics = result.diagnostics.iter();
        diagnostics
            .map(|it| format!("{}: {}", it.code, it.message))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found("use shaps.{area} fn f() -> Int { area(1) }"),
        ["E1004: there is no module `shaps` here; did you mean `shapes`?"]
    );
    assert_eq!(
        found("use shapes.{aera} fn f() -> Int { aera(1) }"),
        ["E1003: `shapes` has no `aera`; did you mean `area`?"]
    );
    assert_eq!(
        found("use shapes.{Circle}"),
        ["E1003: `Circle` comes with the type `Shape` of `shapes`; use that"]
    );
    assert_eq!(
        found("use std.io.{println} use external \"fs\" as fs"),
        [] as [&str; 0]
    );
}

#[test]
fn nothing_is_reported_about_modules_that_may_exist() {
    let some = || Arc::new(Modules::default().or_more());
    let text = "use x.{Shape, area} fn f(s: Shape) -> Int { match s { Round(r) -> area(r) } }
        fn g() -> Int { aera(1) }";
    assert_eq!(codes(text, some()), ["E1001"]);
    assert_eq!(
        codes("use x fn f() -> Size { whatever(1) }", some()),
        [] as [&str; 0]
    );
    assert_eq!(
        codes("use std.io fn f() -> Int { whatever(1) }", some()),
        ["E1001"]
    );
}

#[test]
fn a_program_compiled_alone_has_no_modules() {
    let alone = |text: &str| {
        let input = Input::Source { file: "a", text };
        let result = compile(input, &Options::default()).expect("a program");
        let codes = result.diagnostics.iter().map(|it| it.code.text());
        codes.collect::<Vec<_>>()
    };
    assert_eq!(
        alone("use a.b.{c} mod m fn f() -> Int { 1 }"),
        [] as [&str; 0]
    );
    assert_eq!(alone("use a.{c} fn f() -> Int { c() }"), ["E1001"]);
    assert_eq!(alone("use a.{C} fn f() -> Int { c() }"), ["E0001"]);
}

#[test]
fn repairs_can_use_imported_names() {
    let text = "use shapes.{area, unit_circle}\n\nfn f() -> Int {\n  aera(unit_circle())\n}\n";
    let result = compiled(text, known());
    assert_eq!(result.repairs.len(), 1, "{:?}", result.repairs);
    assert_eq!(result.repairs[0].title, "Rename 'aera' to 'area'");
    let text = "use x.{area, unit}\n\nfn f(size: Int) -> Int {\n  area(unit(siz))\n}\n";
    let result = compiled(text, Arc::new(Modules::default().or_more()));
    assert_eq!(result.repairs.len(), 1, "{:?}", result.repairs);
}

#[test]
fn an_interface_changes_only_with_its_signatures() {
    let of = |text: &str| {
        let files = [file("lib/s.clank", text), file("lib/geo.clank", GEO)];
        let (_, own, _) = interfaces(&files, Modules::default());
        write_interfaces(&own)
    };
    let before = of(SHAPES);
    assert_eq!(
        of(&SHAPES.replace("r * r", "r * r * 3 /* a comment */")),
        before
    );
    assert_eq!(of(&SHAPES.replace("main()", "main(n: Int)")), before);
    assert_ne!(of(&SHAPES.replace("area(shape:", "area(s:")), before);
    assert_ne!(of(&SHAPES.replace("n != 0", "n > 0")), before);
    let read = read_interfaces(&before).expect("an interface");
    assert_eq!(write_interfaces(&read), before);
    assert!(read_interfaces("{}").is_err());
    assert!(read_interfaces("{\"version\": 9, \"modules\": []}").is_err());
}

#[test]
fn files_that_do_not_form_a_program_are_reported() {
    let errors_of = |files: &[SourceFile], known| {
        let (_, _, errors) = interfaces(files, known);
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let twins = [
        file("a/x.clank", "fn f() -> Int { 1 }"),
        file("b.clank", "mod x"),
    ];
    assert_eq!(
        errors_of(&twins, Modules::default()),
        ["a/x.clank and b.clank are both the module `x`; rename one with `mod NAME`"]
    );
    let circle = [
        file("a.clank", "use b"),
        file("b.clank", "use c.f"),
        file("c.clank", "use b"),
    ];
    assert_eq!(
        errors_of(&circle, Modules::default()),
        [
            "modules use one another in a circle: `b` uses `c` uses `b`; move what they share to a module of its own"
        ]
    );
    let known = (*known()).clone();
    assert!(
        errors_of(&[file("geo.clank", "")], known)[0].contains("geo.clank is the module `geo`")
    );
}

#[test]
fn emitted_code_imports_used_names_from_their_modules() {
    let text = "use shapes.{area, Shape, corner} use geo.{origin}
        sum Own { Circle(Int) } fn f() -> Int { area(Empty) }";
    let result = compiled(text, known());
    let code = |target| {
        let module = Module {
            code: "app/app.mjs",
            runs_main: false,
        };
        let (program, ast) = (&result.canonical, &result.ast);
        emit_module(program, ast, &result.typing, target, module)
            .expect("code")
            .code
    };
    let javascript = code(Target::JavaScript);
    assert!(
        javascript.starts_with(
            "import { origin } from \"../lib/geo.mjs\";\n\
             import { Empty, area, corner } from \"../lib/s.mjs\";\n"
        ),
        "{javascript}"
    );
    assert!(javascript.ends_with("export function f() {\n  return area(Empty);\n}\n"));
    let typescript = code(Target::TypeScript);
    assert!(typescript.contains("import { Empty, Shape, area, corner } from \"../lib/s.mjs\";"));
}

#[test]
fn facts_about_values_that_another_module_writes_are_dropped() {
    let pots = "mod pots\nrec Pot { n: Int }\nfn fill(p: Pot) -> Int { p.n = 0 - 1; 1 }\n";
    let above = "mod above\nuse pots.{Pot, fill}\nfn refill(p: Pot) -> Int { fill(p) }\n";
    let files = [
        file("lib/pots.clank", pots),
        file("lib/above.clank", above),
        file("lib/geo.clank", GEO),
    ];
    let (modules, _, errors) = interfaces(&files, Modules::default());
    assert_eq!(errors, []);
    let modules = Arc::new(modules);
    let left = |text: &str| compiled(text, modules.clone()).obligations.len();
    let body = "fn pos(n: Int{n > 0}) -> Int { n }\nfn f(p: Pot) -> Int { assert p.n > 0;";
    for used in ["use pots.{Pot, fill}", "use pots.{Pot}\nuse above.{refill}"] {
        let fill = if used.contains("above") {
            "refill"
        } else {
            "fill"
        };
        assert_eq!(left(&format!("{used}\n{body} {fill}(p); pos(p.n) }}")), 1);
    }
    let own = body.replace("Pot", "Point").replace("p.n", "p.x");
    assert_eq!(left(&format!("use geo.{{Point}}\n{own} pos(p.x) }}")), 0);
}
