//! Tests compiling canonical text while the source tree stays unchanged.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use fixpoint_e2e::{Tree, Workspace, binary};

const BUILD: &str = r#"load("@fixpoint//rules:defs.bzl", "canonical_sources")

canonical_sources(
    name = "canonical",
    srcs = [
        "data.json",
        "main.c",
        "main.py",
    ],
)

genrule(
    name = "copy",
    srcs = [":canonical"],
    outs = ["copy.txt"],
    cmd = "cat $(SRCS) > $@",
)

py_binary(
    name = "python",
    srcs = [":canonical_python"],
    main = "main.py",
)

canonical_sources(
    name = "canonical_python",
    srcs = ["main.py"],
)

cc_binary(
    name = "program",
    srcs = [":canonical_c"],
)

canonical_sources(
    name = "canonical_c",
    srcs = ["main.c"],
)
"#;

const PATHS: &str = r#"load("@fixpoint//rules:defs.bzl", "canonical_sources")

canonical_sources(
    name = "canonical_words",
    srcs = ["src/helper/words.py"],
)

py_library(
    name = "words",
    srcs = [":canonical_words"],
    imports = ["src"],
)

py_binary(
    name = "python",
    srcs = ["app.py"],
    main = "app.py",
    deps = [":words"],
)

canonical_sources(
    name = "canonical_shapes",
    srcs = ["include/shapes/area.h"],
)

cc_library(
    name = "shapes",
    hdrs = [":canonical_shapes"],
    includes = ["include"],
)

cc_binary(
    name = "program",
    srcs = ["app.c"],
    deps = [":shapes"],
)
"#;

/// A program that prints its own source text.
const PYTHON: &str = "import pathlib\nprint( pathlib.Path( __file__ ).read_text( ) )\n";
const CANONICAL_PYTHON: &str = "import pathlib\n\nprint(pathlib.Path(__file__).read_text())\n";

/// A text with mixed line ends and without a final one.
const C: &str = "#include <stdio.h>\n\nint main(void) {\r\n  puts(\"it runs\");\n}";
const CANONICAL_C: &str = "#include <stdio.h>\n\nint main(void) {\n  puts(\"it runs\");\n}\n";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("fixpoint.toml", "[language.text]\ninclude = [\"*.c\"]\n");
    workspace.write("pkg/BUILD.bazel", BUILD);
    workspace.write("pkg/data.json", "{\"a\":   1}");
    workspace.write("pkg/main.py", PYTHON);
    workspace.write("pkg/main.c", C);
    workspace
}

#[test]
fn a_genrule_a_python_program_and_a_c_program_are_built_from_canonical_text() {
    // C-54 C-63
    let workspace = workspace();
    let before = Tree::of(workspace.root());
    workspace
        .bazel(["build", "//pkg:copy", "//pkg:program"])
        .succeeds();
    let copied = workspace.read("bazel-bin/pkg/copy.txt");
    assert_eq!(
        copied,
        format!("{{ \"a\": 1 }}\n{CANONICAL_C}{CANONICAL_PYTHON}")
    );
    let python = workspace.bazel(["run", "//pkg:python"]).succeeds();
    assert_eq!(python.stdout, format!("{CANONICAL_PYTHON}\n"));
    workspace
        .bazel(["run", "//pkg:program"])
        .succeeds()
        .says("it runs");
    before.is_unchanged();
}

#[test]
fn import_paths_and_include_paths_stay_as_they_are() {
    let workspace = Workspace::new();
    workspace.write("fixpoint.toml", "[language.text]\ninclude = [\"*.h\"]\n");
    workspace.write("pkg/BUILD.bazel", PATHS);
    workspace.write("pkg/src/helper/words.py", "WORD='it imports'\n");
    workspace.write(
        "pkg/app.py",
        "from helper import words\n\nprint(words.WORD)\n",
    );
    workspace.write("pkg/include/shapes/area.h", "#define AREA 6");
    workspace.write(
        "pkg/app.c",
        "#include <shapes/area.h>\n\nint main(void) { return AREA; }\n",
    );
    workspace
        .bazel(["run", "//pkg:python"])
        .succeeds()
        .says("it imports");
    workspace.bazel(["run", "//pkg:program"]).exits(6);
    let canonical = workspace.read("bazel-bin/pkg/src/helper/words.py");
    assert_eq!(canonical, "WORD = \"it imports\"\n");
    let canonical = workspace.read("bazel-bin/pkg/include/shapes/area.h");
    assert_eq!(canonical, "#define AREA 6\n");
}

#[test]
fn fixing_the_tree_does_not_change_what_is_compiled() {
    // C-54
    let workspace = workspace();
    workspace.bazel(["build", "//pkg:program"]).succeeds();
    let program = fs::read(workspace.path("bazel-bin/pkg/program")).expect("a program");
    workspace.bazel(["run", "//:fix"]).succeeds();
    assert_eq!(workspace.read("pkg/main.c"), CANONICAL_C);
    let again = workspace
        .bazel(["build", "--subcommands", "//pkg:program"])
        .succeeds();
    assert!(fs::read(workspace.path("bazel-bin/pkg/program")).expect("a program") == program);
    // The compiler does not run, because its input did not change.
    assert!(!again.stderr.contains("Compiling pkg/"), "{again}");
}

#[test]
fn compiler_messages_are_mapped_to_the_source_line() {
    // C-54
    let workspace = workspace();
    let text = "import pathlib\nvalue = [ 1,\n  2,\n  3 ]\nraise ValueError( value )\n";
    workspace.write("pkg/main.py", text);
    let failed = workspace
        .bazel(["run", "//pkg:python"])
        .exits(1)
        .says("main.py\", line 4, ");
    let mapped_output = mapped(&workspace, &failed.stderr);
    assert!(
        mapped_output.contains("File \"pkg/main.py\", line 5, "),
        "{mapped_output}"
    );

    let long = "int f(void);\r\n\r\nint main(void) { return undeclared; }\n\n\n";
    workspace.write("pkg/main.c", long);
    let failed = workspace.bazel(["build", "//pkg:program"]).exits(1);
    let mapped_output = mapped(&workspace, &failed.stderr);
    assert!(
        mapped_output.contains("\npkg/main.c:3:25: error: "),
        "{mapped_output}"
    );
}

/// Maps compiler messages to the lines of the source.
fn mapped(workspace: &Workspace, messages: &str) -> String {
    let mut map = Command::new(binary())
        .arg("map")
        .current_dir(workspace.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("fixpoint map");
    let mut input = map.stdin.take().expect("its input");
    input.write_all(messages.as_bytes()).expect("read");
    drop(input);
    let output = map.wait_with_output().expect("its end");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}
