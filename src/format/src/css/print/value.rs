//! Values, and the groups of their parts.

use super::text::{last_line_has_comment, lower, number, string, unit};
use super::{Place, Printer, gap::Gap, gap::Gaps};
use crate::css::value::{self, Kind, Value, without_comments};
use crate::doc::Doc;

/// The statement of a value.
#[derive(Clone, Copy)]
pub(super) struct Context<'p> {
    /// The name of a declaration.
    pub(super) property: Option<&'p str>,
    /// Whether it is the value of a Less variable.
    pub(super) is_variable: bool,
    pub(super) place: Place<'p>,
}

impl Context<'_> {
    fn is_grid(&self) -> bool {
        self.property.is_some_and(|name| {
            let name = lower(name);
            name == "grid" || name.starts_with("grid-template")
        })
    }
}

/// The groups around a part, from the innermost one.
#[derive(Clone, Copy)]
pub(super) struct Around<'c, 'a> {
    pub(super) value: &'c Value<'a>,
    pub(super) outer: Option<&'c Around<'c, 'a>>,
    /// The name of the innermost function.
    pub(super) function: Option<&'a str>,
    /// Whether the value is a sequence with an operator.
    pub(super) has_math: bool,
}

pub(super) struct PrintedValue<'a> {
    pub(super) doc: Doc<'a>,
    /// Whether it is a list with every item on its own line.
    pub(super) is_broken_list: bool,
    pub(super) is_parenthesized: bool,
}

/// The context of the value that is being printed, and its source text.
#[derive(Clone, Copy)]
pub(super) struct Scope<'c, 'a> {
    pub(super) context: &'c Context<'c>,
    pub(super) text: &'a str,
    pub(super) is_control: bool,
}

