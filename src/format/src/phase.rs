//! The format phase of the engine, and the engine's view of the languages.

use std::borrow::Cow;

use fixpoint_engine::{Config, Finding, Findings, Phase, PhaseInfo, Proposal, Rule, Stage};
use fixpoint_language::{is_lock_file, may_have_shebang};
use fixpoint_report::{Edit, Severity};
use fixpoint_text::{Snapshot, Span, line_changes};

#[cfg(feature = "starlark")]
use fixpoint_starlark::ParsedOnce;

use crate::newline::without_lone_returns;
use crate::printer::printer_of;
use crate::rules::{
    OMITTED_END_TAG, PRINTER_FAULT, SYNTAX, TEMPLATE, TOO_DEEP, UNKEPT_REGION, rules,
};
use crate::template;
use crate::{FormatError, Language, Style, Suppressions, canonical, comment_key, comments, parses};
#[cfg(feature = "starlark")]
use crate::{canonical::canonical_by, printer::print_by, starlark};

/// The maximum number of syntax errors that are reported for one text.
#[cfg(feature = "starlark")]
const MAX_SYNTAX_ERRORS: usize = 20;

/// The language of one file, for the engine's gate.
#[derive(Clone, Debug)]
pub struct SourceLanguage {
    language: Language,
    path: String,
}

impl SourceLanguage {
    /// The language of the file at `path`. `None` if it is unknown or disabled.
    pub fn of(path: &str, text: &str, config: &Config) -> Option<Self> {
        let first_line = text.lines().next().unwrap_or_default();
        let language = detect(path, first_line)
            .or_else(|| includes_text(path, config).then_some(Language::Text))?;
        let is_enabled = |language: Language| config.language(language.name()).enabled;
        let spoken = language.of_text(path, text);
        (is_enabled(language) && is_enabled(spoken)).then(|| Self {
            language: spoken,
            path: path.to_owned(),
        })
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// Whether the text is a template, not a finished file of its language.
    pub fn is_template(&self, text: &str) -> bool {
        template::is_template(self.language, &self.path, text)
    }

    /// The reason why a file that the user named is skipped.
    pub fn reason_to_skip(path: &str, text: &str) -> &'static str {
        match detect(path, text.lines().next().unwrap_or_default()) {
            Some(_) => "its language is switched off in fixpoint.toml",
            None if is_lock_file(path) => "it is a lock file, which only its own tool writes",
            None => {
                "its format is not known; to clean up its line ends and final newline, name it in \
                 `include` under [language.text] in fixpoint.toml"
            }
        }
    }

    /// Whether the language is known and enabled, judged by the name alone. `None` means that it
    /// depends on the first line.
    pub fn by_name(path: &str, config: &Config) -> Option<bool> {
        match detect(path, "") {
            Some(language) => Some(config.language(language.name()).enabled),
            None if includes_text(path, config) => Some(true),
            None if may_have_shebang(path) => None,
            None => Some(false),
        }
    }
}

/// The language of a file, if this build has a printer for it.
fn detect(path: &str, first_line: &str) -> Option<Language> {
    Language::detect(path, first_line).filter(|language| printer_of(*language).is_some())
}

/// Whether the settings include a file of unknown format as text.
fn includes_text(path: &str, config: &Config) -> bool {
    config.includes_text(path) && !is_lock_file(path)
}

impl SourceLanguage {
    /// The form of a comment that the gate compares. In Starlark, "skylark" and "starlark" are
    /// equal, because the rule `skylark-comment` replaces the one by the other.
    fn key_of(&self, comment: &str) -> String {
        let key = comment_key(comment);
        let lower = key.to_ascii_lowercase();
        if self.language == Language::Starlark && lower.contains("skylark") {
            return lower.replace("skylark", "starlark");
        }
        if self.language == Language::Starlark && lower.contains("starlark") {
            return lower;
        }
        key
    }
}

