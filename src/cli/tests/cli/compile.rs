//! `compile` and `run`: every program prints the expected output on the embedded engine and on Node, and
//! errors are reported with their location.

#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::project::Project;

/// The programs of this folder with their output. Some panic at their end, on purpose.
const PROGRAMS: [(&str, &str, &str); 10] = [
    (
        "builtins",
        include_str!("../programs/builtins.clank"),
        include_str!("../programs/builtins.out"),
    ),
    (
        "control_flow",
        include_str!("../programs/control_flow.clank"),
        include_str!("../programs/control_flow.out"),
    ),
    (
        "errors",
        include_str!("../programs/errors.clank"),
        include_str!("../programs/errors.out"),
    ),
    (
        "external",
        include_str!("../programs/external.clank"),
        include_str!("../programs/external.out"),
    ),
    (
        "generics",
        include_str!("../programs/generics.clank"),
        include_str!("../programs/generics.out"),
    ),
    (
        "inferred",
        include_str!("../programs/inferred.clank"),
        include_str!("../programs/inferred.out"),
    ),
    (
        "matching",
        include_str!("../programs/matching.clank"),
        include_str!("../programs/matching.out"),
    ),
    (
        "names",
        include_str!("../programs/names.clank"),
        include_str!("../programs/names.out"),
    ),
    (
        "order",
        include_str!("../programs/order.clank"),
        include_str!("../programs/order.out"),
    ),
    (
        "values",
        include_str!("../programs/values.clank"),
        include_str!("../programs/values.out"),
    ),
];

fn panics(program: &str) -> bool {
    ["errors", "external"].contains(&program)
}

/// A tool of the Node ecosystem, if it is installed.
fn node() -> Option<Command> {
    let found = Command::new("node").arg("--version").output();
    if found.is_err() {
        println!("skipped: there is no node");
        return None;
    }
    Some(Command::new("node"))
}

