//! Finds the lines of a test in the text of its file.

/// Follows the lines of a file, and says which belong to a test.
pub(super) struct TestBody<'n> {
    name: &'n str,
    /// The indentation of the test around the current line.
    indent: Option<usize>,
}

impl<'n> TestBody<'n> {
    pub(super) fn of(name: &'n str) -> Self {
        Self { name, indent: None }
    }

    /// Where the code of the test begins on the next line of the file: after its name, or at the start. `None` if the
    /// line does not belong to the test. `may_begin` says whether the line may declare a test.
    pub(super) fn next(&mut self, line: &str, may_begin: bool) -> Option<usize> {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        let is_close = content.starts_with(['}', ')', ']']);
        if self.indent.is_some_and(|own| indent <= own) && !content.is_empty() && !is_close {
            self.indent = None;
        }
        match word_in(line, self.name).filter(|_| may_begin && self.indent.is_none()) {
            Some(at) => {
                self.indent = Some(indent);
                Some(at + self.name.len())
            }
            None => self.indent.map(|_| 0),
        }
    }
}

/// Where `line` has `name`, and not a longer name.
fn word_in(line: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = line.match_indices(name).map(|(at, _)| at);
    places
        .find(|at| !line[..*at].ends_with(is_word) && !line[at + name.len()..].starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_ends_where_its_indentation_does() {
        let text = "class T:\n    def test_a_b(self):\n        one\n\n    def test_a(self):\n        \
                    two\n\n        three\n    def test_c(self):\n        four\n";
        let mut body = TestBody::of("test_a");
        let lines = text.lines().filter(|line| body.next(line, true).is_some());
        let lines: Vec<&str> = lines.map(str::trim).collect();
        assert_eq!(lines, ["def test_a(self):", "two", "", "three"]);
    }

    #[test]
    fn closing_brackets_belong_to_the_test() {
        let text = "test('adds', () => {\n  one;\n});\ntwo;\n";
        let mut body = TestBody::of("adds");
        let count = text.lines().filter(|line| body.next(line, true).is_some());
        assert_eq!(count.count(), 3);
    }
}