impl fixpoint_engine::Language for SourceLanguage {
    fn name(&self) -> &'static str {
        self.language.name()
    }

    fn parses(&self, text: &str) -> Result<(), String> {
        parses(self.language, &self.path, text).map_err(|error| error.to_string())
    }

    fn comments(&self, text: &str) -> Vec<String> {
        let text = &*without_lone_returns(self.language, text);
        let spans = comments(self.language, &self.path, text);
        spans
            .into_iter()
            .map(|span| self.key_of(&text[span.range()]))
            .collect()
    }

    fn suppressions(&self, text: &str) -> fixpoint_engine::Suppressions {
        Suppressions::find(self.language, &self.path, text).into()
    }
}

/// The phase that formats one file.
pub struct FormatPhase<'a> {
    language: Language,
    config: &'a Config,
    /// Whether another phase reports syntax errors.
    leaves_syntax_errors: bool,
    /// Languages that another formatter lays out, also where they are embedded.
    left_to_others: Vec<Language>,
    #[cfg(feature = "starlark")]
    parsed: Option<&'a ParsedOnce<'a>>,
}

impl<'a> FormatPhase<'a> {
    pub fn new(source: &SourceLanguage, config: &'a Config) -> Self {
        Self {
            language: source.language,
            config,
            leaves_syntax_errors: false,
            left_to_others: Vec::new(),
            #[cfg(feature = "starlark")]
            parsed: None,
        }
    }

    /// Uses a parsed Starlark text that other phases share, so that it is parsed only once.
    #[cfg(feature = "starlark")]
    #[must_use]
    pub fn sharing(self, parsed: &'a ParsedOnce<'a>) -> Self {
        Self {
            parsed: Some(parsed),
            ..self
        }
    }

    /// Reports no syntax errors, because another phase does.
    #[must_use]
    pub fn leaving_syntax_errors(self) -> Self {
        Self {
            leaves_syntax_errors: true,
            ..self
        }
    }

    /// Does not lay out these languages, because another formatter does.
    #[must_use]
    pub fn leaving(self, languages: Vec<Language>) -> Self {
        Self {
            left_to_others: languages,
            ..self
        }
    }

    /// The rules are those of all languages.
    pub const INFO: PhaseInfo = PhaseInfo {
        name: "format",
        rules,
        settings_key: None,
        reads: |language| Language::all_names().contains(&language),
    };

    #[cfg(feature = "starlark")]
    fn shared(&self, text: &str) -> Option<&'a ParsedOnce<'a>> {
        let is_starlark = self.language == Language::Starlark;
        self.parsed
            .filter(|parsed| is_starlark && parsed.is_of(text))
    }

    fn canonical<'s>(&self, source: &'s Snapshot) -> Result<Cow<'s, str>, FormatError> {
        let (path, text) = (source.path(), source.text());
        let styles = |language| self.style(language);
        #[cfg(feature = "starlark")]
        if let Some(parsed) = self.shared(text) {
            return canonical_by(self.language, path, text, &styles, |job, text| {
                print_by(job, || {
                    starlark::print_parsed(job, text, parsed.nodes().clone())
                })
            });
        }
        canonical(self.language, path, text, &styles)
    }

    /// All problems of a text. If the parser continues after an error, this includes all syntax
    /// errors.
    fn faults(&self, source: &Snapshot, error: &FormatError) -> Vec<Finding> {
        let mut faults = vec![fault(source, error)];
        #[cfg(feature = "starlark")]
        if let (Language::Starlark, FormatError::Syntax(first)) = (self.language, error) {
            let mut all = starlark::errors(source.text()).into_iter();
            if all.next().as_ref() == Some(first) {
                let others = all.take(MAX_SYNTAX_ERRORS - 1);
                faults.extend(others.map(|error| fault(source, &FormatError::Syntax(error))));
            }
        }
        faults
    }

    /// The error of a text whose layout is not changed.
    fn syntax_error(&self, source: &Snapshot) -> Result<(), FormatError> {
        let (path, text) = (source.path(), source.text());
        if template::is_template(self.language, path, text) {
            return Err(FormatError::Template);
        }
        Ok(parses(self.language, path, text)?)
    }

    /// The layout of a language; `None` if the phase does not lay it out.
    fn style(&self, language: Language) -> Option<Style> {
        let config = self.config.language(language.name());
        let default = Style::default_of(language);
        let is_formatted = config.enabled
            && config.formats() != Some(false)
            && !self.left_to_others.contains(&language);
        is_formatted.then(|| {
            Style::new(
                config.line_width.unwrap_or(default.line_width()),
                config.indent.unwrap_or(default.indent()),
            )
        })
    }
}

