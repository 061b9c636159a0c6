//! The meaning of a stylesheet: its tokens in order, without what a layout may change.
//!
//! White space is significant only where it separates tokens. Letter case is ignored in property
//! names, units, hexadecimal colors, pseudo-classes, at-keywords and media queries. Numbers are
//! compared by value, and strings without their quotes.

use std::ops::Range;

use super::dialect::Dialect;
use super::key::{self, Case};
use super::statement::{Lexemes, Statement};
use super::token::Kind;

/// The meaning of a text, token by token.
#[derive(PartialEq, Eq)]
pub(super) struct Meaning {
    bytes: Vec<u8>,
}

impl Meaning {
    pub(super) fn of(text: &str, dialect: Dialect) -> Self {
        let mut reader = Reader {
            text,
            lexemes: Lexemes::of(text, dialect),
            meaning: Self {
                bytes: Vec::with_capacity(text.len()),
            },
            dialect,
            blocks: Vec::new(),
        };
        // An encoding is declared only by these bytes at the start of a file.
        if text.starts_with("@charset \"") {
            reader.add(b'@', b"");
        }
        reader.statements();
        reader.meaning
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// How tokens are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// White space is a combinator.
    Selector,
    /// The value of a declaration.
    Value,
    /// The value of `unicode-range`, in which letters are hexadecimal digits.
    Range,
    /// The condition of a known at-rule.
    Query(Case),
    /// The prelude of any other at-rule: all white space between tokens is significant.
    Unknown,
}

/// A bracket that is open inside of a statement.
pub(super) struct Bracket {
    mode: Mode,
    /// The first token inside.
    pub(super) first: usize,
    /// Whether it may begin with a feature name and a colon, such as `(min-width: 1px)`.
    is_feature: bool,
    /// Whether it is the bracket of an attribute selector.
    pub(super) is_attribute: bool,
    /// Whether it is the bracket of `:nth-child()` or a similar pseudo-class.
    is_position: bool,
    /// Whether a comma or a colon was read.
    is_list: bool,
}

/// At-rules that contain selectors.
const SELECTOR_RULES: [&str; 5] = ["at-root", "custom-selector", "extend", "nest", "scope"];
/// At-rules that contain conditions, in which most white space is layout.
const QUERY_RULES: [&str; 2] = ["container", "supports"];
/// At-rules that contain values.
const VALUE_RULES: [&str; 16] = [
    "add-mixin",
    "debug",
    "define-mixin",
    "each",
    "else",
    "for",
    "forward",
    "function",
    "if",
    "import",
    "include",
    "mixin",
    "namespace",
    "return",
    "use",
    "while",
];
/// The tokens that open a declaration in a condition.
const FEATURES: [&str; 4] = ["(", "scroll-state(", "style(", "supports("];
/// The blocks of `@font-feature-values`, which declare names that the author chooses.
const NAME_RULES: [&str; 7] = [
    "annotation",
    "character-variant",
    "historical-forms",
    "ornaments",
    "styleset",
    "stylistic",
    "swash",
];

/// Values of all properties, whose case is not significant.
const WIDE_KEYWORDS: [&str; 4] = ["inherit", "initial", "revert", "unset"];

pub(super) struct Reader<'t> {
    text: &'t str,
    dialect: Dialect,
    pub(super) lexemes: Lexemes<'t>,
    meaning: Meaning,
    /// For each open block, how its property names are compared.
    blocks: Vec<Case>,
}

impl<'t> Reader<'t> {
    pub(super) fn add(&mut self, kind: u8, key: &[u8]) {
        self.meaning.bytes.push(kind);
        if memchr::memchr2(b'\r', b'\x0c', key).is_some() {
            // CSS parsers read each of these as one line feed.
            let lines = String::from_utf8_lossy(key).replace("\r\n", "\n");
            let lines = lines.replace(['\r', '\x0c'], "\n");
            self.meaning.bytes.extend_from_slice(lines.as_bytes());
        } else {
            self.meaning.bytes.extend_from_slice(key);
        }
        self.meaning.bytes.push(0);
    }

    fn end_statement(&mut self) {
        self.add(b';', b"");
    }

