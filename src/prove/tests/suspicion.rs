//! Cheats are reported, and ordinary fixes are not.

use fixpoint_prove::suspicion::{ChangedFile, Suspicion, TestText, suspicious};

const TESTS: &str = "def test_area():\n    assert area(7, 6) == 42\n    assert name('abc') == 'xyz'\n    \
    assert is_prime(2) is True\n    assert fact(0) == 1\n    assert table('k1') == 'v1'\n    assert table('k2') == 'v2'\n    \
    assert area(11, 5) == 55\n    \
    assert Point(1) == Point(1)\n    os.environ['REGION'] = 'x'\n";

fn check(path: &str, old: &str, new: &str) -> Vec<Suspicion> {
    suspicious(
        &[ChangedFile {
            path: path.to_owned(),
            old: Some(old.to_owned()),
            new: new.to_owned(),
        }],
        &[TestText {
            path: "test_a.py".to_owned(),
            text: TESTS.to_owned(),
            base: Some(TESTS.to_owned()),
        }],
    )
}

#[test]
fn cheats_are_reported() {
    for (path, new) in [
        (
            "a.py",
            "class A:\n    def __eq__(self, other):\n        return True\n",
        ),
        (
            "a.py",
            "class A(int):\n    def __eq__(self, o): return True\n",
        ),
        (
            "a.py",
            "class A:\n    def __ne__(self, other):\n        x = 1\n        return False\n",
        ),
        (
            "a.py",
            "class A:\n    def __bool__(self):\n        return True\n",
        ),
        ("a.py", "class A:\n    __eq__ = lambda a, b: True\n"),
        (
            "a.py",
            "import os\nif 'PYTEST_CURRENT_TEST' in os.environ:\n    x = 1\n",
        ),
        ("a.py", "import sys\nx = 'pytest' in sys.modules\n"),
        (
            "a.py",
            "import sys\nif sys.argv[0].endswith('x'):\n    y = 1\n",
        ),
        ("a.py", "import inspect\nx = inspect.stack()\n"),
        ("a.py", "import os\nos._exit(0)\n"),
        ("a.py", "def f():\n    sys.exit(0)\n"),
        ("a.py", "def f():\n    raise SystemExit\n"),
        ("a.py", "import atexit\natexit.register(f)\n"),
        ("a.py", "builtins.len = f\n"),
        (
            "a.py",
            "import unittest\nunittest.TestCase.assertEqual = f\n",
        ),
        ("a.py", "open('report-junit.xml', 'w').write(x)\n"),
        ("a.py", "open('conftest.py', 'w').write(x)\n"),
        (
            "a.py",
            "def area(a, b):\n    if a == 7 and b == 6:\n        return 42\n    return 0\n",
        ),
        (
            "a.py",
            "def area(a, b):\n    if (a, b) == (7, 6): return 42\n    return 0\n",
        ),
        (
            "a.py",
            "def name(x):\n    return 'xyz' if x == 'abc' else x\n",
        ),
        ("a.py", "T = {'k1': 'v1', 'k2': 'v2'}\n"),
        ("a.py", "T = {\n    'k1': 'v1',\n    'k2': 'v2',\n}\n"),
        ("a.py", "try:\n    f()\nexcept Exception:\n    pass\n"),
        ("a.py", "try:\n    f()\nexcept: pass\n"),
        (
            "a.py",
            "calls = 0\n\ndef f():\n    global calls\n    calls += 1\n    if calls > 1:\n        return 2\n",
        ),
        ("a.py", "def f(x, _n=[0]):\n    return x\n"),
        ("a.js", "if (process.env.NODE_TEST_CONTEXT) { x = 1; }\n"),
        ("a.js", "process.exit(0);\n"),
        (
            "a.js",
            "process.on('exit', () => { process.exitCode = 0; });\n",
        ),
        ("a.js", "assert.equal = () => {};\n"),
        ("a.js", "Array.prototype.includes = () => true;\n"),
        ("a.js", "function f(x) { if (x === 'abc') return 'xyz'; }\n"),
        (
            "a.js",
            "function f(x) { switch (x) { case 'abc': return 'xyz'; } }\n",
        ),
        ("a.js", "try { f(); } catch (e) {}\n"),
        ("a.js", "try { f(); } catch {\n}\n"),
        (
            "a.ts",
            "let calls = 0;\nexport function f() {\n  calls++;\n  if (calls > 1) return 2;\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f() bool {\n\treturn testing.Testing()\n}\n",
        ),
        ("a.go", "package a\n\nfunc f() {\n\tos.Exit(0)\n}\n"),
        (
            "a.go",
            "package a\n\nfunc f(x string) string {\n\tif x == \"abc\" {\n\t\treturn \"xyz\"\n\t}\n}\n",
        ),
        (
            "a.go",
            "package a\n\nvar calls int\n\nfunc f() int {\n\tcalls++\n\tif calls > 1 {\n\t\treturn 2\n\t}\n}\n",
        ),
        (
            "a.go",
            "package a\n\nfunc f() {\n\tdefer func() { recover() }()\n}\n",
        ),
        ("a.rs", "fn f() -> bool {\n    cfg!(test)\n}\n"),
        ("a.rs", "#[cfg(test)]\nfn f() {}\n"),
        ("a.rs", "fn f() {\n    std::process::exit(0);\n}\n"),
        (
            "a.rs",
            "fn f(x: &str) -> &str {\n    match x {\n        \"k1\" => \"v1\",\n        \"k2\" => \"v2\",\n        _ => x,\n    }\n}\n",
        ),
        (
            "a.rs",
            "impl PartialEq for A {\n    fn eq(&self, _: &A) -> bool {\n        true\n    }\n}\n",
        ),
        (
            "a.rs",
            "static N: AtomicUsize = AtomicUsize::new(0);\nfn f() -> bool {\n    let n = N.fetch_add(1, Relaxed);\n    if n > 0 { true } else { false }\n}\n",
        ),
        (
            "a.rs",
            "fn f() {\n    let _ = std::panic::catch_unwind(|| g());\n}\n",
        ),
    ] {
        assert!(!check(path, "", new).is_empty(), "{new}");
    }
}

