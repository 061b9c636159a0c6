//! What an engine returns, read from one JSON object. Unknown fields are ignored.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::EngineError;
use crate::policy::FileJustification;

/// The longest title of a pull request, in characters.
const MAX_TITLE: usize = 200;

/// The result of `plan`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub hypothesis: String,
    #[serde(default)]
    pub focus_files: Vec<String>,
}

/// The result of `apply_edits`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchResponse {
    /// A unified diff in git's format.
    pub patch_diff: String,
    pub root_cause: String,
    pub fix_summary: String,
    pub tests_summary: String,
    pub risk_rollback: String,
    #[serde(default)]
    pub file_justifications: Vec<FileJustification>,
}

/// The result of `summarize_pr`. The title is one line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrText {
    pub title: String,
    pub body: String,
}

/// The tokens that one call used, as the server reports them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenUsage {
    pub call: String,
    pub model: String,
    pub prompt_tokens: u64,
    pub completion_tokens: u64,
    pub total_tokens: u64,
}

impl TokenUsage {
    /// The member `usage` of the JSON around an answer, if it is there. `names` are those of the
    /// tokens of the prompt and of the completion.
    pub(super) fn of(call: &str, model: &str, envelope: &Value, names: [&str; 2]) -> Option<Self> {
        let usage = envelope.get("usage")?;
        let count = |name: &str| usage.get(name).and_then(Value::as_u64);
        let [prompt, completion] = names.map(|name| count(name).unwrap_or(0));
        Some(Self {
            call: call.to_owned(),
            model: model.to_owned(),
            prompt_tokens: prompt,
            completion_tokens: completion,
            total_tokens: count("total_tokens").unwrap_or(prompt.saturating_add(completion)),
        })
    }
}

/// The JSON in which a model's program or server wraps its answer.
pub(super) fn envelope(bytes: &[u8]) -> Result<Value, EngineError> {
    serde_json::from_slice(bytes).map_err(|error| EngineError::NotJson {
        reason: error.to_string(),
    })
}

/// A JSON object whose fields are read with errors that name them.
#[derive(Clone, Debug)]
pub struct Answer(Map<String, Value>);

impl Answer {
    /// Reads exactly one object; blanks around it are allowed.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, EngineError> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(members)) => Ok(Self(members)),
            Ok(_) => Err(EngineError::NotJson {
                reason: "it is another JSON value".to_owned(),
            }),
            Err(error) => Err(EngineError::NotJson {
                reason: error.to_string(),
            }),
        }
    }

    /// Reads the answer of a model, which may be inside a Markdown code fence.
    pub(super) fn parse_answer(text: &str) -> Result<Self, EngineError> {
        Self::parse(strip_fence(text).as_bytes())
    }

    pub(super) fn of(members: Map<String, Value>) -> Self {
        Self(members)
    }

    fn require(&self, names: &[&'static str]) -> Result<(), EngineError> {
        let missing = |name: &&&str| self.0.get(**name).is_none_or(Value::is_null);
        let fields: Vec<&'static str> = names.iter().filter(missing).copied().collect();
        if fields.is_empty() {
            Ok(())
        } else {
            Err(EngineError::Missing { fields })
        }
    }

    fn text(&self, field: &'static str) -> Result<String, EngineError> {
        let text = self.0.get(field).and_then(Value::as_str);
        text.map(str::to_owned).ok_or(EngineError::WrongType {
            field,
            expected: "text",
        })
    }

    /// An optional list.
    fn list<T: serde::de::DeserializeOwned>(
        &self,
        field: &'static str,
        expected: &'static str,
    ) -> Result<Vec<T>, EngineError> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(value) => {
                let list = serde_json::from_value(value.clone());
                list.map_err(|_| EngineError::WrongType { field, expected })
            }
        }
    }

    pub(super) fn plan(&self) -> Result<Plan, EngineError> {
        self.require(&["hypothesis"])?;
        Ok(Plan {
            hypothesis: self.text("hypothesis")?,
            focus_files: self.list("focus_files", "a list of paths")?,
        })
    }

    pub(super) fn patch(&self) -> Result<PatchResponse, EngineError> {
        self.require(&[
            "patch_diff",
            "root_cause",
            "fix_summary",
            "tests_summary",
            "risk_rollback",
        ])?;
        Ok(PatchResponse {
            patch_diff: self.text("patch_diff")?,
            root_cause: self.text("root_cause")?,
            fix_summary: self.text("fix_summary")?,
            tests_summary: self.text("tests_summary")?,
            risk_rollback: self.text("risk_rollback")?,
            file_justifications: self.list(
                "file_justifications",
                "a list of objects with `file` and `reason`",
            )?,
        })
    }

    pub(super) fn summary(&self) -> Result<String, EngineError> {
        self.require(&["summary"])?;
        self.text("summary")
    }

    pub(super) fn pr_text(&self) -> Result<PrText, EngineError> {
        self.require(&["title", "body"])?;
        let title = self.text("title")?;
        let words = title.split(|c: char| c.is_whitespace() || c.is_control());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        Ok(PrText {
            title: words.join(" ").chars().take(MAX_TITLE).collect(),
            body: self.text("body")?,
        })
    }
}

/// The content of a text that is one Markdown code fence, else the text.
pub(super) fn strip_fence(text: &str) -> &str {
    let trimmed = text.trim();
    let inner = trimmed
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
        .and_then(|rest| rest.split_once('\n'));
    match inner {
        Some((language, inner)) if !language.contains(char::is_whitespace) => inner,
        _ => text,
    }
}
