//! Which guards a rule gets, and from which counter-examples.

use fixpoint_learn::{Constraint, rewrite};

use crate::family::{Family, rules};

fn learned(extension: &str, text: &str) -> fixpoint_learn::Learned {
    let learned = Family::of_text("test", extension, text).learn();
    assert_eq!(learned.rules.len(), 1, "{:?}", learned.abstained);
    learned
}

#[test]
fn a_name_from_a_module_gets_an_import_guard_at_once() {
    let learned = learned(
        "py",
        "=== pair\nimport yaml\nx = {-yaml.load(a)-}{+yaml.safe_load(a)+}\n\
         === pair\nimport yaml\ny = {-yaml.load(f(b))-}{+yaml.safe_load(f(b))+}\n",
    );
    let set = rules(&learned);
    let other = "from ruamel import yaml\nx = yaml.load(a)\n";
    assert_eq!(rewrite("a.py", other, &set).text, other);
    let alias = "import yaml as y\nx = y.load(a)\n";
    assert_eq!(
        rewrite("a.py", alias, &set).text,
        "import yaml as y\nx = y.safe_load(a)\n"
    );
}

#[test]
fn a_builtin_must_not_be_shadowed() {
    let learned = learned(
        "py",
        "=== pair\nif {-len(a) == 0-}{+not a+}:\n    pass\n\
         === pair\nif {-len(b.c) == 0-}{+not b.c+}:\n    pass\n",
    );
    let shadowed = NotShadowed("len");
    assert!(learned.rules[0].constraints.contains(&shadowed.into()));
}

struct NotShadowed(&'static str);

impl From<NotShadowed> for Constraint {
    fn from(guard: NotShadowed) -> Self {
        Self::NotShadowed {
            name: guard.0.to_owned(),
        }
    }
}

#[test]
fn literals_of_one_type_stay_of_that_type() {
    let learned = learned(
        "ts",
        "=== pair\nconst a = {-new Buffer(\"a\")-}{+Buffer.from(\"a\")+};\n\
         === pair\nconst b = {-new Buffer(\"b c\")-}{+Buffer.from(\"b c\")+};\n",
    );
    let text = "const a = new Buffer(16);\n";
    assert_eq!(rewrite("a.ts", text, &rules(&learned)).text, text);
}

#[test]
fn an_unchanged_place_in_a_pair_adds_a_guard() {
    let learned = learned(
        "rs",
        "=== pair\nfn f() -> bool {\n    {-a.len() == 0-}{+a.is_empty()+}\n}\n\
         === pair\nfn g() -> bool {\n    {-b.c.len() == 0-}{+b.c.is_empty()+}\n}\n\
         === pair\nfn h() -> bool {\n    while d.len() == 0 {}\n    {-e[0].len() == 0-}{+e[0].is_empty()+}\n}\n",
    );
    let set = rules(&learned);
    let text = "fn h() -> bool {\n    while d.len() == 0 {}\n    true\n}\n";
    assert_eq!(rewrite("a.rs", text, &set).text, text);
}

#[test]
fn a_folder_can_be_the_difference() {
    let family = Family::of_text(
        "test",
        "py",
        "=== pair: app\nimport old\nx = {-old.get-}{+old.fetch+}(1)\n\
         === pair: app\nimport old\ny = {-old.get-}{+old.fetch+}(z, 2)\n\
         === negative path: vendor\nimport old\nx = old.get(1)\n",
    );
    let learned = family.learn();
    for rule in &learned.rules {
        assert!(
            rule.constraints
                .iter()
                .any(|guard| matches!(guard, Constraint::Path { .. }))
        );
    }
    assert_eq!(learned.rules.len(), 1, "{:?}", learned.abstained);
}

#[test]
fn a_renamed_function_gives_a_rule_for_its_calls() {
    let family = Family::of_text(
        "test",
        "py",
        "=== pair\ndef {-get_user-}{+fetch_user+}(ident):\n    return ident\n\
         === pair\nfrom app.models import {-get_user-}{+fetch_user+}\n\ndef view(request):\n    return {-get_user-}{+fetch_user+}(request.id)\n\
         === pair\nfrom app.models import {-get_user-}{+fetch_user+}\n\ndef late(item):\n    user = {-get_user-}{+fetch_user+}(item.pk)\n    return user.name\n\
         === pair\nfrom app.models import {-get_user-}{+fetch_user+}\n\ndef last(key):\n    return {-get_user-}{+fetch_user+}(key)\n",
    );
    let set = rules(&family.learn());
    let missed = "from app.models import get_user\n\n\ndef missed(request):\n    return get_user(request.key)\n";
    assert_eq!(
        rewrite("a.py", missed, &set).text,
        missed.replace("get_user", "fetch_user")
    );
    let other = "from app.other import get_user\n\n\ndef other(request):\n    return get_user(request.key)\n";
    assert_eq!(rewrite("a.py", other, &set).text, other);
}

#[test]
fn a_file_that_imports_everything_is_left_out() {
    let learned = learned(
        "py",
        "=== pair\nx = {-range(0, a)-}{+range(a)+}\n\
         === pair\nx = {-range(0, b.c)-}{+range(b.c)+}\n\
         === pair\nx = {-range(0, len(d))-}{+range(len(d))+}\n\
         === pair\nfrom m import *\nx = {-range(0, e)-}{+range(e)+}\n",
    );
    let text = "x = range(0, f)\n";
    assert_eq!(
        rewrite("a.py", text, &rules(&learned)).text,
        "x = range(f)\n"
    );
}

#[test]
fn other_changes_in_the_file_do_not_matter() {
    let learned = Family::of_text(
        "test",
        "py",
        "=== pair\nimport m\ndef f(a):\n    return {-m.old(a)-}{+m.new(a)+}\n\ndef version():\n    return {-1-}{+2+}\n\
         === pair\nimport m\ndef g(b):\n    return {-m.old(b)-}{+m.new(b)+}\n\ndef version():\n    return {-3, 4-}{+4+}\n",
    )
    .learn();
    assert_eq!(learned.rules.len(), 1, "{:?}", learned.abstained);
}

#[test]
fn a_module_that_is_added_is_not_imported_in_two_forms() {
    let learned = learned(
        "py",
        "=== pair\nimport os\n{+import pathlib\n+}x = {-os.remove(a)-}{+pathlib.Path(a).unlink()+}\n\
         === pair\nimport os\n{+import pathlib\n+}x = {-os.remove(b.c)-}{+pathlib.Path(b.c).unlink()+}\n\
         === pair\nimport os\n{+import pathlib\n+}x = {-os.remove(d)-}{+pathlib.Path(d).unlink()+}\n",
    );
    let text = "import os\nfrom pathlib import Path\nx = os.remove(Path(e))\n";
    assert_eq!(rewrite("a.py", text, &rules(&learned)).text, text);
}

#[test]
fn an_import_without_a_part_in_the_change_is_no_guard_by_chance() {
    let learned = learned(
        "py",
        "=== pair\nimport re\nx = {-open(a)-}{+open(a, encoding=\"utf-8\")+}\n\
         === pair\nimport re\nx = {-open(b)-}{+open(b, encoding=\"utf-8\")+}\n\
         === negative no import\ny = open(c)\n\
         === negative import\nimport re\ny = open(d)\n",
    );
    let mut constraints = learned.rules[0].constraints.iter();
    assert!(!constraints.any(|it| matches!(it, Constraint::Imported { .. })));
}
