//! The global names of a program: types, constructors and functions.

use rustc_hash::FxHashMap as HashMap;

use super::{Def, prelude};
use crate::ast::{Ast, Decl, DeclKind, Rec, Signature, Sum, TypeAlias, TypeParam, Variant};
use crate::diagnostic::{Code, Diagnostic, Payload, Related};

/// A declared type, by its index among the declarations of the program or the prelude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeDef {
    pub in_prelude: bool,
    pub at: usize,
}

/// A variant of a declared sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariantDef {
    pub sum: TypeDef,
    pub at: usize,
}

/// All declarations by name. Functions take precedence over constructors, and later declarations
/// over earlier ones.
#[derive(Clone, Debug)]
pub struct Globals<'a> {
    declarations: &'a [Decl],
    types: HashMap<&'a str, TypeDef>,
    values: HashMap<&'a str, Def>,
    variants: HashMap<&'a str, VariantDef>,
    /// The names of values: built-ins and constructors, then functions.
    pub(super) value_names: Vec<&'a str>,
    pub(super) type_names: Vec<&'a str>,
}

impl<'a> Globals<'a> {
    pub fn collect(ast: &'a Ast, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut globals = Self {
            declarations: &ast.program.declarations,
            types: HashMap::default(),
            values: HashMap::default(),
            variants: HashMap::default(),
            value_names: Vec::new(),
            type_names: Vec::new(),
        };
        globals.values.reserve(globals.declarations.len());
        globals.value_names.reserve(globals.declarations.len());
        for (at, sum) in prelude().sums() {
            globals.add_sum(true, at, sum, &mut Vec::new());
        }
        for (at, function) in prelude().functions() {
            globals.value_names.push(&function.name.text);
            globals.values.insert(&function.name.text, Def::Builtin(at));
        }
        globals.add_types(diagnostics);
        globals.add_functions();
        only_once(ast.own(&ast.program), diagnostics);
        globals
    }

    fn add_types(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for (at, decl) in self.declarations.iter().enumerate() {
            let def = TypeDef {
                in_prelude: false,
                at,
            };
            match &decl.kind {
                DeclKind::Sum(sum) => self.add_sum(false, at, sum, diagnostics),
                DeclKind::Rec(rec) => {
                    self.add_type(&rec.name.text, def);
                    self.value_names.push(&rec.name.text);
                    self.values.insert(&rec.name.text, Def::Record(at));
                }
                DeclKind::TypeAlias(alias) => self.add_type(&alias.name.text, def),
                _ => {}
            }
        }
    }

    fn add_type(&mut self, name: &'a str, def: TypeDef) {
        if self.types.insert(name, def).is_none() && !def.in_prelude {
            self.type_names.push(name);
        }
    }

    fn add_sum(
        &mut self,
        in_prelude: bool,
        at: usize,
        sum: &'a Sum,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let def = TypeDef { in_prelude, at };
        self.add_type(&sum.name.text, def);
        for (place, variant) in sum.variants.iter().enumerate() {
            let name = variant.name.text.as_str();
            let variant_def = VariantDef {
                sum: def,
                at: place,
            };
            let before = self.variants.insert(name, variant_def);
            if let Some(original) = before.filter(|it| !it.sum.in_prelude && it.sum != def)
                && let Some(owner) = self.sum(original.sum)
            {
                diagnostics.push(duplicate(variant, &owner.name.text));
            }
            self.value_names.push(name);
            self.values.insert(name, Def::Variant(variant_def));
        }
    }

    fn add_functions(&mut self) {
        for (at, decl) in self.declarations.iter().enumerate() {
            let name = match &decl.kind {
                DeclKind::Fn(function) => &function.signature.name.text,
                DeclKind::ExternalFn(function) => &function.signature.name.text,
                _ => continue,
            };
            self.value_names.push(name);
            self.values.insert(name, Def::Function(at));
        }
    }

    pub fn value(&self, name: &str) -> Option<Def> {
        match self.values.get(name) {
            Some(def) => Some(*def),
            None => name.starts_with("__validate_").then_some(Def::Validator),
        }
    }

    pub fn type_def(&self, name: &str) -> Option<TypeDef> {
        self.types.get(name).copied()
    }

    pub fn variant_named(&self, name: &str) -> Option<VariantDef> {
        self.variants.get(name).copied()
    }

    pub fn decl(&self, def: TypeDef) -> Option<&'a Decl> {
        let declarations: &'a [Decl] = if def.in_prelude {
            &prelude().ast.program.declarations
        } else {
            self.declarations
        };
        declarations.get(def.at)
    }

    pub fn sum(&self, def: TypeDef) -> Option<&'a Sum> {
        match &self.decl(def)?.kind {
            DeclKind::Sum(sum) => Some(sum),
            _ => None,
        }
    }

    pub fn rec(&self, def: TypeDef) -> Option<&'a Rec> {
        match &self.decl(def)?.kind {
            DeclKind::Rec(rec) => Some(rec),
            _ => None,
        }
    }

    pub fn alias(&self, def: TypeDef) -> Option<&'a TypeAlias> {
        match &self.decl(def)?.kind {
            DeclKind::TypeAlias(alias) => Some(alias),
            _ => None,
        }
    }

    pub fn type_params(&self, def: TypeDef) -> &'a [TypeParam] {
        match self.decl(def).map(|decl| &decl.kind) {
            Some(DeclKind::Sum(sum)) => &sum.type_params,
            Some(DeclKind::Rec(rec)) => &rec.type_params,
            Some(DeclKind::TypeAlias(alias)) => &alias.type_params,
            _ => &[],
        }
    }

    pub fn variant(&self, def: VariantDef) -> Option<&'a Variant> {
        self.sum(def.sum)?.variants.get(def.at)
    }

    /// The signature of a function with its `pre` and `post` as refinements; `None` if it has none.
    pub fn refined_signature(&self, at: usize) -> Option<Signature> {
        match &self.declarations.get(at)?.kind {
            DeclKind::Fn(function) => function.refined_signature(),
            _ => None,
        }
    }

    /// The signature of a function of the program.
    pub fn function(&self, at: usize) -> Option<&'a Signature> {
        match &self.declarations.get(at)?.kind {
            DeclKind::Fn(function) => Some(&function.signature),
            DeclKind::ExternalFn(function) => Some(&function.signature),
            _ => None,
        }
    }
}

