//! Suspects from real outputs of compilers, test runners and interpreters.

use fixpoint_prove::localize::{Suspect, localize};
use proptest::prelude::*;

const FILES: &[&str] = &[
    "BUILD.bazel",
    "Cargo.toml",
    "README.md",
    "app/calc.py",
    "app/util.py",
    "clank/main.clank",
    "go/add.go",
    "go/add_test.go",
    "java/src/main/java/com/x/Foo.java",
    "java/src/main/java/com/y/Foo.java",
    "java/src/test/java/com/x/FooTest.java",
    "lib/BUILD",
    "lib/parser.cc",
    "lib/parser_test.cc",
    "my dir/a b.py",
    "src/lib.rs",
    "src/net/http.rs",
    "tests/test_calc.py",
    "web/index.js",
    "web/index.test.js",
    "web/types.ts",
];

fn suspects(output: &str) -> Vec<Suspect> {
    let files: Vec<String> = FILES.iter().map(|&file| file.to_owned()).collect();
    localize(output, &files, &["/checkout/repo", "/tmp/scratch/"])
}

/// The paths and lines, best first.
fn places(output: &str) -> Vec<(String, Option<u32>)> {
    let suspects = suspects(output).into_iter();
    suspects
        .map(|suspect| (suspect.path, suspect.line))
        .collect()
}

fn check(output: &str, expected: &[(&str, Option<u32>)]) {
    let expected: Vec<(String, Option<u32>)> = expected
        .iter()
        .map(|(path, line)| ((*path).to_owned(), *line))
        .collect();
    assert_eq!(places(output), expected, "{output}");
}

// E-12
#[test]
fn python_tracebacks() {
    check(
        "Traceback (most recent call last):\n  File \"/checkout/repo/tests/test_calc.py\", line 5, in test\n    \
         add(1)\n  File \"/checkout/repo/app/util.py\", line 9, in add\n    x()\n  File \"/checkout/repo/app/calc.py\", \
         line 3, in x\n    return 1 / 0\n  File \"/usr/lib/python3/json.py\", line 1, in y\n\
         ZeroDivisionError: division by zero\n",
        &[
            ("app/calc.py", Some(3)),
            ("app/util.py", Some(9)),
            ("tests/test_calc.py", Some(5)),
        ],
    );
    check(
        "  File \"my dir/a b.py\", line 2\n    x =\nSyntaxError: invalid\n",
        &[("my dir/a b.py", Some(2))],
    );
}

#[test]
fn pytest_names_the_test_and_its_subject() {
    let output = "    def test_add():\n>       assert add(1, 2) == 3\nE       assert -1 == 3\n\n\
                  tests/test_calc.py:4: AssertionError\n=== short test summary info ===\n\
                  FAILED tests/test_calc.py::test_add - assert -1 == 3\n";
    check(
        output,
        &[("app/calc.py", None), ("tests/test_calc.py", Some(4))],
    );
}

// E-12
#[test]
fn rust_panics_and_spans() {
    check(
        "thread 'net::http::tests::get' panicked at src/net/http.rs:10:5:\nassertion failed\n",
        &[("src/net/http.rs", Some(10))],
    );
    check(
        "thread 'main' panicked at 'oh, no', src/lib.rs:3:1\n",
        &[("src/lib.rs", Some(3))],
    );
    check(
        "warning: unused\n  --> src/lib.rs:1:1\nerror[E0308]: mismatched types\n   --> src/net/http.rs:7:9\n",
        &[("src/net/http.rs", Some(7)), ("src/lib.rs", Some(1))],
    );
    check(
        "test net::http::tests::get ... FAILED\n",
        &[("src/net/http.rs", None)],
    );
    check(
        "---- net::http::tests::get stdout ----\n",
        &[("src/net/http.rs", None)],
    );
}

