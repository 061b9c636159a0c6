//! Counts from the closing lines that runners print for people.

use super::Counts;

/// pytest: `1 failed, 5 passed, 1 skipped, 1 xfailed, 2 errors in 0.04s`, the last such line.
pub fn pytest(stdout: &[u8]) -> Option<Counts> {
    let text = String::from_utf8_lossy(stdout);
    text.lines().rev().find_map(|line| {
        let line = without_colors(line);
        let (parts, time) = line.trim_matches(['=', ' ']).rsplit_once(" in ")?;
        if !time.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut counts = Counts::default();
        if parts == "no tests ran" {
            return Some(counts);
        }
        for part in parts.split(", ") {
            let (count, word) = part.split_once(' ')?;
            let count: usize = count.parse().ok()?;
            match word {
                "passed" | "xpassed" => counts.passed = counts.passed.saturating_add(count),
                "failed" => counts.failed = counts.failed.saturating_add(count),
                "error" | "errors" => {
                    counts.failed = counts.failed.saturating_add(count);
                    counts.counted_twice = count;
                }
                "skipped" | "xfailed" => counts.skipped = counts.skipped.saturating_add(count),
                _ => {}
            }
        }
        Some(counts)
    })
}

/// node: `# pass 3` of the TAP reporter or `ℹ pass 3` of the spec reporter.
pub fn node(stdout: &[u8]) -> Option<Counts> {
    let text = String::from_utf8_lossy(stdout);
    let last = |key: &str| -> Option<usize> {
        text.lines().rev().find_map(|line| {
            let line = without_colors(line);
            let (mark, rest) = line.split_once(' ')?;
            let number = rest.strip_prefix(key)?.strip_prefix(' ')?;
            matches!(mark, "#" | "ℹ").then(|| number.trim().parse().ok())?
        })
    };
    Some(Counts {
        passed: last("pass")?,
        failed: last("fail")?.saturating_add(last("cancelled")?),
        skipped: last("skipped")?.saturating_add(last("todo")?),
        counted_twice: 0,
    })
}

/// nextest, on standard error: `Summary [ 0.1s] 5 tests run: 4 passed, 1 failed, 1 skipped`. Tests
/// that were filtered out count as skipped there, but are not in the report.
pub fn nextest(stderr: &[u8]) -> Option<Counts> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rev().find_map(|line| {
        let line = without_colors(line);
        let (_, parts) = line
            .trim_start()
            .strip_prefix("Summary [")?
            .split_once(" run: ")?;
        let mut counts = Counts::default();
        for part in parts.split(", ") {
            let (count, word) = part.split_once(' ')?;
            let count: usize = count.parse().ok()?;
            // `3 passed (1 slow)`
            match word.split(' ').next()? {
                "passed" => counts.passed = count,
                "failed" | "timed" | "exec" => counts.failed = counts.failed.saturating_add(count),
                _ => {}
            }
        }
        Some(counts)
    })
}

/// Maven: the last `Tests run: 4, Failures: 1, Errors: 1, Skipped: 1` of each module, summed.
pub fn maven(stdout: &[u8]) -> Option<Counts> {
    let text = String::from_utf8_lossy(stdout);
    let mut sum: Option<Counts> = None;
    for line in text.lines() {
        let line = without_colors(line);
        let line = line
            .strip_prefix("[INFO] ")
            .or_else(|| line.strip_prefix("[ERROR] "))
            .or_else(|| line.strip_prefix("[WARNING] "))
            .unwrap_or(&line);
        // Lines of single classes end with the time.
        if !line.starts_with("Tests run: ") || line.contains("Time elapsed") {
            continue;
        }
        let count = |key: &str| -> Option<usize> {
            line.split(", ")
                .find_map(|part| part.strip_prefix(key))?
                .trim()
                .parse()
                .ok()
        };
        let (Some(run), Some(failures), Some(errors), Some(skipped)) = (
            count("Tests run: "),
            count("Failures: "),
            count("Errors: "),
            count("Skipped: "),
        ) else {
            continue;
        };
        let sum = sum.get_or_insert_default();
        let failed = failures.saturating_add(errors);
        sum.failed = sum.failed.saturating_add(failed);
        sum.skipped = sum.skipped.saturating_add(skipped);
        let passed = run.saturating_sub(failed).saturating_sub(skipped);
        sum.passed = sum.passed.saturating_add(passed);
    }
    sum
}

/// Removes terminal color sequences.
fn without_colors(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        text.push_str(before);
        rest = match after.find(|c: char| c.is_ascii_alphabetic()) {
            Some(end) => &after[end + 1..],
            None => "",
        };
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: usize, failed: usize, skipped: usize, counted_twice: usize) -> Counts {
        Counts {
            passed,
            failed,
            skipped,
            counted_twice,
        }
    }

    #[test]
    fn recorded_summaries() {
        let out = include_bytes!("../../tests/data/pytest.out");
        assert_eq!(pytest(out), Some(counts(5, 3, 2, 2)));
        let colored =
            b"\x1b[31m\x1b[1m1 failed\x1b[0m, \x1b[32m5 passed\x1b[0m\x1b[31m in 0.04s\x1b[0m";
        assert_eq!(pytest(colored), Some(counts(5, 1, 0, 0)));
        assert_eq!(pytest(b"no tests ran in 0.01s\n"), Some(counts(0, 0, 0, 0)));
        let tap = include_bytes!("../../tests/data/node.tap");
        assert_eq!(node(tap), Some(counts(7, 2, 2, 0)));
        let spec = include_bytes!("../../tests/data/node.spec");
        assert_eq!(node(spec), Some(counts(7, 2, 2, 0)));
        let err = include_bytes!("../../tests/data/nextest.err");
        assert_eq!(nextest(err), Some(counts(4, 1, 0, 0)));
        let out = b"[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.05 s <<< FAILURE! - in x.CalcTest\n\
            [ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n";
        assert_eq!(maven(out), Some(counts(1, 2, 1, 0)));
        assert_eq!(pytest(b"in in in\n"), None);
    }
}
