//! A language whose texts consist of words. A text parses if its parentheses balance, and `#` starts
//! a comment.

use fixpoint_engine::{Language, Suppressions};
use fixpoint_text::Span;

pub struct Toy;

impl Language for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn parses(&self, text: &str) -> Result<(), String> {
        let count = |wanted: char| text.chars().filter(|&it| it == wanted).count();
        if count('(') == count(')') {
            Ok(())
        } else {
            Err("the parentheses do not balance".to_owned())
        }
    }

    fn comments(&self, text: &str) -> Vec<String> {
        text.lines()
            .filter_map(|line| Some(line.split_once('#')?.1.trim().to_owned()))
            .collect()
    }

    fn suppressions(&self, text: &str) -> Suppressions {
        let ignored = text.lines().enumerate().filter_map(|(line, content)| {
            let rule = content
                .split_once("# fixpoint: ignore[")?
                .1
                .split_once(']')?
                .0;
            Some((line, rule.to_owned()))
        });
        let off = text
            .find("# fixpoint: off")
            .map(|start| Span::from(start..text.find("# fixpoint: on\n").unwrap_or(text.len())));
        Suppressions {
            off: off.into_iter().collect(),
            ignored: ignored.collect(),
        }
    }
}
