//! Tests the validator on whole documents.

mod common;
mod exact;
mod output;
mod rules;
mod schema;
mod together;
mod work;