#[test]
fn go_panics_and_failures() {
    check(
        "panic: boom\n\ngoroutine 1 [running]:\nmain.add(...)\n\t/checkout/repo/go/add.go:12 +0x1d\n\
         main.TestAdd()\n\t/checkout/repo/go/add_test.go:4 +0x2\n",
        &[("go/add.go", Some(12)), ("go/add_test.go", Some(4))],
    );
    check(
        "--- FAIL: TestAdd (0.00s)\n    add_test.go:8: got 1\n",
        &[("go/add.go", None), ("go/add_test.go", Some(8))],
    );
    check("./add.go:3:2: undefined: x\n", &[("go/add.go", Some(3))]);
}

#[test]
fn node_stacks() {
    check(
        "TypeError: x\n    at add (/tmp/scratch/web/index.js:10:5)\n    at Object.<anonymous> \
         (/tmp/scratch/web/index.test.js:3:1)\n    at node:internal/main:1:1\n",
        &[("web/index.js", Some(10)), ("web/index.test.js", Some(3))],
    );
    check(
        "    at file:///checkout/repo/web/index.js:4:2\n",
        &[("web/index.js", Some(4))],
    );
    check(
        "web/types.ts(12,5): error TS2322: Type\n",
        &[("web/types.ts", Some(12))],
    );
    check(
        "FAIL web/index.test.js\n",
        &[("web/index.js", None), ("web/index.test.js", None)],
    );
}

#[test]
fn java_traces_use_the_package() {
    check(
        "java.lang.Error\n\tat com.x.Foo.bar(Foo.java:12)\n\tat com.x.FooTest.test(FooTest.java:5)\n\
         \tat java.base/java.lang.Thread.run(Thread.java:1)\n",
        &[
            ("java/src/main/java/com/x/Foo.java", Some(12)),
            ("java/src/test/java/com/x/FooTest.java", Some(5)),
        ],
    );
    let found = places("[ERROR]   FooTest.bar:7 expected: <1> but was: <2>\n");
    assert_eq!(
        found[0],
        ("java/src/test/java/com/x/FooTest.java".to_owned(), Some(7))
    );
}

#[test]
fn fixpoint_and_colored_diagnostics() {
    check(
        "error: not proved\n --> clank/main.clank:3:14\n",
        &[("clank/main.clank", Some(3))],
    );
    check(
        "\u{1b}[1m\u{1b}[31merror\u{1b}[0m: x\n  \u{1b}[34m-->\u{1b}[0m src/lib.rs:2:1\n",
        &[("src/lib.rs", Some(2))],
    );
}

#[test]
fn bazel_labels_and_sandbox_paths() {
    let found =
        places("FAIL: //lib:parser_test (see /home/u/.cache/bazel/x/testlogs/lib/test.log)\n");
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["lib/parser.cc", "lib/BUILD", "lib/parser_test.cc"]);
    check(
        "ERROR: /checkout/repo/lib/BUILD:3:8: no such target\n",
        &[("lib/BUILD", Some(3))],
    );
    check(
        "/home/u/.cache/bazel/_bazel_u/1/sandbox/linux-sandbox/2/execroot/_main/lib/parser.cc:9:1: error: x\n",
        &[("lib/parser.cc", Some(9))],
    );
    check("see https://lib/parser and @other//lib:parser\n", &[]);
}

#[test]
fn files_outside_of_the_repository_are_ignored() {
    check("/usr/lib/app/calc.py:3: error\n", &[]);
    check("/checkout/repo/../app/calc.py:3: error\n", &[]);
    check("/checkout/repository/app/calc.py:3: error\n", &[]);
    check("Foo.java:3: error: ambiguous\n", &[]);
    check("app/missing.py:3:1: error\n", &[]);
    check("../app/calc.py:3:1: error\n", &[("app/calc.py", Some(3))]);
}

proptest! {
    #[test]
    fn any_output_is_read_without_a_panic(output in "(\\PC|[/:.()\n\t\"'\u{1b}]|//lib:|File \"|, line |at | panicked at |src/lib.rs|--> ){0,60}") {
        let first = suspects(&output);
        prop_assert_eq!(&first, &suspects(&output));
        for suspect in first {
            prop_assert!(FILES.contains(&suspect.path.as_str()));
        }
    }
}
