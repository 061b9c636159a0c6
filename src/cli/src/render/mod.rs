//! What people see.

pub(crate) mod findings;
pub(crate) mod snippet;
pub(crate) mod words;
