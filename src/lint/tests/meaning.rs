//! Safe fixes keep the meaning of a file. The meaning is computed here, independently of the rules: every
//! spelling that Bazel has replaced means the same as its replacement, and everything else means itself.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{apply, files_below, findings, read};
use fixpoint_lint::LintPhase;
use fixpoint_report::Safety;
use fixpoint_starlark::{Kind, NodeRef, Nodes, Shape, parse};

/// Programs in which a careless fix changes the meaning.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "a.bzl",
        "x = attr.label(single_file = False, allow_files = [\".cc\"])\n",
    ),
    (
        "a.bzl",
        "x = attr.label(allow_files = f(1), mandatory = True, single_file = True)\n",
    ),
    ("a.bzl", "x = attr.label(single_file = True)\n"),
    (
        "a.bzl",
        "x = attr.label_list(non_empty = a or b, cfg = \"data\")\n",
    ),
    (
        "a.bzl",
        "x = attr.label_list(non_empty = f(x), allow_files = True)\n",
    ),
    ("a.bzl", "x = attr.label(cfg = \"data\", doc = \"cfg\")\n"),
    (
        "a.bzl",
        "def f(x):\n    return len(x = x) + int(x = \"1\", base = 2)\n",
    ),
    (
        "a.bzl",
        "y = getattr(x = a, name = \"b\", default = c(d = 1))\n",
    ),
    ("a.bzl", "y = hasattr(a, name = \"b\")\n"),
    (
        "a.bzl",
        "def f():\n    x = \"PACKAGE_NAME\" + PACKAGE_NAME\n    return x\n",
    ),
    (
        "a.bzl",
        "def f(PACKAGE_NAME):\n    return [REPOSITORY_NAME, PACKAGE_NAME]\n",
    ),
    (
        "a.bzl",
        "\"\"\"Skylark.\"\"\"\n\nx = \"Skylark\"  # Skylark\n\ndef f():\n    \"\"\"In Skylark.\"\"\"\n    return \"skylark\"\n",
    ),
    (
        "BUILD",
        "load(\":a.bzl\", \"a\", b = \"c\", d = \"d\")\n\nb(name = \"d\", srcs = [\"a\"])\n",
    ),
    (
        "BUILD",
        "load(\":a.bzl\", \"a\")\nload(\":b.bzl\", \"b\")\n\nb(name = \"a\")\n",
    ),
];

/// The meaning of a file as one line for each statement. A file that does not parse has none.
fn meaning(text: &str) -> Vec<String> {
    let parsed = parse(text);
    assert!(parsed.errors.is_empty(), "{text}");
    let statements = parsed.tree.statements();
    let mut file = Meaning::default();
    for node in statements.iter() {
        if let Shape::Load(load) = node.shape() {
            let module = load.module.text();
            let symbols = load.symbols();
            file.loaded
                .extend(symbols.map(|it| (it.name(), format!("{module}%{}", it.remote.text()))));
        }
    }
    file.block(statements)
}

#[derive(Default)]
struct Meaning {
    /// What each loaded name refers to.
    loaded: BTreeMap<String, String>,
    /// The parameters of the functions around.
    parameters: Vec<String>,
}

impl Meaning {
    fn block(&mut self, nodes: Nodes<'_, '_>) -> Vec<String> {
        let mut nodes: Vec<NodeRef<'_, '_>> = nodes.iter().collect();
        nodes.retain(|it| !matches!(it.kind(), Kind::CommentBlock | Kind::Load));
        // A docstring is for readers.
        if nodes.first().is_some_and(|it| it.kind() == Kind::String) {
            nodes.remove(0);
        }
        nodes.into_iter().map(|it| self.of(it)).collect()
    }

    fn of(&mut self, node: NodeRef<'_, '_>) -> String {
        match node.shape() {
            Shape::Ident(name) if self.parameters.iter().any(|it| it == name) => name.to_owned(),
            Shape::Ident("PACKAGE_NAME") => "native.package_name()".to_owned(),
            Shape::Ident("REPOSITORY_NAME") => "native.repository_name()".to_owned(),
            Shape::Ident(name) => self.loaded.get(name).cloned().unwrap_or(name.to_owned()),
            Shape::Number(_) | Shape::String => node.text().to_owned(),
            Shape::Paren(inside) => self.of(inside),
            Shape::Dot { object, name, .. } => format!("{}.{name}", self.of(object)),
            Shape::Call { callee, arguments } => {
                let function = self.of(callee);
                let arguments = self.arguments(&function, arguments);
                format!("{function}({})", arguments.join(", "))
            }
            Shape::Def(function) => {
                let before = self.parameters.len();
                let names = function.parameters.iter().filter_map(|it| it.name());
                self.parameters.extend(names.map(str::to_owned));
                let parameters = function.parameters.iter();
                let parameters: Vec<String> = parameters.map(|it| self.of(it)).collect();
                let body = self.block(function.body);
                self.parameters.truncate(before);
                format!("def {}({parameters:?}) {body:?}", function.name)
            }
            Shape::Assign { op, target, value } => {
                let target = target.text();
                format!("({target} {op:?} {})", self.of(value))
            }
            // `not` of a constant is a constant.
            Shape::Unary {
                op,
                operand: Some(it),
            } => match (op.text(), it.text()) {
                ("not", "True") => "False".to_owned(),
                ("not", "False") => "True".to_owned(),
                _ => format!("({} {})", op.text(), self.of(it)),
            },
            _ => {
                let parts: Vec<String> =
                    node.children().into_iter().map(|it| self.of(it)).collect();
                format!("{:?} {:?} {parts:?}", node.kind(), node.op())
            }
        }
    }

