//! Conditional expressions and conditional types.
