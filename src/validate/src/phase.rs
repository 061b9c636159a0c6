//! The document checks as a phase of the engine.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fixpoint_document::{Change, Document, Format, Op, ParseError, Pointer};
use fixpoint_engine::{Finding, Findings, Phase, PhaseInfo, Place, Rule, Stage};
use fixpoint_report::Severity;
use fixpoint_text::{Snapshot, Span};
use globset::GlobSet;

use crate::finding::{Marks, Repair, Tier, ValidationFinding};
use crate::lowering::CheckResult;
use crate::named::NamedSchema;
use crate::pack::{Pack, all_rules};
use crate::policy::{PolicyRule, RulesFile, check as check_rule, file_globs};
use crate::schema::rules::{DUPLICATE_KEY, UNREADABLE, UNRESOLVED, UNUSABLE};
use crate::schema::{Schema, SchemaError, check as check_schema};
use crate::settings::ValidateSettings;
use crate::subject::Subject;

/// The schemas and rules of a workspace.
#[derive(Debug, Default)]
pub struct Library {
    schemas: Vec<(GlobSet, Arc<Schema>)>,
    rules: Vec<RulesFile>,
    is_mending: bool,
}

/// The configuration file of the workspace. If it was read successfully, there is nothing to report
/// in it.
const SETTINGS: &str = "fixpoint.toml";

impl Library {
    /// `schemas` are schemas with the globs of the files they apply to. `rules` are the rules files
    /// of the workspace.
    pub fn new(
        schemas: Vec<(Vec<String>, Arc<Schema>)>,
        rules: Vec<RulesFile>,
    ) -> Result<Self, String> {
        let schemas = schemas
            .into_iter()
            .map(|(files, schema)| Ok((file_globs(&files)?, schema)));
        Ok(Self {
            schemas: schemas.collect::<Result<_, String>>()?,
            rules,
            is_mending: false,
        })
    }

    /// Also checks the configuration file, for a workspace whose configuration cannot be read.
    #[must_use]
    pub fn mending(self) -> Self {
        Self {
            is_mending: true,
            ..self
        }
    }

    /// A glob that matches only this path.
    pub fn glob_of(path: &str) -> String {
        globset::escape(path)
    }

    /// Globs of documents, as settings and rules write them.
    pub fn globs(files: &[String]) -> Result<GlobSet, String> {
        file_globs(files)
    }

    /// Whether files with this name can be checked.
    pub fn reads(path: &str) -> bool {
        Format::of_path(path).is_some()
    }

    /// The rules of the workspace, without the built-in ones.
    pub fn own_rules(&self) -> impl Iterator<Item = &PolicyRule> {
        self.rules.iter().flat_map(RulesFile::rules)
    }

    /// The checks for one file. `None` if no schema and no rule applies to it, and no key occurs twice.
    pub fn checks(
        &self,
        source: &Snapshot,
        settings: &ValidateSettings,
        named: Option<(NamedSchema, Result<Arc<Schema>, SchemaError>)>,
    ) -> Option<Checks<'_>> {
        let path = source.path();
        let format = Format::of(path, source.text())?;
        let by_glob = self
            .schemas
            .iter()
            .filter(|(globs, _)| globs.is_match(path));
        let mut schemas: Vec<Arc<Schema>> = by_glob.map(|(_, it)| Arc::clone(it)).collect();
        let mut unusable = None;
        match named {
            Some((_, Ok(schema))) => schemas.push(schema),
            Some((_, Err(error)))
                if error.is_unresolved() && settings.ignores_unresolved_schemas => {}
            Some((named, Err(error))) => unusable = Some((named.span, error)),
            None => {}
        }
        let mut seen = BTreeSet::new();
        schemas.retain(|it| seen.insert(it.path().to_owned()));
        let is_read = path == SETTINGS && !self.is_mending;
        let packs = Pack::all().iter().filter(|_| !is_read);
        let packs =
            packs.filter(|pack| !settings.disables(pack.name) && pack.is_for(path, source.text()));
        let mut rules = Vec::new();
        for file in packs.map(Pack::rules) {
            let enabled = file.rules().iter();
            let enabled = enabled.filter(|rule| !settings.disables(&rule.id));
            rules.extend(
                enabled.map(|rule| SelectedRule::new(file, rule, Cow::Borrowed(rule.id.as_str()))),
            );
        }
        for file in &self.rules {
            let own = file.rules().iter();
            rules
                .extend(own.map(|rule| SelectedRule::new(file, rule, Cow::Owned(rule.id.clone()))));
        }
        rules.retain(|it| it.rule.is_for(path));
        let is_empty = schemas.is_empty() && rules.is_empty() && unusable.is_none();
        (!is_empty || has_duplicate_keys(format, source.text())).then_some(Checks {
            format,
            schemas,
            rules,
            unusable,
        })
    }
}

