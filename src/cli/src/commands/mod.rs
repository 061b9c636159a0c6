//! One file per command.

pub(crate) mod actions;
pub(crate) mod apply;
pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod fix;
pub(crate) mod format;
pub(crate) mod map;
pub(crate) mod prove;
pub(crate) mod rules;
pub(crate) mod show;
pub(crate) mod stored;
pub(crate) mod validate;
pub(crate) mod write;
