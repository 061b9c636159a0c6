//! Module interfaces: the declarations of a module without bodies, as AST JSON.
//!
//! Every declared type has its module's name as a prefix (`shapes.Point`). No source text can spell
//! that, so types with the same name are not confused.
//!
//! An interface is complete: it includes the types of other modules that its declarations mention.
//! It does not include bodies, positions or comments, so it changes only if its contents do.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_text::escape_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::ast::{Ast, Decl, DeclKind, ExternalFn, Node, NodeRef, Signature};
use crate::json::declaration_json;
use crate::names::{Primitive, WELL_KNOWN};
use crate::source::without_byte_order_mark;

const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    pub module: String,
    /// The path of the code file, relative to the same root as those of all modules.
    pub code: String,
    /// Whether its functions may write to elements and fields of their arguments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) writes: bool,
    /// Sorted by name.
    pub(super) declarations: Vec<Value>,
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "this is not an interface of modules: {0}; make it with `fixpoint compile --emit=interface`"
)]
pub struct InterfaceError(String);

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    modules: Vec<Interface>,
}

pub fn write_interfaces(modules: &[Interface]) -> String {
    let document = Document {
        version: VERSION,
        modules: modules.to_vec(),
    };
    let json = serde_json::to_string(&document).unwrap_or_default();
    escape_json(&json).into_owned() + "\n"
}

pub fn read_interfaces(text: &str) -> Result<Vec<Interface>, InterfaceError> {
    let text = without_byte_order_mark(text);
    let read = serde_json::from_str(text).map_err(|error| InterfaceError(error.to_string()));
    let document: Document = read?;
    if document.version != VERSION {
        let version = document.version;
        return Err(InterfaceError(format!("its version is {version}")));
    }
    Ok(document.modules)
}

impl Interface {
    /// The declarations of the module itself, each with its unqualified name.
    pub(super) fn own(&self) -> impl Iterator<Item = (&str, &Value)> {
        let declarations = self.declarations.iter();
        declarations.filter_map(|it| {
            let (module, name) = name_of(it).rsplit_once('.')?;
            (module == self.module).then_some((name, it))
        })
    }
}

pub(super) fn name_of(declaration: &Value) -> &str {
    let name = declaration.get("name").and_then(Value::as_str);
    name.unwrap_or_default()
}

/// The interface of a program that is linked with the modules it uses.
pub fn interface(ast: &Ast, module: &str, code: &str) -> Interface {
    let (imported, own) = ast.program.declarations.split_at(ast.links.imported());
    let mut full: BTreeMap<&str, String> = BTreeMap::new();
    for decl in imported {
        full.extend(declared(decl).map(|name| (name, ast.links.full_name(name))));
    }
    for decl in own {
        full.extend(declared(decl).map(|name| (name, format!("{module}.{name}"))));
    }
    let mut written: BTreeMap<String, Value> = BTreeMap::new();
    let mut wanted: BTreeSet<String> = BTreeSet::new();
    // Of declarations with the same name, the last one counts.
    for decl in own {
        if let Some((name, json)) = shown(decl, ast, &full) {
            mentioned(&json, &mut wanted);
            written.insert(name, json);
        }
    }
    let mut others: BTreeMap<String, Value> = BTreeMap::new();
    for decl in imported {
        others.extend(shown(decl, ast, &full));
    }
    while let Some(name) = wanted.pop_first() {
        if let Some(json) = others.remove(&name) {
            mentioned(&json, &mut wanted);
            written.insert(name, json);
        }
    }
    let mut writes = ast.links.writes();
    for decl in own {
        NodeRef::Decl(decl).each(&mut |node| writes |= node.writes_part());
    }
    Interface {
        module: module.to_owned(),
        code: code.to_owned(),
        writes,
        declarations: written.into_values().collect(),
    }
}

