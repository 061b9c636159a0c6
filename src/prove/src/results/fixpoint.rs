//! The result of `fixpoint check` and its sister commands.

use super::Collector;
use crate::record::{TestResults, TestStatus};

/// The command is one test, judged by its exit code. Findings are not tests: a fix resolves a finding,
/// and then nothing reports it any more.
pub fn parse(command: &str, exit_code: Option<i32>) -> TestResults {
    let mut collector = Collector::new("fixpoint");
    let status = if exit_code == Some(0) {
        TestStatus::Passed
    } else {
        TestStatus::Failed
    };
    collector.add(command, status);
    collector.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_the_only_test() {
        let test = "fixpoint check";
        for (exit_code, expected) in [
            (Some(0), TestStatus::Passed),
            (Some(1), TestStatus::Failed),
            (None, TestStatus::Failed),
        ] {
            let tests = parse(test, exit_code).tests;
            assert_eq!(
                tests.into_iter().collect::<Vec<_>>(),
                [(test.to_owned(), expected)]
            );
        }
    }
}
