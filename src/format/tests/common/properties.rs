//! Properties of any text. Its report can be read back. Its canonical text is stable, keeps every
//! comment and has the same meaning.

use fixpoint_engine::{Config, Engine, Language as _, Phase, Policy};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_report::{from_json, from_protobuf, to_json, to_protobuf};
use fixpoint_text::Snapshot;

/// Panics if a property does not hold. Returns the canonical text, or `None` if the language of
/// `path` is unknown.
pub fn hold(path: &str, text: &str, config: &Config) -> Option<String> {
    let language = SourceLanguage::of(path, text, config)?;
    let phase = FormatPhase::new(&language, config);
    let engine = Engine::new(&language, [&phase as &dyn Phase]);
    let policy = Policy::default();
    let run = engine.run(&Snapshot::new(path, text), &policy);
    let protobuf = from_protobuf(&to_protobuf(&run.report));
    assert_eq!(protobuf.unwrap(), run.report, "protobuf changes the report");
    let json = from_json(to_json(&run.report).unwrap().as_bytes());
    assert_eq!(json.unwrap(), run.report, "JSON changes the report");
    let canonical = run.canonical.text();
    let again = engine.run(&run.canonical, &policy);
    assert_eq!(
        again.canonical.text(),
        canonical,
        "a second run changes the text"
    );
    let kept = comments(&language, canonical);
    for comment in comments(&language, text) {
        assert!(kept.contains(&comment), "a comment is lost: {comment}");
    }
    Some(canonical.to_owned())
}

/// The comments without white space.
fn comments(language: &SourceLanguage, text: &str) -> Vec<String> {
    let comments = language.comments(text).into_iter();
    let words = comments.map(|comment| comment.split_whitespace().collect());
    words.collect()
}