/// The name of a type or function.
fn declared(decl: &Decl) -> Option<&str> {
    let name = match &decl.kind {
        DeclKind::Fn(it) => &it.signature.name.text,
        DeclKind::ExternalFn(it) => &it.signature.name.text,
        DeclKind::Rec(it) => &it.name.text,
        DeclKind::Sum(it) => &it.name.text,
        DeclKind::TypeAlias(it) => &it.name.text,
        DeclKind::ExternalMod(_) | DeclKind::Mod(_) | DeclKind::Use(_) => return None,
    };
    Some(name)
}

/// The exported form of a declaration with its qualified name; `None` if it is not exported.
fn shown(decl: &Decl, ast: &Ast, full: &BTreeMap<&str, String>) -> Option<(String, Value)> {
    let bare = |signature: &Signature| {
        let kind = DeclKind::ExternalFn(Box::new(ExternalFn {
            signature: signature.clone(),
            js_name: String::new(),
        }));
        declaration_json(&Node::new(decl.id, decl.span, kind), ast)
    };
    let name = declared(decl)?;
    let mut json = match &decl.kind {
        DeclKind::Fn(it) if it.signature.name.text == "main" => return None,
        DeclKind::Fn(it) => bare(it.refined_signature().as_ref().unwrap_or(&it.signature)),
        DeclKind::ExternalFn(it) => bare(&it.signature),
        _ => declaration_json(decl, ast),
    };
    let params: BTreeSet<String> = type_params(&json);
    rename(&mut json, &|sort, name| {
        let is_own = match sort {
            Sort::Type => {
                params.contains(name)
                    || Primitive::parse(name).is_some()
                    || WELL_KNOWN.contains(&name)
            }
            Sort::Function => false,
        };
        (!is_own).then(|| full.get(name).cloned()).flatten()
    });
    let full_name = full.get(name)?.clone();
    if let Some(variants) = json.get_mut("variants").and_then(Value::as_array_mut) {
        // The variants of a type without a name here have their module's name as a prefix.
        for variant in variants {
            let plain = name_of(variant).rsplit('.').next().map(str::to_owned);
            variant["name"] = plain.into();
        }
    }
    json["name"] = full_name.clone().into();
    Some((full_name, json))
}

fn type_params(declaration: &Value) -> BTreeSet<String> {
    let params = declaration.get("typeParams").and_then(Value::as_array);
    let names = params
        .into_iter()
        .flatten()
        .map(|it| name_of(it).to_owned());
    names.collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Type,
    /// A function that is called in a refinement.
    Function,
}

/// Renames the types that a declaration mentions, and the functions that its refinements call.
pub(super) fn rename(value: &mut Value, new: &dyn Fn(Sort, &str) -> Option<String>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| rename(it, new)),
        Value::Object(members) => {
            let kind = members.get("kind").and_then(Value::as_str);
            match kind {
                Some("named") => {
                    let name = members.get("name").and_then(Value::as_str);
                    if let Some(name) = name.and_then(|it| new(Sort::Type, it)) {
                        members.insert("name".to_owned(), name.into());
                    }
                }
                Some("call") => {
                    if let Some(Value::Object(callee)) = members.get_mut("callee")
                        && callee.get("kind").and_then(Value::as_str) == Some("ident")
                    {
                        let name = callee.get("name").and_then(Value::as_str);
                        if let Some(name) = name.and_then(|it| new(Sort::Function, it)) {
                            callee.insert("name".to_owned(), name.into());
                        }
                    }
                }
                _ => {}
            }
            members.values_mut().for_each(|it| rename(it, new));
        }
        _ => {}
    }
}

/// The module-qualified types that a declaration mentions.
pub(super) fn mentioned(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|it| mentioned(it, names)),
        Value::Object(members) => {
            if members.get("kind").and_then(Value::as_str) == Some("named")
                && name_of(value).contains('.')
            {
                names.insert(name_of(value).to_owned());
            }
            members.values().for_each(|it| mentioned(it, names));
        }
        _ => {}
    }
}
