//! What documents are checked against: schemas and rules files, each read and compiled once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fixpoint_engine::Config;
use fixpoint_text::{Snapshot, Span};
use fixpoint_validate::{
    Checks, Library, NamedSchema, RulesFile, Schema, SchemaError, SchemaTexts, named_schema,
};
use fixpoint_workspace::{CONFIG_FILE, ReadError, Workspace};

use crate::failure::Failure;
use crate::isolate::timed_out;
use crate::pool::{Worked, with_large_stack};
use crate::render::snippet;
use crate::rules;

/// The texts of files, by workspace path; nothing for one that is not there.
pub(crate) type Texts = BTreeMap<String, Option<String>>;

/// A document and the schema that it is to meet whatever the settings say, both by workspace path.
pub(crate) type Assigned = (String, String);

/// Where schemas and rules files come from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Workspace(Arc<Workspace>),
    /// Texts that were handed over. One that is not among them may be there all the same, so what
    /// needs it is left out.
    Handed(Texts),
}

#[derive(Debug)]
pub(crate) struct Documents {
    library: Library,
    files: Files,
    assigned: Vec<Assigned>,
    /// The schemas that documents name themselves.
    named: Mutex<BTreeMap<String, Result<Arc<Schema>, SchemaError>>>,
}

/// Reads each file once.
#[derive(Debug)]
struct Files {
    source: Source,
    read: Mutex<Texts>,
}

impl Files {
    fn new(source: Source) -> Self {
        Self {
            source,
            read: Mutex::default(),
        }
    }

    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if let Some(known) = lock(&self.read).get(path) {
            return Ok(known.clone());
        }
        let text = match &self.source {
            Source::Handed(texts) => texts.get(path).cloned().flatten(),
            Source::Workspace(workspace) => match workspace.read(path) {
                Ok(snapshot) => Some(snapshot.text().to_owned()),
                Err(ReadError::Vanished { .. }) => None,
                Err(error) => return Err(error.to_string()),
            },
        };
        lock(&self.read).insert(path.to_owned(), text.clone());
        Ok(text)
    }

    /// The schema at `path`, with all it refers to.
    fn schema(&self, path: &str) -> Result<Schema, SchemaError> {
        let read = |path: &str| {
            let text = self.read(path);
            text.map_err(|message| SchemaError::Unreadable { message })
        };
        let mut texts = SchemaTexts::default();
        texts.add(path, read(path)?.as_deref())?;
        while let Some(wanted) = texts.wanted() {
            texts.add(&wanted, read(&wanted)?.as_deref())?;
        }
        Schema::compile(path, &texts)
    }

    /// Whether something that cannot be found may yet be there.
    fn is_partial(&self) -> bool {
        matches!(self.source, Source::Handed(_))
    }
}

impl Documents {
    /// What the settings name, and what documents are `assigned` beside it.
    pub(crate) fn open(
        config: &Config,
        config_text: &str,
        source: Source,
        assigned: &[Assigned],
    ) -> Result<Self, Failure> {
        let files = Files::new(source);
        let mut schemas = Vec::new();
        for named in &config.validate().schemas {
            if files.is_partial() && matches!(files.read(&named.schema), Ok(None)) {
                continue;
            }
            let schema = files.schema(&named.schema).map_err(|error| {
                let message = error.to_string();
                let shown = snippet::error(CONFIG_FILE, config_text, named.span, &message);
                Failure::Config(shown)
            })?;
            schemas.push((named.files.clone(), Arc::new(schema)));
        }
        let mut documents: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (document, schema) in assigned {
            let globs = documents.entry(schema).or_default();
            globs.push(Library::glob_of(document));
        }
        for (path, documents) in documents {
            let schema = files.schema(path);
            let schema = schema.map_err(|error| Failure::Run(error.to_string()))?;
            schemas.push((documents, Arc::new(schema)));
        }
        let mut own = Vec::new();
        for path in &config.validate().rules {
            match files.read(path).map_err(Failure::Usage)? {
                Some(text) => own.push(rules_file(path, &text, &own)?),
                None if files.is_partial() => {}
                None => {
                    let message =
                        format!("{CONFIG_FILE} names the rules file {path}, which is not there");
                    return Err(Failure::Usage(message));
                }
            }
        }
        let library = Library::new(schemas, own)
            .map_err(|message| Failure::Usage(format!("{CONFIG_FILE}: {message}")))?;
        Ok(Self {
            library,
            files,
            assigned: assigned.to_vec(),
            named: Mutex::default(),
        })
    }

