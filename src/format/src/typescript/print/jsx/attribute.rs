//! Attributes.

use oxc_ast::ast::{JSXAttribute, JSXAttributeItem, JSXAttributeValue, StringLiteral};

use super::super::Printer;
use super::super::kind::ToKind;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(in super::super) fn jsx_attribute(&self, node: &'a JSXAttribute<'a>) -> Doc<'a> {
        let name = self.print(node.name.kind());
        let value = match &node.value {
            None => return name,
            Some(JSXAttributeValue::StringLiteral(literal)) => self.jsx_string(literal),
            Some(value) => self.print(value.kind()),
        };
        self.concat(&[name, Doc::Text("="), value])
    }

    /// A string in the quotes that need fewer escapes.
    fn jsx_string(&self, literal: &'a StringLiteral<'a>) -> Doc<'a> {
        let raw = &self.text[literal.span.start as usize..literal.span.end as usize];
        let content = raw
            .get(1..raw.len() - 1)
            .unwrap_or_default()
            .replace("&apos;", "'")
            .replace("&quot;", "\"");
        let (single, double) = (content.matches('\'').count(), content.matches('"').count());
        let is_single = if self.options.jsx_single_quote {
            single <= double
        } else {
            double > single
        };
        let text = if is_single {
            format!("'{}'", content.replace('\'', "&apos;"))
        } else {
            format!("\"{}\"", content.replace('"', "&quot;"))
        };
        let lines: Vec<_> = text.split('\n').map(|line| self.text(line)).collect();
        self.with_comments(literal.kind(), self.join(Doc::LITERALLINE, &lines))
    }
}

/// The value of an attribute that is a string.
pub(super) fn string_value<'a>(attribute: &'a JSXAttributeItem<'a>) -> Option<&'a str> {
    match attribute {
        JSXAttributeItem::Attribute(attribute) => match &attribute.value {
            Some(JSXAttributeValue::StringLiteral(literal)) => Some(literal.value.as_str()),
            _ => None,
        },
        JSXAttributeItem::SpreadAttribute(_) => None,
    }
}
