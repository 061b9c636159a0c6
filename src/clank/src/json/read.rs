//! Reads AST JSON: the traversal, its errors, ids and locations, and source fragments.

use fixpoint_text::Span;
use serde_json::{Map, Value};

use super::input_error::{InputError, ROOT};
use super::kinds::Category;
use crate::ast::{Ast, Decl, Ids, MAX_HEIGHT, Name, NodeId, Program, assign_structural_ids};
use crate::lex::{TokenKind, word_kind};
use crate::modules::Links;
use crate::parse::{self, Parser, fragment};
use crate::source::{AST_JSON, Location, Position, Source, without_byte_order_mark};
use crate::syntax::SyntaxError;

/// The JSON nesting depth that a tree of [`MAX_HEIGHT`] may need: a link of a chain needs one
/// level, a block three.
const MAX_JSON_DEPTH: usize = 2 * MAX_HEIGHT;

/// What a name in a document refers to, which determines its allowed spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameOf {
    /// A function, a variable, a field or a module.
    Value,
    /// A declared type or a type parameter.
    Type,
    /// A use of a type, or a variant. Built-in types are allowed.
    TypeOrWord,
    /// A use of a value. Constructors are allowed.
    ValueOrConstructor,
    /// A name, or `_` for no name.
    Alias,
}

impl NameOf {
    fn accepts(self, kind: TokenKind) -> bool {
        match self {
            Self::Value => kind == TokenKind::Ident,
            Self::Type => kind == TokenKind::TypeIdent,
            Self::TypeOrWord => kind == TokenKind::TypeIdent || kind.is_builtin_type(),
            Self::ValueOrConstructor => matches!(kind, TokenKind::Ident | TokenKind::TypeIdent),
            Self::Alias => matches!(kind, TokenKind::Ident | TokenKind::Underscore),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Value => "a name with a small letter first",
            Self::Type | Self::TypeOrWord => "a name with a capital letter first",
            Self::ValueOrConstructor => "a name",
            Self::Alias => "a name or `_`",
        }
    }
}

/// Reads a program.
pub fn read_program(json: &str) -> Result<Ast, Vec<InputError>> {
    let document = parse_json(json).map_err(|error| vec![error])?;
    let mut reader = Reader::default();
    let program = reader.program(&document);
    reader.finish(program)
}

/// Reads a part of a program that was read before, including its imports.
pub(crate) fn read_part<'v>(
    declarations: impl Iterator<Item = &'v Value>,
) -> Result<Ast, Vec<InputError>> {
    let mut reader = Reader {
        is_made: true,
        ..Reader::default()
    };
    let declarations = declarations.map(|it| reader.decl(it)).collect();
    let declarations: Option<Vec<Decl>> = declarations;
    let id = reader.ids.fresh();
    let program = declarations.map(|declarations| Program {
        id,
        span: Span::at(0),
        declarations,
    });
    reader.finish(program)
}

/// Reads declarations into an existing program; `None` if they are not valid.
pub(crate) fn read_declarations(values: &[Value], ids: &mut Ids) -> Option<Vec<Decl>> {
    let mut reader = Reader {
        ids: std::mem::take(ids),
        is_made: true,
        ..Reader::default()
    };
    let read = values.iter().map(|it| reader.decl(it)).collect();
    *ids = reader.ids;
    read
}

/// Parses JSON, with a limit on its nesting depth that every allowed tree meets.
pub fn parse_json(text: &str) -> Result<Value, InputError> {
    let text = without_byte_order_mark(text);
    if json_depth(text) > MAX_JSON_DEPTH {
        let message = format!("nested more than {MAX_JSON_DEPTH} levels deep");
        return Err(InputError::new(ROOT, message));
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut deserializer);
    let value: Value = value.map_err(|error| InputError::of_json(text, &error))?;
    match deserializer.end() {
        Ok(()) => Ok(value),
        Err(error) => Err(InputError::of_json(text, &error)),
    }
}

fn json_depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[derive(Default)]
pub(super) struct Reader {
    pub ids: Ids,
    pub errors: Vec<InputError>,
    path: String,
    depth: usize,
    /// Whether the input is generated: an interface or a part of a program. Its qualified names are
    /// not valid in source.
    pub is_made: bool,
}

pub(super) type Object = Map<String, Value>;

impl Reader {
    fn finish(mut self, program: Option<Program>) -> Result<Ast, Vec<InputError>> {
        match program {
            Some(program) if self.errors.is_empty() => {
                assign_structural_ids(&program, &mut self.ids);
                Ok(Ast {
                    program,
                    ids: self.ids,
                    source: Source::new(AST_JSON, ""),
                    links: Links::default(),
                })
            }
            _ => Err(self.errors),
        }
    }

