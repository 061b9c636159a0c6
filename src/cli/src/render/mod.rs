//! Output for people.

pub(crate) mod findings;
mod rendered;
pub(crate) mod snippet;
pub(crate) mod words;

pub(crate) use rendered::{Printable, Rendered};
