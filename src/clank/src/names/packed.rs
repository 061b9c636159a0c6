//! Packs the meaning of a name into eight bytes, because every node has a slot for one. A slot
//! contains a use, a type or a new binding; zero means none.

use super::{BindingId, Def, Primitive, TypeDef, TypeRef, VariantDef};

/// The lowest bits contain the variant, the bits above them its value.
const SORT: u32 = 4;
/// A file cannot contain more declarations or variants than this many bits can count.
const COUNT: u32 = 30;

fn packed(sort: u64, value: usize) -> u64 {
    sort | (value as u64) << SORT
}

fn sort(packed: u64) -> u64 {
    packed & ((1 << SORT) - 1)
}

fn value(packed: u64) -> usize {
    (packed >> SORT) as usize
}

fn packed_type(def: TypeDef) -> usize {
    def.at << 1 | usize::from(def.in_prelude)
}

fn type_def(packed: usize) -> TypeDef {
    TypeDef {
        in_prelude: packed & 1 == 1,
        at: packed >> 1,
    }
}

impl Def {
    pub(super) fn packed(self) -> u64 {
        match self {
            Self::Builtin(at) => packed(1, at),
            Self::Function(at) => packed(2, at),
            Self::Record(at) => packed(3, at),
            Self::Variant(it) => packed(4, it.at << (COUNT + 1) | packed_type(it.sum)),
            Self::Local(binding) => packed(5, binding.index()),
            Self::Validator => packed(6, 0),
        }
    }

    pub(super) fn unpacked(packed: u64) -> Option<Self> {
        let value = value(packed);
        Some(match sort(packed) {
            1 => Self::Builtin(value),
            2 => Self::Function(value),
            3 => Self::Record(value),
            4 => Self::Variant(VariantDef {
                sum: type_def(value & ((1 << (COUNT + 1)) - 1)),
                at: value >> (COUNT + 1),
            }),
            5 => Self::Local(BindingId(value as u32)),
            6 => Self::Validator,
            _ => return None,
        })
    }
}

impl TypeRef {
    pub(super) fn packed(self) -> u64 {
        match self {
            Self::Param(at) => packed(7, at),
            Self::Primitive(primitive) => packed(8, primitive as usize),
            Self::WellKnown => packed(9, 0),
            Self::Declared(def) => packed(10, packed_type(def)),
        }
    }

    pub(super) fn unpacked(packed: u64) -> Option<Self> {
        let value = value(packed);
        Some(match sort(packed) {
            7 => Self::Param(value),
            8 => Self::Primitive(*Primitive::ALL.get(value)?),
            9 => Self::WellKnown,
            10 => Self::Declared(type_def(value)),
            _ => return None,
        })
    }
}

impl BindingId {
    /// Packs the binding that a node introduces.
    pub(super) fn packed(self) -> u64 {
        packed(11, self.index())
    }

    pub(super) fn unpacked(packed: u64) -> Option<Self> {
        (sort(packed) == 11).then(|| Self(value(packed) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_definitions_can_be_unpacked() {
        let sum = |in_prelude, at| TypeDef { in_prelude, at };
        let variant = |sum, at| Def::Variant(VariantDef { sum, at });
        for def in [
            Def::Builtin(0),
            Def::Function(123_456_789),
            Def::Record(1),
            variant(sum(true, 0), 0),
            variant(sum(false, (1 << 30) - 1), (1 << 29) - 1),
            Def::Local(BindingId(u32::MAX)),
            Def::Validator,
        ] {
            assert_eq!(Def::unpacked(def.packed()), Some(def));
            assert_eq!(TypeRef::unpacked(def.packed()), None);
            assert_eq!(BindingId::unpacked(def.packed()), None);
        }
        for ty in Primitive::ALL.map(TypeRef::Primitive).into_iter().chain([
            TypeRef::Param(7),
            TypeRef::WellKnown,
            TypeRef::Declared(sum(true, 3)),
            TypeRef::Declared(sum(false, 0)),
        ]) {
            assert_eq!(TypeRef::unpacked(ty.packed()), Some(ty));
            assert_eq!(Def::unpacked(ty.packed()), None);
            assert_eq!(BindingId::unpacked(ty.packed()), None);
        }
        let made = BindingId(u32::MAX).packed();
        assert_eq!(BindingId::unpacked(made), Some(BindingId(u32::MAX)));
        for nothing in [0, made] {
            assert_eq!(Def::unpacked(nothing), None);
            assert_eq!(TypeRef::unpacked(nothing), None);
        }
        assert_eq!(BindingId::unpacked(0), None);
    }
}
