//! Selectors.

use super::text::{lower, lower_name, with_numbers, with_strings, without_strings};
use super::{Place, Printer};
use crate::css::selector::{self, Kind, Part, Selectors};
use crate::doc::Doc;

/// At-rules whose selectors are on one line if they fit.
const INLINE_RULES: [&str; 3] = ["extend", "custom-selector", "nest"];
const POSITIONS: [&str; 4] = [
    ":nth-child",
    ":nth-last-child",
    ":nth-of-type",
    ":nth-last-of-type",
];

pub(super) struct PrintedSelector<'a> {
    pub(super) doc: Doc<'a>,
    /// It is printed as it is, because it has a comment or is not understood.
    pub(super) is_unknown: bool,
    /// Whether it has several selectors.
    pub(super) is_list: bool,
}

impl<'a> Printer<'a> {
    /// The selector of a rule.
    pub(super) fn rule_selector(&self, text: &'a str, place: Place<'_>) -> PrintedSelector<'a> {
        let mut printed = self.selector(text, place);
        if printed.is_unknown && place.is_nested_property {
            printed.doc = self.cow(with_numbers(&with_strings(&lower_name(text.trim()))));
        }
        printed
    }

    pub(super) fn selector(&self, text: &'a str, place: Place<'_>) -> PrintedSelector<'a> {
        self.selector_after(Doc::NIL, text, place)
    }

    pub(super) fn selector_after(
        &self,
        before: Doc<'a>,
        text: &'a str,
        place: Place<'_>,
    ) -> PrintedSelector<'a> {
        let code = without_strings(text);
        let has_comment = code.contains('/') && (code.contains("//") || code.contains("/*"));
        let selectors = if has_comment {
            None
        } else {
            selector::parse(text)
        };
        let Some(selectors) = selectors else {
            return PrintedSelector {
                doc: self.docs.concat(&[before, Doc::Text(text.trim())]),
                is_unknown: true,
                is_list: false,
            };
        };
        let line = if place.is_in(&INLINE_RULES) {
            Doc::LINE
        } else {
            Doc::HARDLINE
        };
        let separator = self.docs.concat(&[",".into(), line]);
        let printed = self.each_selector(&selectors, false, place);
        let list = self.docs.join(separator, &printed);
        PrintedSelector {
            doc: self.docs.group(self.docs.concat(&[before, list])),
            is_unknown: false,
            is_list: selectors.len() > 1,
        }
    }

    fn each_selector(
        &self,
        selectors: &Selectors<'a>,
        is_position: bool,
        place: Place<'_>,
    ) -> Vec<Doc<'a>> {
        let print = |parts: &Vec<Part<'a>>| self.compound(parts, is_position, place);
        selectors.iter().map(print).collect()
    }

    fn compound(&self, parts: &[Part<'a>], is_position: bool, place: Place<'_>) -> Doc<'a> {
        let mut printed = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let is_last = index + 1 == parts.len();
            printed.push(match &part.kind {
                Kind::Combinator => self.combinator(part.text, index == 0, is_last, is_position),
                Kind::Tag => {
                    let is_nested = index > 0 && matches!(parts[index - 1].kind, Kind::Nesting);
                    self.tag(part, is_nested, place)
                }
                _ => self.selector_part(part, place),
            });
        }
        let doc = self.docs.concat(&printed);
        // Most selectors have no place to break.
        let is_text = |part: &Part<'a>| match &part.kind {
            Kind::Combinator | Kind::Attribute => false,
            Kind::Pseudo { arguments } => arguments.is_none(),
            _ => true,
        };
        if parts.iter().all(is_text) {
            return doc;
        }
        self.docs.group(if parts.len() > 2 {
            self.docs.indent(doc)
        } else {
            doc
        })
    }

    fn selector_part(&self, part: &Part<'a>, place: Place<'_>) -> Doc<'a> {
        let text = part.text;
        match &part.kind {
            Kind::Class => {
                let name = with_strings(&text[1..]);
                let name = with_numbers(&name).into_owned();
                self.docs.concat(&[".".into(), self.docs.text(&name)])
            }
            Kind::Attribute => self.attribute(text),
            Kind::String => self.cow(with_strings(text)),
            Kind::Universal => self.with_namespace(part, Doc::Text(text)),
            Kind::Pseudo { arguments } => {
                let name = self.cow(lower_name(text));
                match arguments {
                    Some(selectors) => {
                        let arguments = self.arguments(text, selectors, place);
                        self.docs.concat(&[name, arguments])
                    }
                    None => name,
                }
            }
            Kind::Id | Kind::Nesting | Kind::Tag | Kind::Combinator => Doc::Text(text),
        }
    }

    fn arguments(&self, name: &str, selectors: &Selectors<'a>, place: Place<'_>) -> Doc<'a> {
        let docs = &self.docs;
        let is_position = POSITIONS
            .iter()
            .any(|position| position.eq_ignore_ascii_case(name));
        let printed = self.each_selector(selectors, is_position, place);
        let separator = docs.concat(&[",".into(), Doc::LINE]);
        let list = docs.concat(&[Doc::SOFTLINE, docs.join(separator, &printed)]);
        docs.group(docs.concat(&["(".into(), docs.indent(list), Doc::SOFTLINE, ")".into()]))
    }

    fn tag(&self, part: &Part<'a>, is_nested: bool, place: Place<'_>) -> Doc<'a> {
        let text = part.text;
        let is_keyframe = place
            .at_rule
            .is_some_and(|name| lower(name).ends_with("keyframes"))
            && (text.eq_ignore_ascii_case("from") || text.eq_ignore_ascii_case("to"));
        let doc = match (is_nested, is_keyframe) {
            (true, _) => Doc::Text(text),
            (_, true) => self.cow(lower(text)),
            _ => self.cow(with_numbers(text)),
        };
        self.with_namespace(part, doc)
    }

    fn with_namespace(&self, part: &Part<'a>, name: Doc<'a>) -> Doc<'a> {
        match part.namespace {
            Some(namespace) => {
                let namespace = Doc::Text(namespace.trim());
                self.docs.concat(&[namespace, "|".into(), name])
            }
            None => name,
        }
    }

    fn combinator(
        &self,
        text: &'a str,
        is_first: bool,
        is_last: bool,
        is_position: bool,
    ) -> Doc<'a> {
        if matches!(text, "+" | ">" | "~" | ">>>") {
            let before = if is_first { Doc::NIL } else { Doc::LINE };
            let is_sign = is_first && is_position && text == "+";
            let after = if is_last || is_sign {
                Doc::NIL
            } else {
                Doc::SPACE
            };
            return self.docs.concat(&[before, Doc::Text(text), after]);
        }
        let text = text.trim();
        if text.is_empty() {
            return Doc::LINE;
        }
        let before = if text.starts_with('(') {
            Doc::LINE
        } else {
            Doc::NIL
        };
        let text = with_strings(text);
        self.docs.concat(&[before, self.cow(with_numbers(&text))])
    }

    fn attribute(&self, text: &'a str) -> Doc<'a> {
        let equals = text.find('=');
        let operator = equals.map(|equals| {
            let has_prefix = text[..equals].ends_with(['*', '~', '^', '$', '|']);
            equals - usize::from(has_prefix)..equals + 1
        });
        let Some(operator) = operator else {
            return self
                .docs
                .concat(&["[".into(), self.attribute_name(text), "]".into()]);
        };
        let name = self.attribute_name(&text[..operator.start]);
        let value = text[operator.end..].trim();
        let (value, flag) = match value.rsplit_once(char::is_whitespace) {
            Some((value, flag)) if flag.len() == 1 && flag.as_bytes()[0].is_ascii_alphabetic() => {
                (value.trim_end(), flag)
            }
            _ => (value, ""),
        };
        let mut printed = with_strings(value).into_owned();
        if !value.is_empty() && !printed.contains(['"', '\'']) {
            printed = format!("\"{printed}\"");
        }
        if !flag.is_empty() {
            printed = format!("{printed} {flag}");
        }
        let printed = self.arena.alloc_str(&printed);
        let value = self.docs.lines(printed, Doc::LITERALLINE);
        self.docs.concat(&[
            "[".into(),
            name,
            Doc::Text(&text[operator]),
            value,
            "]".into(),
        ])
    }

    fn attribute_name(&self, text: &'a str) -> Doc<'a> {
        match text.split_once('|') {
            Some((namespace, name)) => {
                let (namespace, name) = (Doc::Text(namespace.trim()), Doc::Text(name.trim()));
                self.docs.concat(&[namespace, "|".into(), name])
            }
            None => Doc::Text(text.trim()),
        }
    }
}
