//! Tables of TOML.
use super::Emitter;
use crate::toml::Layout;

impl Emitter<'_, '_> {
    pub(super) fn root_table(&mut self, _layout: &Layout) {}
}
