//! Runs documents through the engine with only the validator.

use std::sync::Arc;

use fixpoint_engine::{Config, Engine, Policy, Run};
use fixpoint_format::SourceLanguage;
use fixpoint_text::Snapshot;
use fixpoint_validate::{
    Library, NamedSchema, RulesFile, Schema, SchemaError, SchemaTexts, ValidatePhase,
    ValidateSettings,
};

pub fn settings(text: &str) -> ValidateSettings {
    ValidateSettings::parse(text).expect("valid settings")
}

/// Compiles a schema from its text.
pub fn schema(text: &str) -> Result<Schema, SchemaError> {
    let mut texts = SchemaTexts::default();
    texts.add("schema.json", Some(text))?;
    Schema::compile("schema.json", &texts)
}

/// A library with one schema for all files, and with rules.
pub fn library(schema_text: Option<&str>, rules: Option<&str>) -> Library {
    let schemas = schema_text.map(|text| {
        let schema = schema(text).expect("a schema");
        (vec!["**".to_owned()], Arc::new(schema))
    });
    let rules = rules.map(|text| RulesFile::parse("rules.yaml", text).expect("rules"));
    let library = Library::new(schemas.into_iter().collect(), rules.into_iter().collect());
    library.expect("a library")
}

pub fn language(source: &Snapshot) -> SourceLanguage {
    SourceLanguage::of(source.path(), source.text(), &Config::default()).expect("a language")
}

pub fn run(library: &Library, path: &str, text: &str) -> Run {
    run_named(library, path, text, None)
}

pub fn run_named(
    library: &Library,
    path: &str,
    text: &str,
    named: Option<(NamedSchema, Result<Arc<Schema>, SchemaError>)>,
) -> Run {
    let snapshot = Snapshot::new(path, text);
    let language = language(&snapshot);
    let checks = library
        .checks(&snapshot, &settings(""), named)
        .expect("checks");
    let phase = ValidatePhase::new(checks).alone();
    Engine::new(&language, [&phase as _]).run(&snapshot, &Policy::default().with_likely())
}

/// The findings: rule, pointer, and the titles of the fixes.
pub fn findings(run: &Run) -> Vec<String> {
    let report = &run.report;
    let title = |id: &String| {
        let fix = report.fixes.iter().find(|fix| fix.id == *id);
        fix.map_or("?", |fix| fix.title.as_str())
    };
    let reported = report.diagnostics.iter().map(|it| {
        let titles: Vec<&str> = it.fix_ids.iter().map(title).collect();
        let pointer = it.json_pointer.as_deref().unwrap_or("?");
        format!("{} {pointer} [{}]", it.rule, titles.join(", "))
    });
    reported.collect()
}

/// The findings of a schema in a text, and the text after its fixes.
pub fn checked(schema: &str, path: &str, text: &str) -> (Vec<String>, String) {
    let run = run(&library(Some(schema), None), path, text);
    (findings(&run), run.canonical.text().to_owned())
}

/// The findings of rules in a text, and the text after their fixes.
pub fn ruled(rules: &str, path: &str, text: &str) -> (Vec<String>, String) {
    let run = run(&library(None, Some(rules)), path, text);
    (findings(&run), run.canonical.text().to_owned())
}
