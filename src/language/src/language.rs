//! Questions about languages that the table answers.

use std::sync::LazyLock;

use crate::Language;

impl Language {
    /// The name of the language in reports and in the configuration.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The language that has this name. Of several variants, it is the first one.
    pub fn with_name(name: &str) -> Option<Self> {
        Self::first(|language| language.name() == name)
    }

    /// All values of [`name`](Self::name), sorted.
    pub fn all_names() -> &'static [&'static str] {
        static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(|_| true));
        &NAMES
    }

    /// The languages whose layout cannot be configured, sorted.
    pub fn names_with_fixed_layout() -> &'static [&'static str] {
        static NAMES: LazyLock<Vec<&str>> =
            LazyLock::new(|| names(|language| language.info().has_fixed_layout));
        &NAMES
    }

    /// The language of a fenced code block with this tag.
    pub fn of_fence_tag(tag: &str) -> Option<Self> {
        let tag = tag.to_ascii_lowercase();
        Self::first(|language| language.info().fence_tags.contains(&tag.as_str()))
    }

    pub(crate) fn first(accepts: impl Fn(Self) -> bool) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|language| accepts(*language))
    }
}

fn names(accepts: impl Fn(Language) -> bool) -> Vec<&'static str> {
    let all = Language::ALL.iter().copied();
    let mut names: Vec<&str> = all
        .filter(|language| accepts(*language))
        .map(Language::name)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether a comment of some language begins with this character, or with others and this one.
pub fn is_comment_mark(mark: char) -> bool {
    let all = Language::ALL.iter().map(|language| language.info());
    all.flat_map(|info| info.comments.leaders())
        .any(|leader| leader.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_complete() {
        for language in Language::ALL {
            let info = language.info();
            assert!(!info.name.is_empty(), "{language:?}");
            assert_eq!(info.layout_rule, format!("format-{}", info.name));
            assert!(info.summary.starts_with("Formats "), "{language:?}");
            let detected = Language::detect(info.example.path, "").unwrap_or(Language::Text);
            assert_eq!(detected, *language);
        }
    }

    #[test]
    fn no_name_belongs_to_two_languages() {
        let columns = [
            |language: &Language| language.info().file_names,
            |language: &Language| language.info().name_endings,
            |language: &Language| language.info().extensions,
            |language: &Language| language.info().interpreters,
            |language: &Language| language.info().fence_tags,
        ];
        for column in columns {
            let mut names: Vec<&str> = Language::ALL.iter().flat_map(column).copied().collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{names:?}");
        }
    }

    #[test]
    fn variants_share_a_name_and_names_are_listed_once() {
        assert_eq!(Language::Tsx.name(), Language::TypeScript.name());
        assert_eq!(Language::Jsx.name(), Language::JavaScript.name());
        assert_eq!(Language::all_names().len(), Language::ALL.len() - 2);
        assert!(Language::all_names().is_sorted());
        for name in Language::all_names() {
            assert_eq!(Language::with_name(name).map(Language::name), Some(*name));
        }
        assert_eq!(
            Language::names_with_fixed_layout(),
            ["clank", "starlark", "text"]
        );
    }

    #[test]
    fn comment_marks_are_those_of_all_languages() {
        let marks: String = (' '..='~').filter(|mark| is_comment_mark(*mark)).collect();
        assert_eq!(marks, "!#*-/;<");
    }

    #[test]
    fn a_fence_tag_is_read_in_any_case() {
        assert_eq!(Language::of_fence_tag("YML"), Some(Language::Yaml));
        assert_eq!(Language::of_fence_tag("bzl"), None);
    }
}
