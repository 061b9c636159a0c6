//! `apply`: stored reports are checked before they are used.

use std::fs;

use fixpoint_report::{
    Canonical, Confidence, Edit, Exit, Expects, Fix, FixReport, Kind, Op, Outcome, PointerKind,
    PointerOp, Precondition, Provenance, Safety, Step, Tool, from_protobuf, to_protobuf,
};
use fixpoint_text::{Digest, Snapshot};

use crate::project::{CANONICAL_JSON, Ended, MESSY_JSON, Project};

/// A fix of another tool: the first `word` of the text becomes `by`.
pub fn fix(base: &Snapshot, id: &str, word: &str, by: &str) -> Fix {
    let start = base.text().find(word).expect("the word");
    let edit = Edit::replace(base, (start..start + word.len()).into(), by);
    Fix {
        id: id.to_owned(),
        title: "Fix it".to_owned(),
        phase: "other".to_owned(),
        rule: "other-rule".to_owned(),
        safety: Safety::BehaviorPreserving.into(),
        confidence: Confidence::High.into(),
        kind: Kind::LocalFix.into(),
        provenance: Provenance::Imported.into(),
        edits: vec![edit],
        ..Fix::default()
    }
}

/// A report of another tool that lists `fixes`, and says that the text is already canonical.
pub fn foreign(base: &Snapshot, fixes: Vec<Fix>) -> FixReport {
    FixReport {
        tool: Some(Tool {
            name: "other-tool".to_owned(),
            version: "1".to_owned(),
        }),
        fixes,
        canonical: Some(Canonical {
            sha256: base.digest().to_string(),
            length: base.text().len() as u64,
            ..Canonical::default()
        }),
        outcome: Some(Outcome {
            exit: Exit::Fixpoint.into(),
            rounds: 1,
            ..Outcome::default()
        }),
        ..FixReport::new(base, "json")
    }
}

/// Makes a report claim the canonical text `text`, as the result of its first fix.
pub fn claim(report: &mut FixReport, base: &Snapshot, text: &str) {
    let whole = (0..base.text().len()).into();
    report.canonical = Some(Canonical {
        sha256: Digest::of(text.as_bytes()).to_string(),
        length: text.len() as u64,
        edits: vec![Edit::replace(base, whole, text)],
        steps: vec![Step {
            round: 1,
            fix_id: report.fixes[0].id.clone(),
            rule: report.fixes[0].rule.clone(),
        }],
    });
}

