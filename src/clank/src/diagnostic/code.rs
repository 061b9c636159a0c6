//! Diagnostic codes. Each is owned by one phase.

use std::fmt;

use fixpoint_report::Severity;
use serde::{Serialize, Serializer};

macro_rules! codes {
    ($($code:ident $name:ident,)*) => {
        /// The code of a diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($code,)* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$code,)*];

            /// The code as text, such as `E1001`.
            pub fn text(self) -> &'static str {
                match self { $(Self::$code => stringify!($code),)* }
            }

            /// The name of the diagnostic.
            pub fn name(self) -> &'static str {
                match self { $(Self::$code => stringify!($name),)* }
            }
        }
    };
}

codes! {
    E0001 UnexpectedToken,
    E1001 UnresolvedName,
    E1002 DuplicateDefinition,
    E1003 ImportNotFound,
    E1004 ModuleNotFound,
    E1005 UnresolvedType,
    E1006 VariantNotFound,
    E2001 TypeMismatch,
    E2002 ArityMismatch,
    E2003 MissingField,
    E2004 UnknownField,
    E2005 NotCallable,
    E2006 NotIndexable,
    E2008 RecursiveType,
    E2009 PatternMismatch,
    E2010 NotIterable,
    E2011 NotARecord,
    E2012 InvalidPropagate,
    E2013 ImmutableAssign,
    E2015 NonExhaustiveMatch,
    E2016 InvalidOperandType,
    E2017 TypeParamMismatch,
    E2019 OutsideLoop,
    E2020 UnfilledHole,
    E3001 UnprovableRefinement,
    E4001 EffectNotAllowed,
    E4002 UnhandledEffect,
    W0001 UnusedVariable,
    W0006 DuplicateVariantName,
}

impl Code {
    pub fn severity(self) -> Severity {
        if self.text().starts_with('W') {
            Severity::Warning
        } else {
            Severity::Error
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.text() == text)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}
