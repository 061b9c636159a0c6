//! The checks as a phase of the engine.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use fixpoint_document::{Change, Document, Format, Op, ParseError, Pointer};
use fixpoint_engine::{Config, Finding, Findings, Language, Phase, Place, Rule, Stage};
use fixpoint_report::Severity;
use fixpoint_text::{Snapshot, Span};
use globset::GlobSet;

use crate::found::{Found, Marks, Repair, Tier};
use crate::lowering::{Deed, Seen, proposals};
use crate::named::NamedSchema;
use crate::pack::{Pack, all_rules};
use crate::policy::{PolicyRule, RulesFile, check as check_rule, file_globs};
use crate::schema::rules::{DUPLICATE_KEY, UNREADABLE, UNRESOLVED, UNUSABLE};
use crate::schema::{Schema, SchemaError, check as check_schema};
use crate::subject::Subject;

/// What a workspace checks its documents against.
#[derive(Debug, Default)]
pub struct Library {
    schemas: Vec<(GlobSet, Arc<Schema>)>,
    rules: Vec<RulesFile>,
    is_mending: bool,
}

/// The settings of the workspace itself. Once they have been read, there is nothing to find in them.
const SETTINGS: &str = "fixpoint.toml";

impl Library {
    /// Schemas with globs of the files they are for, and the rules files of the workspace.
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

    /// The same for a workspace whose settings cannot be read, so that they are looked at too.
    #[must_use]
    pub fn mending(self) -> Self {
        Self {
            is_mending: true,
            ..self
        }
    }

    /// The glob that matches this one path.
    pub fn glob_of(path: &str) -> String {
        globset::escape(path)
    }

    /// Whether files of this name can be looked at.
    pub fn reads(path: &str) -> bool {
        Format::of_path(path).is_some()
    }

    /// The rules of the workspace's own.
    pub fn own_rules(&self) -> impl Iterator<Item = &PolicyRule> {
        self.rules.iter().flat_map(RulesFile::rules)
    }

    /// What is to be checked in one file; nothing where there is nothing.
    pub fn checks(
        &self,
        source: &Snapshot,
        config: &Config,
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
                if error.is_unresolved() && config.validate().ignores_unresolved_schemas => {}
            Some((named, Err(error))) => unusable = Some((named.span, error)),
            None => {}
        }
        let mut seen = BTreeSet::new();
        schemas.retain(|it| seen.insert(it.path().to_owned()));
        let switched = |name: &str| config.validate().switches.get(name).copied();
        let is_read = path == SETTINGS && !self.is_mending;
        let packs = Pack::all().iter().filter(|_| !is_read);
        let packs = packs
            .filter(|pack| switched(pack.name) != Some(false) && pack.is_for(path, source.text()));
        let mut rules = Vec::new();
        for file in packs.map(Pack::rules) {
            let wanted = file
                .rules()
                .iter()
                .filter(|it| switched(&it.id) != Some(false));
            rules
                .extend(wanted.map(|rule| Asked::new(file, rule, Cow::Borrowed(rule.id.as_str()))));
        }
        for file in &self.rules {
            let own = file.rules().iter();
            rules.extend(own.map(|rule| Asked::new(file, rule, Cow::Owned(rule.id.clone()))));
        }
        rules.retain(|it| it.rule.is_for(path));
        let is_empty = schemas.is_empty() && rules.is_empty() && unusable.is_none();
        (!is_empty).then_some(Checks {
            format,
            schemas,
            rules,
            unusable,
        })
    }
}

/// What is checked in one file.
#[derive(Debug)]
pub struct Checks<'a> {
    format: Format,
    schemas: Vec<Arc<Schema>>,
    rules: Vec<Asked<'a>>,
    /// Where the file names a schema that cannot be used, and why it cannot.
    unusable: Option<(Span, SchemaError)>,
}

/// A rule that is asked, and the name it has in reports.
#[derive(Debug)]
struct Asked<'a> {
    file: &'a RulesFile,
    rule: &'a PolicyRule,
    name: Cow<'static, str>,
}

impl<'a> Asked<'a> {
    fn new(file: &'a RulesFile, rule: &'a PolicyRule, name: Cow<'static, str>) -> Self {
        Self { file, rule, name }
    }
}