pub fn apply(project: &Project, reports: &[FixReport]) -> Ended {
    let folder = tempfile::tempdir().expect("a folder");
    let mut arguments = vec!["apply".to_owned()];
    for (index, report) in reports.iter().enumerate() {
        let path = folder.path().join(format!("{index}.fix.pb"));
        fs::write(&path, to_protobuf(report)).expect("written");
        arguments.push(path.to_string_lossy().into_owned());
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    project.run(&arguments)
}

/// The report that `check` writes.
pub fn own(project: &Project, path: &str) -> FixReport {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    project.run(&["check", path, "--report-dir", out]);
    let bytes = fs::read(folder.path().join(format!("{path}.fix.pb"))).expect("a report");
    from_protobuf(&bytes).expect("a report")
}

pub const FORGED: &str = "{ \"b\": 666 }\n";

#[test]
fn a_forged_canonical_text_is_never_written() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let base = Snapshot::new("a.json", MESSY_JSON);
    let honest = own(&project, "a.json");

    let mut forged = honest.clone();
    claim(&mut forged, &base, FORGED);
    apply(&project, std::slice::from_ref(&forged))
        .exits_with(3)
        .complains(
            "with its current settings, this fixpoint computes a different text than the report",
        )
        .complains("nothing was written");

    let canonical = forged.canonical.as_mut().expect("set");
    canonical.steps[0].fix_id = "f-unknown".to_owned();
    apply(&project, &[forged])
        .exits_with(3)
        .complains("`f-unknown`, which is not a fix of the report");

    // The same under another tool name, with a fix of a Fixpoint rule that Fixpoint does not
    // propose.
    let mut renamed = foreign(&base, honest.fixes.clone());
    renamed.fixes[0].edits = vec![Edit::replace(&base, (0..base.text().len()).into(), FORGED)];
    claim(&mut renamed, &base, FORGED);
    apply(&project, &[renamed])
        .exits_with(1)
        .prints("fixpoint does not propose this fix for the file")
        .prints("Fixed 0 of 1 file; 1 fix rejected");
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn a_report_in_the_name_of_fixpoint_cannot_bring_in_other_fixes() {
    let project = Project::new(&[("a.json", CANONICAL_JSON), ("b.json", CANONICAL_JSON)]);
    let base = Snapshot::new("a.json", CANONICAL_JSON);
    let evil = fix(&base, "f-evil", "1", "666");

    let mut forged = foreign(&base, vec![evil.clone()]);
    forged.tool = own(&project, "a.json").tool;
    let text = CANONICAL_JSON.replacen('1', "666", 1);
    claim(&mut forged, &base, &text);
    apply(&project, &[forged])
        .exits_with(3)
        .complains("computes a different text than the report");

    let mut listed = own(&project, "a.json");
    listed.fixes.push(evil.clone());
    apply(&project, &[listed]);

    let mut across = [own(&project, "a.json"), own(&project, "b.json")];
    let other = Snapshot::new("b.json", CANONICAL_JSON);
    let mut both = evil;
    both.edits.extend(fix(&other, "f-evil", "1", "666").edits);
    for report in &mut across {
        report.fixes.push(both.clone());
    }
    apply(&project, &across);
    for path in ["a.json", "b.json"] {
        assert_eq!(project.read(path), CANONICAL_JSON);
    }
}

#[test]
fn a_canonical_text_of_another_tool_is_replaced_by_the_result_of_its_fixes() {
    let text = "{ \"a\": 1, \"b\": 2 }\n";
    let project = Project::new(&[("a.json", text)]);
    let base = Snapshot::new("a.json", text);
    let mut report = foreign(&base, vec![fix(&base, "x-1", "1", "10")]);
    claim(&mut report, &base, FORGED);
    apply(&project, &[report])
        .exits_with(1)
        .prints("Rejected the canonical text of other-tool on a.json")
        .prints("Fixed a.json (other-rule)");
    assert_eq!(project.read("a.json"), "{ \"a\": 10, \"b\": 2 }\n");
}

#[test]
fn the_fixes_of_another_tool_are_checked_one_by_one() {
    let text = "{ \"a\": 1, \"b\": 2, \"c\": 3 }\n";
    let project = Project::new(&[("a.json", text)]);
    let base = Snapshot::new("a.json", text);
    let good = fix(&base, "x-good", "1", "10");
    let mut report = foreign(&base, vec![good.clone()]);
    claim(&mut report, &base, &text.replace('1', "10"));
    let broken = fix(&base, "x-broken", "2", "[");
    let changing = Fix {
        safety: Safety::BehaviorChanging.into(),
        ..fix(&base, "x-changing", "3", "30")
    };
    report.fixes.extend([broken, changing]);
    apply(&project, &[report])
        .exits_with(1)
        .prints("Rejected x-broken of other-rule on a.json (breaks_syntax)")
        .prints(
            "Rejected x-changing of other-rule on a.json (not_admitted): it is behavior_changing",
        )
        .prints("Fixed 1 of 1 file; 2 fixes rejected");
    let fixed = text.replace('1', "10");
    assert_eq!(project.read("a.json"), fixed);

    // The second time, the report is out of date.
    let ended = apply(&project, &[foreign(&base, vec![good])]);
    ended.exits_with(3).complains("a.json has changed since");
    assert_eq!(project.read("a.json"), fixed);
}

#[test]
fn operations_and_preconditions_of_a_reported_fix_must_hold() {
    let text = "{ \"a\": 1, \"b\": 2 }\n";
    let base = Snapshot::new("a.json", text);
    let op = |value: &str| Op {
        patch: None,
        pointer: Some(PointerOp {
            op: PointerKind::ReplaceValue.into(),
            file: "a.json".to_owned(),
            json_pointer: "/a".to_owned(),
            value_json: Some(value.to_owned()),
            ..PointerOp::default()
        }),
    };
    let precondition = |value: &str| Precondition {
        description: "b is small".to_owned(),
        json_pointer: Some("/b".to_owned()),
        expects: Some(Expects {
            equals_json: Some(value.to_owned()),
            ..Expects::default()
        }),
        ..Precondition::default()
    };
    let described = Precondition {
        description: "somebody agreed".to_owned(),
        ..Precondition::default()
    };
    let cases = [
        (vec![op("10")], vec![precondition("2")], None),
        (
            vec![op("11")],
            vec![],
            Some("its edits differ from its operations"),
        ),
        (
            vec![],
            vec![precondition("3")],
            Some("its precondition `b is small` does not hold"),
        ),
        (
            vec![],
            vec![described],
            Some("its precondition `somebody agreed` cannot be checked"),
        ),
    ];
    for (ops, preconditions, complaint) in cases {
        let project = Project::new(&[("a.json", text)]);
        let fix = Fix {
            ops,
            preconditions,
            ..fix(&base, "x-1", "1", "10")
        };
        let ended = apply(&project, &[foreign(&base, vec![fix])]);
        match complaint {
            None => ended.exits_with(0).prints("Fixed a.json"),
            Some(complaint) => ended.exits_with(1).prints(complaint),
        };
        assert_eq!(project.read("a.json") == text, complaint.is_some());
    }
}

#[test]
fn a_fix_over_several_files_is_applied_completely_or_not_at_all() {
    let text = "{ \"name\": 1 }\n";
    let (a, b) = (Snapshot::new("a.json", text), Snapshot::new("b.json", text));
    let both = |by: &str| {
        let mut both = fix(&a, "x-1", "1", "2");
        both.edits.extend(fix(&b, "x-1", "1", by).edits);
        both
    };
    let reports = |by: &str| [foreign(&a, vec![both(by)]), foreign(&b, vec![both(by)])];

    let project = Project::new(&[("a.json", text), ("b.json", text)]);
    apply(&project, &reports("["))
        .exits_with(1)
        .prints("Rejected x-1 of other-rule on a.json (breaks_syntax)");
    assert_eq!(project.read("a.json"), text);

    // One of its files has changed.
    project.write("b.json", "{}\n");
    apply(&project, &reports("2"))
        .exits_with(3)
        .prints("b.json has no usable report")
        .complains("b.json has changed since its report was written");
    assert_eq!(project.read("a.json"), text);

    // A fix is also reported if it does not change the file of its report, or is not safe.
    project.write("b.json", text);
    apply(&project, &[foreign(&a, vec![fix(&b, "x-1", "1", "2")])])
        .exits_with(1)
        .prints("Rejected x-1 of other-rule on a.json (invalid): b.json has no usable report");
    let changing = reports("2").map(|mut report| {
        report.fixes[0].safety = Safety::BehaviorChanging.into();
        report
    });
    let ended = apply(&project, &changing);
    ended.exits_with(1).prints("on a.json (not_admitted)");

    apply(&project, &reports("2"))
        .exits_with(0)
        .prints("Fixed several files by fix x-1");
    for path in ["a.json", "b.json"] {
        assert_eq!(project.read(path), text.replace('1', "2"));
    }
}

#[test]
fn a_report_is_not_applied_to_a_file_that_fix_would_not_write() {
    let base = |path: &str| Snapshot::new(path, "{ \"a\": 1 }\n");
    let paths = ["out/a.json", "package-lock.json", "link.json", "b.json"];
    let project = Project::new(&[
        ("out/a.json", base("").text()),
        ("package-lock.json", base("").text()),
        ("b.json", base("").text()),
    ]);
    std::os::unix::fs::symlink("out/a.json", project.path("link.json")).expect("a link");
    project.write("fixpoint.toml", "exclude = [\"out\"]\n");
    let reports = paths.map(|path| {
        let base = base(path);
        foreign(&base, vec![fix(&base, "x-1", "1", "2")])
    });
    let ended = apply(&project, &reports).exits_with(3);
    let ended = ended
        .complains("link.json is a link")
        .prints("Fixed b.json");
    let ended = ended.complains("out/a.json is excluded");
    let ended = ended.complains("package-lock.json is excluded, or its language is unknown");
    ended.complains("3 files are left as they are; the other files were written");
    assert_eq!(project.read("out/a.json"), base("").text());
    assert_eq!(project.read("package-lock.json"), base("").text());
    assert_eq!(project.read("b.json"), "{ \"a\": 2 }\n");
}

#[test]
fn a_report_with_another_length_than_the_file_is_rejected() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let mut report = own(&project, "a.json");
    report.base.as_mut().expect("set").length += 1;
    report.canonical.as_mut().expect("set").length += 1;
    apply(&project, &[report])
        .exits_with(3)
        .complains("base.length");
    assert_eq!(project.read("a.json"), MESSY_JSON);
}