    pub(super) fn source(&self, index: usize) -> &'t str {
        self.lexemes.source(index)
    }

    fn statements(&mut self) {
        let mut at = 0;
        while at < self.lexemes.len() {
            let is_nested = !self.blocks.is_empty();
            let statement = self.lexemes.statement(at, is_nested);
            let end = match statement {
                Statement::Empty => at + 1,
                Statement::Closing => {
                    self.blocks.pop();
                    self.token(at, Mode::Value, None);
                    at + 1
                }
                Statement::Stray => {
                    self.token(at, Mode::Value, None);
                    at + 1
                }
                Statement::Custom { colon, end } => {
                    self.token(at, Mode::Value, None);
                    self.token(colon, Mode::Value, None);
                    self.tokens(colon + 1..end, Mode::Value);
                    self.end_statement();
                    end
                }
                Statement::Declaration { colon, end } => {
                    self.declaration(at, colon, end);
                    end
                }
                Statement::AtRule { end } => self.at_rule(at, end),
                Statement::Rule { end } => {
                    self.tokens(at..end, Mode::Selector);
                    let is_export = self.lexemes[at].token.kind == Kind::Colon
                        && matches!(self.source(at + 1), "export" | "import" | "import(");
                    self.open_block(end, if is_export { Case::Exact } else { Case::Ignore })
                }
            };
            at = end;
        }
    }

    fn open_block(&mut self, at: usize, names: Case) -> usize {
        if self.source(at) == "{" {
            self.token(at, Mode::Value, None);
            self.blocks.push(names);
            return at + 1;
        }
        self.end_statement();
        at
    }

    fn declaration(&mut self, start: usize, colon: Option<usize>, end: usize) {
        let value = match colon {
            None => start,
            Some(colon) => {
                let names = self.blocks.last().copied().unwrap_or(Case::Exact);
                for index in start..colon {
                    let name = key::name(self.source(index), names);
                    self.add(b'p', &name);
                }
                self.token(colon, Mode::Value, None);
                colon + 1
            }
        };
        let is_range = self.source(start).eq_ignore_ascii_case("unicode-range");
        let mode = if is_range { Mode::Range } else { Mode::Value };
        self.tokens(value..end, mode);
        self.end_statement();
    }

    fn at_rule(&mut self, start: usize, end: usize) -> usize {
        let name = self.source(start)[1..].to_ascii_lowercase();
        self.add(b'@', name.as_bytes());
        let name = name.as_str();
        if name == "charset" {
            let value = self.lexemes.between(start, end);
            self.add(b'-', self.text[value].as_bytes());
        } else {
            let mode = match name {
                "media" | "custom-media" => Mode::Query(Case::Ignore),
                _ if self.lexemes.kind(start + 1) == Some(Kind::Colon) => Mode::Value,
                "at-root" if self.source(start + 1) == "(" => Mode::Value,
                _ if VALUE_RULES.contains(&name) => Mode::Value,
                _ if QUERY_RULES.contains(&name) => Mode::Query(Case::Exact),
                _ if SELECTOR_RULES.contains(&name) => Mode::Selector,
                _ => Mode::Unknown,
            };
            let first = start + 1;
            if mode == Mode::Value && self.lexemes.kind(first) == Some(Kind::Function) {
                // White space may be before the arguments of a mixin.
                let name = self.source(first).trim_end_matches('(');
                self.add(b'i', name.as_bytes());
                self.add(b'(', b"(");
                self.tokens(first + 1..end, mode);
            } else {
                self.tokens(first..end, mode);
            }
        }
        let is_names = NAME_RULES.contains(&name);
        self.open_block(end, if is_names { Case::Exact } else { Case::Ignore })
    }

    fn tokens(&mut self, range: Range<usize>, mode: Mode) {
        let mut brackets: Vec<Bracket> = Vec::new();
        let mut is_list = false;
        let mut at = range.start;
        while at < range.end {
            let token = self.lexemes[at].token;
            if token.kind == Kind::Close {
                brackets.pop();
            }
            let is_in_list = brackets
                .last_mut()
                .map_or(&mut is_list, |it| &mut it.is_list);
            if self.is_optional(at, range.end, mode, *is_in_list) {
                at += 1;
                continue;
            }
            *is_in_list |= matches!(token.kind, Kind::Comma | Kind::Colon);
            let bracket = brackets.last();
            let mode = bracket.map_or(mode, |bracket| bracket.mode);
            if at > range.start && self.lexemes[at].is_spaced && self.separates(at, mode, bracket) {
                self.meaning.bytes.push(b' ');
            }
            self.token(at, mode, bracket);
            at += 1;
            if matches!(token.kind, Kind::Open | Kind::Function) {
                let bracket = self.bracket(at - 1, mode);
                if bracket.is_position {
                    at = self.nth(at, range.end);
                }
                brackets.push(bracket);
            }
        }
    }

    /// Whether a token could be omitted: the last comma of a list, and the last semicolon of a block.
    fn is_optional(&self, at: usize, end: usize, mode: Mode, is_list: bool) -> bool {
        let is_end = at + 1 == end;
        let is_last = is_end || self.lexemes.kind(at + 1) == Some(Kind::Close);
        match self.lexemes[at].token.kind {
            Kind::Comma if self.dialect != Dialect::Css => {
                is_last && is_list && self.dialect == Dialect::Scss
                    || is_end && mode == Mode::Selector
            }
            Kind::Semicolon => !is_end && self.source(at + 1) == "}",
            _ => false,
        }
    }

    fn bracket(&self, at: usize, mode: Mode) -> Bracket {
        let source = self.source(at);
        let is_query = matches!(mode, Mode::Query(_));
        let prefix = source.get(..4).unwrap_or_default();
        Bracket {
            mode: match is_query && is_one_of(source, &["selector("]) {
                true => Mode::Selector,
                false => mode,
            },
            first: at + 1,
            is_feature: is_query && is_one_of(source, &FEATURES),
            is_attribute: mode == Mode::Selector && source == "[",
            is_position: mode == Mode::Selector && prefix.eq_ignore_ascii_case("nth-"),
            is_list: false,
        }
    }

    pub(super) fn is_feature_name(&self, bracket: &Bracket, at: usize) -> bool {
        bracket.is_feature && bracket.first == at && self.lexemes[at].token.kind == Kind::Ident
    }

    /// Whether a token inside of an attribute selector is the value.
    pub(super) fn is_attribute_value(&self, at: usize) -> bool {
        let kind = self.lexemes[at].token.kind;
        matches!(kind, Kind::Ident | Kind::String) && self.source(at - 1).ends_with('=')
    }

    fn token(&mut self, at: usize, mode: Mode, bracket: Option<&Bracket>) {
        let token = self.lexemes[at].token;
        let source = self.source(at);
        let before = at.checked_sub(1).map_or("", |before| self.source(before));
        let is_attribute = bracket.is_some_and(|bracket| bracket.is_attribute);
        if is_attribute && self.is_attribute_value(at) {
            let value = key::of(token.kind, source, Case::Exact);
            return self.add(b'"', &value);
        }
        let case = match mode {
            Mode::Range => Case::Ignore,
            Mode::Selector if is_attribute && self.is_attribute_value(at - 1) => Case::Ignore,
            Mode::Selector if before == ":" || is_one_of(source, &["from", "to"]) => Case::Ignore,
            Mode::Value if is_one_of(source, &WIDE_KEYWORDS) => Case::Ignore,
            Mode::Value if before == "!" => Case::Ignore,
            Mode::Query(Case::Ignore) => Case::Ignore,
            _ if bracket.is_some_and(|bracket| self.is_feature_name(bracket, at)) => Case::Ignore,
            _ => Case::Exact,
        };
        if matches!(mode, Mode::Value | Mode::Selector) && self.add_operator(at, mode) {
            return;
        }
        if matches!(mode, Mode::Query(_)) && is_one_of(source, &["not(", "and(", "or("]) {
            self.add(b'i', source.trim_end_matches('(').as_bytes());
            return self.add(b'(', b"(");
        }
        let is_color = token.kind == Kind::Hash && mode == Mode::Value && key::is_color(source);
        let case = if is_color { Case::Ignore } else { case };
        let key = key::of(token.kind, source, case);
        self.add(key::letter(token.kind), &key);
    }

    pub(super) fn add_number(&mut self, kind: Kind, source: &str) {
        self.add(key::letter(kind), &key::of(kind, source, Case::Exact));
    }

    /// Reads the position of `:nth-child()` and similar; returns the index of the token after it.
    fn nth(&mut self, start: usize, limit: usize) -> usize {
        let is_end = |at: &usize| {
            let kind = self.lexemes[*at].token.kind;
            kind == Kind::Close
                || kind == Kind::Ident && self.source(*at).eq_ignore_ascii_case("of")
        };
        let end = (start..limit).find(is_end).unwrap_or(limit);
        let mut position = String::new();
        for at in start..end {
            if self.lexemes[at].is_spaced && at > start {
                position.push(' ');
            }
            position.push_str(self.source(at));
        }
        let Some((step, offset)) = key::position(&position.to_ascii_lowercase()) else {
            return start;
        };
        self.add(b'n', format!("{step}n{offset}").as_bytes());
        end
    }
}

