//! Lists: the items that commas separate, with or without parentheses.

use super::layout::{is_next_line_blank, next_byte};
use super::value::{Around, Scope};
use super::{Dialect, Printer};
use crate::css::value::{List, Value};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn open_list(
        &self,
        list: &List<'a>,
        around: &Around<'_, 'a>,
        scope: Scope<'_, 'a>,
    ) -> Doc<'a> {
        let docs = &self.docs;
        let is_broken = scope.is_broken(list);
        let line = if is_broken { Doc::HARDLINE } else { Doc::LINE };
        // The last comma is part of a custom property. In SCSS, it has no meaning here.
        let is_custom = scope
            .context
            .property
            .is_some_and(|name| name.starts_with("--"));
        let ends_in_comma = is_custom && scope.text.trim_end().ends_with(',');
        let mut parts = Vec::with_capacity(list.items.len() * 2);
        for (index, item) in list.items.iter().enumerate() {
            let is_last = index + 1 == list.items.len();
            let comma = if is_last && !ends_in_comma { "" } else { "," };
            let item = self.value(item, None, Some(around), scope);
            parts.push(docs.concat(&[item, comma.into()]));
            if !is_last {
                parts.push(line);
            }
        }
        if is_broken {
            return docs.indent(docs.concat(&[Doc::HARDLINE, docs.concat(&parts)]));
        }
        let before = match scope.context.property {
            Some(_) => Doc::SOFTLINE,
            None => Doc::NIL,
        };
        docs.indent(docs.group(docs.concat(&[before, docs.fill(&parts)])))
    }

    pub(super) fn closed_list(
        &self,
        list: &List<'a>,
        around: &Around<'_, 'a>,
        scope: Scope<'_, 'a>,
    ) -> Doc<'a> {
        let docs = &self.docs;
        let parent = around.outer.map(|outer| outer.value);
        if parent.is_some_and(|parent| is_function(parent, "url")) && is_data(list) {
            let items: Vec<_> = list
                .items
                .iter()
                .map(|item| self.value(item, None, Some(around), scope))
                .collect();
            let items = docs.join(",".into(), &items);
            return docs.concat(&["(".into(), items, ")".into()]);
        }
        let is_map_item = self.is_map_item(list, around, scope);
        let mut items = Vec::with_capacity(list.items.len());
        for (index, item) in list.items.iter().enumerate() {
            let is_last = index + 1 == list.items.len();
            let mut doc = self.value(item, None, Some(around), scope);
            let parts = item.sequence().unwrap_or_default();
            if !scope.is_control && Scope::is_pair_in_list(parts, Some(around.value)) {
                doc = docs.group(docs.dedent(doc));
            }
            let comma = match is_last {
                true => self.trailing_comma(list, item, is_map_item, parent, scope),
                false => ",".into(),
            };
            let has_blank_line = !is_last
                && parts
                    .last()
                    .is_some_and(|last| is_next_line_blank(scope.text, last.end));
            let blank_line = if has_blank_line {
                Doc::HARDLINE
            } else {
                Doc::NIL
            };
            items.push(docs.concat(&[doc, comma, blank_line]));
        }
        let is_key = is_key(around.value, parent);
        let is_configuration = is_configuration(list, around.value, parent);
        let contents = docs.concat(&[Doc::SOFTLINE, docs.join(Doc::LINE, &items)]);
        let doc = docs.concat(&[
            "(".into(),
            docs.indent(contents),
            Doc::SOFTLINE,
            Doc::LineSuffixBoundary,
            ")".into(),
        ]);
        let doc = docs.group_with(doc, None, is_configuration || is_map_item && !is_key);
        if is_configuration || is_key {
            docs.dedent(doc)
        } else {
            doc
        }
    }

    fn trailing_comma(
        &self,
        list: &List<'a>,
        item: &Value<'a>,
        is_map_item: bool,
        parent: Option<&Value<'a>>,
        scope: Scope<'_, 'a>,
    ) -> Doc<'a> {
        let is_single = self.dialect == Dialect::Scss
            && !parent.is_some_and(Value::is_function)
            && list.items.len() == 1
            && !list.items[0].is_pair();
        let is_var = parent.is_some_and(|parent| is_function(parent, "var"));
        let parts = item.sequence().unwrap_or(std::slice::from_ref(item));
        let last = parts.iter().rfind(|part| !part.is_comment());
        let has_comma = last.is_some_and(|last| next_byte(scope.text, last.end) == Some(b','));
        if (is_var || is_single) && has_comma {
            return ",".into();
        }
        // A comma after the only item would make a list of it.
        let is_list = list.items.len() > 1 || item.is_pair() || has_comma;
        match last {
            Some(_) if is_map_item && is_list => self.docs.if_break(",", ""),
            _ => Doc::NIL,
        }
    }

    /// Whether the list is a map of SCSS, or a value in a map.
    fn is_map_item(&self, list: &List<'a>, around: &Around<'_, 'a>, scope: Scope<'_, 'a>) -> bool {
        if self.dialect != Dialect::Scss {
            return false;
        }
        match list.items.as_slice() {
            [] => return false,
            [item] if item.sequence().is_none() => return false,
            _ => {}
        }
        let parent = around.outer.map(|outer| outer.value);
        if parent.is_some_and(|parent| parent.is_function() && parent.text == "if") {
            return false;
        }
        let grandparent = around
            .outer
            .and_then(|outer| outer.outer)
            .map(|outer| outer.value);
        let is_in_map = grandparent.and_then(Value::list).is_some_and(is_map);
        if !is_map(list) && !is_in_map {
            return false;
        }
        if scope
            .context
            .property
            .is_some_and(|name| name.starts_with('$'))
        {
            return true;
        }
        if is_in_map {
            return !around.outer.is_some_and(|outer| outer.has_math);
        }
        grandparent.is_some_and(Value::is_function)
    }
}

