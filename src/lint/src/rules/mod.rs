//! The rules. Each has its own file, except rules that share a check.

mod attr;
mod attr_cfg;
mod attr_non_empty;
mod attr_single_file;
mod build_calls;
mod bzl_visibility;
mod confusing_name;
mod constant_glob;
mod ctx_actions;
mod ctx_args;
mod deprecated_function;
mod depset_iteration;
mod depsets;
mod dicts;
mod discouraged_attributes;
mod discouraged_calls;
mod docstring_text;
mod docstrings;
mod flow;
mod integer_division;
mod keyword_positional;
mod list_append;
mod moved;
mod name_conventions;
mod native_build;
mod native_rules;
mod no_effect;
mod output_group;
mod package_on_top;
mod redefined_variable;
mod renamed_builtin;
mod repository_rules;
mod rule_impl_return;
mod skylark;
mod string_iteration;
mod uninitialized;
mod unnamed_macro;
mod unsorted_dict_items;
mod unused_load;
mod unused_variable;

use crate::lint::Lint;

pub(crate) use skylark::docstring;

/// All checks.
pub(crate) const LINTS: &[Lint] = &[
    attr_cfg::LINT,
    attr_non_empty::LINT,
    attr_single_file::LINT,
    discouraged_attributes::LINT,
    build_calls::LINT,
    bzl_visibility::LINT,
    confusing_name::LINT,
    constant_glob::LINT,
    ctx_actions::LINT,
    ctx_args::LINT,
    deprecated_function::LINT,
    depset_iteration::LINT,
    depsets::LINT,
    dicts::LINT,
    docstrings::LINT,
    flow::LINT,
    integer_division::LINT,
    keyword_positional::LINT,
    list_append::LINT,
    name_conventions::LINT,
    native_build::LINT,
    native_rules::LINT,
    no_effect::LINT,
    output_group::LINT,
    package_on_top::LINT,
    redefined_variable::LINT,
    renamed_builtin::LINT,
    repository_rules::LINT,
    rule_impl_return::LINT,
    skylark::LINT,
    string_iteration::LINT,
    discouraged_calls::LINT,
    uninitialized::LINT,
    unnamed_macro::LINT,
    unsorted_dict_items::LINT,
    unused_load::LINT,
    unused_variable::LINT,
];