/// Reports a function or a type that is declared a second time.
fn only_once(declarations: &[Decl], diagnostics: &mut Vec<Diagnostic>) {
    let mut functions = HashMap::default();
    let mut types = HashMap::default();
    for decl in declarations {
        let (seen, what, name) = match &decl.kind {
            DeclKind::Fn(it) => (&mut functions, "functions", &it.signature.name),
            DeclKind::ExternalFn(it) => (&mut functions, "functions", &it.signature.name),
            DeclKind::Rec(it) => (&mut types, "types", &it.name),
            DeclKind::Sum(it) => (&mut types, "types", &it.name),
            DeclKind::TypeAlias(it) => (&mut types, "types", &it.name),
            DeclKind::ExternalMod(_) | DeclKind::Mod(_) | DeclKind::Use(_) => continue,
        };
        let text = name.text.as_str();
        let Some(first) = seen.insert(text, decl) else {
            continue;
        };
        let message = format!("there are two {what} `{text}`; rename one");
        let payload = Payload::DuplicateDefinition {
            name: text.to_owned(),
        };
        let mut diagnostic = Diagnostic::new(Code::E1002, decl.id, name.span, message, payload);
        diagnostic.related.push(Related {
            message: format!("the first `{text}` is here"),
            node: Some(first.id),
            span: first.span,
        });
        diagnostics.push(diagnostic);
    }
}

fn duplicate(variant: &Variant, original: &str) -> Diagnostic {
    let name = &variant.name.text;
    let message = format!("the variant `{name}` already belongs to `{original}`; this one wins");
    let payload = Payload::DuplicateVariant {
        variant_name: name.to_string(),
        original_type: original.to_owned(),
    };
    Diagnostic::new(Code::W0006, variant.id, variant.span, message, payload)
}
