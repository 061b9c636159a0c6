//! Front matter: YAML between `---`, or TOML between `+++`, at the start of the text.

use crate::Language;

pub(super) struct FrontMatter<'t> {
    /// The language of the contents, if it is known.
    pub(super) language: Option<Language>,
    pub(super) open: &'t str,
    pub(super) contents: &'t str,
    pub(super) mark: &'t str,
    /// The end of the closing mark.
    pub(super) end: usize,
}

impl<'t> FrontMatter<'t> {
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let mark = ["---", "+++"]
            .into_iter()
            .find(|mark| text.starts_with(mark))?;
        let first = text.find('\n')?;
        let name = text[mark.len()..first].trim();
        let language = match (name, mark) {
            ("", "+++") | ("toml", _) => Some(Language::Toml),
            ("" | "yaml", _) => Some(Language::Yaml),
            _ => None,
        };
        let find = |mark: &str| text[first..].find(&format!("\n{mark}"));
        let is_yaml = mark == "---" && language == Some(Language::Yaml);
        let close = find(mark).or_else(|| if is_yaml { find("...") } else { None })?;
        let contents = first + 1..(first + close).max(first + 1);
        let end = first + close + 1 + mark.len();
        Some(Self {
            language,
            open: text[..first].trim_end(),
            contents: &text[contents],
            mark: &text[end - mark.len()..end],
            end,
        })
    }
}
