//! Emits the imports of a module.

use std::collections::{BTreeMap, BTreeSet};

use super::Emitter;
use super::names::{quoted, spelled};
use crate::ast::{Decl, DeclKind, Program};

impl<'a> Emitter<'a> {
    /// Emits `import { area, Point } from "./shapes.mjs";` for each module that something is used
    /// from. Of declarations with the same name, the last one counts.
    pub(super) fn imports(&mut self, program: &'a Program) {
        let Some(module) = self.module else { return };
        let count = self.ast.links.imported();
        let (imported, own) = program
            .declarations
            .split_at(count.min(program.declarations.len()));
        let mut taken: BTreeSet<&str> = own.iter().flat_map(|it| exported(it, true)).collect();
        let mut lists: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (at, declaration) in imported.iter().enumerate().rev() {
            let Some(code) = self.ast.links.code(at) else {
                continue;
            };
            for name in exported(declaration, self.is_typescript()) {
                if taken.insert(name) {
                    lists
                        .entry(code)
                        .or_default()
                        .insert(spelled(name).to_string());
                }
            }
        }
        for (code, names) in lists {
            let names: Vec<String> = names.into_iter().collect();
            let path = quoted(&relative(module.code, code));
            self.line(format!("import {{ {} }} from {path};", names.join(", ")));
        }
    }
}

/// The names that the code of a declaration exports. Type names are included only if `types` is
/// set.
fn exported(declaration: &Decl, types: bool) -> Vec<&str> {
    match &declaration.kind {
        DeclKind::Fn(it) => vec![&it.signature.name.text],
        DeclKind::ExternalFn(it) => vec![&it.signature.name.text],
        DeclKind::Rec(it) => vec![&it.name.text],
        DeclKind::Sum(it) => {
            let own = types.then_some(it.name.text.as_str());
            let variants = it.variants.iter().map(|it| it.name.text.as_str());
            own.into_iter().chain(variants).collect()
        }
        DeclKind::TypeAlias(it) if types => vec![&it.name.text],
        DeclKind::TypeAlias(_) | DeclKind::Mod(_) | DeclKind::Use(_) => Vec::new(),
        DeclKind::ExternalMod(it) => {
            let functions = it.functions.iter();
            functions.map(|it| it.name.text.as_str()).collect()
        }
    }
}

/// The relative path from one file to another. Both paths start at the same root.
fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let folders = from.len().saturating_sub(1);
    let common = from.iter().zip(&to).take(folders);
    let common = common.take_while(|(a, b)| a == b && **a != "..").count();
    let up = folders - common;
    let start = if up == 0 { "./" } else { "" };
    format!("{start}{}{}", "../".repeat(up), to[common..].join("/"))
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn imports_use_relative_paths() {
        assert_eq!(relative("app.mjs", "shapes.mjs"), "./shapes.mjs");
        assert_eq!(relative("app/app.mjs", "lib/a/b.mjs"), "../lib/a/b.mjs");
        assert_eq!(relative("lib/a/c.mjs", "lib/a/b.mjs"), "./b.mjs");
        assert_eq!(relative("app/app.mjs", "../geo/b.mjs"), "../../geo/b.mjs");
    }
}