impl<'a> Printer<'a> {
    pub(super) fn value_of(&self, text: &'a str, context: &Context<'_>) -> PrintedValue<'a> {
        let Some(value) = value::parse(text, self.dialect) else {
            return PrintedValue {
                doc: Doc::Text(text),
                is_broken_list: false,
                is_parenthesized: false,
            };
        };
        let scope = Scope {
            context,
            text,
            is_control: context.place.is_control(self.dialect),
        };
        let mut doc = self.value(&value, None, None, scope);
        // The comma makes a list of the only item.
        if text.trim_end().ends_with(',')
            && !matches!(&value.kind, Kind::List(list) if !list.is_closed)
        {
            doc = self.docs.concat(&[doc, ",".into()]);
        }
        PrintedValue {
            doc,
            is_broken_list: value.list().is_some_and(|list| scope.is_broken(list)),
            is_parenthesized: value.is_parenthesized(),
        }
    }

    pub(super) fn value(
        &self,
        value: &Value<'a>,
        previous: Option<&Value<'a>>,
        around: Option<&Around<'_, 'a>>,
        scope: Scope<'_, 'a>,
    ) -> Doc<'a> {
        let docs = &self.docs;
        let text = value.text;
        let function = around.and_then(|around| around.function);
        match &value.kind {
            Kind::Word => {
                let is_keyword = ["initial", "inherit", "unset", "revert"]
                    .iter()
                    .any(|keyword| keyword.eq_ignore_ascii_case(text));
                match is_keyword || is_color(text) {
                    true => self.cow(lower(text)),
                    false => Doc::Text(text),
                }
            }
            Kind::AtWord => docs.concat(&["@".into(), Doc::Text(text)]),
            Kind::Number { unit: suffix } => {
                docs.concat(&[self.cow(number(text)), Doc::Text(unit(suffix))])
            }
            Kind::Operator | Kind::UnicodeRange => Doc::Text(text),
            Kind::Raw => self.raw(text, around, scope),
            Kind::Colon => {
                let is_escaped = previous
                    .and_then(Value::plain)
                    .is_some_and(|text| text.ends_with('\\'));
                let is_url = function.is_some_and(|name| name.eq_ignore_ascii_case("url"));
                let line = if is_escaped || is_url {
                    Doc::NIL
                } else {
                    Doc::LINE
                };
                docs.group(docs.concat(&[":".into(), line]))
            }
            Kind::String => self.cow(string(text)),
            Kind::Comment { is_line: true } => docs.line_suffix(Doc::Text(text.trim_end())),
            Kind::Comment { is_line: false } => Doc::Text(text),
            Kind::Function(list) => {
                let is_condition = scope.context.place.is_in(&["supports"])
                    && ["not", "and", "or"]
                        .iter()
                        .any(|word| word.eq_ignore_ascii_case(text));
                let gap = if is_condition { Doc::SPACE } else { Doc::NIL };
                let inner = Around {
                    value,
                    outer: around,
                    function: Some(text),
                    has_math: false,
                };
                let arguments = self.value(list, None, Some(&inner), scope);
                docs.concat(&[Doc::Text(text), gap, arguments])
            }
            Kind::Sequence(parts) => {
                let inner = Around {
                    value,
                    outer: around,
                    function,
                    has_math: parts.iter().any(Value::is_math),
                };
                self.sequence(parts, &inner, scope)
            }
            Kind::List(list) => {
                let inner = Around {
                    value,
                    outer: around,
                    function,
                    has_math: false,
                };
                if list.is_closed {
                    self.closed_list(list, &inner, scope)
                } else {
                    self.open_list(list, &inner, scope)
                }
            }
        }
    }

    /// The contents of `url()` or `selector()`.
    fn raw(&self, text: &'a str, around: Option<&Around<'_, 'a>>, scope: Scope<'_, 'a>) -> Doc<'a> {
        if around.and_then(|around| around.function) != Some("selector") {
            return Doc::Text(text);
        }
        let printed = self.selector(text, scope.context.place);
        if printed.is_unknown && last_line_has_comment(text) {
            return self.docs.concat(&[Doc::BreakParent, printed.doc]);
        }
        printed.doc
    }

    /// Parts without commas between them.
    fn sequence(
        &self,
        parts: &[Value<'a>],
        around: &Around<'_, 'a>,
        scope: Scope<'_, 'a>,
    ) -> Doc<'a> {
        let docs = &self.docs;
        let parent = around.outer.map(|outer| outer.value);
        let is_pair = scope.is_pair_of_list(parts, parent);
        let mut gaps = Gaps {
            parts,
            parent,
            function_of_list: around
                .outer
                .and_then(|outer| outer.outer)
                .map(|outer| outer.value),
            function: around.function,
            dialect: self.dialect,
            is_grid: parent.is_none() && scope.context.is_grid(),
            is_pair,
            has_condition: scope.is_control
                && parts
                    .iter()
                    .any(|part| part.is_any_word(&["and", "or", "not"])),
            comment_count: parts.iter().take_while(|part| part.is_comment()).count(),
            is_in_string: false,
            scope,
        };
        let mut printed: Vec<Doc<'a>> = Vec::with_capacity(parts.len() * 2 + 1);
        let mut content: Vec<Doc<'a>> = Vec::new();
        let mut has_broken_grid = false;
        for (index, part) in parts.iter().enumerate() {
            let previous = index.checked_sub(1).map(|index| &parts[index]);
            let doc = self.value(part, previous, Some(around), scope);
            if part.is_line_comment() && index + 1 == parts.len() {
                content.push(docs.line_suffix(docs.concat(&[Doc::SPACE, doc])));
                continue;
            }
            content.push(doc);
            let separator = match gaps.after(index) {
                Gap::Nothing => continue,
                Gap::Space => {
                    content.push(Doc::SPACE);
                    continue;
                }
                Gap::AfterWith => {
                    printed.push(docs.concat(&content));
                    content = vec![docs.fill(&printed), Doc::SPACE];
                    printed.clear();
                    continue;
                }
                Gap::Line => Doc::LINE,
                Gap::DedentedLine => docs.dedent(Doc::LINE),
                Gap::Hardline => Doc::HARDLINE,
                Gap::GridLine => {
                    has_broken_grid = true;
                    Doc::HARDLINE
                }
                Gap::DedentedHardline => docs.dedent(Doc::HARDLINE),
            };
            printed.push(docs.concat(&content));
            content.clear();
            printed.push(separator);
        }
        if parts.iter().any(Value::is_line_comment) {
            content.push(Doc::BreakParent);
        }
        printed.push(docs.concat(&content));
        if has_broken_grid {
            printed.splice(0..0, [Doc::NIL, Doc::HARDLINE]);
        }
        if scope.is_control {
            return docs.group(docs.indent(docs.concat(&printed)));
        }
        let is_import_url = parts.len() == 2
            && parts[0].plain() == Some("url")
            && scope.context.place.at_rule == Some("import");
        let fill = docs.fill(&printed);
        docs.group(if is_import_url {
            fill
        } else {
            docs.indent(fill)
        })
    }
}

impl<'a> Scope<'_, 'a> {
    /// Whether `parts` are a key, a colon and a value in parentheses, inside of parentheses.
    pub(super) fn is_pair_in_list(parts: &[Value<'a>], parent: Option<&Value<'a>>) -> bool {
        if !parent.is_some_and(Value::is_parenthesized) {
            return false;
        }
        match without_comments(parts) {
            [key, colon, value, ..] => {
                colon.is_colon() && key.list().is_none() && value.list().is_some()
            }
            _ => false,
        }
    }

    fn is_pair_of_list(&self, parts: &[Value<'a>], parent: Option<&Value<'a>>) -> bool {
        !self.is_control && Self::is_pair_in_list(parts, parent)
    }
}

fn is_color(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('#') else {
        return false;
    };
    matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}
