//! The meaning of a stylesheet: its tokens in order, without what a layout may change.
//!
//! White space is significant only where it separates tokens. Letter case is ignored in property
//! names, units, hexadecimal colors, pseudo-classes, at-keywords and media queries. The quotes of
//! strings and the zero before a decimal point are ignored. Values of custom properties are
//! compared byte for byte, because scripts can read them.

use std::ops::Range;

use super::dialect::Dialect;
use super::key::{self, Case};
use super::statement::{Lexemes, Statement};
use super::token::Kind;

/// The meaning of a text, token by token.
pub(super) struct Meaning {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// A token and the end of its key in the bytes.
struct Entry {
    end: usize,
    source: Range<usize>,
}

impl Meaning {
    pub(super) fn of(text: &str, dialect: Dialect) -> Self {
        let mut reader = Reader {
            text,
            lexemes: Lexemes::of(text, dialect),
            meaning: Self {
                bytes: Vec::with_capacity(text.len()),
                entries: Vec::new(),
            },
            blocks: Vec::new(),
        };
        // An encoding is declared only by these bytes at the start of a file.
        if text.starts_with("@charset \"") {
            reader.add(b'@', b"", 0..0);
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
enum Mode {
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
struct Bracket {
    mode: Mode,
    /// The first token inside.
    first: usize,
    /// Whether it may begin with a feature name and a colon, such as `(min-width: 1px)`.
    is_feature: bool,
    /// Whether it is the bracket of an attribute selector.
    is_attribute: bool,
    /// Whether it is the bracket of `:nth-child()` or a similar pseudo-class.
    is_position: bool,
}

/// At-rules that contain selectors.
const SELECTOR_RULES: [&str; 3] = ["custom-selector", "nest", "scope"];
/// At-rules that contain conditions, in which most white space is layout.
const QUERY_RULES: [&str; 3] = ["container", "import", "supports"];
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

struct Reader<'t> {
    text: &'t str,
    lexemes: Lexemes<'t>,
    meaning: Meaning,
    /// For each open block, how its property names are compared.
    blocks: Vec<Case>,
}

impl<'t> Reader<'t> {
    fn add(&mut self, kind: u8, key: &[u8], source: Range<usize>) {
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
        let end = self.meaning.bytes.len();
        self.meaning.entries.push(Entry { end, source });
    }

    fn end_statement(&mut self) {
        self.add(b';', b"", 0..0);
    }

    fn source(&self, index: usize) -> &'t str {
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
                    let value = self.lexemes.between(colon, end);
                    let bytes = self.text[value.clone()].as_bytes();
                    self.add(b'-', bytes, value);
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
                    self.add(b'p', &name, self.lexemes[index].token.range());
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
        let token = self.lexemes[start].token;
        self.add(b'@', name.as_bytes(), token.range());
        let name = name.as_str();
        if name == "charset" {
            let value = self.lexemes.between(start, end);
            self.add(b'-', self.text[value.clone()].as_bytes(), value);
        } else {
            let mode = match name {
                "media" | "custom-media" => Mode::Query(Case::Ignore),
                _ if QUERY_RULES.contains(&name) => Mode::Query(Case::Exact),
                _ if SELECTOR_RULES.contains(&name) => Mode::Selector,
                _ => Mode::Unknown,
            };
            self.tokens(start + 1..end, mode);
        }
        let is_names = NAME_RULES.contains(&name);
        self.open_block(end, if is_names { Case::Exact } else { Case::Ignore })
    }

    fn tokens(&mut self, range: Range<usize>, mode: Mode) {
        let mut brackets: Vec<Bracket> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let token = self.lexemes[at].token;
            if token.kind == Kind::Close {
                brackets.pop();
            }
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

    fn bracket(&self, at: usize, mode: Mode) -> Bracket {
        let source = self.source(at);
        let is_query = matches!(mode, Mode::Query(_));
        let is_one_of = |names: &[&str]| names.iter().any(|it| it.eq_ignore_ascii_case(source));
        let prefix = source.get(..4).unwrap_or_default();
        Bracket {
            mode: match is_query && is_one_of(&["selector("]) {
                true => Mode::Selector,
                false => mode,
            },
            first: at + 1,
            is_feature: is_query && is_one_of(&FEATURES),
            is_attribute: mode == Mode::Selector && source == "[",
            is_position: mode == Mode::Selector && prefix.eq_ignore_ascii_case("nth-"),
        }
    }

    /// Whether white space before a token is significant.
    fn separates(&self, at: usize, mode: Mode, bracket: Option<&Bracket>) -> bool {
        let (before, after) = (self.lexemes[at - 1].token, self.lexemes[at].token);
        let is_edge = matches!(before.kind, Kind::Open | Kind::Function | Kind::Comma)
            || matches!(after.kind, Kind::Close | Kind::Comma);
        if is_edge {
            return false;
        }
        let sources = [self.source(at - 1), self.source(at)];
        if bracket.is_some_and(|bracket| bracket.is_attribute) {
            let is_match = |source: &str| source.ends_with('=');
            return !sources.iter().any(|source| is_match(source))
                && !self.is_attribute_value(at - 1);
        }
        if mode == Mode::Selector {
            return !sources
                .iter()
                .any(|source| matches!(*source, ">" | "+" | "~" | "||"));
        }
        let is_feature_colon = |at: usize| {
            let name = bracket.filter(|bracket| bracket.first + 1 == at);
            name.is_some_and(|bracket| self.is_feature_name(bracket, at - 1))
                && self.source(at) == ":"
        };
        if mode == Mode::Unknown || is_feature_colon(at - 1) || is_feature_colon(at) {
            return mode == Mode::Unknown;
        }
        let is_query = matches!(mode, Mode::Query(_));
        let is_tight =
            |(index, source): (usize, &str)| match self.lexemes[at - 1 + index].token.kind {
                Kind::Colon => true,
                Kind::Delimiter => match source {
                    "/" | "*" | "!" => false,
                    "<" | ">" | "=" | "<=" | ">=" => !is_query,
                    _ => true,
                },
                Kind::Number | Kind::Percentage | Kind::Dimension => {
                    index == 1 && source.starts_with(['+', '-'])
                }
                _ => false,
            };
        sources.into_iter().enumerate().any(is_tight)
    }

    fn is_feature_name(&self, bracket: &Bracket, at: usize) -> bool {
        bracket.is_feature && bracket.first == at && self.lexemes[at].token.kind == Kind::Ident
    }

    /// Whether a token inside of an attribute selector is the value.
    fn is_attribute_value(&self, at: usize) -> bool {
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
            return self.add(b'"', &value, token.range());
        }
        let case = match mode {
            Mode::Range => Case::Ignore,
            Mode::Selector if is_attribute && self.is_attribute_value(at - 1) => Case::Ignore,
            Mode::Selector if before == ":" => Case::Ignore,
            Mode::Value if before == "!" => Case::Ignore,
            Mode::Query(Case::Ignore) => Case::Ignore,
            _ if bracket.is_some_and(|bracket| self.is_feature_name(bracket, at)) => Case::Ignore,
            _ => Case::Exact,
        };
        let is_color = token.kind == Kind::Hash && mode == Mode::Value && key::is_color(source);
        let case = if is_color { Case::Ignore } else { case };
        let key = key::of(token.kind, source, case);
        self.add(key::letter(token.kind), &key, token.range());
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
        let source = self.lexemes[start].token.start..self.lexemes[end - 1].token.end;
        self.add(b'n', format!("{step}n{offset}").as_bytes(), source);
        end
    }
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
            ("a{--b:c\r\nd\re\x0c}", "a{--b:c\nd\ne;}"),
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
            ("a{b:1}", "a{b:1.0}"),
            ("a{b:1e3}", "a{b:1 e3}"),
            ("a{b:'c '}", "a{b:'c'}"),
            ("a{b:url(c)}", "a{b:url('c')}"),
            ("a{--b:#FFF}", "a{--b:#fff}"),
            ("a{--b:c  d}", "a{--b:c d}"),
            ("a{--b:c/**/}", "a{--b:c}"),
            ("a{--B:c}", "a{--b:c}"),
            (
                "@property --a{initial-value:#FFF}",
                "@property --a{initial-value:#fff}",
            ),
            ("@styleset{A:1}", "@styleset{a:1}"),
            (":export{A:b}", ":export{a:b}"),
            ("@layer a.b{}", "@layer a .b{}"),
            ("@unknown a [b]{}", "@unknown a[b]{}"),
            ("@unknown a:B{}", "@unknown a:b{}"),
            ("@supports (a b :c){}", "@supports (a b: c){}"),
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
