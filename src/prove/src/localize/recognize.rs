//! Finds the places that an output names: stack frames, compiler spans, tests and Bazel labels.

use super::Hit;
use super::resolve::Files;

/// Reads an output line by line.
pub(super) struct Recognizer<'a> {
    files: &'a Files<'a>,
    hits: Vec<Hit>,
    /// The hit of the latest Python frame of the current traceback.
    python_frame: Option<usize>,
    /// Whether the innermost frame of the current stack was already found.
    in_stack: bool,
    /// The weight of the next `-->` span: that of the diagnostic before it.
    span_weight: u32,
}

const ERROR: u32 = 100;
const PANIC: u32 = 95;
const INNERMOST_FRAME: u32 = 90;
const FRAME: u32 = 70;
const POSITION: u32 = 60;
const FAILED_TEST: u32 = 50;
const WARNING: u32 = 45;
const LABEL: u32 = 42;
const PACKAGE: u32 = 32;
const MENTION: u32 = 20;

impl<'a> Recognizer<'a> {
    pub(super) fn new(files: &'a Files<'a>) -> Self {
        Self {
            files,
            hits: Vec::new(),
            python_frame: None,
            in_stack: false,
            span_weight: ERROR,
        }
    }

    pub(super) fn finish(mut self) -> Vec<Hit> {
        self.end_traceback();
        self.hits
    }

    /// Reads one line. The first recognizer that knows the form of the line decides.
    pub(super) fn line(&mut self, line: &str) {
        let text = line.trim_start();
        self.severity(line);
        if self.python(text) {
            return;
        }
        if !line.starts_with(' ') {
            self.end_traceback();
        }
        if self.frame(line, text) {
            return;
        }
        if !text.starts_with("at ") && !text.starts_with("goroutine ") && !text.is_empty() {
            self.in_stack = self.in_stack && line.starts_with(char::is_whitespace);
        }
        if self.panic(text) || self.span(text) {
            return;
        }
        self.tests(text);
        self.labels(text);
        self.positions(line);
    }

    fn push(&mut self, raw: &str, line: Option<u32>, why: &'static str, weight: u32) -> bool {
        match self.files.resolve(raw) {
            Some(path) => {
                self.push_path(path, line, why, weight);
                true
            }
            None => false,
        }
    }

    fn push_path(&mut self, path: &str, line: Option<u32>, why: &'static str, weight: u32) {
        self.hits.push(Hit {
            path: path.to_owned(),
            line,
            why,
            weight,
        });
    }

    fn severity(&mut self, line: &str) {
        for (word, weight) in [("error", ERROR), ("warning", WARNING), ("note", WARNING)] {
            if line
                .strip_prefix(word)
                .is_some_and(|rest| rest.starts_with([':', '[']))
            {
                self.span_weight = weight;
            }
        }
    }

    /// `File "PATH", line N, in NAME`. The last frame of a traceback is the innermost one.
    fn python(&mut self, text: &str) -> bool {
        let parsed = text.strip_prefix("File \"").and_then(|rest| {
            let (path, rest) = rest.split_once("\", line ")?;
            Some((path, leading_number(rest)?))
        });
        let Some((path, line)) = parsed else {
            return false;
        };
        if self.push(path, Some(line), "Python traceback", FRAME) {
            self.python_frame = Some(self.hits.len() - 1);
        }
        true
    }

    fn end_traceback(&mut self) {
        if let Some(hit) = self
            .python_frame
            .take()
            .and_then(|index| self.hits.get_mut(index))
        {
            hit.weight = INNERMOST_FRAME;
            hit.why = "innermost frame of a Python traceback";
        }
    }

    /// Frames of Node, Java, Rust and Go. The first one of a stack is the innermost one.
    fn frame(&mut self, line: &str, text: &str) -> bool {
        let go = line.starts_with('\t') && text.contains(".go:");
        let Some(rest) = text.strip_prefix("at ").or(go.then_some(text)) else {
            if text.starts_with("goroutine ") {
                self.in_stack = false;
            }
            return false;
        };
        let inner = rest
            .rsplit_once('(')
            .and_then(|(call, inner)| Some((call, inner.split_once(')')?.0)));
        let (call, place) = inner.unwrap_or(("", rest));
        let place = if go {
            place.split(" +0x").next().unwrap_or(place)
        } else {
            place
        };
        let place = place.strip_prefix("async ").unwrap_or(place);
        let Some((raw, number)) = position(place) else {
            return false;
        };
        let java = java_path(call, raw).and_then(|path| self.files.only_suffix(&path));
        let Some(path) = java.or_else(|| self.files.resolve(raw)) else {
            return true;
        };
        let (why, weight) = match self.in_stack {
            false => ("innermost frame of a stack trace", INNERMOST_FRAME),
            true => ("stack trace", FRAME),
        };
        self.in_stack = true;
        self.push_path(path, Some(number), why, weight);
        true
    }