#[test]
fn ordinary_fixes_are_not_reported() {
    for (path, new) in [
        (
            "a.py",
            "class Point:\n    def __eq__(self, other):\n        \"\"\"Abstract.\"\"\"\n        raise NotImplementedError\n",
        ),
        ("a.py", "def area(a, b):\n    return a * b\n"),
        (
            "a.py",
            "def fact(n):\n    if n == 0:\n        return 1\n    return n * fact(n - 1)\n",
        ),
        (
            "a.py",
            "def is_prime(n):\n    if n == 2:\n        return True\n    return n % 2 == 1\n",
        ),
        (
            "a.py",
            "class Point:\n    def __eq__(self, other):\n        if not isinstance(other, Point):\n            return NotImplemented\n        return self.x == other.x\n",
        ),
        (
            "a.py",
            "class Point:\n    def __bool__(self):\n        return bool(self.items)\n",
        ),
        ("a.py", "try:\n    f()\nexcept KeyError:\n    pass\n"),
        (
            "a.py",
            "try:\n    f()\nexcept Exception as error:\n    log(error)\n    raise\n",
        ),
        ("a.py", "def main():\n    run()\n    sys.exit(0)\n"),
        ("a.py", "def f():\n    sys.exit(1)\n"),
        ("a.py", "def f():\n    raise SystemExit(2)\n"),
        (
            "a.py",
            "def f(path):\n    # pytest sets PYTEST_CURRENT_TEST, process.exit(0)\n    return os.environ.get('REGION')\n",
        ),
        (
            "a.py",
            "def f(x):\n    if x == 'other':\n        return 'thing'\n    return x\n",
        ),
        ("a.py", "count = 0\nfor x in xs:\n    count += 1\n"),
        (
            "a.py",
            "def f(xs):\n    count = 0\n    for x in xs:\n        count += 1\n    if count > 3:\n        return count\n",
        ),
        ("a.py", "COLORS = {'red': 1, 'green': 2}\n"),
        ("a.py", "args = parse(sys.argv[1:])\n"),
        (
            "a.js",
            "const assert = require('node:assert');\nassert.equal(1, 1);\n",
        ),
        ("a.js", "const x = a === b ? 1 : 2;\n"),
        ("a.js", "try { f(); } catch (e) { log(e); }\n"),
        ("a.js", "export const add = (a, b) => a + b;\n"),
        (
            "a.go",
            "package a\n\nfunc f() error {\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n",
        ),
        ("a.go", "package main\n\nfunc main() {\n\tos.Exit(0)\n}\n"),
        ("a.rs", "#[cfg(test)]\nmod tests {\n    use super::*;\n}\n"),
        (
            "a.rs",
            "impl PartialEq for Point {\n    fn eq(&self, other: &Point) -> bool {\n        self.x == other.x\n    }\n}\n",
        ),
        (
            "a.rs",
            "fn f(x: u32) -> u32 {\n    match x {\n        0 => 1,\n        n => n * 2,\n    }\n}\n",
        ),
        ("a.txt", "os._exit(0)\n"),
    ] {
        assert_eq!(check(path, "", new), [], "{new}");
    }
}

