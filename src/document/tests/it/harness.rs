//! Helpers that apply actions to texts in memory.

use std::collections::BTreeMap;

use fixpoint_document::{
    ActionPack, ApplyError, FixAction, Format, Lowered, Op, Pointer, Problem, Sources, Target,
    lower,
};
use fixpoint_report::Severity;
use fixpoint_text::Snapshot;

pub(crate) fn file_name(format: Format) -> &'static str {
    match format {
        Format::Json => "f.json",
        Format::Jsonc => "f.jsonc",
        Format::Yaml => "f.yaml",
        Format::Toml => "f.toml",
    }
}

pub(crate) fn action(id: &str, ops: Vec<Op>) -> FixAction {
    FixAction {
        id: id.to_owned(),
        title: format!("the action {id}"),
        severity: Severity::Error,
        targets: vec![Target {
            file: ops.first().map_or(String::new(), |op| op.file.clone()),
            json_pointer: Pointer::root(),
            rule_id: "rule".to_owned(),
            diagnostic_id: None,
        }],
        ops,
        notes: None,
        confidence: None,
    }
}

pub(crate) fn pack(fix_actions: Vec<FixAction>) -> ActionPack {
    ActionPack {
        pack_version: "1".to_owned(),
        workspace_root: ".".to_owned(),
        fix_actions,
    }
}

/// Lowers a pack on files in memory.
pub(crate) fn lowered(pack: &ActionPack, files: &[(&str, &str)]) -> Lowered {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let sources = Sources::read(pack, &mut |path| match files.get(path) {
        Some(text) => Ok(Snapshot::new(path, *text)),
        None => Err(Problem::unreadable("no such file")),
    });
    lower(pack, &sources)
}

/// The files after all applicable actions, computed through the plan that a writer executes.
pub(crate) fn applied(
    pack: &ActionPack,
    files: &[(&str, &str)],
) -> (BTreeMap<String, String>, Vec<ApplyError>) {
    let lowered = lowered(pack, files);
    let mut texts: BTreeMap<String, String> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    for file in lowered.plan.groups.into_iter().flatten() {
        texts.insert(file.path, file.text);
    }
    (texts, lowered.errors)
}

/// The text after one action with these ops, or the error.
pub(crate) fn edited(format: Format, text: &str, ops: Vec<Op>) -> Result<String, Box<ApplyError>> {
    let name = file_name(format);
    let (mut texts, errors) = applied(&pack(vec![action("a", ops)]), &[(name, text)]);
    match errors.into_iter().next() {
        Some(error) => Err(Box::new(error)),
        None => Ok(texts.remove(name).unwrap_or_default()),
    }
}

/// Parses ops, written as a YAML list as in a pack but without the file.
pub(crate) fn ops(format: Format, list: &str) -> Vec<Op> {
    let name = file_name(format);
    let text = format!(
        "{{pack_version: '1', workspace_root: ., fix_actions: [{{id: a, title: t, severity: error, \
         targets: [{{file: {name}, json_pointer: '', rule_id: r}}], ops: [{list}]}}]}}"
    )
    .replace("{op:", &format!("{{file: {name}, op:"))
    .replace(" at:", " json_pointer:");
    let pack =
        ActionPack::parse(Format::Yaml, &text).unwrap_or_else(|error| panic!("{error}: {text}"));
    pack.fix_actions.into_iter().flat_map(|it| it.ops).collect()
}
