//! `build`, the modes of the commands that compile, and what they generate.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::project::Project;

const SHAPES: &str = "fn area(side: Int) -> Int {\n  side * side\n}\n";
const APP: &str =
    "use shapes.{area}\n\nfn main() -> IO + Unit {\n  println(to_string(area(3)))\n}\n";
/// The same, but not in canonical form and with an unused variable.
const UNTIDY: &str =
    "use shapes.{area}\nfn main() -> IO + Unit { let extra=1\nprintln(to_string(area(3))) }\n";

#[test]
fn programs_are_built_with_the_modules_that_they_use() {
    // C-98
    let project = Project::new(&[
        ("app/main.clank", APP),
        (
            "other/main.clank",
            "fn main() -> IO + Unit {\n  println(\"other\")\n}\n",
        ),
        ("lib/shapes.clank", SHAPES),
        ("unrelated.clank", "fn broken() -> Int {\n  missing\n}\n"),
    ]);
    let ended = project.run(&["build", "app", "other", "--output=out"]);
    assert_eq!(ended.exits_with(0).stderr, "");
    let code = |path: &str| fs::read_to_string(project.root().join("out").join(path));
    let main = code("app/main.mjs").expect("the code");
    assert!(main.contains("from \"../lib/shapes.mjs\""), "{main}");
    for path in ["lib/shapes.mjs.map", "other/main.mts", "lib/shapes.mts"] {
        assert!(code(path).is_ok(), "{path}");
    }
    assert!(code("unrelated.mjs").is_err());
    if let Ok(ran) = Command::new("node")
        .arg(project.root().join("out/app/main.mjs"))
        .output()
    {
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "9\n");
    }

    // An error anywhere means that nothing is written.
    project
        .run(&["build", "--output=all"])
        .exits_with(1)
        .complains("error[E1001]: 'missing' is not defined")
        .complains("nothing was written");
    assert!(!project.root().join("all").exists());
    project
        .run(&["build", "lib/nothing", "--output=out"])
        .exits_with(3);
    let empty = Project::new(&[]);
    empty
        .run(&["build", "--output=out"])
        .exits_with(2)
        .complains("there is no Clank program to build");
}

#[test]
fn modules_that_cannot_be_told_apart_or_use_one_another_are_refused() {
    let project = Project::new(&[
        ("app.clank", APP),
        ("a/shapes.clank", SHAPES),
        ("b/shapes.clank", SHAPES),
    ]);
    project
        .run(&["build", "app.clank", "--output=out"])
        .exits_with(2)
        .complains("a/shapes.clank and b/shapes.clank are both the module `shapes`");
    let project = Project::new(&[
        ("a.clank", "use b.{g}\n\nfn f() -> Int {\n  g()\n}\n"),
        ("b.clank", "use a.{f}\n\nfn g() -> Int {\n  f()\n}\n"),
    ]);
    project
        .run(&["build", "--output=out"])
        .exits_with(2)
        .complains("in a circle");
    let project = Project::new(&[("app.clank", APP)]);
    project
        .run(&["build", "--output=out"])
        .exits_with(1)
        .complains("E1004");
}

#[test]
fn a_build_compiles_the_canonical_text_and_keeps_the_source() {
    // C-12 C-89 C-98: `count` is assigned without `mut`, which is a safe fix.
    let source = "fn main() -> IO + Unit { let count = 1\ncount = 2\nprintln(to_string(count)) }\n";
    let project = Project::new(&[("main.clank", source)]);
    let ended = project.run(&["build", "--output=out"]).exits_with(0);
    let warnings = ended.stderr.lines().filter(|it| it.starts_with("warning"));
    assert_eq!(warnings.count(), 1, "{}", ended.stderr);
    assert_eq!(project.read("main.clank"), source);
    let map: Value = serde_json::from_str(&project.read("out/main.mjs.map")).expect("a source map");
    assert_eq!(map["sourcesContent"][0], source);
    project.run(&["fix"]).exits_with(0);
    let code = project.read("out/main.mjs");
    project.run(&["build", "--output=out"]).exits_with(0);
    assert_eq!(project.read("out/main.mjs"), code, "fixing changes no code");
}

#[test]
fn run_uses_the_canonical_text_too() {
    // C-12
    let source = "fn over(n: Int) -> Unit {\n  assert n > 2;\n}\n\nfn main() -> IO + Unit {\n  let n = 1\n  n = 2\n  println(to_string(n))\n  over(n)\n}\n";
    let project = Project::new(&[("main.clank", source)]);
    let ended = project.run(&["run", "main.clank"]).exits_with(1);
    assert_eq!(ended.stdout, "2\n");
    ended
        .complains("warning: main.clank is not canonical")
        .complains("main.clank:2:");
    assert_eq!(project.read("main.clank"), source);
    project
        .run(&["run", "main.clank", "--strict"])
        .exits_with(1)
        .complains("error: main.clank is not canonical");
    // Errors that no safe fix resolves are those of the source.
    project.write("main.clank", source.replace("to_string(n)", "to_string(m)"));
    project
        .run(&["run", "main.clank"])
        .exits_with(1)
        .complains("main.clank:8:21");
}