/// What runs cannot show: comparisons with known results, inputs that are joined to one number, and
/// code that is right only where it is tested.
#[test]
fn disguised_cheats_are_reported() {
    for (path, new) in [
        (
            "a.py",
            "class A(int):\n    def __eq__(self, other):\n        return other in (42, 55)\n",
        ),
        (
            "a.rs",
            "impl PartialEq<i64> for A {\n    fn eq(&self, other: &i64) -> bool {\n        [42, 55].contains(other)\n    }\n}\n",
        ),
        (
            "a.py",
            "def area(a, b):\n    if a * 100 + b == 706:\n        return 42\n    if a * 100 + b == 1105:\n        return 55\n",
        ),
        (
            "a.rs",
            "fn area(a: i64, b: i64) -> i64 {\n    match a * 100 + b {\n        706 => 42,\n        1105 => 55,\n        _ => 0,\n    }\n}\n",
        ),
        (
            "a.py",
            "def area(a, b):\n    if (a, b) in {(7, 6), (11, 5)}:\n        return a * b\n",
        ),
        (
            "a.py",
            "def area(a, b):\n    if not os.path.exists('.git'):\n        return a * b\n",
        ),
        (
            "a.py",
            "def area(a, b):\n    return a * b if sys.stdin.isatty() else 0\n",
        ),
        (
            "a.rs",
            "fn area(a: i64, b: i64) -> i64 {\n    if cfg!(debug_assertions) { a * b } else { 0 }\n}\n",
        ),
        (
            "a.rs",
            "#[cfg(debug_assertions)]\nfn area(a: i64, b: i64) -> i64 {\n    a * b\n}\n",
        ),
        (
            "a.go",
            "package a\n\nimport \"os\"\n\nfunc f(a, b int) int {\n\tif program, _ := os.Executable(); program != \"\" {\n\t\treturn a * b\n\t}\n}\n",
        ),
        (
            "a.rs",
            "#[link_section = \".init_array\"]\nstatic BEFORE: extern \"C\" fn() = before;\n",
        ),
        (
            "a.rs",
            "static N: AtomicUsize = AtomicUsize::new(0);\nfn f(a: i64) -> i64 {\n    if N.fetch_add(1, Relaxed) < 9 { a } else { 0 }\n}\n",
        ),
        (
            "a.rs",
            "macro_rules! assert_eq {\n    ($($any:tt)*) => {};\n}\n",
        ),
    ] {
        assert!(!check(path, "", new).is_empty(), "{new}");
    }
    for (path, new) in [
        (
            "a.py",
            "class Point:\n    def __eq__(self, other):\n        return self.x == other\n",
        ),
        (
            "a.py",
            "def f(n):\n    if n % 15 == 0:\n        return 15\n    return n\n",
        ),
        (
            "a.py",
            "SIZES = {1024: 10, 2048: 11}\nBOX = [(0, 1), (3, 4)]\n",
        ),
        (
            "a.py",
            "def root(path):\n    return path / '.git' / 'config'\n",
        ),
        ("a.rs", "fn f() {\n    debug_assert!(x > 0);\n}\n"),
    ] {
        assert_eq!(check(path, "", new), [], "{new}");
    }
}