/// The checks for one file.
#[derive(Debug)]
pub struct Checks<'a> {
    format: Format,
    schemas: Vec<Arc<Schema>>,
    rules: Vec<SelectedRule<'a>>,
    /// The span where the file names an unusable schema, and the reason why it is unusable.
    unusable: Option<(Span, SchemaError)>,
}

/// A rule that applies to the file, and its name in reports.
#[derive(Debug)]
struct SelectedRule<'a> {
    file: &'a RulesFile,
    rule: &'a PolicyRule,
    name: Cow<'static, str>,
}

impl<'a> SelectedRule<'a> {
    fn new(file: &'a RulesFile, rule: &'a PolicyRule, name: Cow<'static, str>) -> Self {
        Self { file, rule, name }
    }
}

/// Checks one document.
pub struct ValidatePhase<'a> {
    checks: Checks<'a>,
    is_alone: bool,
}

impl<'a> ValidatePhase<'a> {
    pub fn new(checks: Checks<'a>) -> Self {
        Self {
            checks,
            is_alone: false,
        }
    }

    /// Runs without other phases, so that syntax errors are reported too.
    #[must_use]
    pub fn alone(self) -> Self {
        Self {
            is_alone: true,
            ..self
        }
    }

    pub const INFO: PhaseInfo = PhaseInfo {
        name: "validate",
        rules: all_rules,
        settings_key: Some(ValidateSettings::KEY),
        reads: |name| {
            let language = fixpoint_language::Language::with_name(name);
            language.and_then(Format::of_language).is_some()
        },
    };

    /// The names that `fixpoint.toml` can switch on and off: packs and built-in rules.
    pub fn switches() -> Vec<&'static str> {
        let packs = Pack::all().iter().map(|it| it.name);
        let rules = Pack::all().iter().flat_map(|it| it.rules().rules());
        packs.chain(rules.map(|it| it.id.as_str())).collect()
    }

    /// The findings in a text.
    fn check_text(&self, source: &Snapshot) -> Result<CheckResult, ParseError> {
        let document = Document::parse(self.checks.format, source.text())?;
        let mut seen = CheckResult::default();
        for subject in Subject::all(&document) {
            let mut found = Vec::new();
            duplicate_keys(&subject, &mut found);
            for schema in &self.checks.schemas {
                seen.is_cut |= check_schema(schema, &subject, &mut found);
            }
            for selected in &self.checks.rules {
                if selected.file.is_about(&subject.value) {
                    check_rule(selected.rule, selected.name.clone(), &subject, &mut found);
                }
            }
            let findings = found.into_iter().map(|it| finding(&subject, it));
            seen.findings.extend(findings);
        }
        if let Some((span, error)) = &self.checks.unusable {
            seen.findings.push((unusable(*span, error), None));
        }
        drop_ambiguous_repairs(&mut seen);
        let mut reported = BTreeSet::new();
        seen.findings.retain(|(it, _)| {
            let pointer = it.place.as_ref().map(|place| place.json_pointer.clone());
            reported.insert((it.rule.clone(), it.message.clone(), pointer))
        });
        Ok(seen)
    }

    fn unreadable(&self, error: &ParseError) -> Findings {
        let is_syntax = matches!(error, ParseError::Syntax { .. });
        if is_syntax && !self.is_alone {
            return Findings::default();
        }
        let finding =
            Finding::problem(UNREADABLE, Severity::Error, error.to_string(), error.span()).at(
                Place {
                    json_pointer: String::new(),
                    tier: Tier::Schema.name(),
                },
            );
        Findings {
            findings: vec![finding],
            unparsable: self.is_alone,
        }
    }
}

