//! Writes the result of a compilation as JSON.

use std::io;

use fixpoint_report::{Severity, word};
use serde::Serialize;

use super::sink::{Sink, Text};
use super::value::Values;
use super::write::Writer;
use crate::diagnostic::{Diagnostic, Hint};
use crate::emit::Emitted;
use crate::result::{COMPILER_VERSION, CompileResult, ContextBinding, Hole, Obligation, Stats};

/// The emitted code in both languages.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    pub js: &'a Emitted,
    pub ts: &'a Emitted,
}

/// The complete result, without the code and without the hash of the source.
pub fn result_json(result: &CompileResult) -> impl Serialize {
    let mut writer = Writer::new(&result.ast, Values::default());
    writer.head(result);
    writer.program(&result.canonical);
    writer.rest(result, result.stats, None, None);
    writer.to.finish()
}

/// A result that is being written as one line. The members that may depend on its code are still
/// missing.
pub struct PartialResult<'a, W: io::Write> {
    result: &'a CompileResult,
    writer: Writer<'a, Text<W>>,
}

/// Writes a result up to its canonical program. This is most of the work, and can run while the
/// code is emitted.
pub fn begin_result<W: io::Write>(result: &CompileResult, to: W) -> PartialResult<'_, W> {
    let mut writer = Writer::new(&result.ast, Text::new(to));
    writer.head(result);
    writer.program(&result.canonical);
    PartialResult { result, writer }
}

impl<W: io::Write> PartialResult<'_, W> {
    /// Writes the rest, with the code if there is any. The repairs apply only to the text with the
    /// hash `base_sha256`.
    pub fn finish(mut self, base_sha256: &str, output: Option<Output<'_>>) -> io::Result<()> {
        let mut stats = self.result.stats;
        if let Some(Output { js, .. }) = output {
            stats.output_lines = js.code.bytes().filter(|it| *it == b'\n').count();
            stats.output_bytes = js.code.len();
        }
        self.writer
            .rest(self.result, stats, Some(base_sha256), output);
        self.writer.to.finish()?.write_all(b"\n")
    }
}

/// The id of the diagnostic at an index.
pub fn diagnostic_id(at: usize) -> String {
    format!("d{}", at + 1)
}

/// The id of the obligation at an index.
pub fn obligation_id(at: usize) -> String {
    format!("OBL{}", at + 1)
}

/// The id of the hole at an index.
pub fn hole_id(at: usize) -> String {
    format!("H{}", at + 1)
}

impl<S: Sink> Writer<'_, S> {
    /// Writes everything before the canonical program.
    fn head(&mut self, result: &CompileResult) {
        self.to.open();
        self.other("status", &result.status);
        self.text("compilerVersion", COMPILER_VERSION);
        self.to.key("canonical_ast");
    }

    /// Writes everything after the canonical program.
    fn rest(
        &mut self,
        result: &CompileResult,
        stats: Stats,
        base_sha256: Option<&str>,
        output: Option<Output<'_>>,
    ) {
        self.numbered("diagnostics", &result.diagnostics, Self::diagnostic);
        self.numbered("obligations", &result.obligations, Self::obligation);
        self.numbered("holes", &result.holes, Self::hole);
        self.other("repairs", &result.repairs);
        self.other("stats", &stats);
        if let Some(sha256) = base_sha256 {
            self.text("base_sha256", sha256);
        }
        if let Some(Output { js, ts }) = output {
            self.to.key("output");
            self.to.open();
            self.text("js", &js.code);
            self.to.key("jsMap");
            self.to.json_text(&js.map.parts());
            self.text("ts", &ts.code);
            self.to.key("tsMap");
            self.to.json_text(&ts.map.parts());
            self.to.close();
        }
        self.to.close();
    }

    fn other(&mut self, key: &'static str, value: &impl Serialize) {
        self.to.key(key);
        self.to.other(value);
    }

    fn numbered<T>(
        &mut self,
        key: &'static str,
        items: &[T],
        write: impl Fn(&mut Self, usize, &T),
    ) {
        self.to.key(key);
        self.to.open_list();
        for (at, item) in items.iter().enumerate() {
            self.to.open();
            write(self, at, item);
            self.to.close();
        }
        self.to.close_list();
    }

    fn diagnostic(&mut self, at: usize, it: &Diagnostic) {
        self.text("id", &diagnostic_id(at));
        let severity = word::<Severity>(it.severity().into());
        self.text("severity", &severity.unwrap_or_default());
        self.text("code", it.code.text());
        self.text("message", &it.message);
        self.to.key("location");
        self.location(it.node, it.span);
        if let Some(node) = it.node {
            self.node_name("primary_node_id", node);
        }
        self.other("structured", &it.payload);
        self.hints(&it.hints);
        self.numbered("related", &it.related, |it, _, related| {
            it.text("message", &related.message);
            it.to.key("location");
            it.location(related.node, related.span);
        });
        self.other("repair_refs", &it.repair_refs);
    }

    fn obligation(&mut self, at: usize, it: &Obligation) {
        self.text("id", &obligation_id(at));
        self.text("kind", "refinement");
        self.text("goal", &it.goal);
        self.to.key("location");
        self.location(Some(it.node), it.span);
        self.node_name("primary_node_id", it.node);
        self.to.key("context");
        self.to.open();
        self.bindings(&it.bindings);
        self.other("facts", &it.facts);
        self.to.close();
        self.hints(&it.hints);
        self.to.key("solverAttempted");
        self.to.bool(true);
        self.text("solverResult", "unknown");
        self.text("unknown_reason", &it.unknown_reason);
        if let Some(values) = &it.counterexample {
            self.other("counterexample", values);
        }
        self.other("repair_refs", &it.repair_refs);
    }

    fn hole(&mut self, at: usize, it: &Hole) {
        self.text("id", &hole_id(at));
        self.to.key("location");
        self.location(Some(it.node), it.span);
        self.node_name("node_id", it.node);
        self.text("expectedType", &it.expected_type);
        self.to.key("context");
        self.to.open();
        self.bindings(&it.bindings);
        self.to.close();
        self.other("allowed_effects", &it.allowed_effects);
        self.numbered("fill_candidates", &it.fill_candidates, |it, _, name| {
            it.text("expr", name);
            it.text("confidence", "medium");
            it.text("description", &format!("`{name}` has the type"));
        });
        self.other("repair_refs", &it.repair_refs);
    }

    fn hints(&mut self, hints: &[Hint]) {
        self.other("hints", &hints);
    }

    fn bindings(&mut self, bindings: &[ContextBinding]) {
        self.other("bindings", &bindings);
    }
}
