//! `apply`: fixes of several tools and over several files are merged.

use fixpoint_text::Snapshot;

use crate::project::{CANONICAL_JSON, MESSY_JSON, Project};
use crate::stored::{apply, fix, foreign, own};

#[test]
fn reports_of_several_tools_on_one_file_are_merged() {
    let project = Project::new(&[("a.json", MESSY_JSON)]);
    let base = Snapshot::new("a.json", MESSY_JSON);
    let ours = own(&project, "a.json");
    let one = foreign(&base, vec![fix(&base, "x-1", "\"b\":1", "\"b\":7")]);
    let mut two = foreign(&base, vec![fix(&base, "y-1", "2]", "9]")]);
    two.tool.as_mut().expect("set").name = "third-tool".to_owned();
    apply(&project, &[one, ours, two])
        .exits_with(0)
        .prints("Fixed a.json (format-json, other-rule)");
    let fixed = CANONICAL_JSON
        .replace(": 1,", ": 7,")
        .replace(", 2]", ", 9]");
    assert_eq!(project.read("a.json"), fixed);
}

#[test]
fn fixes_of_several_tools_with_one_id_are_all_applied() {
    let text = "{ \"a\": 1, \"b\": 2, \"c\": 3 }\n";
    let base = Snapshot::new("a.json", text);
    let report = |tool: &str, word: &str, by: &str| {
        let mut report = foreign(&base, vec![fix(&base, "f-1", word, by)]);
        report.tool.as_mut().expect("set").name = tool.to_owned();
        report
    };
    // The last two have the same tool, too.
    let reports = [
        report("one", "1", "10"),
        report("two", "2", "20"),
        report("two", "3", "30"),
    ];
    let mut reversed = reports.clone();
    reversed.reverse();
    for reports in [reports, reversed] {
        let project = Project::new(&[("a.json", text)]);
        apply(&project, &reports)
            .exits_with(0)
            .prints("Fixed 1 of 1 file; 0 fixes rejected");
        assert_eq!(
            project.read("a.json"),
            "{ \"a\": 10, \"b\": 20, \"c\": 30 }\n"
        );
    }

    let project = Project::new(&[("a.json", text)]);
    apply(
        &project,
        &[report("one", "1", "10"), report("two", "1", "11")],
    )
    .exits_with(1)
    .prints("Rejected f-1@two of other-rule on a.json (conflict, in favor of f-1@one)")
    .prints("Fixed 1 of 1 file; 1 fix rejected");
    assert_eq!(project.read("a.json"), text.replacen('1', "10", 1));
}

#[test]
fn fixes_over_several_files_with_one_id_are_all_applied() {
    let text = "{ \"name\": 1, \"size\": 2 }\n";
    let (a, b) = (Snapshot::new("a.json", text), Snapshot::new("b.json", text));
    let reports = |tool: &str, word: &str| {
        let mut both = fix(&a, "f-1", word, "7");
        both.edits.extend(fix(&b, "f-1", word, "7").edits);
        [&a, &b].map(|base| {
            let mut report = foreign(base, vec![both.clone()]);
            report.tool.as_mut().expect("set").name = tool.to_owned();
            report
        })
    };
    let project = Project::new(&[("a.json", text), ("b.json", text)]);
    apply(
        &project,
        &[reports("one", "1"), reports("two", "2")].concat(),
    )
    .exits_with(0)
    .prints("Fixed several files by fix f-1@one")
    .prints("Fixed several files by fix f-1@two");
    for path in ["a.json", "b.json"] {
        assert_eq!(project.read(path), "{ \"name\": 7, \"size\": 7 }\n");
    }
}

#[test]
fn one_of_two_conflicting_fixes_of_a_report_is_rejected_by_name() {
    // C-51
    let text = "{ \"a\": 1, \"b\": 2 }\n";
    let project = Project::new(&[("a.json", text)]);
    let base = Snapshot::new("a.json", text);
    let fixes = vec![fix(&base, "x-1", "1", "10"), fix(&base, "x-2", "1", "11")];
    let mut report = foreign(&base, fixes);
    report.canonical = None;
    apply(&project, &[report])
        .exits_with(1)
        .prints("Rejected x-2 of other-rule on a.json (conflict, in favor of x-1)")
        .prints("Fixed 1 of 1 file; 1 fix rejected");
    assert_eq!(project.read("a.json"), text.replacen('1', "10", 1));
}
