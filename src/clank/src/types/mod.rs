//! Types, and what inference found out.

/// Everything inference found out, by node.
#[derive(Clone, Debug, Default)]
pub struct Typing {}
