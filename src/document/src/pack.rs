//! The serialized form of fix actions: `{pack_version, workspace_root, fix_actions}`, in JSON or
//! YAML.

use std::collections::BTreeSet;

use fixpoint_report::{Confidence, Severity, parse_word, word};
use fixpoint_text::{Digest, Span};
use thiserror::Error;

use crate::action::{ActionPack, Change, Expects, FixAction, Op, Target};
use crate::format::Format;
use crate::number::Number;
use crate::pointer::Pointer;
use crate::tree::{Document, Node, ParseError};
use crate::value::{Kind, Value};

/// The maximum length of a title, which is a label and not prose.
const TITLE_LIMIT: usize = 120;

/// The reason why a text is not a pack of fix actions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// `at` is the pointer to the invalid part of the pack.
    #[error("`{at}` {problem}")]
    Shape {
        at: Pointer,
        problem: String,
        span: Span,
    },
}

impl PackError {
    /// The bytes that caused the error.
    pub fn span(&self) -> Span {
        match self {
            Self::Parse(error) => error.span(),
            Self::Shape { span, .. } => *span,
        }
    }
}

impl ActionPack {
    /// Reads a pack. Rejects unknown fields, because ignoring a misspelled field would change the
    /// action.
    pub fn parse(format: Format, text: &str) -> Result<Self, PackError> {
        let document = Document::parse(format, text)?;
        read_pack(&Field::root(&document))
    }

    /// The pack as JSON, in its current order. Equal packs give equal bytes.
    pub fn to_json(&self) -> String {
        self.to_value().to_json_pretty()
    }

    pub fn to_value(&self) -> Value {
        let actions = self.fix_actions.iter().map(FixAction::to_value);
        object([
            ("pack_version", Some(text(&self.pack_version))),
            ("workspace_root", Some(text(&self.workspace_root))),
            ("fix_actions", Some(Value::Array(actions.collect()))),
        ])
    }
}

impl FixAction {
    pub fn to_value(&self) -> Value {
        let targets = self.targets.iter().map(|target| {
            object([
                ("file", Some(text(&target.file))),
                ("json_pointer", Some(text(&target.json_pointer))),
                ("rule_id", Some(text(&target.rule_id))),
                ("diagnostic_id", target.diagnostic_id.as_ref().map(text)),
            ])
        });
        let confidence = self.confidence.and_then(|it| word::<Confidence>(it.into()));
        object([
            ("id", Some(text(&self.id))),
            ("title", Some(text(&self.title))),
            ("severity", word::<Severity>(self.severity.into()).map(text)),
            ("targets", Some(Value::Array(targets.collect()))),
            (
                "ops",
                Some(Value::Array(self.ops.iter().map(Op::to_value).collect())),
            ),
            ("notes", self.notes.as_ref().map(text)),
            ("confidence", confidence.map(text)),
        ])
    }
}

impl Op {
    pub fn to_value(&self) -> Value {
        let index_value = |index: usize| Value::Number(Number::from(index as u64));
        let (mut key, mut from, mut to, mut index, mut value) = (None, None, None, None, None);
        match &self.change {
            Change::ReplaceValue { value: new } => value = Some(new.clone()),
            Change::AddValue {
                key: name,
                value: new,
            } => (key, value) = (Some(text(name)), Some(new.clone())),
            Change::RemoveKey { key: name } => key = Some(text(name)),
            Change::InsertArrayItem {
                index: at,
                value: new,
            } => (index, value) = (at.map(index_value), Some(new.clone())),
            Change::ReplaceArrayItem {
                index: at,
                value: new,
            } => (index, value) = (Some(index_value(*at)), Some(new.clone())),
            Change::RemoveArrayItem { index: at } => index = Some(index_value(*at)),
            Change::RenameKey { from: old, to: new } => {
                (from, to) = (Some(text(old)), Some(text(new)));
            }
        }
        let expects = self.expects.as_ref().map(|expects| {
            object([
                ("type", expects.kind.map(|it| text(it.name()))),
                ("equals", expects.equals.clone()),
                ("exists", expects.exists.map(Value::Bool)),
            ])
        });
        object([
            ("op", Some(text(self.change.name()))),
            ("file", Some(text(&self.file))),
            ("json_pointer", Some(text(&self.json_pointer))),
            ("key", key),
            ("from", from),
            ("to", to),
            ("index", index),
            ("value", value),
            ("expects", expects),
            ("base_sha256", self.base_sha256.as_ref().map(text)),
        ])
    }
}

fn text(value: impl ToString) -> Value {
    Value::String(value.to_string())
}

fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let present = members
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(present.collect())
}

/// A value of the pack and its pointer.
struct Field<'d> {
    at: Pointer,
    node: Node<'d>,
}

type Read<T> = Result<T, PackError>;

impl<'d> Field<'d> {
    fn root(document: &'d Document) -> Self {
        Self {
            at: Pointer::root(),
            node: document.root(),
        }
    }

    fn wrong<T>(&self, problem: impl Into<String>) -> Read<T> {
        Err(PackError::Shape {
            at: self.at.clone(),
            problem: problem.into(),
            span: self.node.span(),
        })
    }

    fn is_not<T>(&self, wanted: &str) -> Read<T> {
        let kind = self.node.kind().name();
        self.wrong(format!("must be {wanted}, but is a {kind}"))
    }

    /// Rejects non-objects, unknown keys and duplicate keys.
    fn with_members(self, known: &[&str]) -> Read<Self> {
        if self.node.kind() != Kind::Object {
            return self.is_not("an object");
        }
        if let Some(twice) = self.node.duplicate_keys().first() {
            return self.wrong(format!("has the key `{}` twice", twice.key));
        }
        for member in self.node.members() {
            if !known.contains(&member.key) {
                let known = known.join(", ");
                return self.wrong(format!(
                    "has the unknown key `{}`; the known keys are: {known}",
                    member.key
                ));
            }
        }
        Ok(self)
    }

    fn optional(&self, key: &str) -> Option<Self> {
        let entry = self.node.get(key)?;
        Some(Self {
            at: self.at.join(key),
            node: entry.value,
        })
    }

    fn required(&self, key: &str) -> Read<Self> {
        match self.optional(key) {
            Some(field) => Ok(field),
            None => self.wrong(format!("lacks `{key}`")),
        }
    }

    fn items(&self) -> Read<Vec<Self>> {
        if self.node.kind() != Kind::Array {
            return self.is_not("an array");
        }
        let items = self.node.items().enumerate().map(|(index, node)| Self {
            at: self.at.join(index.to_string()),
            node,
        });
        Ok(items.collect())
    }

    fn string(&self) -> Read<String> {
        match self.node.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => self.is_not("a string"),
        }
    }

    fn filled(&self) -> Read<String> {
        let text = self.string()?;
        if text.is_empty() {
            return self.wrong("must not be empty");
        }
        Ok(text)
    }

    fn pointer(&self) -> Read<Pointer> {
        Pointer::parse(&self.string()?).or_else(|error| self.wrong(format!("is invalid: {error}")))
    }

    fn index(&self) -> Read<usize> {
        let written = self.node.as_number();
        match written.and_then(|it| it.to_json()?.parse().ok()) {
            Some(index) => Ok(index),
            None => self.wrong("must be an index: a whole number from 0"),
        }
    }

    fn sha256(&self) -> Read<Digest> {
        match Digest::parse(&self.string()?) {
            Some(digest) => Ok(digest),
            None => self.wrong("must be a SHA-256: 64 hexadecimal digits"),
        }
    }

    fn bool(&self) -> Read<bool> {
        match self.node.as_bool() {
            Some(value) => Ok(value),
            None => self.is_not("true or false"),
        }
    }

    fn choice<T>(&self, parse: impl Fn(&str) -> Option<T>, choices: &str) -> Read<T> {
        match self.node.as_str().and_then(parse) {
            Some(chosen) => Ok(chosen),
            None => self.wrong(format!("must be one of {choices}")),
        }
    }
}

fn read_pack(pack: &Field<'_>) -> Read<ActionPack> {
    let pack = Field {
        at: pack.at.clone(),
        node: pack.node,
    }
    // A pack may contain the diagnostics of a validator besides its actions.
    .with_members(&[
        "pack_version",
        "workspace_root",
        "diagnostics",
        "fix_actions",
    ])?;
    let list = pack.required("fix_actions")?;
    let mut ids = BTreeSet::new();
    let mut actions = Vec::new();
    for field in list.items()? {
        let id = field.node.get("id");
        let action = read_action(field)?;
        if !ids.insert(action.id.clone()) {
            return Err(PackError::Shape {
                at: list.at,
                problem: format!("has two actions with the id `{}`", action.id),
                span: id.map_or(list.node.span(), |it| it.value.span()),
            });
        }
        actions.push(action);
    }
    Ok(ActionPack {
        pack_version: pack.required("pack_version")?.string()?,
        workspace_root: pack.required("workspace_root")?.string()?,
        fix_actions: actions,
    })
}

