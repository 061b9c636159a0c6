//! What separates two parts of a value.

use super::value::Scope;
use crate::css::dialect::Dialect;
use crate::css::value::{Kind, Value};

/// Functions of `color()`, whose numbers may have a sign.
const COLOR_ADJUSTERS: [&str; 25] = [
    "red",
    "green",
    "blue",
    "alpha",
    "a",
    "rgb",
    "hue",
    "h",
    "saturation",
    "s",
    "lightness",
    "l",
    "whiteness",
    "w",
    "blackness",
    "b",
    "tint",
    "shade",
    "blend",
    "blenda",
    "contrast",
    "hsl",
    "hsla",
    "hwb",
    "hwba",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gap {
    Nothing,
    Space,
    Line,
    DedentedLine,
    Hardline,
    /// A line end that the author wrote in a grid template.
    GridLine,
    DedentedHardline,
    /// A space after `with`, before the configuration of a module.
    AfterWith,
}

pub(super) struct Gaps<'c, 'a> {
    pub(super) parts: &'c [Value<'a>],
    pub(super) parent: Option<&'c Value<'a>>,
    /// What is around the parent.
    pub(super) function_of_list: Option<&'c Value<'a>>,
    /// The name of the innermost function.
    pub(super) function: Option<&'a str>,
    pub(super) dialect: Dialect,
    pub(super) is_grid: bool,
    /// Whether the parts are a key and a value in parentheses.
    pub(super) is_pair: bool,
    /// Whether the parts are a condition of SCSS with `and`, `or` or `not`.
    pub(super) has_condition: bool,
    /// The number of comments at the start.
    pub(super) comment_count: usize,
    /// Whether the previous string ends inside of an interpolation.
    pub(super) is_in_string: bool,
    pub(super) scope: Scope<'c, 'a>,
}