    /// `thread 'x' panicked at src/lib.rs:10:5:`, also with the message before the place.
    fn panic(&mut self, text: &str) -> bool {
        let Some((_, rest)) = text.split_once(" panicked at ") else {
            return false;
        };
        let place = rest.rsplit_once("', ").map_or(rest, |(_, place)| place);
        let found = position(place);
        found.is_some_and(|(raw, line)| self.push(raw, Some(line), "Rust panic", PANIC))
    }

    /// `--> PATH:LINE:COLUMN`, as in diagnostics of rustc, Clank and Fixpoint.
    fn span(&mut self, text: &str) -> bool {
        let rest = text
            .strip_prefix("--> ")
            .or_else(|| text.strip_prefix("::: "));
        let Some((raw, line)) = rest.and_then(position) else {
            return false;
        };
        let weight = self.span_weight;
        self.push(raw, Some(line), "compiler diagnostic", weight)
    }

    fn tests(&mut self, text: &str) {
        let failed = ["FAILED", "ERROR", "FAIL"]
            .iter()
            .any(|word| text.contains(word));
        for word in text.split_whitespace() {
            // pytest: `tests/test_a.py::test_x`.
            if let Some((path, _)) = word
                .split_once("::")
                .filter(|(path, _)| path.ends_with(".py"))
            {
                let weight = if failed { FAILED_TEST } else { MENTION };
                self.push(path, None, "failing test", weight);
            }
        }
        // libtest: `test a::b::tests::name ... FAILED` and `---- a::b::tests::name stdout ----`.
        let name = text
            .strip_prefix("test ")
            .and_then(|rest| rest.strip_suffix(" ... FAILED"))
            .or_else(|| text.strip_prefix("---- ")?.strip_suffix(" stdout ----"));
        if let Some(name) = name {
            self.rust_test(name.split(" - ").next().unwrap_or(name));
        }
        // Go: `--- FAIL: TestAddTwo (0.00s)`.
        if let Some(rest) = text.strip_prefix("--- FAIL: Test") {
            let name = rest.split(['/', ' ', '_']).next().unwrap_or_default();
            let file = format!("{}_test.go", snake_case(name));
            if let Some(path) = self.files.only_suffix(&file) {
                self.push_path(path, None, "failing test", FAILED_TEST);
            }
        }
        // Maven: `[ERROR] FooTest.bar:12 expected ...`.
        if let Some(rest) = text.strip_prefix("[ERROR]") {
            let word = rest.split_whitespace().next().unwrap_or_default();
            let (name, line) =
                position(word).map_or((word, None), |(name, line)| (name, Some(line)));
            let class = name
                .split('.')
                .find(|part| part.starts_with(char::is_uppercase));
            let path = class.and_then(|class| self.files.only_suffix(&format!("{class}.java")));
            if let Some(path) = path {
                self.push_path(path, line, "failing test", FAILED_TEST);
            }
        }
    }

    /// The file of a Rust test, from the longest module path that is a file.
    fn rust_test(&mut self, name: &str) {
        let parts: Vec<&str> = name.split("::").collect();
        for length in (1..parts.len()).rev() {
            let module = parts[..length].join("/");
            for suffix in [format!("src/{module}.rs"), format!("src/{module}/mod.rs")] {
                if let Some(path) = self.files.only_suffix(&suffix) {
                    self.push_path(path, None, "failing test", FAILED_TEST);
                    return;
                }
            }
        }
    }

