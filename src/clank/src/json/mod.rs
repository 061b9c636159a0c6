//! AST JSON, in and out, and the result of a compilation as JSON.

mod read;
mod read_decl;
mod read_expr;
mod read_type;
mod value;
mod write;

pub use read::{InputError, read_program};
pub use write::{Form, node_json, program_json};