    /// The same within a time limit: compiling a malicious schema may not end.
    pub(crate) fn open_within(
        time_limit: Duration,
        config: &Arc<Config>,
        config_text: &Arc<str>,
        source: Source,
        assigned: &[Assigned],
    ) -> Result<Self, Failure> {
        let named = config.validate();
        if named.schemas.is_empty() && named.rules.is_empty() && assigned.is_empty() {
            return Self::open(config, config_text, source, assigned);
        }
        let (config, config_text) = (Arc::clone(config), Arc::clone(config_text));
        let assigned = assigned.to_vec();
        let open = move || Self::open(&config, &config_text, source.clone(), &assigned);
        match with_large_stack(time_limit, open) {
            Worked::Done(opened) => opened,
            Worked::TimedOut => Err(Failure::Run(format!(
                "the schemas and rules that {CONFIG_FILE} names: {}",
                timed_out(time_limit)
            ))),
        }
    }

    /// The same for a workspace whose settings cannot be read.
    pub(crate) fn mending(self) -> Self {
        Self {
            library: self.library.mending(),
            ..self
        }
    }

    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// What is to be checked in a file, if anything.
    pub(crate) fn checks(&self, source: &Snapshot, config: &Config) -> Option<Checks<'_>> {
        let named = named_schema(source.path(), source.text());
        let named = named.and_then(|it| {
            let schema = self.named(&it)?;
            Some((it, schema))
        });
        self.library.checks(source, config, named)
    }

    /// The schema that a document names, if it is not available.
    pub(crate) fn unseen(&self, source: &Snapshot) -> Option<String> {
        let named = named_schema(source.path(), source.text())?;
        self.named(&named).is_none().then_some(named.written)
    }

    /// The schemas assigned to documents in addition to the settings.
    pub(crate) fn assigned(&self) -> &[Assigned] {
        &self.assigned
    }

    /// What one document is assigned.
    pub(crate) fn assigned_to(&self, document: &str) -> Vec<Assigned> {
        let assigned = self.assigned.iter();
        assigned.filter(|it| it.0 == document).cloned().collect()
    }

    /// Every text that was read so far, for a process that is to do the same.
    pub(crate) fn texts(&self) -> Texts {
        lock(&self.files.read).clone()
    }

    /// The schema that a document names; nothing where it may be a good one that is not at hand.
    fn named(&self, named: &NamedSchema) -> Option<Result<Arc<Schema>, SchemaError>> {
        let Some(path) = &named.path else {
            return Some(Err(SchemaError::NotLocal {
                reference: named.written.clone(),
            }));
        };
        if self.files.is_partial() && matches!(self.files.read(path), Ok(None)) {
            return None;
        }
        if let Some(known) = lock(&self.named).get(path) {
            return Some(known.clone());
        }
        let schema = self.files.schema(path).map(Arc::new);
        lock(&self.named).insert(path.clone(), schema.clone());
        Some(schema)
    }
}

/// Reads a rules file whose ids no other rule has, of those shipped or in the files `before` it.
fn rules_file(path: &str, text: &str, before: &[RulesFile]) -> Result<RulesFile, Failure> {
    let fail =
        |span: Span, message: &str| Failure::Config(snippet::error(path, text, span, message));
    let file = RulesFile::parse(path, text).map_err(|error| fail(error.span, &error.message))?;
    for rule in file.rules() {
        let id = rule.id.as_str();
        let owner = if rules::find(id).is_some() {
            "a rule that is shipped"
        } else if rules::phase(id).is_some() {
            "a phase"
        } else if before
            .iter()
            .flat_map(RulesFile::rules)
            .any(|it| it.id == id)
        {
            "a rule of another rules file"
        } else {
            continue;
        };
        let message = format!("the id `{id}` is that of {owner}; give this rule another one");
        return Err(fail(rule.id_span, &message));
    }
    Ok(file)
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