#[test]
fn a_report_made_with_other_settings_is_out_of_date() {
    let text = "{\n\"b\":1,\"a\":[\n1,2]}";
    let project = Project::new(&[("a.json", text)]);
    project.write("fixpoint.toml", "[language.json]\nindent = 4\n");
    let report = own(&project, "a.json");
    project.write("fixpoint.toml", "");
    apply(&project, std::slice::from_ref(&report))
        .exits_with(3)
        .complains("a.json: with its current settings, this fixpoint computes a different text");
    assert_eq!(project.read("a.json"), text);
    project.write("fixpoint.toml", "[language.json]\nindent = 4\n");
    apply(&project, &[report]).exits_with(0);
}

#[test]
fn reported_fixes_are_applied_to_large_files_too() {
    let text = format!("{{ \"a\": 1, \"b\": \"{}\" }}\n", "x".repeat(300_000));
    let project = Project::new(&[("a.json", &text)]);
    let base = Snapshot::new("a.json", text.as_str());
    let fixes = vec![
        fix(&base, "x-1", "1", "2"),
        fix(&base, "x-2", "\"b\":", "\"b\""),
    ];
    apply(&project, &[foreign(&base, fixes)])
        .exits_with(1)
        .prints("Rejected x-2");
    assert_eq!(project.read("a.json"), text.replacen('1', "2", 1));
}

