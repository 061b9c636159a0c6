//! Repairs, from outside.

mod conformance;
