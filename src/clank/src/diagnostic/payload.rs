//! Payloads: everything that a diagnostic's message says, as data.

use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Payload {
    SyntaxError {
        #[serde(skip_serializing_if = "Option::is_none")]
        expected: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        found: Option<String>,
    },
    /// For a document that is not a program.
    InputError {
        pointer: String,
    },
    UnresolvedName {
        name: String,
        similar_names: Vec<String>,
    },
    DuplicateDefinition {
        name: String,
    },
    ImportNotFound {
        module: String,
        name: String,
        similar_names: Vec<String>,
    },
    ModuleNotFound {
        module: String,
        similar_names: Vec<String>,
    },
    UnresolvedType {
        name: String,
        available_types: Vec<String>,
        similar_types: Vec<String>,
    },
    UnresolvedVariant {
        name: String,
        type_name: String,
        similar_names: Vec<String>,
    },
    TypeMismatch {
        expected: String,
        actual: String,
        /// The name or literal with the wrong type, if it is one. It is part of the problem's
        /// identity.
        #[serde(skip)]
        of: Option<String>,
    },
    OccursCheck {
        expected: String,
        actual: String,
    },
    /// For types, the types as text; for calls, the argument counts.
    ArityMismatch {
        expected: String,
        actual: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        param_types: Vec<String>,
    },
    MissingField {
        fields: Vec<String>,
        expected: String,
        actual: String,
        /// The type of each missing field, in the order of `fields`.
        field_types: Vec<String>,
    },
    UnknownField {
        field: String,
        #[serde(rename = "type")]
        ty: String,
        available_fields: Vec<String>,
        similar_fields: Vec<String>,
    },
    NotCallable {
        #[serde(rename = "actualType")]
        actual: String,
    },
    NotIndexable {
        actual: String,
    },
    RecursiveType {
        name: String,
    },
    PatternMismatch {
        expected: String,
        actual: String,
    },
    NotIterable {
        actual: String,
    },
    NotARecord {
        actual: String,
    },
    InvalidPropagate {
        actual: String,
    },
    ImmutableAssign {
        name: String,
        /// The id of the node that binds the name: a `let`, or a parameter or pattern that cannot
        /// be made mutable.
        declaration_node_id: String,
        /// Whether that node is a `let`.
        is_let: bool,
    },
    /// The left side of `=` cannot be assigned to.
    NotAssignable,
    NonExhaustiveMatch {
        missing_patterns: Vec<MissingPattern>,
    },
    TypeParamMismatch {
        name: String,
        expected: usize,
        actual: usize,
    },
    /// `break` or `continue`.
    OutsideLoop {
        statement: &'static str,
    },
    RefinementViolation {
        predicate: String,
        counterexample: BTreeMap<String, String>,
    },
    BoundsError {
        predicate: String,
        counterexample: BTreeMap<String, String>,
    },
    EffectNotAllowed {
        effect: String,
        function: String,
        /// The called function.
        #[serde(skip_serializing_if = "Option::is_none")]
        callee: Option<String>,
        /// The id of the enclosing function.
        function_node_id: String,
    },
    UnhandledEffect {
        effect: String,
        function: String,
        function_node_id: String,
    },
    UnusedVariable {
        name: String,
    },
    DuplicateVariant {
        #[serde(rename = "variantName")]
        variant_name: String,
        #[serde(rename = "originalType")]
        original_type: String,
    },
}

/// A pattern that no arm covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissingPattern {
    pub description: String,
    pub kind: MissingPatternKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_payload: Option<bool>,
    /// One entry for each field; empty for a field without a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_names: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingPatternKind {
    Variant,
    Literal,
    Other,
}
