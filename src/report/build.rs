//! Generates the report types from the schema, without a protoc binary, and adds their JSON form.
//!
//! The serde attributes are derived from the schema, so that a new field cannot be forgotten: enums
//! become words, lists and booleans are optional, and every other field is required.

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
    config.message_attribute(".", "#[serde(deny_unknown_fields)]");
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
    let kind = field.kind();
    if field.cardinality() == Cardinality::Repeated {
        return Some("#[serde(default)]".to_owned());
    }
    match kind {
        Kind::Enum(it) => Some(format!(
            "#[serde(with = \"crate::words::{}\")]",
            snake_case(it.name())
        )),
        Kind::Bool if !field.supports_presence() => Some("#[serde(default)]".to_owned()),
        _ if field.supports_presence() => {
            Some("#[serde(default, skip_serializing_if = \"Option::is_none\")]".to_owned())
        }
        _ => None,
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
