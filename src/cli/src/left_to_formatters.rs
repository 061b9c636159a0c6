//! Counts the files that other formatters lay out, for the summary of a run.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_analysis::FormatterSettings;
use fixpoint_engine::Config;
use fixpoint_language::Language;
use fixpoint_report::FixReport;
use serde_json::json;

use crate::formatter_lookup::FormatterLookup;
use crate::inputs::VisibleFiles;
use crate::render::words::count;

/// Files whose layout Fixpoint does not check, by the settings of the formatter that lays them out.
#[derive(Debug, Default)]
pub(crate) struct LeftToFormatters(BTreeMap<FormatterSettings, Left>);

#[derive(Debug, Default)]
struct Left {
    files: usize,
    languages: BTreeSet<&'static str>,
}

impl LeftToFormatters {
    pub(crate) fn count<'r>(
        reports: impl Iterator<Item = &'r FixReport>,
        config: &Config,
        files: &VisibleFiles,
    ) -> Self {
        let lookup = FormatterLookup::default();
        let mut left = BTreeMap::<_, Left>::new();
        for report in reports {
            let Some(language) = Language::with_name(&report.language) else {
                continue;
            };
            let formatters = lookup.of_file(report.path(), files);
            if let Some(settings) = formatters.instead_of_fixpoint(language, config) {
                let left = left.entry(settings.clone()).or_default();
                left.files += 1;
                left.languages.insert(language.name());
            }
        }
        Self(left)
    }

    pub(crate) fn extend(&mut self, other: Self) {
        for (settings, other) in other.0 {
            let left = self.0.entry(settings).or_default();
            left.files += other.files;
            left.languages.extend(other.languages);
        }
    }

    /// One sentence for each formatter and its settings.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(settings, left)| {
            let languages: Vec<_> = left.languages.iter().copied().collect();
            let example = languages.first().copied().unwrap_or_default();
            format!(
                "{} formats {} ({}), as {} says, so Fixpoint does not change their layout; `format = true` under \
                 [language.{example}] in fixpoint.toml would",
                settings.formatter,
                count(left.files, "file"),
                languages.join(", "),
                settings.path,
            )
        })
    }

    pub(crate) fn to_json(&self) -> serde_json::Value {
        let left = self.0.iter().map(|(settings, left)| {
            json!({
                "formatter": settings.formatter,
                "settings": settings.path,
                "languages": left.languages,
                "files": left.files,
            })
        });
        left.collect()
    }
}
