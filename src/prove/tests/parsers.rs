//! No parser and no scanner panics on mutated input, and a report with a removed line is never read as a report
//! with more passed tests.

use fixpoint_prove::mutate::mutants;
use fixpoint_prove::results::{Counts, bazel, go, junit, libtest, summary, tap, unittest};
use fixpoint_prove::suspicion::{ChangedFile, TestText, suspicious};
use proptest::prelude::*;

const REPORTS: [&[u8]; 10] = [
    include_bytes!("data/pytest.xml"),
    include_bytes!("data/nextest.xml"),
    include_bytes!("data/node.xml"),
    include_bytes!("data/node.tap"),
    include_bytes!("data/node.spec"),
    include_bytes!("data/go.json"),
    include_bytes!("data/cargo.out"),
    include_bytes!("data/cargo.err"),
    include_bytes!("data/unittest.err"),
    include_bytes!("data/pytest.out"),
];

fn read_all(bytes: &[u8]) {
    let _ = junit::parse(bytes);
    let _ = go::parse(bytes);
    let _ = libtest::parse(bytes, REPORTS[7]);
    let _ = libtest::parse(bytes, bytes);
    let _ = tap::parse(bytes);
    let _ = unittest::parse(bytes);
    let _ = bazel::parse(bytes, &mut |_| Some(bytes.to_vec()));
    let _ = summary::pytest(bytes);
    let _ = summary::node(bytes);
    let _ = summary::nextest(bytes);
    let _ = summary::maven(bytes);
}

/// The position of the report of `node --test` in XML.
const NODE_XML: usize = 2;

#[test]
fn a_removed_line_adds_no_pass() {
    for (number, report) in REPORTS.iter().enumerate() {
        let Ok(text) = std::str::from_utf8(report) else {
            continue;
        };
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for line in 0..lines.len() {
            // Node's XML has no counts. The adapter compares them with the summary in the output.
            if number == NODE_XML && lines[line].trim_start().starts_with("<skipped") {
                continue;
            }
            let cut = [&lines[..line], &lines[line + 1..]].concat().concat();
            for parse in [junit::parse, go::parse, tap::parse, unittest::parse] {
                if let (Ok(before), Ok(after)) = (parse(text.as_bytes()), parse(cut.as_bytes())) {
                    let (before, after) = (Counts::of(&before), Counts::of(&after));
                    assert!(after.passed <= before.passed, "{number}: {}", lines[line]);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mutated_reports_do_not_panic(
        report in 0..REPORTS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..20),
    ) {
        let mut bytes = REPORTS[report].to_vec();
        for (at, byte, kind) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => { bytes.remove(at); }
                _ => bytes.truncate(at),
            }
        }
        read_all(&bytes);
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in "(?s).{0,400}") {
        read_all(text.as_bytes());
    }

    #[test]
    fn arbitrary_sources_do_not_panic(
        extension in prop::sample::select(vec!["py", "ts", "go", "rs"]),
        text in "([a-z_(){}\\[\\]:;,.#/*'\"`\\\\=<>+é \n\t0-9-]|if |return |def __eq__|== 7|case |catch|static ){0,80}",
    ) {
        let path = format!("a.{extension}");
        for mutant in mutants(&path, &text, std::slice::from_ref(&(0..100)), 50) {
            prop_assert_ne!(&mutant.text, &text);
        }
        let file = ChangedFile { path: path.clone(), old: None, new: text.clone() };
        let _ = suspicious(&[file], &[TestText { path, base: Some(text.clone()), text }]);
    }
}