fn stdout(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The external programs with their expected results: path, standard output and the value of `main`.
fn fixtures() -> Vec<(PathBuf, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/clank");
    let mut found = Vec::new();
    for group in ["e2e", "docs-examples"] {
        let Ok(entries) = fs::read_dir(folder.join(group)) else {
            println!("skipped: no fixtures at {}", folder.display());
            return Vec::new();
        };
        for entry in entries {
            let path = entry.expect("an entry").path();
            let Some(program) = path.to_str().and_then(|it| it.strip_suffix(".expect.json")) else {
                continue;
            };
            let expected = fs::read_to_string(&path).expect("text");
            let expected: Value = serde_json::from_str(&expected).expect("JSON");
            if let (Some(stdout), Some(result)) = (
                expected["stdout"].as_str(),
                expected["main_result"].as_str(),
            ) {
                found.push((program.into(), stdout.to_owned(), result.to_owned()));
            }
        }
    }
    assert!(found.len() >= 5, "{found:?}");
    found
}

#[test]
fn programs_print_the_same_on_the_embedded_engine_and_on_node() {
    //
    for (name, program, expected) in PROGRAMS {
        let file = format!("{name}.clank");
        let project = Project::new(&[(&file, program)]);
        let ended = project.run(&["run", &file]);
        assert_eq!(ended.stdout, expected, "{name}: {}", ended.stderr);
        let ended = ended.exits_with(i32::from(panics(name)));
        assert_eq!(ended.stderr.contains("the program panicked"), panics(name));

        project.run(&["compile", &file, "-o", "out"]).exits_with(0);
        if let Some(mut node) = node() {
            let script = project.path(&format!("out/{name}.js"));
            assert_eq!(stdout(node.arg(script)), expected, "{name} on node");
        }
    }
}

#[test]
fn external_programs_give_the_expected_results() {
    for (path, expected, result) in fixtures() {
        let text = fs::read_to_string(&path).expect("a program");
        let project = Project::new(&[("app.clank", &text)]);
        let ended = project.run(&["run", "app.clank"]).exits_with(0);
        assert_eq!(ended.stdout, expected, "{}", path.display());

        // The value of `main`, which `run` does not print.
        let showing = "fn main() -> IO + Unit { println(to_string(its_main())) }\n";
        let showing = text.replace("fn main()", "fn its_main()") + showing;
        project.write("shown.clank", &showing);
        let ended = project.run(&["run", "shown.clank"]).exits_with(0);
        let value = match result.strip_suffix('n') {
            Some(number) if number.parse::<i64>().is_ok() => number,
            _ => "()",
        };
        assert_eq!(
            ended.stdout,
            format!("{expected}{value}\n"),
            "{}",
            path.display()
        );
        if let Some(mut node) = node() {
            project
                .run(&["compile", "app.clank", "-o", "out"])
                .exits_with(0);
            let script = "const { main } = require('./out/app.js'); console.log(main());";
            let shown = stdout(node.args(["-e", script]).current_dir(project.path("")));
            assert_eq!(shown, format!("{expected}{result}\n"), "{}", path.display());
        }
    }
}

#[test]
fn typescript_has_no_type_errors() {
    let compiler = "../../target/tsc/node_modules/typescript/lib/tsc.js";
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR")).join(compiler);
    let Some(mut node) = node().filter(|_| compiler.exists()) else {
        println!("skipped: install one with `npm install --prefix target/tsc typescript@5`");
        return;
    };
    let mut programs: Vec<(String, String)> = PROGRAMS
        .iter()
        .map(|(name, text, _)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    for (path, _, _) in fixtures() {
        let name = path.file_stem().expect("a name").to_string_lossy();
        programs.push((name.into_owned(), fs::read_to_string(&path).expect("text")));
    }
    let project = Project::new(&[]);
    node.arg(compiler)
        .args(["--strict", "--noEmit", "--target", "es2022"]);
    for (name, text) in &programs {
        let file = format!("{name}.clank");
        project.write(&file, text);
        project
            .run(&["compile", &file, "--emit=ts", "-o", "out"])
            .exits_with(0);
        node.arg(project.path(&format!("out/{name}.ts")));
    }
    assert_eq!(stdout(&mut node), "");
}

#[test]
fn errors_are_shown_with_their_location_and_produce_no_code() {
    let project = Project::new(&[("a.clank", "fn main() -> Int {\n  missing + 1\n}\n")]);
    for command in [&["compile", "a.clank"][..], &["run", "a.clank"]] {
        let ended = project.run(command).exits_with(1);
        assert_eq!(ended.stdout, "");
        let ended = ended.complains("E1001").complains("a.clank:2:3");
        ended.complains("missing + 1");
    }
    project
        .run(&["compile", "a.clank", "-o", "out"])
        .exits_with(1);
    assert!(!project.path("out/a.js").exists());
}

#[test]
fn the_result_is_printed_as_json() {
    // K-100b
    let project = Project::new(&[
        ("good.clank", "fn main() -> Int { 6 * 7 }\n"),
        ("bad.clank", "fn main() -> Int { missing }\n"),
    ]);
    let good = project
        .run(&["compile", "good.clank", "--emit=json"])
        .exits_with(0);
    let good: Value = serde_json::from_str(&good.stdout).expect("JSON");
    assert_eq!(good["status"], "success");
    for list in ["diagnostics", "obligations", "holes", "repairs"] {
        assert!(good[list].is_array(), "{list}");
    }
    assert_eq!(good["canonical_ast"]["kind"], "program");
    let js = good["output"]["js"].as_str().expect("code");
    assert!(js.contains("return 6n * 7n;"), "{js}");
    assert!(
        good["output"]["ts"]
            .as_str()
            .expect("code")
            .contains("bigint")
    );
    assert_eq!(good["stats"]["outputBytes"], js.len());

    let bad = project
        .run(&["compile", "bad.clank", "--emit=json"])
        .exits_with(1);
    let bad: Value = serde_json::from_str(&bad.stdout).expect("JSON");
    assert_eq!(bad["status"], "error");
    assert_eq!(bad["diagnostics"][0]["code"], "E1001");
    assert!(bad.get("output").is_none());
    assert_eq!(bad["canonical_ast"]["kind"], "program");
}

#[test]
fn a_document_that_is_not_a_program_has_a_result_too() {
    let project = Project::new(&[
        (
            "bad.json",
            "{\"kind\": \"program\", \"declarations\": [{\"kind\": \"frob\"}]}",
        ),
        ("cut.json", "{\"kind\": "),
    ]);
    for (file, place) in [("bad.json", "/declarations/0"), ("cut.json", "")] {
        let command = ["compile", file, "--input=ast", "--emit=json"];
        let ended = project.run(&command).exits_with(1).complains(file);
        let result: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        assert_eq!(result["status"], "input_error");
        assert_eq!(result["diagnostics"][0]["structured"]["pointer"], place);
        assert!(result["repairs"].is_array() && result["base_sha256"].is_string());

        let repair = ["repair", file, "--format=json"];
        let ended = project.run(&repair).exits_with(1);
        let repaired: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        assert_eq!(repaired["status"], "input_error");
        assert_eq!(repaired["result"]["diagnostics"], result["diagnostics"]);
    }
    project
        .run(&["compile", "bad.json", "--emit=all", "-o", "out"])
        .exits_with(1);
    assert!(project.read("out/bad.result.json").contains("input_error"));
    assert!(!project.path("out/bad.js").exists());
}

#[test]
fn the_status_matches_the_exit_status() {
    let project = Project::new(&[
        (
            "name.clank",
            "external fn f(x: Int) -> Int = \"alert(1);x\"\n",
        ),
        ("warned.clank", "fn f() -> Int { let x = 1; 2 }\n"),
        ("source.json", "{\"source\": \"fn f() -> Int { 1 }\"}"),
        (
            "hole.json",
            "{\"kind\": \"program\", \"declarations\": [{\"kind\": \"fn\", \"name\": \"f\", \"params\": [], \
             \"returnType\": {\"source\": \"Int\"}, \"body\": {\"kind\": \"block\", \"expr\": {\"hole_ref\": \"a\"}}}]}",
        ),
    ]);
    for (file, status, exit) in [
        ("name.clank", "error", 1),
        ("warned.clank", "success", 0),
        ("source.json", "success", 0),
        ("hole.json", "incomplete", 1),
    ] {
        let ended = project.run(&["compile", file, "--emit=json"]);
        let result: Value = serde_json::from_str(&ended.exits_with(exit).stdout).expect("JSON");
        assert_eq!(result["status"], status, "{file}");
        assert_eq!(result.get("output").is_some(), exit == 0, "{file}");
    }
}

#[test]
fn a_byte_order_mark_is_read_by_every_command_and_kept() {
    let text = "fn main() -> IO + Unit {\n  let x = 1;\n  println(\"hello\")\n}\n";
    let project = Project::new(&[("a.clank", &format!("\u{feff}{text}"))]);
    let ran = project.run(&["run", "a.clank"]).exits_with(0);
    assert_eq!(ran.stdout, "hello\n");
    project
        .run(&["check", "a.clank"])
        .exits_with(0)
        .prints("warning[W0001]");
    let fixed = format!("\u{feff}{}", text.replace("let x", "let _x"));
    let repaired = project.run(&["repair", "a.clank"]).exits_with(0);
    assert_eq!(repaired.stdout, fixed);
    project.run(&["fix", "a.clank"]).exits_with(0);
    assert_eq!(project.read("a.clank"), fixed);
    project.write("b.json", "\u{feff}{\"source\": \"fn f() -> Int { 1 }\"}");
    for command in [
        &["compile", "b.json"][..],
        &["repair", "b.json", "--format=json"],
    ] {
        project.run(command).exits_with(0);
    }
}

#[test]
fn a_program_is_unchanged_by_a_round_trip_through_ast_json() {
    let program = "fn main() -> IO + Unit { for n in [1, 2] { println(to_string(n * 2)) } }\n";
    let project = Project::new(&[("a.clank", program)]);
    let ast = project
        .run(&["compile", "a.clank", "--emit=ast"])
        .exits_with(0);
    project.write("b.json", &ast.stdout);
    let ran = project.run(&["run", "b.json"]).exits_with(0);
    assert_eq!(ran.stdout, "2\n4\n");
    project.write("c.txt", &ast.stdout);
    let ran = project.run(&["run", "c.txt", "--input=ast"]).exits_with(0);
    assert_eq!(ran.stdout, "2\n4\n");
}

#[test]
fn all_forms_are_written_as_files() {
    let project = Project::new(&[("lib/a.clank", "fn main()->Int{1}\n")]);
    project
        .run(&["compile", "lib/a.clank", "--emit=all", "-o", "lib"])
        .exits_with(0);
    assert_eq!(project.read("lib/a.clank"), "fn main()->Int{1}\n");
    let js = project.read("lib/a.js");
    assert!(js.ends_with("//# sourceMappingURL=a.js.map\n"));
    for file in [
        "a.js.map",
        "a.ts",
        "a.ts.map",
        "a.ast.json",
        "a.result.json",
    ] {
        assert!(project.path(&format!("lib/{file}")).exists(), "{file}");
    }
    assert!(
        project
            .read("lib/a.canonical.clank")
            .starts_with("fn main() -> Int")
    );
    project
        .run(&["compile", "lib/a.clank", "--emit=all"])
        .exits_with(2)
        .complains("--output");
}

#[test]
fn the_source_map_leads_node_to_the_line_of_the_source() {
    let program = "fn fail(n: Int) -> Int {\n  let m = n + 1;\n  panic(to_string(m))\n}\n\nfn main() -> Int { fail(1) }\n";
    let project = Project::new(&[("a.clank", program)]);
    let js = project.run(&["compile", "a.clank"]).exits_with(0).stdout;
    project.write("a.js", &js);
    if let Some(mut node) = node() {
        let output = node
            .arg("--enable-source-maps")
            .arg(project.path("a.js"))
            .output()
            .expect("node starts");
        let trace = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(trace.contains("a.clank:3:3"), "{trace}");
    }
    project
        .run(&["run", "a.clank"])
        .exits_with(1)
        .complains("the program panicked: 2")
        .complains("a.clank:3:3");
}

#[test]
fn a_program_that_cannot_run_is_reported_with_advice() {
    let project = Project::new(&[
        ("lib.clank", "fn twice(n: Int) -> Int { n * 2 }\n"),
        ("args.clank", "fn main(n: Int) -> Int { n }\n"),
        (
            "bad.json",
            "{\"kind\": \"program\", \"declarations\": [{\"kind\": \"fn\"}]}",
        ),
        (
            "loop.clank",
            "fn f(n: Int) -> Int { 1 + f(n) }\nfn main() -> Int { f(1) }\n",
        ),
    ]);
    project
        .run(&["run", "lib.clank"])
        .exits_with(2)
        .complains("add `fn main()");
    project
        .run(&["run", "args.clank"])
        .exits_with(2)
        .complains("takes parameters");
    project
        .run(&["run", "bad.json"])
        .exits_with(1)
        .complains("$.declarations[0]");
    project
        .run(&["run", "absent.clank"])
        .exits_with(3)
        .complains("absent.clank");
    project
        .run(&["run", "loop.clank"])
        .exits_with(1)
        .complains("panicked");
    project
        .run(&["compile", "--help"])
        .exits_with(0)
        .prints("--emit=json");
    project
        .run(&["run", "--help"])
        .exits_with(0)
        .prints("Exit status");
}

#[test]
fn a_module_runs_its_main_unless_it_names_itself() {
    let main = "fn main() -> IO + Unit {\n  println(\"hi\")\n}\n";
    let named = format!("mod shapes\n\n{main}");
    let none = "fn area() -> Int {\n  1\n}\n";
    let project = Project::new(&[("a.clank", main), ("b.clank", &named), ("c.clank", none)]);
    for (file, is_run) in [("a.clank", true), ("b.clank", false), ("c.clank", false)] {
        let code = project.run(&["compile", "--modules", file]).exits_with(0);
        assert_eq!(code.stdout.contains("\nmain();\n"), is_run, "{file}");
    }
    let typed = ["compile", "--modules", "--emit=ts", "a.clank"];
    let typed = project.run(&typed).exits_with(0).stdout;
    assert!(!typed.contains("\nmain();\n"));
}

#[test]
fn bytes_that_are_not_text_have_a_result_like_any_other_document() {
    let project = Project::new(&[]);
    let nul = b"{\"kind\":\"program\",\"declarations\":[]}\0".as_slice();
    for (file, bytes) in [("a.json", nul), ("b.json", b"\xff"), ("c.clank", b"\xff")] {
        project.write(file, bytes);
        let printed = project.run(&["compile", "--emit=json", file]);
        let result: Value = serde_json::from_str(&printed.exits_with(1).stdout).expect("JSON");
        assert_eq!(result["status"], "input_error");
        assert!(result["diagnostics"][0]["message"].is_string());
        let printed = project.run(&["repair", "--format=json", file]);
        let result: Value = serde_json::from_str(&printed.exits_with(1).stdout).expect("JSON");
        assert_eq!(result["result"]["status"], "input_error");
    }
}