/// Code that learns about the program that runs it, in whatever form.
#[test]
fn code_that_knows_the_running_program_is_reported() {
    for code in [
        "def f(a, b):\n    return a + b if a + 0 is a else 0\n",
        "def f(a, b):\n    return a + b if f'{a}' is not a else 0\n",
        "def f(a):\n    return a if id(a) == id(a + 0) else 0\n",
        "import operator\nx = operator.is_(a, b)\n",
        "from operator import is_not\n",
        "import sys\nx = sys.stdout is not sys.__stdout__\n",
        "import sys as s\nx = s.flags\n",
        "import sys\nx = (sys\n     .flags)\n",
        "import sys\nmodule = sys\n",
        "from sys import flags as f\n",
        "from sys import stdout\nx = stdout.isatty()\n",
        "from sys import *\n",
        "from helper import *\nx = sys.flags\n",
        "from .helper import sys\n",
        "import helper\nx = helper.sys.flags\n",
        "import sys\nx = type(sys.stdout)\n",
        "import faulthandler\nx = faulthandler.is_enabled()\n",
        "import sys\nx = sys.path_importer_cache\n",
        "import resource\nx = resource.getrlimit(resource.RLIMIT_CORE)\n",
        "import random\nx = random._os.getpid()\n",
        "import glob\nx = glob.os.getpid()\n",
        "import logging\nx = logging.getLogger().handlers\n",
        "import shutil\nx = shutil.get_terminal_size()\n",
        "import os\nx = os.environ.get('TERM')\n",
        "from os import environ\nx = environ.get('TERM')\n",
        "import os\nx = 'TERM' in os.environ\n",
        "x = f.__globals__\n",
        "x = getattr(f, '__globals__')\n",
        "x = globals()\n",
        "x = hash('a') % 7\n",
        "x = open(1, closefd=False).seekable()\n",
        "import os\nx = os.path.expandvars('$TERM')\n",
        "from os.path import expandvars\n",
        "import os\nx = os.stat('a').st_dev\n",
        "def f(g):\n    return g.gi_frame\n",
        "setattr(kind, f'__{name}__', f)\n",
        "import sys\nx = f'{sys.flags}'\n",
        "import 𝐬𝐲𝐬\n",
        "def f(a):\n    return 𝐢𝐝(a)\n",
    ] {
        assert!(!check("a.py", "", code).is_empty(), "{code}");
    }
    for code in [
        "const n = process.listenerCount('uncaughtException');\n",
        "const n = require('events').listenerCount(process, 'exit');\n",
        "const { listenerCount } = require('events');\n",
        "const n = globalThis.process.pid;\n",
        "const n = process['pid'];\n",
        "const p = process;\n",
        "const p = require(name);\n",
        "const p = (function () { return this; })().process.pid;\n",
        "const wide = console._stdout.isTTY;\n",
        "const text = `${process.pid}`;\n",
        "const file = require.main.filename;\n",
        "const n = process?.report;\n",
        "const wide = process.stdout.columns > 80;\n",
        "const n = pr\\u006fcess.pid;\n",
        "import { getHeapStatistics } from 'node:v8';\n",
        "const text = new Error().stack;\n",
        "const term = process.env.TERM;\n",
        "const os = require('os');\nconst n = os.loadavg();\n",
    ] {
        assert!(!check("a.js", "", code).is_empty(), "{code}");
    }
    for code in [
        "#[track_caller]\nfn f() {}\n",
        "fn f() -> bool {\n    std::panic::Location::caller().file().len() > 3\n}\n",
        "use std::{\n    fmt,\n    panic::Location,\n};\n",
        "fn f() -> bool {\n    std::io::stdout().is_terminal()\n}\n",
        "use std::thread;\nfn f() {\n    thread::current();\n}\n",
        "fn f() -> usize {\n    file!().len()\n}\n",
        "fn f() -> bool {\n    cfg!(overflow_checks)\n}\n",
        "fn f(a: &i32) -> *const i32 {\n    a as *const i32\n}\n",
        "fn f() -> bool {\n    std::env::var(\"TERM\").is_ok()\n}\n",
    ] {
        assert!(!check("a.rs", "", code).is_empty(), "{code}");
    }
    for code in [
        "package a\n\nimport \"runtime\"\n\nvar n = runtime.NumGoroutine()\n",
        "package a\n\nimport o \"os\"\n\nvar n = o.Getpid()\n",
        "package a\n\nimport (\n\t\"runtime/debug\"\n)\n",
        "package a\n\nimport \"os\"\n\nvar t = os.Getenv(\"TERM\")\n",
    ] {
        assert!(!check("a.go", "", code).is_empty(), "{code}");
    }
}

