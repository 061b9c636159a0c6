//! What the validator promises, tried on whole documents.

mod common;
mod output;
mod rules;
mod schema;
