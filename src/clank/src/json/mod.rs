//! Reads and writes AST JSON, and writes compilation results as JSON.

pub(crate) mod document;
mod input_error;
mod kinds;
mod read;
mod read_decl;
mod read_expr;
mod read_type;
mod result;
mod sink;
mod value;
mod write;
mod write_decl;
mod write_expr;

pub use input_error::{INPUT_ERROR, InputError, input_error_json};
pub use read::{parse_json, read_program};
pub(crate) use read::{read_declarations, read_part};
pub use result::{
    Output, PartialResult, begin_result, diagnostic_id, hole_id, obligation_id, result_json,
};
pub(crate) use write::declaration_json;
pub use write::{Form, meaning, node_json, program_json};