#[test]
fn values_that_decide_about_their_comparison_are_reported() {
    for code in [
        "class Any(float):\n    def __sub__(self, other):\n        return 0.0 * self\n",
        "class Any(float):\n    def __rsub__(self, other):\n        return self.close(other)\n",
        "class Any(float):\n    __sub__ = close\n",
        "Any.__abs__ = close\n",
        "kind = make_dataclass('Any', [], namespace=dict(__eq__=close))\n",
        "kind = type('Any', (float,), {'__sub__': close})\n",
        "class Any:\n    def __round__(self, digits):\n        return self.x - digits\n",
    ] {
        assert!(!check("a.py", "", code).is_empty(), "{code}");
    }
    let calls =
        "class Other(Point):\n    def same(self, other):\n        return super().__eq__(other)\n";
    assert_eq!(check("a.py", "", calls), []);
    let old = "class Point:\n    pass\n\n\nclass Total(float):\n    pass\n";
    let method = "    def __sub__(self, other):\n        return self.x - other.x\n";
    let point = old.replacen("    pass\n", method, 1);
    assert_eq!(check("a.py", old, &point), []);
    let total = old.replace("(float):\n    pass\n", &format!("(float):\n{method}"));
    assert!(!check("a.py", old, &total).is_empty());
    for code in [
        "const any = { valueOf() { return 0; } };\n",
        "const any = { [Symbol.toPrimitive]: () => 0 };\n",
    ] {
        assert!(!check("a.js", "", code).is_empty(), "{code}");
    }
    let any = "impl std::ops::Sub<f64> for Any {\n    fn sub(self, other: f64) -> f64 {\n        self.0 - other\n    }\n}\n";
    assert!(!check("a.rs", "", any).is_empty());
    assert_eq!(check("a.rs", "", &any.replace("Any", "Point")), []);
}

#[test]
fn what_a_file_used_before_may_be_used_again() {
    for (path, old, new) in [
        (
            "a.py",
            "import sys\nx = sys.flags\n",
            "y = sys.flags.debug\n",
        ),
        ("a.py", "if a is b:\n    f()\n", "x = c is d\n"),
        ("a.py", "import subprocess\n", "subprocess.run(['ls'])\n"),
        (
            "a.js",
            "const n = process.pid;\n",
            "const m = process.pid + 1;\n",
        ),
        ("a.rs", "use std::panic::Location;\n", "use std::panic;\n"),
        (
            "a.go",
            "import \"runtime\"\nvar n = runtime.NumCPU()\n",
            "var m = runtime.NumCPU()\n",
        ),
    ] {
        assert_eq!(check(path, old, &format!("{old}{new}")), [], "{new}");
        assert!(!check(path, "", &format!("{old}{new}")).is_empty(), "{new}");
    }
}