impl<'a> Gaps<'_, 'a> {
    fn is_in(&self, function: &str) -> bool {
        self.function
            .is_some_and(|name| name.eq_ignore_ascii_case(function))
    }

    /// The separator after the part at `index`.
    pub(super) fn after(&mut self, index: usize) -> Gap {
        let part = &self.parts[index];
        let next = self.parts.get(index + 1);
        if self.is_in("url") {
            let is_sum = part.is_operator("+") || next.is_some_and(|next| next.is_operator("+"));
            return if is_sum { Gap::Space } else { Gap::Nothing };
        }
        let Some(next) = next else {
            return Gap::Nothing;
        };
        let previous = index.checked_sub(1).map(|index| &self.parts[index]);
        if self.is_wildcard(previous, part, next) || self.is_condition_end(next) {
            return Gap::Nothing;
        }
        self.enter_string(part);
        if self.is_in_string || self.is_joined(previous, part, next) {
            return Gap::Nothing;
        }
        if self.is_joined_operator(previous, part, next) {
            return Gap::Nothing;
        }
        if self.dialect == Dialect::Scss
            && part.is_operator("-")
            && next.is_function()
            && part.end != next.start
        {
            return Gap::Space;
        }
        if self.is_tight_operator(index, previous, part, next) {
            return Gap::Nothing;
        }
        let is_negated_group = self.dialect != Dialect::Css
            && part.is_operator("-")
            && next.is_parenthesized()
            && part.end == next.start;
        if is_negated_group {
            return Gap::Nothing;
        }
        self.line_after(index, previous, part, next)
    }

    /// Whether `next` is the `*` of a wildcard.
    fn is_wildcard(
        &self,
        previous: Option<&Value<'a>>,
        part: &Value<'a>,
        next: &Value<'a>,
    ) -> bool {
        let place = self.scope.context.place;
        let is_word = matches!(part.kind, Kind::Word);
        let is_after_as = previous.is_some_and(|previous| previous.is_word("as"));
        is_word
            && next.is_operator("*")
            && (place.is_in(&["utility"]) || place.is_in(&["forward"]) && is_after_as)
    }

    /// Whether `next` ends a condition of the `if()` of SCSS.
    fn is_condition_end(&self, next: &Value<'a>) -> bool {
        self.dialect == Dialect::Scss
            && next.is_word(";")
            && self.parent.is_some_and(|parent| parent.list().is_some())
            && self
                .function_of_list
                .is_some_and(|function| function.is_function() && function.text == "if")
    }

    fn enter_string(&mut self, part: &Value<'a>) {
        if !matches!(part.kind, Kind::String) {
            return;
        }
        let open = part.text.rfind("#{");
        let close = part.text.rfind('}');
        match (open, close) {
            (Some(open), Some(close)) => self.is_in_string = open > close,
            (Some(_), None) => self.is_in_string = true,
            (None, Some(_)) => self.is_in_string = false,
            (None, None) => {}
        }
    }

    fn is_joined(&self, previous: Option<&Value<'a>>, part: &Value<'a>, next: &Value<'a>) -> bool {
        let text = part.plain().unwrap_or_default();
        let is_at_word = matches!(part.kind, Kind::AtWord);
        let is_lookup = is_at_word && (text.is_empty() || text.ends_with('['))
            || matches!(next.kind, Kind::Word) && next.text.starts_with(']');
        if part.is_colon() || next.is_colon() || is_lookup || text == "~" {
            return true;
        }
        if self.dialect == Dialect::Less && is_less_lookup(previous, part, next) {
            return true;
        }
        let is_escape =
            !matches!(part.kind, Kind::String) && text.contains('\\') && !next.is_comment();
        let is_after_escape = part.is_operator("/")
            && previous
                .and_then(Value::plain)
                .is_some_and(|text| text.find('\\') == text.len().checked_sub(1));
        let is_simple_variable =
            text == "$$" && part.is_function() && matches!(next.kind, Kind::Word) && next.is_joined;
        is_escape
            || is_after_escape
            || is_simple_variable
            || part.is_word("#")
            || part.is_word("{")
            || next.is_word("}")
            || next.is_word("{") && next.is_joined
            || part.is_word("}") && next.is_joined
            || text == "--" && next.is_word("#")
            || text.ends_with('#') && next.is_function() && next.text == "{"
    }

    fn is_joined_operator(
        &self,
        previous: Option<&Value<'a>>,
        part: &Value<'a>,
        next: &Value<'a>,
    ) -> bool {
        let is_beside_interpolation =
            part.is_math() && next.is_word("#") || next.is_math() && part.is_word("}");
        let is_sign = |value: &Value<'a>| value.is_operator("+") || value.is_operator("-");
        is_beside_interpolation && next.is_joined
            || next.is_operator("+") && self.is_in("type") && next.is_joined
            || previous.is_none() && part.is_operator("/")
            || self.is_in("calc") && (is_sign(part) || is_sign(next)) && next.is_joined
    }

    /// Whether an operator is printed without the space that the author did not write.
    fn is_tight_operator(
        &self,
        index: usize,
        previous: Option<&Value<'a>>,
        part: &Value<'a>,
        next: &Value<'a>,
    ) -> bool {
        let is_operand = |value: &Value<'a>| value.is_function() || value.is_name();
        let after_next = self.parts.get(index + 2);
        let needs_space_before = after_next.is_some_and(is_operand) || is_operand(part);
        let needs_space_after = is_operand(next) || previous.is_some_and(is_operand);
        if next.is_operator("*") || part.is_operator("*") || self.is_in("calc") {
            return false;
        }
        if self.is_color_adjuster(index, part, next) {
            return false;
        }
        let is_division = next.is_operator("/") && !needs_space_before
            || part.is_operator("/") && !needs_space_after;
        let is_addition = next.is_operator("+") && !needs_space_before
            || part.is_operator("+") && !needs_space_after;
        let is_subtraction = next.is_operator("-") || part.is_operator("-");
        let is_unary = part.is_math() && previous.is_none_or(Value::is_math);
        (is_division || is_addition || is_subtraction) && (next.is_joined || is_unary)
    }

    fn is_color_adjuster(&self, index: usize, part: &Value<'a>, next: &Value<'a>) -> bool {
        let is_number = matches!(next.kind, Kind::Number { .. })
            || matches!(next.kind, Kind::Word) && next.text.starts_with('#') && next.text.len() > 1;
        index == 0
            && (part.is_operator("+") || part.is_operator("-"))
            && is_number
            && !next.is_joined
            && self.function_of_list.is_some_and(|function| {
                let mut names = COLOR_ADJUSTERS.iter();
                function.is_function() && names.any(|name| name.eq_ignore_ascii_case(function.text))
            })
    }

    fn line_after(
        &self,
        index: usize,
        previous: Option<&Value<'a>>,
        part: &Value<'a>,
        next: &Value<'a>,
    ) -> Gap {
        let place = self.scope.context.place;
        if part.is_line_comment() {
            return match self.parent.is_some_and(|parent| parent.list().is_some()) {
                true if !self.is_pair => Gap::DedentedHardline,
                _ => Gap::Hardline,
            };
        }
        if self.scope.is_control && self.is_beside_keyword(part, next)
            || place.is_in(&["namespace"])
        {
            return Gap::Space;
        }
        if self.is_grid {
            let between = &self.scope.text[part.start..next.start];
            return if between.contains('\n') {
                Gap::GridLine
            } else {
                Gap::Space
            };
        }
        if self.is_ratio(previous, part, next) {
            return Gap::Nothing;
        }
        if next.is_math() {
            return Gap::Space;
        }
        if next.plain() == Some("...") {
            return Gap::Nothing;
        }
        if part.plain() == Some("with") && next.is_parenthesized() {
            return Gap::AfterWith;
        }
        if next.is_line_comment() && index + 2 == self.parts.len() {
            return Gap::Nothing;
        }
        let is_leading_comment =
            matches!(part.kind, Kind::Comment { is_line: false }) && index < self.comment_count;
        if place.at_rule.is_none() && is_leading_comment && !self.is_pair {
            return Gap::DedentedLine;
        }
        Gap::Line
    }

    fn is_beside_keyword(&self, part: &Value<'a>, next: &Value<'a>) -> bool {
        let is_comparison =
            |value: &Value<'a>| value.is_any_word(&["==", "!=", "<", ">", "<=", ">="]);
        is_comparison(next)
            || self.has_condition && is_comparison(part)
            || next.is_any_word(&["and", "or", "not"])
            || part.is_any_word(&["in", "from", "through", "end"])
    }

    /// Whether a slash separates the size and the line height of a font.
    fn is_ratio(&self, previous: Option<&Value<'a>>, part: &Value<'a>, next: &Value<'a>) -> bool {
        let is_font = self
            .scope
            .context
            .property
            .is_some_and(|name| name.eq_ignore_ascii_case("font") || name.starts_with("--"));
        is_font
            && (next.is_operator("/") && next.is_joined && is_size(part)
                || part.is_operator("/") && part.is_joined && previous.is_some_and(is_size))
    }
}

fn is_size(value: &Value<'_>) -> bool {
    match value.kind {
        Kind::Number { .. } => true,
        Kind::Function(_) => {
            let names = ["var", "calc", "min", "max", "clamp"];
            names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(value.text))
                || value.text.starts_with("--")
        }
        _ => false,
    }
}

/// Whether `part` and `next` are parts of a lookup such as `@map[$key]`.
fn is_less_lookup(previous: Option<&Value<'_>>, part: &Value<'_>, next: &Value<'_>) -> bool {
    let is_word = matches!(part.kind, Kind::Word);
    let is_next_at_word = matches!(next.kind, Kind::AtWord);
    next.is_word("[")
        || is_word && part.text.ends_with('[') && next.is_name()
        || part.is_name() && part.text.ends_with("[$") && is_next_at_word
        || is_word
            && part.text == "$"
            && is_next_at_word
            && previous.is_some_and(|previous| previous.is_name() && previous.text.ends_with('['))
}
