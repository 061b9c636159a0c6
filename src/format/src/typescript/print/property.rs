//! Properties of objects and their names.

use std::borrow::Cow;

use oxc_ast::AstKind;
use oxc_ast::ast::{ObjectProperty, PropertyKind};

use super::kind::ToKind;
use super::literal::number;
use super::options::QuoteProps;
use super::{Printer, docs, nodes};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_property(&self, property: &'a ObjectProperty<'a>) -> Doc<'a> {
        let node = property.kind();
        if nodes::is_method(property) {
            return self.print_object_method(property);
        }
        if property.shorthand {
            return self.print(property.value.kind());
        }
        let key = self.print_property_key(node, property.key.kind(), property.computed);
        self.print_assignment(node, key, ":", Some(property.value.kind()))
    }

    fn print_object_method(&self, property: &'a ObjectProperty<'a>) -> Doc<'a> {
        let value = property.value.kind();
        let mut parts = Vec::new();
        match property.kind {
            PropertyKind::Get => parts.push(Doc::Text("get ")),
            PropertyKind::Set => parts.push(Doc::Text("set ")),
            PropertyKind::Init => {}
        }
        if let AstKind::Function(function) = value {
            if function.r#async {
                parts.push(Doc::Text("async "));
            }
            if function.generator {
                parts.push(Doc::Text("*"));
            }
        }
        parts.push(self.print_property_key(
            property.kind(),
            property.key.kind(),
            property.computed,
        ));
        parts.push(self.print(value));
        self.concat(&parts)
    }

    /// Prints the name of a property, class member, enum member or import attribute.
    pub(super) fn print_property_key(
        &self,
        owner: AstKind<'a>,
        key: AstKind<'a>,
        computed: bool,
    ) -> Doc<'a> {
        if computed {
            return docs!(self, "[", self.print(key), "]");
        }
        if self.options.quote_props == QuoteProps::Consistent
            && self.is_key_quotable(owner, key)
            && self.needs_quoted_names(owner)
        {
            let name = match nodes::identifier_name(key) {
                Some(name) => Cow::Borrowed(name),
                None => number(self.raw(key)),
            };
            let quoted = self.text(&self.string_text(&format!("\"{name}\"")));
            return self.with_comments(key, quoted);
        }
        let may_unquote = match self.options.quote_props {
            QuoteProps::AsNeeded => true,
            QuoteProps::Consistent => !self.needs_quoted_names(owner),
        };
        if may_unquote
            && let AstKind::StringLiteral(string) = key
            && self.is_safe_to_unquote(owner, key)
        {
            let value = string.value.as_str();
            let name = match value.starts_with(|first: char| first.is_ascii_digit()) {
                true => number(value),
                false => Cow::Borrowed(value),
            };
            return self.with_comments(key, self.text_of(name));
        }
        self.print(key)
    }

    /// Whether another name of the same object keeps its quotes.
    fn needs_quoted_names(&self, owner: AstKind<'a>) -> bool {
        members(self.parent(owner)).any(|(member, key)| {
            matches!(key, AstKind::StringLiteral(_)) && !self.is_safe_to_unquote(member, key)
        })
    }

    fn is_key_quotable(&self, owner: AstKind<'a>, key: AstKind<'a>) -> bool {
        match key {
            AstKind::IdentifierName(_) => !is_new_signature(owner, key),
            AstKind::NumericLiteral(literal) => {
                let printed = number(self.raw(key));
                !self.options.is_typescript
                    && is_simple_number(&printed)
                    && literal.value.to_string() == *printed
            }
            _ => false,
        }
    }

    fn is_safe_to_unquote(&self, owner: AstKind<'a>, key: AstKind<'a>) -> bool {
        let AstKind::StringLiteral(string) = key else {
            return false;
        };
        let value = string.value.as_str();
        let printed = self.string_text(self.raw(key));
        if printed.get(1..printed.len().saturating_sub(1)) != Some(value)
            || is_new_signature(owner, key)
        {
            return false;
        }
        let is_class_property =
            self.options.is_typescript && matches!(owner, AstKind::PropertyDefinition(_));
        let is_number = !self.options.is_typescript
            && !matches!(owner, AstKind::ImportAttribute(_))
            && is_simple_number(value)
            && value
                .parse::<f64>()
                .is_ok_and(|number| number.to_string() == value);
        (!is_class_property && is_es5_name(value)) || is_number
    }
}

/// `new` is not a name in a method signature without quotes.
fn is_new_signature(owner: AstKind<'_>, key: AstKind<'_>) -> bool {
    matches!(owner, AstKind::TSMethodSignature(_))
        && matches!(key, AstKind::StringLiteral(string) if string.value == "new")
}

/// The members of an object and their names, except computed ones.
fn members<'a>(object: AstKind<'a>) -> Box<dyn Iterator<Item = (AstKind<'a>, AstKind<'a>)> + 'a> {
    use oxc_ast::ast::{ClassElement, ObjectPropertyKind, TSEnumMemberName, TSSignature};
    fn signature<'a>(member: &'a TSSignature<'a>) -> Option<(AstKind<'a>, AstKind<'a>)> {
        match member {
            TSSignature::TSPropertySignature(it) if !it.computed => {
                Some((member.kind(), it.key.kind()))
            }
            TSSignature::TSMethodSignature(it) if !it.computed => {
                Some((member.kind(), it.key.kind()))
            }
            _ => None,
        }
    }
    match object {
        AstKind::ObjectExpression(it) => {
            Box::new(it.properties.iter().filter_map(|property| match property {
                ObjectPropertyKind::ObjectProperty(it) if !it.computed => {
                    Some((property.kind(), it.key.kind()))
                }
                _ => None,
            }))
        }
        AstKind::ObjectPattern(it) => Box::new(
            it.properties
                .iter()
                .filter(|property| !property.computed)
                .map(|property| (property.kind(), property.key.kind())),
        ),
        AstKind::ClassBody(it) => Box::new(it.body.iter().filter_map(|element| match element {
            ClassElement::MethodDefinition(it) if !it.computed => {
                Some((element.kind(), it.key.kind()))
            }
            ClassElement::PropertyDefinition(it) if !it.computed => {
                Some((element.kind(), it.key.kind()))
            }
            ClassElement::AccessorProperty(it) if !it.computed => {
                Some((element.kind(), it.key.kind()))
            }
            _ => None,
        })),
        AstKind::TSInterfaceBody(it) => Box::new(it.body.iter().filter_map(signature)),
        AstKind::TSTypeLiteral(it) => Box::new(it.members.iter().filter_map(signature)),
        AstKind::TSEnumBody(it) => Box::new(
            it.members
                .iter()
                .filter(|member| {
                    matches!(
                        member.id,
                        TSEnumMemberName::Identifier(_) | TSEnumMemberName::String(_)
                    )
                })
                .map(|member| (member.kind(), member.id.kind())),
        ),
        AstKind::WithClause(it) => Box::new(
            it.with_entries
                .iter()
                .map(|entry| (entry.kind(), entry.key.kind())),
        ),
        _ => Box::new(std::iter::empty()),
    }
}

/// `123` or `1.5`, but not `1_000` or `1e3`.
fn is_simple_number(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        Some((integer, fraction)) => is_digits(integer) && is_digits(fraction),
        None => is_digits(text),
    }
}

fn is_es5_name(text: &str) -> bool {
    use oxc_syntax::identifier::{is_identifier_part, is_identifier_start};
    let is_basic = |character: char| u32::from(character) < 0x1_0000;
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|first| is_basic(first) && is_identifier_start(first))
        && characters.all(|next| is_basic(next) && is_identifier_part(next))
}