fn read_action(action: Field<'_>) -> Read<FixAction> {
    let known = [
        "id",
        "title",
        "severity",
        "targets",
        "ops",
        "notes",
        "confidence",
    ];
    let action = action.with_members(&known)?;
    let title = action.required("title")?;
    let title_text = title.filled()?;
    if title_text.chars().count() > TITLE_LIMIT || title_text.contains(['\n', '\r']) {
        return title.wrong(format!(
            "must be a short label: one line of at most {TITLE_LIMIT} characters"
        ));
    }
    let severity = action.required("severity")?;
    let targets = action.required("targets")?;
    let target_list: Vec<Target> = targets
        .items()?
        .into_iter()
        .map(read_target)
        .collect::<Read<_>>()?;
    if target_list.is_empty() {
        return targets.wrong("must name at least one target");
    }
    let ops = action.required("ops")?.items()?;
    Ok(FixAction {
        id: action.required("id")?.filled()?,
        title: title_text,
        severity: severity.choice(|it| parse_word::<Severity>(it).ok(), "error, warning, info")?,
        targets: target_list,
        ops: ops.into_iter().map(read_op).collect::<Read<_>>()?,
        notes: action.optional("notes").map(|it| it.string()).transpose()?,
        confidence: action
            .optional("confidence")
            .map(|it| it.choice(|it| parse_word::<Confidence>(it).ok(), "high, medium, low"))
            .transpose()?,
    })
}

fn read_target(target: Field<'_>) -> Read<Target> {
    let target = target.with_members(&["file", "json_pointer", "rule_id", "diagnostic_id"])?;
    Ok(Target {
        file: target.required("file")?.string()?,
        json_pointer: target.required("json_pointer")?.pointer()?,
        rule_id: target.required("rule_id")?.filled()?,
        diagnostic_id: target
            .optional("diagnostic_id")
            .map(|it| it.string())
            .transpose()?,
    })
}

fn read_op(op: Field<'_>) -> Read<Op> {
    /// The ops and their op-specific fields.
    const OPS: [(&str, &[&str]); 7] = [
        ("replace_value", &["value"]),
        ("add_value", &["key", "value"]),
        ("remove_key", &["key"]),
        ("insert_array_item", &["index", "value"]),
        ("replace_array_item", &["index", "value"]),
        ("remove_array_item", &["index"]),
        ("rename_key", &["from", "to"]),
    ];
    if op.node.kind() != Kind::Object {
        return op.is_not("an object");
    }
    let name = op.required("op")?;
    let names = OPS.map(|it| it.0).join(", ");
    let find = |it: &str| OPS.iter().find(|op| op.0 == it);
    let (kind, own) = name.choice(find, &names)?;
    let mut known = vec!["op", "file", "json_pointer", "expects", "base_sha256"];
    known.extend(*own);
    let op = op.with_members(&known)?;
    let value = || Ok::<_, PackError>(op.required("value")?.node.value());
    let index = || op.required("index")?.index();
    let change = match *kind {
        "replace_value" => Change::ReplaceValue { value: value()? },
        "add_value" => Change::AddValue {
            key: op.required("key")?.string()?,
            value: value()?,
        },
        "remove_key" => Change::RemoveKey {
            key: op.required("key")?.string()?,
        },
        "insert_array_item" => Change::InsertArrayItem {
            index: op.optional("index").map(|it| it.index()).transpose()?,
            value: value()?,
        },
        "replace_array_item" => Change::ReplaceArrayItem {
            index: index()?,
            value: value()?,
        },
        "remove_array_item" => Change::RemoveArrayItem { index: index()? },
        _ => Change::RenameKey {
            from: op.required("from")?.string()?,
            to: op.required("to")?.string()?,
        },
    };
    Ok(Op {
        file: op.required("file")?.string()?,
        json_pointer: op.required("json_pointer")?.pointer()?,
        change,
        expects: op.optional("expects").map(read_expects).transpose()?,
        base_sha256: op
            .optional("base_sha256")
            .map(|it| it.sha256())
            .transpose()?,
    })
}

fn read_expects(expects: Field<'_>) -> Read<Expects> {
    let expects = expects.with_members(&["type", "equals", "exists"])?;
    let kinds = "null, boolean, number, string, array, object";
    Ok(Expects {
        kind: expects
            .optional("type")
            .map(|it| it.choice(Kind::of_name, kinds))
            .transpose()?,
        equals: expects.optional("equals").map(|it| it.node.value()),
        exists: expects.optional("exists").map(|it| it.bool()).transpose()?,
    })
}