#[test]
fn the_minimal_report_of_the_documentation_is_applied() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/report.md"));
    let page = page.expect("the page");
    let (_, example) = page.split_once("```json minimal\n").expect("the example");
    let (example, _) = example.split_once("```").expect("its end");
    let project = Project::new(&[("a.py", "x = 1\n"), ("r.fix.json", example)]);
    project
        .run(&["show", "r.fix.json"])
        .exits_with(0)
        .prints("a.py (6 bytes, sha256 ")
        .prints("by old-names\n");
    project
        .run(&["apply", "r.fix.json"])
        .exits_with(0)
        .prints("Fixed a.py");
    assert_eq!(project.read("a.py"), "y = 1\n");
}

#[test]
fn a_report_cannot_change_the_safety_of_a_fix_of_fixpoint() {
    let text = "\"\"\"D.\"\"\"\n\nx = 7 / 2\n";
    let project = Project::new(&[("d.bzl", text)]);
    let mut report = own(&project, "d.bzl");
    report.tool = Some(Tool {
        name: "other-tool".to_owned(),
        version: String::new(),
    });
    report.canonical = None;
    for fix in &mut report.fixes {
        fix.safety = Safety::BehaviorPreserving.into();
    }
    apply(&project, &[report]).prints("(not_admitted): it is behavior_changing");
    assert_eq!(project.read("d.bzl"), text);
}
