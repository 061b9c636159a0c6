//! The rules for schema errors, as `fixpoint explain` prints them.

use fixpoint_engine::{Example, Rule};
use fixpoint_report::Safety;

pub(crate) const TYPE: &str = "schema-type";
pub(crate) const REQUIRED: &str = "schema-required";
pub(crate) const UNKNOWN_KEY: &str = "schema-unknown-key";
pub(crate) const VALUE: &str = "schema-value";
pub(crate) const DUPLICATE_ITEMS: &str = "schema-duplicate-items";
pub(crate) const TEXT: &str = "schema-text";
pub(crate) const FORMAT: &str = "schema-format";
pub(crate) const RANGE: &str = "schema-range";
pub(crate) const SIZE: &str = "schema-size";
pub(crate) const COMBINATION: &str = "schema-combination";
/// The schema that a document names is a local file that is not a valid schema.
pub(crate) const UNUSABLE: &str = "schema-unusable";
/// The schema that a document names cannot be found or read in the workspace.
pub(crate) const UNRESOLVED: &str = "schema-unresolved";
/// A check that takes more steps than the limit.
pub(crate) const WORK: &str = "schema-work";
/// A key occurs twice in one object.
pub(crate) const DUPLICATE_KEY: &str = "document-duplicate-key";
/// The document is nested too deeply, its aliases expand without end, or it does not parse.
pub(crate) const UNREADABLE: &str = "document-unreadable";

const NO_FIX: &str = "Only its author can tell what the right value is.";

pub(crate) static RULES: &[Rule] = &[
    Rule {
        name: DUPLICATE_KEY,
        summary: "A key stands once in its object.",
        why: "Readers differ in which of two values of one key they take, and none of them says so.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: UNREADABLE,
        summary: "A document can be read: it parses, nests within reason, and its aliases unfold to no more than a reader can hold.",
        why: "What cannot be read cannot be checked.",
        safety: None,
        safety_reason: "Only its author can tell what was meant.",
        example: None,
    },
    Rule {
        name: COMBINATION,
        summary: "A value fits one of the forms that its schema allows (anyOf, oneOf, not).",
        why: "What fits no form, or several that are kept apart, has no meaning its reader can rely on.",
        safety: None,
        safety_reason: "Which form was meant cannot be told. Where only one can be, its own errors are told instead.",
        example: None,
    },
    Rule {
        name: DUPLICATE_ITEMS,
        summary: "An array that its schema calls a set (uniqueItems) holds an item once.",
        why: "The second one is noise, and removing only one of them later changes nothing.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The schema calls the array a set, but a reader that counts items sees fewer.",
        example: Some(Example {
            path: "app.yaml",
            before: "version: 2\ntags: [a, b, a]\n",
            after: "version: 2\ntags: [a, b]\n",
        }),
    },
    Rule {
        name: FORMAT,
        summary: "A text has the format that its schema names, such as a date or a URI.",
        why: "Its reader will parse it, and fail later and further away.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: RANGE,
        summary: "A number lies in the range that its schema gives.",
        why: "Its reader relies on the range.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: REQUIRED,
        summary: "A key that the schema requires is there.",
        why: "Its reader relies on it.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "Only a value the schema itself gives (const or default) is added; a reader that did something else without the key now does what the schema says.",
        example: Some(Example {
            path: "app.yaml",
            before: "name: shop\n",
            after: "name: shop\nversion: 2\n",
        }),
    },
    Rule {
        name: SIZE,
        summary: "An array or object has as many items or keys as its schema allows, and those it asks for.",
        why: "Its reader relies on them.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: TEXT,
        summary: "A text or key has the length and pattern that its schema asks for.",
        why: "Its reader relies on the pattern.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: TYPE,
        summary: "A value has the type that its schema asks for.",
        why: "A reader takes \"80\" for a number or refuses it, and YAML takes 1.10 for 1.1.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The text of the value stays the same, but a reader that took either type may treat them differently.",
        example: Some(Example {
            path: "app.yaml",
            before: "version: 2\nport: \"80\"\n",
            after: "version: 2\nport: 80\n",
        }),
    },
    Rule {
        name: UNKNOWN_KEY,
        summary: "An object has only the keys that its schema knows.",
        why: "A misspelt key is ignored, and what it was meant to set is not set.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The key is a slip of exactly one key that is missing, or the schema says what became of it; a reader that ignored it will now see it.",
        example: Some(Example {
            path: "app.yaml",
            before: "version: 2\nnmae: shop\n",
            after: "version: 2\nname: shop\n",
        }),
    },
    Rule {
        name: UNRESOLVED,
        summary: "The schema that a document names is a file of the workspace.",
        why: "A document whose schema is absent is not checked, which nobody notices. The schema may belong to a package that is not installed, so this is a note and fails nothing.",
        safety: None,
        safety_reason: "Only its author can tell which schema was meant.",
        example: None,
    },
    Rule {
        name: UNUSABLE,
        summary: "The file that a document names as its schema is a valid schema.",
        why: "A document whose schema is broken is not checked at all, which nobody notices.",
        safety: None,
        safety_reason: "Only its author can tell which schema was meant.",
        example: None,
    },
    Rule {
        name: VALUE,
        summary: "A value is one of those that its schema lists (enum, const).",
        why: "Its reader knows no other.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The value is a slip of exactly one of those listed; a reader that fell back to something else now does what is said.",
        example: Some(Example {
            path: "app.yaml",
            before: "version: 2\nkind: servcie\n",
            after: "version: 2\nkind: service\n",
        }),
    },
    Rule {
        name: WORK,
        summary: "A document can be checked against its schema in a bounded number of steps.",
        why: "References of a schema to itself can double the work at every level, until no machine can do it.",
        safety: None,
        safety_reason: "Only its author can tell how the schema should be written.",
        example: None,
    },
];
