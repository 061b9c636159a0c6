//! What template strings read, and what they may change.

use super::Def;
use super::resolve::Resolver;
use crate::template::{changes_in, names_in};

impl<'g, 'a: 'g> Resolver<'g, 'a> {
    pub(super) fn template(&mut self, text: &str) {
        let changes = changes_in(text);
        // Nobody looks further into one that changes something.
        self.names.writes_fields |= changes;
        for name in names_in(text) {
            if let Some(id) = self.local(&name) {
                if let Some(binding) = self.names.bindings.get_mut(id.index()) {
                    binding.reads += 1;
                    binding.changed_by_lambda |= changes;
                }
                self.names.in_templates.push(Def::Local(id));
            } else if let Some(def) = self.globals.value(&name) {
                self.names.in_templates.push(def);
            }
        }
    }
}