/// Looks at one document.
pub struct ValidatePhase<'a> {
    checks: Checks<'a>,
    language: &'a dyn Language,
    is_alone: bool,
    /// The fixes that were tried on the first text that was looked at. The texts after it are what some of
    /// them lead to, and what is fixed there is tried by whoever asks.
    tried: OnceLock<BTreeSet<Deed>>,
}

impl<'a> ValidatePhase<'a> {
    /// `language` is that of the document.
    pub fn new(checks: Checks<'a>, language: &'a dyn Language) -> Self {
        Self {
            checks,
            language,
            is_alone: false,
            tried: OnceLock::new(),
        }
    }

    /// One that no other phase runs beside, so that it tells of syntax errors too.
    #[must_use]
    pub fn alone(self) -> Self {
        Self {
            is_alone: true,
            ..self
        }
    }

    /// Every shipped rule of the phase, by name.
    pub fn all_rules() -> &'static [Rule] {
        all_rules()
    }

    /// What `fixpoint.toml` can switch on and off: packs and shipped rules.
    pub fn switches() -> Vec<&'static str> {
        let packs = Pack::all().iter().map(|it| it.name);
        let rules = Pack::all().iter().flat_map(|it| it.rules().rules());
        packs.chain(rules.map(|it| it.id.as_str())).collect()
    }

    pub(crate) fn tried(&self) -> Option<&BTreeSet<Deed>> {
        self.tried.get()
    }

    pub(crate) fn note_tried(&self, tried: impl FnOnce() -> BTreeSet<Deed>) {
        self.tried.get_or_init(tried);
    }

    pub(crate) fn language(&self) -> &dyn Language {
        self.language
    }

    /// What is found in a text.
    pub(crate) fn look(&self, source: &Snapshot) -> Result<Seen, ParseError> {
        let document = Document::parse(self.checks.format, source.text())?;
        let mut seen = Seen::default();
        for subject in Subject::all(&document) {
            let mut found = Vec::new();
            duplicate_keys(&subject, &mut found);
            for schema in &self.checks.schemas {
                seen.is_cut |= check_schema(schema, &subject, &mut found);
            }
            for asked in &self.checks.rules {
                if asked.file.is_about(&subject.value) {
                    check_rule(asked.rule, asked.name.clone(), &subject, &mut found);
                }
            }
            let findings = found.into_iter().map(|it| finding(&subject, it));
            seen.findings.extend(findings);
        }
        if let Some((span, error)) = &self.checks.unusable {
            seen.findings.push((unusable(*span, error), None));
        }
        without_rivals(&mut seen);
        let mut told = BTreeSet::new();
        seen.findings.retain(|(it, _)| {
            let pointer = it.place.as_ref().map(|place| place.json_pointer.clone());
            told.insert((it.rule.clone(), it.message.clone(), pointer))
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
        "validate"
    }

    fn stage(&self) -> Stage {
        Stage::Rewrite
    }

    fn rules(&self) -> &[Rule] {
        all_rules()
    }

    fn run(&self, source: &Snapshot) -> Findings {
        let seen = match self.look(source) {
            Ok(seen) => seen,
            Err(error) => return self.unreadable(&error),
        };
        let fixes = proposals(self, source, &seen);
        let findings = seen.findings.into_iter().zip(fixes);
        Findings {
            findings: findings
                .map(|((finding, _), fix)| match fix {
                    Some(fix) => finding.with_fix(fix),
                    None => finding,
                })
                .collect(),
            unparsable: false,
        }
    }
}

/// Takes away repairs that would each make the same key another thing: which one is right nobody says.
fn without_rivals(seen: &mut Seen) {
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

/// Only where a value was lost on the way to plain JSON is there a key to look for.
fn duplicate_keys(subject: &Subject<'_>, found: &mut Vec<Found>) {
    for (pointer, key) in subject.duplicate_keys() {
        found.push(Found {
            rule: Cow::Borrowed(DUPLICATE_KEY),
            tier: Tier::Schema,
            severity: Severity::Error,
            message: format!("the key `{key}` stands twice in its object"),
            pointer,
            marks: Marks::Key,
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

/// A finding, and the repair that is to become its fix.
fn finding(subject: &Subject<'_>, found: Found) -> (Finding, Option<Repair>) {
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
