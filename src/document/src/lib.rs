//! JSON, YAML and TOML documents by pointer.
//!
//! A [`Document`] tells what stands where in a text: values, keys and their bytes, for all formats
//! alike. A [`FixAction`] changes documents by pointer; [`lower`] turns a pack of them into fix
//! reports whose edits touch nothing but what the actions name.

mod action;
mod confirm;
mod emit;
mod error;
mod format;
mod lower;
mod number;
mod overlay;
mod pack;
mod parse;
mod pointer;
mod toml;
mod tree;
mod value;

pub use action::{ActionPack, Change, Expects, FixAction, Op, Target};
pub use error::{ApplyError, Problem, Reason};
pub use format::Format;
pub use lower::{Lowered, Sources, lower};
pub use number::Number;
pub use pack::PackError;
pub use pointer::{Pointer, PointerSyntaxError, escape};
pub use tree::{Document, Entry, LookupError, Node, ParseError};
pub use value::{Kind, Value};
#[cfg(test)]
mod probe {
    use super::*;
    pub(crate) fn run(format: Format, text: &str, ops: &str) -> Result<String, String> {
        let pack = format!(
            "{{pack_version: '1', workspace_root: '.', fix_actions: [{{id: a, title: t, severity: error, targets: [{{file: f, json_pointer: '', rule_id: r}}], ops: [{ops}]}}]}}"
        );
        let pack = ActionPack::parse(Format::Yaml, &pack).map_err(|e| e.to_string())?;
        let document = Document::parse(format, text).map_err(|e| e.to_string())?;
        let mut overlay = overlay::Overlay::new(&document);
        for op in &pack.fix_actions[0].ops {
            overlay.make(op).map_err(|p| format!("{p:?}"))?;
        }
        let mut out = text.to_owned();
        for p in emit::emit(&overlay).iter().rev() {
            out.replace_range(p.span.range(), &p.text);
        }
        let after = Document::parse(format, &out).map_err(|e| format!("REPARSE {e}\n{out}"))?;
        if after.root().value() != overlay.value(document.root) {
            return Err(format!(
                "VALUE {} \n{} \n{out}",
                after.root().value().to_json(),
                overlay.value(document.root).to_json()
            ));
        }
        Ok(out)
    }
    fn show(format: Format, text: &str, ops: &str) {
        let ops = ops
            .replace("RV", "op: replace_value, file: f")
            .replace("AV", "op: add_value, file: f")
            .replace("RK", "op: remove_key, file: f")
            .replace("IA", "op: insert_array_item, file: f")
            .replace("RA", "op: replace_array_item, file: f")
            .replace("DA", "op: remove_array_item, file: f")
            .replace("NK", "op: rename_key, file: f")
            .replace("P:", "json_pointer:");
        println!(
            "--- {ops}\n{}",
            match run(format, text, &ops) {
                Ok(s) => s,
                Err(e) => format!("ERR {e}"),
            }
        );
    }
    #[test]
    fn probe() {
        let j = "{\n  // head\n  \"a\": 1, // one\n  \"b\": [1, 2, 3], /* two */\n  \"c\": {},\n  \"d\": {\n    \"x\": 1,\n    \"y\": 2 // last\n  }\n}";
        for ops in [
            "{RV, P: /a, value: {z: [1]}}",
            "{AV, P: '', key: n, value: {q: [1]}}",
            "{RK, P: '', key: a}",
            "{RK, P: '', key: d}",
            "{RK, P: /d, key: y}",
            "{AV, P: /d, key: z, value: 3}",
            "{AV, P: /c, key: z, value: 3}",
            "{IA, P: /b, value: 9}",
            "{IA, P: /b, value: 9, index: 0}",
            "{IA, P: /b, value: 9, index: 1}",
            "{DA, P: /b, index: 0}",
            "{DA, P: /b, index: 1}",
            "{DA, P: /b, index: 2}",
            "{DA, P: /b, index: 2}, {DA, P: /b, index: 0}, {DA, P: /b, index: 0}",
            "{RA, P: /b, index: 1, value: [7, 8]}",
            "{NK, P: /d, from: x, to: w}, {RK, P: /d, key: w}, {RK, P: /d, key: y}, {AV, P: /d, key: k, value: null}",
        ] {
            show(Format::Jsonc, j, ops);
        }
        let y = "# head\na: 1 # one\nb:\n  # about x\n  - x\n  - k: 1 # kk\n    l: 2\n  - [1, 2]\n# mid\nc: {p: 1, q: 'two'}\nd: 'it'\ne:\n  f: |\n    text\n\n  g: &an\n    h: 1\nlast: null";
        for ops in [
            "{RV, P: /a, value: {z: [1], w: {}}}",
            "{AV, P: '', key: n, value: {q: [1, {r: s, t: u}]}}",
            "{RK, P: '', key: a}",
            "{RK, P: '', key: last}",
            "{RK, P: /b/1, key: k}",
            "{AV, P: /b/1, key: z, value: 3}",
            "{AV, P: /c, key: z, value: 'no'}",
            "{IA, P: /b, value: {m: 1, n: [2]}}",
            "{IA, P: /b, value: 9, index: 0}",
            "{IA, P: /b, value: 9, index: 1}",
            "{DA, P: /b, index: 0}",
            "{DA, P: /b, index: 1}",
            "{DA, P: /b, index: 2}",
            "{DA, P: /b, index: 2}, {DA, P: /b, index: 0}, {DA, P: /b, index: 0}",
            "{RA, P: /b, index: 1, value: [7, 8]}",
            "{RA, P: /b, index: 0, value: {a: 1, b: 2}}",
            "{RV, P: /b, value: 5}",
            "{RV, P: /b, value: {k: v}}",
            "{RV, P: /e/f, value: x}",
            "{RV, P: /e/g, value: x}",
            "{AV, P: /e, key: x, value: 1}",
            "{RV, P: /d, value: new}",
            "{NK, P: /c, from: q, to: 'a b'}, {RK, P: /c, key: p}",
            "{RK, P: /e, key: f}, {RK, P: /e, key: g}",
            "{RK, P: /e, key: f}, {RK, P: /e, key: g}, {AV, P: /e, key: n, value: 1}",
            "{RV, P: '', value: [1, {a: b}]}",
        ] {
            show(Format::Yaml, y, ops);
        }
        let t = "# head\na = 1 # one\nb.c = 'x'\nb.d = [1, # c\n  2,\n]\n\n# about t\n[t.u] # tu\nk = 1\n\n[[arr]]\nz = 1\n[arr.sub]\nq = 2\n\n[[arr]]\nz = 3\n\n[e]\n";
        for ops in [
            "{RV, P: /a, value: {z: [1], w: {}}}",
            "{AV, P: '', key: n, value: {q: [1]}}",
            "{RK, P: '', key: a}",
            "{RK, P: '', key: b}",
            "{RK, P: /b, key: c}",
            "{RK, P: /b, key: c}, {RK, P: /b, key: d}",
            "{RK, P: /b, key: c}, {RK, P: /b, key: d}, {AV, P: /b, key: n, value: 1}",
            "{AV, P: /b, key: n, value: 1}",
            "{AV, P: /t, key: n, value: 1}, {AV, P: /t, key: m, value: 1}",
            "{AV, P: /t/u, key: n, value: 1}",
            "{RK, P: /t, key: u}",
            "{RK, P: '', key: t}",
            "{RV, P: /t, value: 1}",
            "{RV, P: /t/u, value: {g: 1}}",
            "{RV, P: /t/u, value: 7}",
            "{RV, P: /b, value: 7}",
            "{IA, P: /arr, value: {m: 1}}",
            "{IA, P: /arr, value: {m: 1}, index: 0}",
            "{IA, P: /arr, value: {m: 1}, index: 1}",
            "{DA, P: /arr, index: 0}",
            "{DA, P: /arr, index: 1}",
            "{DA, P: /arr, index: 1}, {DA, P: /arr, index: 0}",
            "{RA, P: /arr, index: 0, value: {n: 1}}",
            "{RA, P: /arr, index: 0, value: 5}",
            "{NK, P: '', from: arr, to: 'a b'}",
            "{NK, P: '', from: b, to: bb}",
            "{IA, P: /b/d, value: 3}",
            "{DA, P: /b/d, index: 1}",
            "{AV, P: /e, key: n, value: a}",
            "{RV, P: '', value: {a: 1, b: {c: 2}}}",
            "{RK, P: '', key: e}",
        ] {
            show(Format::Toml, t, ops);
        }
    }
}
