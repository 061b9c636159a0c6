//! The order in which the repairs of a compiler are applied: a repair waits until no repair of a more
//! urgent problem is left.

/// Classes of problems, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    Error,
    Obligation,
    Hole,
    Warning,
}

/// A repair that may take its turn.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The most urgent class of the problems that it resolves.
    pub class: Class,
    /// Whether it may be applied, or needs an approval first.
    pub admitted: bool,
    /// Whether the user approved it by its id.
    pub named: bool,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// All admitted repairs of a class.
    Admitted(Class),
    /// The repairs of a class that the user approved by id, although a more urgent one still needs an
    /// approval. Warnings never come before errors.
    Named(Class),
}

impl Turn {
    /// `None` if nothing may be applied.
    pub fn among(repairs: impl IntoIterator<Item = Waiting>) -> Option<Self> {
        let repairs: Vec<Waiting> = repairs.into_iter().collect();
        let first = repairs.iter().map(|it| it.class).min()?;
        if repairs.iter().any(|it| it.class == first && it.admitted) {
            return Some(Self::Admitted(first));
        }
        let named = repairs
            .iter()
            .filter(|it| it.named && it.class < Class::Warning);
        named.map(|it| it.class).min().map(Self::Named)
    }

    pub fn includes(self, repair: Waiting) -> bool {
        match self {
            Self::Admitted(class) => repair.class == class && repair.admitted,
            Self::Named(class) => repair.class == class && repair.named,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repair(class: Class, admitted: bool, named: bool) -> Waiting {
        Waiting {
            class,
            admitted,
            named,
        }
    }

    #[test]
    fn a_repair_waits_for_more_urgent_ones() {
        use Class::{Error, Hole, Obligation, Warning};
        let free = |class| repair(class, true, false);
        let waiting = |class| repair(class, false, false);
        let named = |class| repair(class, true, true);
        for (repairs, turn) in [
            (vec![], None),
            (vec![free(Warning)], Some(Turn::Admitted(Warning))),
            (
                vec![free(Warning), free(Error)],
                Some(Turn::Admitted(Error)),
            ),
            (
                vec![free(Warning), free(Obligation), free(Hole)],
                Some(Turn::Admitted(Obligation)),
            ),
            (vec![free(Warning), waiting(Error)], None),
            (vec![free(Obligation), waiting(Error)], None),
            (
                vec![named(Obligation), waiting(Error)],
                Some(Turn::Named(Obligation)),
            ),
            (
                vec![named(Hole), named(Obligation), waiting(Error)],
                Some(Turn::Named(Obligation)),
            ),
            (vec![named(Warning), waiting(Error)], None),
            (vec![named(Hole), free(Error)], Some(Turn::Admitted(Error))),
        ] {
            assert_eq!(Turn::among(repairs.clone()), turn, "{repairs:?}");
        }
        let turn = Turn::Named(Obligation);
        assert!(turn.includes(named(Obligation)));
        assert!(!turn.includes(free(Obligation)));
    }
}