    fn arguments(&mut self, function: &str, arguments: Nodes<'_, '_>) -> Vec<String> {
        let parameters: &[&str] = match function {
            "len" | "int" => &["x"],
            "hasattr" => &["x", "name"],
            "getattr" => &["x", "name", "default"],
            _ => &[],
        };
        let mut positional = Vec::new();
        let mut keywords: BTreeMap<String, String> = BTreeMap::new();
        for (at, argument) in arguments.iter().enumerate() {
            match argument.shape() {
                Shape::Assign { target, value, .. } => {
                    let (name, value) = (target.text().to_owned(), self.of(value));
                    assert!(keywords.insert(name, value).is_none(), "twice");
                }
                _ => positional.push((at, self.of(argument))),
            }
        }
        let mut given: Vec<String> = positional.into_iter().map(|it| it.1).collect();
        while let Some(value) = parameters
            .get(given.len())
            .and_then(|it| keywords.remove(*it))
        {
            given.push(value);
        }
        if function.starts_with("attr.") {
            replaced_attributes(&mut keywords);
        }
        given.extend(
            keywords
                .into_iter()
                .map(|(name, value)| format!("{name} = {value}")),
        );
        given
    }
}

/// Replaces the parameters that Bazel has removed as its release notes say.
fn replaced_attributes(keywords: &mut BTreeMap<String, String>) {
    if keywords.get("cfg").is_some_and(|it| it == "\"data\"") {
        keywords.remove("cfg");
    }
    if let Some(value) = keywords.remove("non_empty") {
        let negated = match value.as_str() {
            "True" => "False".to_owned(),
            "False" => "True".to_owned(),
            _ => format!("(not {value})"),
        };
        keywords.insert("allow_empty".to_owned(), negated);
    }
    match keywords.remove("single_file").as_deref() {
        None | Some("False") => {}
        Some("True") => {
            let files = keywords.remove("allow_files").unwrap_or("True".to_owned());
            keywords.insert("allow_single_file".to_owned(), files);
        }
        // Only Bazel knows the value.
        Some(other) => {
            keywords.insert("single_file".to_owned(), other.to_owned());
        }
    }
}

/// The examples of the rules, the golden files, and the programs above.
fn programs() -> Vec<(String, String)> {
    let rules = (LintPhase::INFO.rules)().iter();
    let examples = rules.filter_map(|it| it.example.as_ref());
    let examples = examples.map(|it| (it.path.to_owned(), it.before.to_owned()));
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let golden = files_below(&golden).into_iter().filter_map(|path| {
        let (_, name) = path.to_str()?.rsplit_once(".in.")?;
        let name = match name {
            "BUILD" => "BUILD".to_owned(),
            extension => format!("a.{extension}"),
        };
        Some((name, read(&path)))
    });
    let own = PROGRAMS.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
    examples.chain(golden).chain(own).collect()
}

#[test]
fn a_safe_fix_is_the_only_one_and_keeps_the_meaning() {
    // C-16
    let mut fixed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in programs() {
        for finding in findings(&path, &text) {
            let is_safe = |it: &fixpoint_engine::Proposal| it.safety == Safety::BehaviorPreserving;
            if !finding.proposals.iter().any(is_safe) {
                continue;
            }
            let [proposal] = &finding.proposals[..] else {
                panic!(
                    "{}: {} fixes of\n{text}",
                    finding.rule,
                    finding.proposals.len()
                );
            };
            let after = apply(&text, proposal.edits.clone());
            assert_ne!(after, text, "{}", finding.rule);
            assert_eq!(
                meaning(&after),
                meaning(&text),
                "{}:\n{text}\n{after}",
                finding.rule
            );
            fixed
                .entry(finding.rule.to_string())
                .or_default()
                .insert(after);
        }
    }
    // Every rule with a safe fix is tried, and on more than its example.
    let rules = (LintPhase::INFO.rules)().iter();
    let safe = rules.filter(|it| it.safety == Some(Safety::BehaviorPreserving));
    for rule in safe.map(|it| it.name).chain(["attr-cfg", "load"]) {
        let tried = fixed.get(rule).map_or(0, BTreeSet::len);
        assert!(tried > 1, "{rule} is tried {tried} times");
    }
}

#[test]
fn other_edits_change_the_meaning() {
    // Edits that a wrong rule might make.
    let cases = [
        (
            "x = attr.label_list(non_empty = a or b)\n",
            "x = attr.label_list(allow_empty = not a or b)\n",
        ),
        (
            "x = attr.label(single_file = True, allow_files = y)\n",
            "x = attr.label(allow_single_file = True)\n",
        ),
        ("x = attr.label(cfg = \"host\")\n", "x = attr.label()\n"),
        (
            "y = getattr(x = a, name = \"b\")\n",
            "y = getattr(\"b\", a)\n",
        ),
        ("x = \"Skylark\"\n", "x = \"Starlark\"\n"),
        (
            "def f(PACKAGE_NAME):\n    return PACKAGE_NAME\n",
            "def f(PACKAGE_NAME):\n    return native.package_name()\n",
        ),
        ("load(\":a.bzl\", \"a\")\n\na()\n", "a()\n"),
        ("x = 7 / 2\n", "x = 7 // 2\n"),
    ];
    for (before, after) in cases {
        assert_ne!(meaning(before), meaning(after), "{before}");
    }
}