impl Phase for FormatPhase<'_> {
    fn name(&self) -> &'static str {
        Self::INFO.name
    }

    fn stage(&self) -> Stage {
        Stage::Layout
    }

    fn rules(&self) -> &[Rule] {
        rules()
    }

    fn vouches(&self) -> bool {
        true
    }

    fn run(&self, source: &Snapshot) -> Findings {
        let canonical = match self.style(self.language) {
            Some(_) => self.canonical(source),
            None => self.syntax_error(source).map(|()| source.text().into()),
        };
        match canonical {
            Ok(printed) => Findings {
                findings: layout_finding(self.language, source, &printed)
                    .into_iter()
                    .collect(),
                unparsable: false,
            },
            Err(FormatError::Syntax(_)) if self.leaves_syntax_errors => Findings {
                findings: Vec::new(),
                unparsable: true,
            },
            Err(error) => Findings {
                findings: self.faults(source, &error),
                // A text that parses but cannot be printed may still be changed by other phases.
                unparsable: !matches!(
                    error,
                    FormatError::Unstable { .. }
                        | FormatError::Damaged { .. }
                        | FormatError::OmittedEndTag { .. }
                        | FormatError::Unkept { .. }
                ),
            },
        }
    }
}

fn layout_finding(language: Language, source: &Snapshot, printed: &str) -> Option<Finding> {
    let changes = line_changes(source.text(), printed);
    let first = changes.first()?.old;
    let edits = changes
        .into_iter()
        .map(|change| Edit::replace(source, change.old, &printed[change.new.range()]))
        .collect();
    let title = format!("Lay out as canonical {}", language.name());
    let proposal =
        Proposal::safe(title, edits).because("Only layout changes; every comment is kept.");
    let finding = Finding::style(language.info().layout_rule, "not in canonical form", first);
    Some(finding.heeding_directives().with_fix(proposal))
}

fn fault(source: &Snapshot, error: &FormatError) -> Finding {
    let whole = Span::from(0..source.text().len());
    let first_line = Span::from(0..source.text().find('\n').unwrap_or(source.text().len()));
    match error {
        FormatError::Syntax(error) => {
            let span = if error.span() == whole {
                first_line
            } else {
                error.span()
            };
            Finding::problem(SYNTAX, Severity::Error, error.message(), span).heeding_directives()
        }
        // A style finding fails strict mode: it is unknown whether such a text parses.
        FormatError::TooDeep { span, .. } => Finding::style(TOO_DEEP, error.to_string(), *span)
            .with_hint("break the expression into lines, or exclude the file in fixpoint.toml"),
        FormatError::Template => {
            Finding::problem(TEMPLATE, Severity::Info, error.to_string(), first_line)
        }
        FormatError::OmittedEndTag { span, .. } => {
            Finding::problem(OMITTED_END_TAG, Severity::Info, error.to_string(), *span)
        }
        FormatError::Unkept { line } => {
            let lines = fixpoint_text::LineIndex::new(source.text());
            let span = Span::from(lines.line_start(*line)..lines.line_start(*line + 1));
            Finding::problem(UNKEPT_REGION, Severity::Warning, error.to_string(), span)
                .heeding_directives()
        }
        _ => Finding::problem(
            PRINTER_FAULT,
            Severity::Warning,
            error.to_string(),
            first_line,
        )
        .with_hint("the file is left as it is; please report it"),
    }
}
