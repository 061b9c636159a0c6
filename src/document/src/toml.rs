//! How the tables of a TOML document are laid out.
#[derive(Clone, Debug)]
pub(crate) struct Layout;
