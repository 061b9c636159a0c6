//! YAML.

#[derive(Clone, Debug)]
pub(crate) struct Details {
    pub is_stream: bool,
}

pub(crate) fn parse(text: &str) -> Result<super::Parsed, crate::ParseError> {
    Err(crate::ParseError::Syntax { message: "not read yet".into(), span: fixpoint_text::Span::at(text.len()) })
}
#[cfg(test)]
mod tests {
    #[test]
    fn probe() {
        for text in [
            "a: 1 # c\nb:\n  - x\n  -\n    # k\n    q: 2\nc:\n- 1\n- {z: [1, 2], w}\nd: |\n  text\n  more\n\ne: &x !!str 5\nf: *x\ng:\nh: ''\n",
            "- - a\n  - b\n- &m\n  &k key : v\n- ? cx\n  : vv\n- plain multi\n  line   # c\n- |+\n  keep\n\n\n- >-\n    fold\n",
            "--- # doc\nä: ü\n---\nb\n...\n# tail\n---\n", "[a: b, c, ? d, {e: , f}]", "a: !!map\n  x: 1\n", "a: &y\n", "a: &a [*a]", "\u{feff}a: b\n", "a: 'x\n  y' # c\n", "? |\n  k\n: v\n"
        ] {
            println!("=== {text:?}");
            let chars: Vec<char> = text.chars().collect();
            for e in saphyr_parser::Parser::new_from_str(text) {
                match e { Ok((e, s)) => println!("{e:?} {}..{} {:?} col{}", s.start.index(), s.end.index(), chars.get(s.start.index()..s.end.index()).map(|c| c.iter().collect::<String>()), s.start.col()), Err(e) => println!("ERR {e}") }
            }
        }
    }
}