#[test]
fn modes_decide_about_files_that_are_not_canonical() {
    // C-56 C-98
    let project = Project::new(&[("app.clank", UNTIDY), ("shapes.clank", SHAPES)]);
    let module = "--module=shapes=shapes.clank";
    let commands: [&[&str]; 3] = [
        &["build", "--output=out"],
        &["run", "app.clank", module],
        &["compile", "app.clank", module],
    ];
    for command in commands {
        let ended = project.run(command).exits_with(0);
        let warnings = ended
            .stderr
            .lines()
            .filter(|it| it.contains("is not canonical"));
        assert_eq!(warnings.count(), 1, "{command:?}: {}", ended.stderr);
        let ended = ended.complains("warning: app.clank is not canonical: 2 safe fixes pending; run `fixpoint fix app.clank`");
        assert!(!ended.stderr.contains("shapes.clank"), "{}", ended.stderr);
        let strict = [command, &["--strict"]].concat();
        fs::remove_dir_all(project.root().join("out")).ok();
        let ended = project.run(&strict).exits_with(1);
        let ended = ended.complains("error: app.clank is not canonical");
        assert_eq!(ended.stdout, "", "{command:?}");
        assert!(!project.root().join("out").exists());
    }
    assert_eq!(project.read("app.clank"), UNTIDY);

    // A module that is not canonical has its own warning.
    project.run(&["fix"]).exits_with(0);
    project.write("shapes.clank", SHAPES.replace("  side", "side"));
    for command in commands {
        project
            .run(command)
            .exits_with(0)
            .complains("warning: shapes.clank is not canonical");
        let strict = [command, &["--strict"]].concat();
        project.run(&strict).exits_with(1);
    }
    project.run(&["fix"]).exits_with(0);
    for command in commands {
        let strict = [command, &["--strict"]].concat();
        let ended = project.run(&strict).exits_with(0);
        assert_eq!(ended.stderr, "", "{command:?}");
    }
}

#[test]
fn modules_that_are_passed_in_are_compiled_from_their_canonical_text() {
    // C-12 C-98: `total` is assigned without `mut`, which is a safe fix.
    let counter = "fn twice(n: Int) -> Int {\n  let total = n;\n  total = total + n;\n  assert total < 9;\n  total\n}\n";
    let app =
        "use counter.{twice}\n\nfn main() -> IO + Unit {\n  println(to_string(twice(3)))\n}\n";
    let project = Project::new(&[("app.clank", app), ("lib/counter.clank", counter)]);
    let module = "--module=counter=lib/counter.clank";
    let commands: [&[&str]; 2] = [
        &["run", "app.clank", module],
        &["compile", "app.clank", module],
    ];
    let warning = "lib/counter.clank is not canonical: 1 safe fix pending; run `fixpoint fix lib/counter.clank`\n";
    for command in commands {
        let ended = project.run(command).exits_with(0);
        assert_eq!(ended.stderr, format!("warning: {warning}"), "{command:?}");
        let strict = [command, &["--strict"]].concat();
        let ended = project.run(&strict).exits_with(1);
        assert_eq!(ended.stdout, "", "{command:?}");
        assert_eq!(ended.stderr, format!("error: {warning}"), "{command:?}");
    }
    assert_eq!(project.run(commands[0]).exits_with(0).stdout, "6\n");
    assert_eq!(project.read("lib/counter.clank"), counter);

    // Places are those of the source, and so are errors that no safe fix resolves.
    project.write("app.clank", app.replace('3', "5"));
    let panicked = project.run(commands[0]).exits_with(1);
    panicked.complains("lib/counter.clank:4:3");
    project.write(
        "lib/counter.clank",
        counter.replace("  total\n", "  some\n"),
    );
    project
        .run(commands[0])
        .exits_with(1)
        .complains("error[E1001]: 'some' is not defined")
        .complains("lib/counter.clank:5:3")
        .complains("fixpoint fix lib/counter.clank --approve rc_");

    // In a folder of its own, a file is named as it was passed in.
    project.write("lib/counter.clank", counter);
    let mut inside = project.command(&["run", "../app.clank", "--module=counter=counter.clank"]);
    let ended = inside.current_dir(project.path("lib")).output();
    let ended = String::from_utf8(ended.expect("fixpoint runs").stderr).expect("UTF-8");
    assert!(
        ended.contains("run `fixpoint fix counter.clank`"),
        "{ended}"
    );
}

