//! Tests of `fixpoint show`: what it prints of a stored report.

use fixpoint_report::{Fix, FixReport, Safety, to_protobuf};
use fixpoint_text::{Digest, Snapshot};

use crate::project::{Ended, MESSY_JSON, Project};
use crate::stored::{FORGED, claim, fix, foreign, own};

fn show(project: &Project, report: &FixReport, format: &str) -> Ended {
    project.write("r.fix.pb", to_protobuf(report));
    project.run(&["show", format, "r.fix.pb"])
}

#[test]
fn a_diff_of_a_report_without_a_canonical_text_shows_its_safe_fixes() {
    let text = "{ \"a\": 1, \"b\": 2 }\n";
    let project = Project::new(&[("a.json", text)]);
    let base = Snapshot::new("a.json", text);
    let unsafe_fix = Fix {
        safety: Safety::BehaviorChanging.into(),
        ..fix(&base, "x-2", "2", "20")
    };
    let mut report = foreign(&base, vec![fix(&base, "x-1", "1", "10"), unsafe_fix]);
    report.canonical = None;
    for format in ["--format=diff", "--format=human"] {
        show(&project, &report, format)
            .exits_with(0)
            .prints("+{ \"a\": 10, \"b\": 2 }");
    }
    report.fixes.remove(0);
    show(&project, &report, "--format=diff")
        .exits_with(0)
        .complains("the report lists no safe fix for a.json alone");
}

#[test]
fn a_forged_canonical_text_is_not_shown() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let base = Snapshot::new("a.json", MESSY_JSON);
    let mut report = own(&project, "a.json");
    claim(&mut report, &base, FORGED);
    report.canonical.as_mut().expect("set").sha256 = Digest::of(b"x").to_string();
    for format in ["--format=diff", "--format=human", "--format=json"] {
        let ended = show(&project, &report, format).exits_with(3);
        let ended = ended.complains("its edits do not lead to its canonical text");
        assert!(!ended.stdout.contains("666"), "{}", ended.stdout);
    }
}

#[test]
fn a_report_on_any_text_is_read_and_shown() {
    let texts = [
        ("a.yaml", ":\n : fixpoint: : : e\n :"),
        ("b.yaml", "a: [1, # fixpoint: off\n  2]\nb: 2\n"),
        ("c.py", "a = [1, # fixpoint: off\n  2]\nb = 2\n"),
        ("d.json", "{\"\u{1f980}\": "),
        ("e.toml", "\u{e4} = "),
        ("BUILD", "load(\"\u{1f980}"),
    ];
    let project = Project::new(&texts);
    for (path, _) in texts {
        let ended = project.run(&["check", path, "--report-dir", "out"]);
        assert!(matches!(ended.status, Some(0 | 1)), "{path}: {ended:?}");
        let report = format!("out/{path}.fix.pb");
        project.run(&["show", &report]).exits_with(0);
        let ended = project.run(&["apply", "--dry-run", &report]);
        assert!(matches!(ended.status, Some(0 | 1)), "{path}: {ended:?}");
    }
}