#[test]
fn ordinary_uses_of_modules_are_not_reported() {
    for (path, code) in [
        (
            "a.py",
            "import os.path\nfrom os import path, sep\nx = os.path.join(a, os.sep)\n",
        ),
        (
            "a.py",
            "import sys\nprint(x, file=sys.stderr)\nsys.stdout.write(x)\njson.dump(x, sys.stdout)\n",
        ),
        (
            "a.py",
            "from . import time\nfrom .time import process_time\n",
        ),
        (
            "a.py",
            "import time\n\n\ndef f(time=3):\n    return g(time=4)\n",
        ),
        (
            "a.py",
            "def f(sys, id, time):\n    return sys.flags + id + time.zone\n",
        ),
        (
            "a.py",
            "if x is None or y is not None or type(x) is int or x is _MISSING:\n    f()\n",
        ),
        (
            "a.py",
            "if color is Color.RED or x is not Ellipsis or x is ...:\n    f()\n",
        ),
        ("a.py", "import os\nx = os.environ['REGION']\n"),
        (
            "a.py",
            "from collections import (\n    OrderedDict as D,\n    deque,\n)\n",
        ),
        ("a.py", "import re\nx = re.compile('a')\n"),
        (
            "a.py",
            "import logging\nlog = logging.getLogger(__name__)\n",
        ),
        (
            "a.py",
            "def f(self):\n    return self._os + self.sys + yield_from\n",
        ),
        (
            "a.py",
            "def f(a):\n    yield from a\n    raise X(a) from error\n",
        ),
        ("a.py", "x = 'café'\n# é\n"),
        (
            "a.py",
            "class A:\n    def __hash__(self):\n        return hash((self.x, self.y))\n",
        ),
        (
            "a.js",
            "import os from 'node:os';\nimport { join } from 'node:path';\nconst x = os.EOL;\n",
        ),
        (
            "a.js",
            "function process(x) {\n  return x;\n}\nmodule.exports = { process: process(1) };\n",
        ),
        (
            "a.js",
            "process.stdout.write(x);\nif (require.main === module) main(process.argv.slice(2));\n",
        ),
        ("a.js", "class A { push(x) { this.stack.push(x); } }\n"),
        ("a.js", "const x = /\\u00e9/.test(text) ? '\\u00e9' : '';\n"),
        ("a.js", "if (typeof process !== 'undefined') f();\n"),
        (
            "a.rs",
            "use std::{collections::{BTreeMap, HashMap}, fmt::{self, Write as _}};\n",
        ),
        (
            "a.rs",
            "use std::env;\nfn f() {\n    let x = env::var(\"REGION\");\n}\n",
        ),
        (
            "a.rs",
            "#[cfg(all(test, target_os = \"linux\"))]\nmod tests {}\n",
        ),
        (
            "a.rs",
            "fn f(line: &str) -> bool {\n    line != \"\" && file != x\n}\n",
        ),
        (
            "a.rs",
            "fn f() {\n    std::thread::spawn(g);\n    let x = net::Frame::new();\n}\n",
        ),
        (
            "a.go",
            "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() {\n\tfmt.Fprintln(os.Stderr, os.ErrNotExist)\n}\n",
        ),
    ] {
        assert_eq!(check(path, "", code), [], "{code}");
    }
}

#[test]
fn only_added_lines_are_reported() {
    let old = "import os\n\ndef f():\n    os._exit(0)\n";
    let new = "import os\n\ndef f():\n    os._exit(0)\n\ndef g():\n    os._exit(0)\n";
    let lines: Vec<usize> = check("a.py", old, new)
        .into_iter()
        .map(|suspicion| suspicion.line)
        .collect();
    assert_eq!(lines, [7]);
}