    /// `//package:target` and `//package`: the sources named like the target, and the BUILD file.
    fn labels(&mut self, text: &str) {
        for (at, _) in text.match_indices("//") {
            let before = text[..at].chars().next_back();
            let external =
                text[..at].ends_with(|c: char| c.is_alphanumeric() || ":_-.~/+".contains(c));
            if external || before == Some('\\') {
                continue;
            }
            let label = &text[at + 2..];
            let end = label
                .find(|c: char| !(c.is_alphanumeric() || "_-./+=~:".contains(c)))
                .unwrap_or(label.len());
            let label = label[..end].trim_end_matches([':', '.']);
            let (package, target) = label
                .split_once(':')
                .unwrap_or((label, super::resolve::name_of(label)));
            let package = package.trim_end_matches('/');
            let in_package = |name: &str| match package {
                "" => name.to_owned(),
                _ => format!("{package}/{name}"),
            };
            for name in ["BUILD.bazel", "BUILD"].map(in_package) {
                if self.files.contains(&name) {
                    self.push_path(&name, None, "package of a Bazel label", PACKAGE);
                }
            }
            let subject = ["_test", "_tests"]
                .iter()
                .find_map(|suffix| target.strip_suffix(suffix));
            let itself = in_package(target);
            if self.files.contains(&itself) && !target.is_empty() {
                self.push_path(&itself, None, "Bazel label", LABEL);
            }
            for stem in std::iter::once(target)
                .chain(subject)
                .filter(|stem| !stem.is_empty())
            {
                for path in self.files.with_stem(package, stem) {
                    self.push_path(path, None, "named like a Bazel label", LABEL);
                }
            }
        }
    }

    /// `PATH:LINE:COLUMN`, `PATH:LINE`, `PATH(LINE,COLUMN)` and plain paths, anywhere in a line.
    fn positions(&mut self, line: &str) {
        let is_error = ["error", "Error", "FAIL", "undefined"]
            .iter()
            .any(|word| line.contains(word));
        for (index, word) in line.split_whitespace().enumerate() {
            let word = word.trim_matches(|c: char| "\"'`<>[]{},;".contains(c));
            let word = word.strip_prefix('(').unwrap_or(word);
            if let Some((raw, number)) = position(word) {
                // A compiler's message starts with its place.
                let (why, weight) = match is_error && index < 2 {
                    true => ("error message", ERROR - 5),
                    false => ("named in the output", POSITION),
                };
                self.push(raw, Some(number), why, weight);
            } else if word.contains(['/', '.']) && !word.contains("::") {
                let word = word.trim_end_matches([':', ')', '.']);
                self.push(word, None, "named in the output", MENTION);
            }
        }
    }
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text[..end].parse().ok().filter(|line| *line > 0)
}

/// The path and line of `PATH:LINE`, `PATH:LINE:COLUMN` or `PATH(LINE,COLUMN)`, followed by any
/// punctuation.
fn position(text: &str) -> Option<(&str, u32)> {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
    if let Some((path, numbers)) = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once('('))
    {
        let line = numbers.split(',').next()?;
        return Some((path, line.parse().ok().filter(|line| *line > 0)?));
    }
    let text = text.trim_end_matches(')');
    let number = |text: &str| text.parse::<u32>().ok();
    let (before, last) = text.rsplit_once(':')?;
    // `a.py:3:AssertionError` has a word where the column would be.
    let last = match number(last) {
        Some(last) => last,
        None => {
            let (path, line) = before.rsplit_once(':')?;
            return Some((path, number(line).filter(|line| *line > 0)?));
        }
    };
    let (path, line) = match before.rsplit_once(':') {
        Some((path, line)) if number(line).is_some() => (path, number(line)?),
        _ => (before, last),
    };
    (line > 0 && !path.is_empty()).then_some((path, line))
}

/// `com/x/Foo.java` for a frame `com.x.Foo.bar(Foo.java:1)`.
fn java_path(call: &str, file: &str) -> Option<String> {
    if !file.ends_with(".java") && !file.ends_with(".kt") && !file.ends_with(".scala") {
        return None;
    }
    let call = call.rsplit_once('/').map_or(call, |(_, call)| call);
    let packages: Vec<&str> = call
        .split('.')
        .take_while(|part| part.starts_with(char::is_lowercase))
        .collect();
    match packages.is_empty() {
        true => Some(file.to_owned()),
        false => Some(format!("{}/{file}", packages.join("/"))),
    }
}

/// `AddTwo` as `add_two`.
fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for (index, character) in name.chars().enumerate() {
        if character.is_uppercase() && index > 0 {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}