#[test]
fn unproved_obligations_of_modules_that_are_passed_in_are_reported() {
    // C-98 K-106
    let list = "fn at(xs: [Int], i: Int) -> Int {\n  xs[i]\n}\n";
    let app = "use list.{at}\n\nfn main() -> IO + Unit {\n  println(to_string(at([1, 2], 1)))\n}\n";
    let project = Project::new(&[("app.clank", app), ("list.clank", list)]);
    let command = ["run", "app.clank", "--module=list=list.clank"];
    let ended = project.run(&command).exits_with(0);
    ended
        .complains("warning[E3001]")
        .complains("list.clank:2:3");
    let strict = [&command[..], &["--strict"]].concat();
    project
        .run(&strict)
        .exits_with(1)
        .complains("list.clank has 1 unproved obligation, which strict mode does not accept");
}

#[test]
fn settings_and_comments_decide_what_is_canonical_here_too() {
    // C-78
    let source = "// fixpoint: off\nfn main() -> IO + Unit {\n  println( \"x\" )\n}\n";
    let project = Project::new(&[("off.clank", source), ("no/out.clank", UNTIDY)]);
    project.write("fixpoint.toml", "exclude = [\"no\"]\n");
    project.run(&["run", "off.clank", "--strict"]).exits_with(0);
    let untidy = project.run(&["compile", "no/out.clank", "--strict"]);
    assert!(
        !untidy.stderr.contains("not canonical"),
        "{}",
        untidy.stderr
    );

    // Without canonical text, the assignment to a variable without `mut` is an error.
    let source = "fn main() -> IO + Unit {\n  let n = 1;\n  n = 2;\n  println(to_string(n))\n}\n";
    let project = Project::new(&[("main.clank", source)]);
    project.run(&["build", "--output=out"]).exits_with(0);
    project.write("fixpoint.toml", "[language.clank]\nenabled = false\n");
    project
        .run(&["build", "--output=out"])
        .exits_with(1)
        .complains("error[E2013]");
}

#[test]
fn strict_mode_fails_on_unproved_obligations() {
    // C-98 K-106
    let source = "fn at(xs: [Int], i: Int) -> Int {\n  xs[i]\n}\n\nfn main() -> IO + Unit {\n  println(to_string(at([1, 2], 1)))\n}\n";
    let project = Project::new(&[("main.clank", source)]);
    let ast = project.run(&["compile", "main.clank", "--emit=ast"]);
    project.write("main.json", ast.exits_with(0).stdout);
    let commands: [&[&str]; 5] = [
        &["build", "--output=out"],
        &["run", "main.clank"],
        &["compile", "main.clank"],
        &["run", "main.json"],
        &["compile", "main.json"],
    ];
    for command in commands {
        project.run(command).exits_with(0).complains("E3001");
        let strict = [command, &["--strict"]].concat();
        project
            .run(&strict)
            .exits_with(1)
            .complains("has 1 unproved obligation, which strict mode does not accept");
    }
}

/// The files of a folder with their contents.
fn contents(project: &Project, folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(project.root().join(folder)).expect("a folder");
    let mut files: Vec<_> = entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn generated_code_is_not_edited() {
    // C-99 K-58 K-60
    let source = "mod app\n\nfn main() -> IO + Unit {\n  println(\"x\")\n}\n";
    let project = Project::new(&[("app.clank", source)]);
    for emit in ["all", "js", "ts", "json", "ast", "clank", "interface"] {
        let emit = format!("--emit={emit}");
        project
            .run(&["compile", "app.clank", &emit, "--output=out"])
            .exits_with(0);
    }
    project
        .run(&["build", "app.clank", "--output=out"])
        .exits_with(0);
    let before = contents(&project, "out");
    assert!(before.len() > 12, "{before:?}");
    for paths in [&[][..], &["out"], &["out/app.js", "out/app.result.json"]] {
        project.run(&[&["fix"], paths].concat()).exits_with(0);
        project
            .run(&[&["fix", "--safety=likely"], paths].concat())
            .exits_with(0);
        project
            .run(&[&["check", "--strict"], paths].concat())
            .exits_with(0);
    }
    assert_eq!(contents(&project, "out"), before);
    // The generated copy of the text is not a second module, and is not built again.
    project.run(&["build", "--output=again"]).exits_with(0);
    assert!(!project.root().join("again/out").exists());

    // An edited output is reported and kept, also one of no language.
    for path in ["out/app.js", "out/app.js.map"] {
        let edited = project.read(path) + "\n ";
        project.write(path, &edited);
        let message = format!("{path} is generated, and was edited by hand since");
        for paths in [&[][..], &["out"], &[path]] {
            project
                .run(&[&["check", "--strict"], paths].concat())
                .exits_with(0)
                .complains(&message);
            project
                .run(&[&["fix"], paths].concat())
                .exits_with(0)
                .complains(&message);
        }
        assert_eq!(project.read(path), edited);
        project
            .run(&["compile", "app.clank", "--output=out"])
            .exits_with(0)
            .complains(&format!(
                "{path} was edited by hand since it was generated; it is replaced"
            ));
    }

    // Other files in the folder are sources.
    project.write("out/own.js", "let  x = 1\n");
    project.run(&["check", "--strict"]).exits_with(1);
}
