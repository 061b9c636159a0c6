//! Generates the report types from the schema, without a protoc binary, and adds their JSON form.
//!
//! The serde attributes are derived from the schema, so that a new field cannot be forgotten. In JSON,
//! enums become words. Every field may be absent and unknown fields are ignored, as in protobuf.
//! `validate` finds out whether required fields are missing.

use std::error::Error;

use protox::prost_reflect::{Cardinality, FieldDescriptor, Kind};

const SCHEMA: &str = "fixpoint/v1/report.proto";
const INCLUDE: &str = "../../proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={INCLUDE}");
    let mut compiler = protox::Compiler::new([INCLUDE])?;
    compiler.include_source_info(true);
    compiler.open_file(SCHEMA)?;

    let mut config = prost_build::Config::new();
    config.message_attribute(".", "#[derive(serde::Serialize, serde::Deserialize)]");
    config.message_attribute(".", "#[serde(default)]");
    for message in compiler.descriptor_pool().all_messages() {
        for field in message.fields() {
            if let Some(attribute) = json_attribute(&field) {
                config.field_attribute(format!(".{}", field.full_name()), attribute);
            }
        }
    }
    config.compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}

fn json_attribute(field: &FieldDescriptor) -> Option<String> {
    let parent = field.parent_message();
    if parent.name() == "PatchOp" {
        return patch_op_attribute(field);
    }
    match field.kind() {
        _ if field.cardinality() == Cardinality::Repeated => None,
        Kind::Enum(words) => {
            let module = snake_case(words.name());
            Some(format!("#[serde(with = \"crate::words::{module}\")]"))
        }
        _ if field.supports_presence() => {
            Some("#[serde(skip_serializing_if = \"Option::is_none\")]".to_owned())
        }
        _ => None,
    }
}

/// An operation contains only its own fields. Nodes are JSON values, and not text as in protobuf.
fn patch_op_attribute(field: &FieldDescriptor) -> Option<String> {
    let absent = "skip_serializing_if = \"Option::is_none\"";
    match field.kind() {
        Kind::Enum(_) => Some("#[serde(with = \"crate::words::patch_kind\")]".to_owned()),
        _ if field.cardinality() == Cardinality::Repeated => {
            Some("#[serde(skip_serializing_if = \"Vec::is_empty\")]".to_owned())
        }
        _ => Some(match field.name().strip_suffix("_json") {
            Some(name) => {
                format!("#[serde(rename = \"{name}\", with = \"crate::json_text\", {absent})]")
            }
            None => format!("#[serde({absent})]"),
        }),
    }
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
