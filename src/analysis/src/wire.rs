//! Serialized forms of types that other crates define.

/// A shared value, serialized as the value itself.
pub(crate) mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        shared: &Arc<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        shared.as_ref().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(deserializer).map(Arc::new)
    }
}

/// A snapshot, as its path and its text.
pub(crate) mod snapshot {
    use fixpoint_text::Snapshot;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        snapshot: &Snapshot,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        (snapshot.path(), snapshot.text()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Snapshot, D::Error> {
        let (path, text) = <(String, String)>::deserialize(deserializer)?;
        Ok(Snapshot::new(path, text))
    }
}

/// Clank modules, as the text of their interfaces and whether there may be more.
#[cfg(feature = "clank")]
pub(crate) mod modules {
    use std::sync::Arc;

    use fixpoint_clank::modules::{Interface, Modules, read_interfaces, write_interfaces};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        modules: &Arc<Modules>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let interfaces: Vec<Interface> = modules.iter().cloned().collect();
        (write_interfaces(&interfaces), modules.is_partial()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<Modules>, D::Error> {
        let (interfaces, is_partial) = <(String, bool)>::deserialize(deserializer)?;
        let interfaces = read_interfaces(&interfaces).map_err(D::Error::custom)?;
        let modules = Modules::complete(interfaces.into_iter().map(Arc::new));
        Ok(Arc::new(match is_partial {
            true => modules.or_more(),
            false => modules,
        }))
    }
}