fn is_one_of(source: &str, words: &[&str]) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, two: &str) -> bool {
        Meaning::of(one, Dialect::Css).bytes == Meaning::of(two, Dialect::Css).bytes
    }

    #[test]
    fn layout_does_not_change_the_meaning_of_css() {
        for (one, two) in [
            ("a>b,c d{e:f}", "a > b,\nc  d {\n  e: f;\n}\n"),
            ("a{b:1px/2 ,3!IMPORTANT;;}", "a{b:1px / 2,3 ! important}"),
            ("a{B:.5EM;c:#FFF;d:'e'}", "a{b:0.5em;c:#fff;d:\"e\"}"),
            ("a{b:c(2*3,d)e(f)}", "a{b: c( 2 * 3, d ) e(f)}"),
            ("[a=b I]:HOVER{}", "[ a = 'b'i ]:hover{}"),
            (":nth-child( 2N + 1 of a ){}", ":nth-child(2n+1 of a){}"),
            (":nth-child(odd){}", ":nth-child(2n+1){}"),
            (
                "@MEDIA(Min-Width:1px)AND (a<=b){}",
                "@media (min-width: 1px) and (a <= b) {}",
            ),
            ("@supports (A:b){}", "@supports (a: b) {}"),
            ("a{--b: c }", "a{--b:c;}"),
            ("a{--b:#FFF  1.0;--c:{d:e}}", "a{--b:#fff 1;--c:{d:e;}}"),
            ("a{b:'\\'c'}", "a{b:\"'c\"}"),
            (
                "@font-face{unicode-range:u+a0-ff}",
                "@font-face{unicode-range:U+A0-FF}",
            ),
            ("a{b:url( c )}", "a{b:url(c)}"),
            ("a/* b */{c:d/* e */}", "a{c:d}"),
        ] {
            assert!(same(one, two), "{one}");
        }
    }

    #[test]
    fn layout_does_not_change_the_meaning_of_scss_and_less() {
        let same =
            |dialect, one, two| Meaning::of(one, dialect).bytes == Meaning::of(two, dialect).bytes;
        for (one, two) in [
            ("$a:1+2*$b;", "$a: 1+2 * $b;"),
            ("$a:(b:c,d:e);", "$a: (\n  b: c,\n  d: e,\n);"),
            ("@include a ($b ...);", "@include a($b...);"),
            ("a{#{$b}-c:d}", "a {\n  #{$b}-c: d;\n}"),
        ] {
            assert!(same(Dialect::Scss, one, two), "{one}");
        }
        assert!(same(Dialect::Less, "@a:{b:c}", "@a: {\n  b: c;\n};"));
        for (one, two) in [
            ("$a: b - $c;", "$a: b -$c;"),
            ("$a: (b,);", "$a: (b);"),
            ("$a: b; // c", "$a: b; c"),
            ("#{$a} b{}", "#{$a}b{}"),
        ] {
            assert!(!same(Dialect::Scss, one, two), "{one}");
        }
    }

    #[test]
    fn changes_of_meaning_are_detected() {
        for (one, two) in [
            ("a b{}", "a.b{}"),
            (".a .b{}", ".a.b{}"),
            ("a :hover{}", "a:hover{}"),
            ("a [b]{}", "a[b]{}"),
            (":is(a) .b{}", ":is(a).b{}"),
            ("[a b|=c]{}", "[a b| =c]{}"),
            ("[a='\"b\"']{}", "[a=\"b\"]{}"),
            ("A{}", "a{}"),
            (".A{}", ".a{}"),
            ("#FFF{}", "#fff{}"),
            (":--A{}", ":--a{}"),
            ("a{b:calc(1 + 2)}", "a{b:calc(1 +2)}"),
            ("a{b:calc(1 - 2)}", "a{b:calc(1 -2)}"),
            ("a{b:c d}", "a{b:cd}"),
            ("a{b:c (d)}", "a{b:c(d)}"),
            ("a{b:C}", "a{b:c}"),
            ("a{b:1e3}", "a{b:1 e3}"),
            ("a{b:'c '}", "a{b:'c'}"),
            ("a{b:url(c)}", "a{b:url('c')}"),
            ("a{--B:c}", "a{--b:c}"),
            ("@styleset{A:1}", "@styleset{a:1}"),
            (":export{A:b}", ":export{a:b}"),
            ("@layer a.b{}", "@layer a .b{}"),
            ("@unknown a [b]{}", "@unknown a[b]{}"),
            ("@unknown a:B{}", "@unknown a:b{}"),
            ("@supports selector(a :b){}", "@supports selector(a:b){}"),
            ("@scope (a :b){}", "@scope (a:b){}"),
            ("@charset 'a';", "@charset \"a\";"),
            (" @charset \"a\";", "@charset \"a\";"),
            ("a{};b{}", "a{}b{}"),
            ("<!--a{}", "a{}"),
            ("a{}-->", "a{}"),
            ("a{b{}}", "a{b}"),
            ("@a b;", "@a b{}"),
            (":nth-child(2n+1){}", ":nth-child(2n-1){}"),
            (":nth-child(n 1){}", ":nth-child(n1){}"),
            (
                "@font-face{unicode-range:U+0-7F}",
                "@font-face{unicode-range:U +0-7F}",
            ),
            ("a{*b:c}", "a{b:c}"),
        ] {
            assert!(!same(one, two), "{one}");
        }
    }
}