impl Phase for ValidatePhase<'_> {
    fn name(&self) -> &'static str {
        Self::INFO.name
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        all_rules()
    }

    fn run(&self, source: &Snapshot) -> Findings {
        match self.check_text(source) {
            Ok(seen) => Findings {
                findings: seen.with_candidates(source),
                unparsable: false,
            },
            Err(error) => self.unreadable(&error),
        }
    }

    fn check(&self, source: &Snapshot) -> Findings {
        match self.check_text(source) {
            Ok(seen) => Findings {
                findings: seen.without_fixes(),
                unparsable: false,
            },
            Err(_) => Findings {
                unparsable: true,
                ..Findings::default()
            },
        }
    }
}

/// Removes repairs that would set the same key to different values, because it is unclear which one
/// is right.
fn drop_ambiguous_repairs(seen: &mut CheckResult) {
    let key_made = |op: &Op| match &op.change {
        Change::AddValue { key, .. } | Change::RenameKey { to: key, .. } => {
            Some(op.json_pointer.join(key))
        }
        _ => None,
    };
    let mut makers: BTreeMap<Pointer, Op> = BTreeMap::new();
    let mut rivals: BTreeSet<Pointer> = BTreeSet::new();
    let repairs = seen.findings.iter().filter_map(|(_, it)| it.as_ref());
    for op in repairs.flat_map(|it| &it.ops) {
        let Some(key) = key_made(op) else {
            continue;
        };
        let first = makers.entry(key.clone()).or_insert_with(|| op.clone());
        if first.change != op.change {
            rivals.insert(key);
        }
    }
    for (_, repair) in &mut seen.findings {
        let is_rival = |op: &Op| key_made(op).is_some_and(|key| rivals.contains(&key));
        if repair
            .as_ref()
            .is_some_and(|it| it.ops.iter().any(is_rival))
        {
            *repair = None;
        }
    }
}

/// Whether a document is wrong although no schema and no rule applies to it.
fn has_duplicate_keys(format: Format, text: &str) -> bool {
    let has_own_check = format == Format::Toml;
    // Statements of a template are often in comments, so that the template is valid YAML.
    let is_template = text.contains("{%");
    !has_own_check
        && !is_template
        && Document::parse(format, text).is_ok_and(|document| document.has_duplicate_keys())
}

/// Reports duplicate keys. The search runs only if the conversion to plain JSON lost a member.
fn duplicate_keys(subject: &Subject<'_>, found: &mut Vec<ValidationFinding>) {
    for (pointer, second) in subject.duplicate_keys() {
        found.push(ValidationFinding {
            rule: Cow::Borrowed(DUPLICATE_KEY),
            tier: Tier::Schema,
            severity: Severity::Error,
            message: format!("the key `{}` occurs twice in its object", second.key),
            pointer,
            marks: Marks::Exactly(second.key_span),
            hint: None,
            repair: None,
        });
    }
}

/// The finding for a named schema that cannot be used: a note if it cannot be found, else an error.
fn unusable(span: Span, error: &SchemaError) -> Finding {
    let finding = if error.is_unresolved() {
        let message = format!("not checked against its schema: {error}");
        Finding::problem(UNRESOLVED, Severity::Info, message, span).with_hint(
            "`unresolved_schemas = \"ignore\"` under [validate] in fixpoint.toml turns this note off",
        )
    } else {
        Finding::problem(UNUSABLE, Severity::Error, error.to_string(), span)
    };
    finding.at(Place {
        json_pointer: String::new(),
        tier: Tier::Schema.name(),
    })
}

/// Converts a finding. Its repair becomes its fix later.
fn finding(subject: &Subject<'_>, found: ValidationFinding) -> (Finding, Option<Repair>) {
    let span = subject.span(&found.pointer, found.marks);
    let place = Place {
        json_pointer: subject.in_file(&found.pointer).to_string(),
        tier: found.tier.name(),
    };
    let finding = Finding::problem(found.rule, found.severity, found.message, span).at(place);
    let finding = match found.hint {
        Some(hint) => finding.with_hint(hint),
        None => finding,
    };
    let repair = found.repair;
    let repair = repair.filter(|it| it.ops.iter().all(|op| subject.can_judge(op)));
    (finding, repair)
}
