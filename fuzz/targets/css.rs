//! Any text as CSS: checks the properties of `src/format`, and that another tokenizer reads the
//! same tokens before and after.

#![no_main]

mod panic_hook;
#[path = "../../src/format/tests/common/properties.rs"]
mod properties;

use cssparser::{Parser, ParserInput, Token, parse_nth};
use fixpoint_engine::Config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    panic_hook::allow_caught_panics();
    let Some(canonical) = properties::hold("a.css", text, &Config::default()) else {
        return;
    };
    assert_eq!(tokens(text), tokens(&canonical), "{canonical}");
});

/// The tokens without white space and comments, which the layout may add and remove. The case of
/// names and the notation of numbers are ignored. Semicolons are kept only between top-level
/// statements. In a block, and at the end of the file, the layout may add and remove them.
fn tokens(text: &str) -> Vec<String> {
    let mut input = ParserInput::new(text);
    let mut tokens = Vec::new();
    read(&mut Parser::new(&mut input), &mut tokens, 0);
    tokens.pop_if(|last| *last == "semicolon");
    tokens
}

fn read(parser: &mut Parser<'_, '_>, tokens: &mut Vec<String>, depth: usize) {
    while let Ok(token) = parser.next().cloned() {
        let close = match &token {
            Token::Semicolon if depth > 0 => continue,
            Token::CurlyBracketBlock => Some("}"),
            Token::SquareBracketBlock => Some("]"),
            Token::ParenthesisBlock | Token::Function(_) => Some(")"),
            _ => None,
        };
        let is_nth = matches!(&token, Token::Function(name) if name.to_ascii_lowercase().starts_with("nth-"));
        tokens.push(word(&token));
        if let Some(close) = close {
            let inside = parser.parse_nested_block(|inner| {
                // `2n+1` and `2n + 1` have different tokens but the same meaning.
                if is_nth && let Ok((step, offset)) = inner.try_parse(parse_nth) {
                    tokens.push(format!("{step}n+{offset}"));
                }
                read(inner, tokens, depth + 1);
                Ok::<_, cssparser::ParseError<'_, ()>>(())
            });
            if inside.is_ok() {
                tokens.push(close.to_owned());
            }
        }
    }
}

fn word(token: &Token<'_>) -> String {
    match token {
        Token::Number { value, .. } => format!("number {value}"),
        Token::Percentage { unit_value, .. } => format!("percentage {unit_value}"),
        Token::Dimension { value, unit, .. } => {
            format!("dimension {value} {}", unit.to_ascii_lowercase())
        }
        // The printer may add quotes to the value of an attribute.
        Token::Ident(text) | Token::QuotedString(text) => {
            format!("word {}", text.to_ascii_lowercase())
        }
        other => format!("{other:?}").to_ascii_lowercase(),
    }
}
