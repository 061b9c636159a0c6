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

const NO_FIX: &str = "Only the author knows the right value.";

pub(crate) static RULES: &[Rule] = &[
    Rule {
        name: DUPLICATE_KEY,
        summary: "Reports keys that occur more than once in an object.",
        why: "Parsers differ in which of the two values they use, and many do not report the duplicate. The keys `<<` \
            of YAML and `//` of JSON may be repeated.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: UNREADABLE,
        summary: "Reports documents that do not parse, are nested too deeply, or have aliases that expand to too \
            many values.",
        why: "A document that cannot be read cannot be checked.",
        safety: None,
        safety_reason: "Only the author knows what was intended.",
        example: None,
    },
    Rule {
        name: COMBINATION,
        summary: "Reports values that violate a combination in the schema (anyOf, oneOf, not).",
        why: "A value that matches none of the allowed forms, or several that exclude each other, has no defined meaning.",
        safety: None,
        safety_reason: "It is unknown which form was intended. If only one form is possible, the errors of that form \
            are reported instead.",
        example: None,
    },
    Rule {
        name: DUPLICATE_ITEMS,
        summary: "Reports duplicate items in arrays that must have unique items (uniqueItems).",
        why: "The duplicate adds nothing, and removing only one of the two items later has no effect.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The schema declares the items unique, but a program that counts the items sees fewer.",
        example: Some(Example {
            path: "app.yaml",
            before: "version: 2\ntags: [a, b, a]\n",
            after: "version: 2\ntags: [a, b]\n",
        }),
    },
    Rule {
        name: FORMAT,
        summary: "Reports strings that do not have the format that the schema requires, such as a date or a URI.",
        why: "The program that reads the string parses it, and fails later and far from the cause.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: RANGE,
        summary: "Reports numbers outside the range that the schema allows.",
        why: "Programs that read the document rely on the range.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: REQUIRED,
        summary: "Reports missing keys that the schema requires.",
        why: "Programs that read the document rely on the key.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The fix adds only a value that the schema itself gives (const or default). A program that \
            behaved differently without the key now uses this value.",
        example: Some(Example {
            path: "app.yaml",
            before: "name: shop\n",
            after: "name: shop\nversion: 2\n",
        }),
    },
    Rule {
        name: SIZE,
        summary: "Reports arrays and objects with too many or too few items or keys, or without an item that the \
            schema requires.",
        why: "Programs that read the document rely on these limits.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: TEXT,
        summary: "Reports strings and keys whose length or pattern the schema does not allow.",
        why: "Programs that read the document rely on the length and the pattern.",
        safety: None,
        safety_reason: NO_FIX,
        example: None,
    },
    Rule {
        name: TYPE,
        summary: "Reports values whose type the schema does not allow.",
        why: "One program converts \"80\" to a number and another rejects it, and YAML reads 1.10 as 1.1.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The text of the value stays the same, but a program that accepted either type may treat them \
            differently.",
        example: Some(Example {
            path: "app.yaml",
            before: "version: 2\nport: \"80\"\n",
            after: "version: 2\nport: 80\n",
        }),
    },
    Rule {
        name: UNKNOWN_KEY,
        summary: "Reports keys that the schema does not allow.",
        why: "A misspelled key is ignored, and the intended key is not set.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The key is a misspelling of exactly one missing key, or the schema declares what replaces \
            it. A program that ignored the key now reads it.",
        example: Some(Example {
            path: "app.yaml",
            before: "version: 2\nnmae: shop\n",
            after: "version: 2\nname: shop\n",
        }),
    },
    Rule {
        name: UNRESOLVED,
        summary: "Reports documents that name a schema that is not a file of the workspace.",
        why: "A document whose schema is missing is not checked, which is easily overlooked. The schema may belong \
            to a package that is not installed, so this is only a note and does not fail a check.",
        safety: None,
        safety_reason: "Only the author knows which schema was intended.",
        example: None,
    },
    Rule {
        name: UNUSABLE,
        summary: "Reports documents whose schema is a file, but not a valid schema.",
        why: "A document whose schema is invalid is not checked at all, which is easily overlooked.",
        safety: None,
        safety_reason: "Only the author knows which schema was intended.",
        example: None,
    },
    Rule {
        name: VALUE,
        summary: "Reports values that the schema does not list (enum, const).",
        why: "Programs that read the document do not support other values.",
        safety: Some(Safety::LikelyPreserving),
        safety_reason: "The value is a misspelling of exactly one listed value. A program that used a fallback now \
            uses the listed value.",
        example: Some(Example {
            path: "app.yaml",
            before: "version: 2\nkind: servcie\n",
            after: "version: 2\nkind: service\n",
        }),
    },
    Rule {
        name: WORK,
        summary: "Reports documents that cannot be checked against their schema within the limit of steps.",
        why: "A schema that refers to itself can double the work at every level, until no machine can complete it.",
        safety: None,
        safety_reason: "Only the author knows how the schema should be written.",
        example: None,
    },
];
