//! Runs the phases on files of one project.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use fixpoint_engine::{Config, Engine, Language};
use fixpoint_format::SourceLanguage;
use fixpoint_learn::LearnedRules;
use fixpoint_report::{FixReport, NotChecked};
use fixpoint_starlark::ParsedOnce;
use fixpoint_text::Snapshot;
use fixpoint_validate::{Checks, Library, NamedSchema, Schema, SchemaError, named_schema};
use thiserror::Error;

use crate::files::{Files, compile_schema};
use crate::hidden::{HiddenFiles, schema_not_visible};
use crate::input::{AnalysisOptions, FileInput, Phases};
use crate::project::{ProjectError, ProjectInput};
use crate::registry::{FileContext, PHASES};
use crate::rule_language::RuleLanguage;
use crate::settings::Settings;

/// The settings, schemas and rules of a project, ready for use.
#[derive(Debug)]
pub struct Analyzer {
    pub(crate) settings: Settings,
    library: Library,
    pub(crate) learned: LearnedRules,
    hidden: HiddenFiles,
    /// Compiled schemas that documents name, by path. The files are those they were compiled from.
    compiled: Mutex<BTreeMap<String, (Arc<Files>, CompiledSchema)>>,
}

type CompiledSchema = Result<Arc<Schema>, SchemaError>;

/// The result for one file.
#[derive(Debug)]
pub enum Analysis {
    Analyzed(Box<Analyzed>),
    /// No phase is for the file. The reason continues a sentence that begins with its path.
    Skipped(&'static str),
}

#[derive(Debug)]
pub struct Analyzed {
    /// The report, which also lists what could not be checked and why.
    pub report: FixReport,
    pub canonical: Snapshot,
}

/// A parser or printer panicked.
#[derive(Debug, Error)]
#[error("the analysis crashed; report this bug together with the file")]
pub struct AnalysisCrashed;

/// What the name of a file says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameVerdict {
    /// Some phase is for files with this name.
    Analyzed,
    /// The first line of the file decides.
    NeedsText,
    /// No phase is for files with this name. The reason continues a sentence that begins with the path.
    Skipped(&'static str),
}

impl Analyzer {
    pub fn new(project: &ProjectInput) -> Result<Self, ProjectError> {
        let settings = Settings::parse(&project.settings).map_err(ProjectError::Settings)?;
        let (library, hidden) = project.library(&settings)?;
        Ok(Self {
            library,
            learned: project.learned_rules(&settings),
            hidden,
            settings,
            compiled: Mutex::default(),
        })
    }

    pub fn config(&self) -> &Config {
        &self.settings.config
    }

    /// The project's own schemas and rules.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The learned rules that are used, and the rule files that are not.
    pub fn learned(&self) -> &LearnedRules {
        &self.learned
    }

    /// Whether a file can be skipped without being read.
    pub fn judge_name(&self, path: &str, phases: Phases) -> NameVerdict {
        let is_analyzed = match phases {
            Phases::Validation => Some(Library::reads(path)),
            Phases::All if RuleLanguage::of(path, &self.learned).is_some() => Some(true),
            Phases::All | Phases::Layout => SourceLanguage::by_name(path, self.config()),
        };
        match (is_analyzed, phases) {
            (Some(true), _) => NameVerdict::Analyzed,
            (Some(false), Phases::Validation) => {
                NameVerdict::Skipped("it is not JSON, YAML or TOML")
            }
            (Some(false), _) => NameVerdict::Skipped(SourceLanguage::reason_to_skip(path, "")),
            (None, _) => NameVerdict::NeedsText,
        }
    }

    /// Analyzes one file. Any text has a result, unless a parser or printer panics.
    pub fn analyze(
        &self,
        input: &FileInput,
        options: &AnalysisOptions,
    ) -> Result<Analysis, AnalysisCrashed> {
        // Only the cache of schemas outlives the call, and its entries are inserted whole.
        catch_unwind(AssertUnwindSafe(|| self.run(input, options))).map_err(|_| AnalysisCrashed)
    }

    fn run(&self, input: &FileInput, options: &AnalysisOptions) -> Analysis {
        let (path, text) = (input.source.path(), input.source.text());
        let phases = options.phases;
        let source = SourceLanguage::of(path, text, self.config());
        let ruled = match phases {
            Phases::All => RuleLanguage::of(path, &self.learned),
            Phases::Layout | Phases::Validation => None,
        };
        let language: &dyn Language = match (&source, &ruled) {
            (Some(source), _) => source,
            (None, Some(ruled)) => ruled,
            (None, None) => return Analysis::Skipped(SourceLanguage::reason_to_skip(path, text)),
        };
        let starlark = ParsedOnce::new(text);
        let context = FileContext {
            analyzer: self,
            input,
            language: source.as_ref(),
            phases,
            starlark: &starlark,
        };
        let (mut running, mut not_checked) = (Vec::new(), Vec::new());
        for registration in PHASES {
            let prepared = registration.prepare(language.name(), &context);
            let prepared = prepared.unwrap_or_default();
            running.extend(prepared.phase);
            not_checked.extend(prepared.not_checked);
        }
        if running.is_empty() && phases == Phases::Validation {
            return Analysis::Skipped("no schema and no rule applies to it");
        }
        let running = running.iter().map(|phase| &**phase);
        let engine = Engine::new(language, running);
        let run = engine.run_with(&input.source, &options.policy(), &input.reported);
        Analysis::Analyzed(Box::new(Analyzed {
            report: FixReport {
                not_checked,
                ..run.report
            },
            canonical: run.canonical,
        }))
    }

    /// The checks for a document, and the schema that it names if that is not visible.
    pub(crate) fn checks(&self, input: &FileInput) -> (Option<Checks<'_>>, Vec<NotChecked>) {
        let source = &input.source;
        let mut not_checked = self.hidden.not_checked(source.path());
        let named = named_schema(source.path(), source.text()).and_then(|named| {
            let compiled = self.compiled(&named, &input.schemas);
            if compiled.is_none() {
                not_checked.push(schema_not_visible(&named));
            }
            Some((named, compiled?))
        });
        let settings = &self.settings.validate;
        (self.library.checks(source, settings, named), not_checked)
    }

    /// The schema that a document names; `None` if it is not visible.
    fn compiled(&self, named: &NamedSchema, files: &Arc<Files>) -> Option<CompiledSchema> {
        let Some(path) = &named.path else {
            return Some(Err(SchemaError::NotLocal {
                reference: named.written.clone(),
            }));
        };
        let lock = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((compiled_from, schema)) = lock().get(path)
            && (Arc::ptr_eq(compiled_from, files) || compiled_from == files)
        {
            return Some(schema.clone());
        }
        let schema = compile_schema(path, files).transpose()?.map(Arc::new);
        lock().insert(path.clone(), (Arc::clone(files), schema.clone()));
        Some(schema)
    }
}
