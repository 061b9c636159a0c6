//! The layout options of a workspace.

use fixpoint_engine::Indent;
use fixpoint_language::Language;

/// The maximum line width and the indentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    line_width: u16,
    /// Languages that cannot be indented with tabs (YAML) use two spaces instead.
    indent: Indent,
}

impl Style {
    /// Clamps values that no printer can use: a line has 20 to 320 columns, an indent has 1 to 16
    /// spaces.
    pub fn new(line_width: u16, indent: Indent) -> Self {
        Self {
            line_width: line_width.clamp(20, 320),
            indent: match indent {
                Indent::Spaces(count) => Indent::Spaces(count.clamp(1, 16)),
                Indent::Tab => Indent::Tab,
            },
        }
    }

    /// The layout of a language for a workspace that does not configure one.
    pub fn default_of(language: Language) -> Self {
        let info = language.info();
        Self::new(info.line_width, Indent::Spaces(info.indent))
    }

    pub fn line_width(self) -> u16 {
        self.line_width
    }

    pub fn indent(self) -> Indent {
        self.indent
    }

    /// The columns of one indentation level; a tab counts as `tab`.
    pub(crate) fn indent_width(self, tab: u8) -> u8 {
        match self.indent {
            Indent::Spaces(count) => count,
            Indent::Tab => tab,
        }
    }

    pub(crate) fn tabs(self) -> bool {
        self.indent == Indent::Tab
    }

    /// The same style with at most `line_width` columns, for embedded text.
    pub(crate) fn narrowed_to(self, line_width: u32) -> Self {
        let line_width = u16::try_from(line_width).unwrap_or(u16::MAX);
        Self::new(self.line_width.min(line_width), self.indent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_style_values_are_clamped() {
        let style = Style::new(0, Indent::Spaces(0));
        assert_eq!(
            (style.line_width(), style.indent()),
            (20, Indent::Spaces(1))
        );
        assert_eq!(Style::new(9000, Indent::Tab).line_width(), 320);
    }
}