    fn program(&mut self, document: &Value) -> Option<Program> {
        self.path.push_str(ROOT);
        let object = self.object(document)?;
        if let Some(source) = self.source(object) {
            let declarations = self.fragment(source, parse::declarations)?;
            return Some(Program {
                id: self.node_id(object),
                span: Span::at(0),
                declarations,
            });
        }
        match object.get("kind").and_then(Value::as_str) {
            Some("program") => {}
            other => {
                let found = other.map_or_else(|| "none".to_owned(), |kind| format!("`{kind}`"));
                return self.fail(format!(
                    "expected the kind `program`, or a fragment with `source`; found {found}"
                ));
            }
        }
        let declarations = self.list(object, "declarations", true, Self::decl)?;
        let id = self.node_id(object);
        Some(Program {
            id,
            span: Span::at(0),
            declarations,
        })
    }

    pub fn fail<T>(&mut self, message: impl Into<String>) -> Option<T> {
        self.errors.push(InputError::new(&self.path, message));
        None
    }

    pub fn object<'v>(&mut self, value: &'v Value) -> Option<&'v Object> {
        match value.as_object() {
            Some(object) => Some(object),
            None => self.fail(format!("expected an object, found {}", sort_of(value))),
        }
    }

    /// Reads one level deeper, unless that exceeds the limit.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_HEIGHT {
            return self.fail(format!("nested more than {MAX_HEIGHT} levels deep"));
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    pub fn inside<T>(&mut self, step: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.path.len();
        self.path.push_str(step);
        let result = read(self);
        self.path.truncate(outside);
        result
    }

    /// Reads a required member.
    pub fn member<T>(
        &mut self,
        object: &Object,
        name: &str,
        read: impl FnOnce(&mut Self, &Value) -> Option<T>,
    ) -> Option<T> {
        match object.get(name) {
            Some(value) => self.inside(&format!(".{name}"), |it| it.nested(|it| read(it, value))),
            None => self.fail(format!("`{name}` is missing")),
        }
    }

    /// Reads a member by the first of its names that is present.
    pub fn member_of<T>(
        &mut self,
        object: &Object,
        names: [&str; 2],
        read: impl FnOnce(&mut Self, &Value) -> Option<T>,
    ) -> Option<T> {
        let [name, alias] = names;
        let there = if object.contains_key(name) || !object.contains_key(alias) {
            name
        } else {
            alias
        };
        self.member(object, there, read)
    }

    /// Reads a member that may be absent or null.
    pub fn optional<T>(
        &mut self,
        object: &Object,
        name: &str,
        read: impl FnOnce(&mut Self, &Value) -> Option<T>,
    ) -> Option<Option<T>> {
        match object.get(name) {
            None | Some(Value::Null) => Some(None),
            Some(_) => self.member(object, name, read).map(Some),
        }
    }

    /// Reads a list. An absent list is empty unless it is required. Every element is read, so that
    /// each error is reported.
    pub fn list<T>(
        &mut self,
        object: &Object,
        name: &str,
        needed: bool,
        mut read: impl FnMut(&mut Self, &Value) -> Option<T>,
    ) -> Option<Vec<T>> {
        let items = match object.get(name) {
            None | Some(Value::Null) if !needed => return Some(Vec::new()),
            None => return self.fail(format!("`{name}` is missing")),
            Some(Value::Array(items)) => items,
            Some(other) => {
                let message = format!("`{name}` is to be an array, not {}", sort_of(other));
                return self.fail(message);
            }
        };
        let mut read_items = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let step = format!(".{name}[{at}]");
            let node = self.inside(&step, |it| it.nested(|it| read(it, item)));
            read_items.extend(node);
        }
        (read_items.len() == items.len()).then_some(read_items)
    }

    pub fn flag(&mut self, object: &Object, name: &str) -> Option<bool> {
        match object.get(name) {
            None | Some(Value::Null) => Some(false),
            Some(Value::Bool(value)) => Some(*value),
            Some(other) => {
                let message = format!("`{name}` is to be true or false, not {}", sort_of(other));
                self.fail(message)
            }
        }
    }

    pub fn text(&mut self, object: &Object, name: &str) -> Option<String> {
        self.member(object, name, |it, value| match value.as_str() {
            Some(text) => Some(text.to_owned()),
            None => it.fail(format!("expected a string, found {}", sort_of(value))),
        })
    }

    pub fn name(&mut self, object: &Object, member: &str, of: NameOf) -> Option<Name> {
        let text = self.text(object, member)?;
        self.inside(&format!(".{member}"), |it| it.checked_name(&text, of))
    }

    /// Reads a member that is only a name.
    pub fn bare_name(&mut self, value: &Value, of: NameOf) -> Option<Name> {
        match value.as_str() {
            Some(text) => self.checked_name(text, of),
            None => self.fail(format!("expected a string, found {}", sort_of(value))),
        }
    }

    /// Reads a name, with the same spelling rules as in source text.
    pub fn checked_name(&mut self, text: &str, of: NameOf) -> Option<Name> {
        if self.is_made && !text.is_empty() {
            return Some(Name::made(text));
        }
        let kind = word_kind(text);
        if kind.is_some_and(|kind| of.accepts(kind)) {
            return Some(Name::made(text));
        }
        let found = match kind {
            Some(TokenKind::Ident) => "begins with a small letter or `_`",
            Some(TokenKind::TypeIdent) => "begins with a capital letter",
            Some(kind) if kind.is_builtin_type() => "is a built-in type",
            Some(kind) if kind != TokenKind::Underscore => "is a word of the language",
            _ => "is not a name",
        };
        self.fail(format!("expected {}, but {text:?} {found}", of.text()))
    }

    /// A new node with the id and location from the document.
    pub fn node_id(&mut self, object: &Object) -> NodeId {
        let id = self.ids.fresh();
        match object.get("id") {
            None | Some(Value::Null) => {}
            Some(Value::String(name)) => {
                if self.ids.give(id, name).is_err() {
                    let message = format!("the id `{name}` is given to two nodes");
                    self.inside(".id", |it| it.fail::<()>(message));
                }
            }
            Some(other) => {
                let message = format!("expected a string, found {}", sort_of(other));
                self.inside(".id", |it| it.fail::<()>(message));
            }
        }
        if let Some(span) = object.get("span").and_then(Value::as_object) {
            self.ids.set_location(id, location(span));
        }
        id
    }

    /// The source of a fragment, in either spelling, with its file.
    pub fn source<'v>(&self, object: &'v Object) -> Option<(&'v str, &'v str)> {
        let text = match object.get("source") {
            Some(text) => text.as_str()?,
            None if object.get("kind")?.as_str()? == "source" => object.get("text")?.as_str()?,
            None => return None,
        };
        let file = object.get("file").and_then(Value::as_str);
        Some((file.unwrap_or(AST_JSON), text))
    }

    /// Parses a fragment with a grammar rule.
    pub fn fragment<T>(
        &mut self,
        (file, text): (&str, &str),
        rule: fn(&mut Parser<'_>) -> Result<T, Box<SyntaxError>>,
    ) -> Option<T> {
        match fragment(file, text, &mut self.ids, self.depth, rule) {
            Ok(node) => Some(node),
            Err(error) => {
                let at = Source::new(file, text).position(error.span.start());
                let message = format!("line {}, column {}: {}", at.line, at.column, error.message);
                self.fail(message)
            }
        }
    }

    /// Reports an unknown kind of node, and lists the known kinds of the category.
    pub fn unknown_kind<T>(&mut self, object: &Object, category: &Category) -> Option<T> {
        if let (None, Some(other)) = (object.get("kind"), object.get("source")) {
            let message = format!("expected a string, found {}", sort_of(other));
            return self.inside(".source", |it| it.fail(message));
        }
        let found = match object.get("kind") {
            Some(Value::String(kind)) => format!("`{kind}` is not a kind of {}", category.name),
            Some(other) => format!("`kind` must be a string, not {}", sort_of(other)),
            None => format!(
                "this is not a node of kind {}: it has neither `kind` nor `source`",
                category.name
            ),
        };
        self.fail(format!("{found}; the kinds are {}", category.kinds))
    }
}

pub(super) fn sort_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A location from the document. Missing parts default to the start of the document.
fn location(span: &Object) -> Location {
    let position = |name: &str| {
        let number = |member: &str, default: usize| {
            let value = span.get(name).and_then(|it| it.get(member));
            let value = value.and_then(Value::as_u64);
            value
                .and_then(|it| usize::try_from(it).ok())
                .unwrap_or(default)
        };
        Position {
            line: number("line", 1),
            column: number("column", 1),
            offset: number("offset", 0),
        }
    };
    let file = span.get("file").and_then(Value::as_str).unwrap_or(AST_JSON);
    Location {
        file: file.to_owned(),
        start: position("start"),
        end: position("end"),
    }
}
