//! Pages for people: claims link to records, and text of an engine is never interpreted.
#![allow(clippy::disallowed_methods, reason = "tests read folders")]

#[path = "support/sample.rs"]
mod sample;

use std::fs;

use fixpoint_prove::evidence::{PR_BODY, PR_TITLE, verify};
use fixpoint_prove::record::TestStatus;
use fixpoint_prove::render;
use fixpoint_prove::verdict::Verdict;
use sample::write;

type TestResult = Result<(), Box<dyn std::error::Error>>;

/// The lines of a page that are not in a fenced block, without code spans.
fn interpreted(page: &str) -> String {
    let mut text = String::new();
    let mut fence: Option<usize> = None;
    for line in page.lines() {
        let ticks = line.chars().take_while(|it| *it == '`').count();
        match fence {
            Some(length) if ticks >= length && line.trim_matches('`').is_empty() => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None => {
                let mut rest = line;
                while let Some(start) = rest.find('`') {
                    text.push_str(&rest[..start]);
                    let length = rest[start..].chars().take_while(|it| *it == '`').count();
                    let inner = &rest[start + length..];
                    let ticks = "`".repeat(length);
                    let mut end = 0;
                    let mut runs = inner.split_inclusive(|it| it != '`');
                    let after = runs.find_map(|run| {
                        let at = end;
                        end += run.len();
                        let is_end = run.trim_end_matches(|it| it != '`') == ticks;
                        is_end.then_some(at + length)
                    });
                    rest = &inner[after.unwrap_or(inner.len())..];
                }
                text.push_str(rest);
                text.push('\n');
            }
        }
    }
    assert_eq!(fence, None, "a block is not closed: {page}");
    text
}

// E-03
#[test]
fn text_of_the_engine_is_not_interpreted() -> TestResult {
    for verdict in [Verdict::Proved, Verdict::Tampered] {
        let folder = tempfile::tempdir()?;
        let mut evidence = write(folder.path(), verdict, None)?;
        evidence.outcome.reasons[0].text = sample::HOSTILE.to_owned();
        evidence.outcome.policies[0].detail = sample::HOSTILE.to_owned();
        evidence.outcome.repro_command = sample::HOSTILE.to_owned();
        let pages = [
            render::pr_body(&evidence),
            render::evidence_page(&evidence),
            render::failure_summary(&evidence),
        ];
        for page in pages {
            assert!(!page.contains(fixpoint_text::needs_escape), "{page}");
            let text = interpreted(&page);
            for part in [
                "@", "#12", "http", "<img", "onerror", "all good", "hidden", "reversed", "| a",
            ] {
                assert!(!text.contains(part), "{part}: {text}");
            }
        }
        let title = render::pr_title(&evidence);
        assert_eq!(title.lines().count(), 1);
        assert!(!title.contains(['@', '#', '<']), "{title}");
    }
    Ok(())
}

// E-02 E-93b
#[test]
fn claims_link_to_records_that_the_page_lists() -> TestResult {
    let folder = tempfile::tempdir()?;
    let evidence = write(folder.path(), Verdict::Proved, None)?;
    let body = fs::read_to_string(folder.path().join(PR_BODY))?;
    assert!(
        body.contains("| base | fails (exit 1) [#1](#record-1) |"),
        "{body}"
    );
    assert!(body.contains("| base + fix + tests | passes [#7](#record-7) |"));
    assert!(
        body.contains("fails without the fix [#3](#record-3)"),
        "{body}"
    );
    let page = render::evidence_page(&evidence);
    for text in [&body, &page] {
        for link in text.split("](#record-").skip(1) {
            let index = link.split(')').next().unwrap_or_default();
            let target = format!("<a id=\"record-{index}\">");
            assert!(text.contains(&target), "{target}");
        }
    }
    for heading in [
        "Problem",
        "Root cause",
        "Evidence",
        "Tests",
        "Policies",
        "Minimal",
        "Risk",
        "Replay",
    ] {
        assert!(body.contains(&format!("\n## {heading}")) || body.starts_with("## Problem"));
    }
    Ok(())
}

/// GitHub rejects a body of more than 65,536 characters.
#[test]
fn a_body_is_short_enough_for_github() -> TestResult {
    let folder = tempfile::tempdir()?;
    let mut evidence = write(folder.path(), Verdict::Proved, None)?;
    let long = format!("{}{}", "`".repeat(5000), "@x\u{202e} ".repeat(20_000));
    let long = long + &"line\n".repeat(1000);
    let template = evidence.commands[7].clone();
    for index in 9..3000 {
        let mut chained = template.clone();
        chained.index = index;
        chained.record.run = index % 6;
        chained.record.command = format!("{} {}", index % 50, &long[..9_001]);
        let results = chained.record.tests.as_mut().ok_or("no tests")?;
        results
            .tests
            .insert(format!("{index} {long}"), TestStatus::Passed);
        evidence.commands.push(chained);
    }
    let outcome = &mut evidence.outcome;
    outcome.reasons[0].text.clone_from(&long);
    outcome.reasons = vec![outcome.reasons[0].clone(); 500];
    outcome.policies[0].detail.clone_from(&long);
    outcome.policies[0].ok = false;
    outcome.policies = vec![outcome.policies[0].clone(); 500];
    let minimal = outcome.minimal.as_mut().ok_or("not minimal")?;
    minimal.hunks[0].path.clone_from(&long);
    minimal.hunks = vec![minimal.hunks[0].clone(); 500];
    outcome.repro_command.clone_from(&long);
    let engine = outcome.engine.as_mut().ok_or("no engine")?;
    for text in [
        &mut engine.root_cause,
        &mut engine.fix_summary,
        &mut engine.tests_summary,
        &mut engine.risk_rollback,
        &mut engine.file_justifications[0].reason,
    ] {
        text.clone_from(&long);
    }
    engine.file_justifications = vec![engine.file_justifications[0].clone(); 500];
    for text in [
        render::pr_body(&evidence),
        render::failure_summary(&evidence),
    ] {
        let length = text.chars().count();
        assert!(length < 65_536, "{length}");
    }
    Ok(())
}

// E-93f
#[test]
fn every_failure_says_what_to_do_next() -> TestResult {
    for verdict in [
        Verdict::RegressionOnly,
        Verdict::NotFixed,
        Verdict::Regressed,
        Verdict::Flaky,
        Verdict::Unreproduced,
        Verdict::EnvironmentDiffers,
        Verdict::Tampered,
        Verdict::PolicyRefused,
        Verdict::EngineFailed,
        Verdict::TimedOut,
        Verdict::Unparsed,
    ] {
        let folder = tempfile::tempdir()?;
        write(folder.path(), verdict, None)?;
        assert!(!folder.path().join(PR_TITLE).exists());
        let body = fs::read_to_string(folder.path().join(PR_BODY))?;
        assert!(body.starts_with("## Not proved: `"), "{body}");
        assert!(body.contains("### What to do next\n\n"), "{body}");
        assert!(body.contains("[#1](#record-1)"), "{body}");
        verify(folder.path())?;
    }
    Ok(())
}