impl<'a> Scope<'_, 'a> {
    /// Whether every item of a list without parentheses is on its own line.
    pub(super) fn is_broken(&self, list: &List<'a>) -> bool {
        let has_sequence = list.items.iter().any(|item| item.sequence().is_some());
        let is_custom = |name: &str| name.starts_with("--");
        let is_declared = self.context.property.is_some_and(|name| !is_custom(name));
        !list.is_closed && has_sequence && (is_declared || self.context.is_variable)
    }
}

fn is_function(value: &Value<'_>, name: &str) -> bool {
    value.is_function() && value.text.eq_ignore_ascii_case(name)
}

/// Whether the contents of a `url()` are printed without line breaks.
fn is_data(list: &List<'_>) -> bool {
    let first = list.items.first().and_then(Value::sequence);
    list.items.len() == 1
        || first
            .and_then(<[Value<'_>]>::first)
            .is_some_and(|word| word.is_name() && word.text.starts_with("data:"))
}

fn is_map(list: &List<'_>) -> bool {
    list.items.first().is_some_and(Value::is_pair)
}

/// Whether the value is before the colon of a pair.
fn is_key(value: &Value<'_>, parent: Option<&Value<'_>>) -> bool {
    let Some(parent) = parent.filter(|parent| parent.is_pair()) else {
        return false;
    };
    let parts = parent.sequence().unwrap_or_default();
    let index = index_of(value, parts);
    parts.get(index + 1).is_some_and(Value::is_colon)
}

/// Whether the list configures a module of SCSS: `@use "a" with (...)`.
fn is_configuration(list: &List<'_>, value: &Value<'_>, parent: Option<&Value<'_>>) -> bool {
    let parts = parent.and_then(Value::sequence).unwrap_or_default();
    let previous = index_of(value, parts)
        .checked_sub(1)
        .map(|index| &parts[index]);
    previous.is_some_and(|previous| previous.is_word("with"))
        && list.items.iter().all(|item| item.sequence().is_some())
}

/// The index of `value` among `parts`, which are in the order of the source.
fn index_of(value: &Value<'_>, parts: &[Value<'_>]) -> usize {
    parts.partition_point(|part| part.start < value.start)
}
