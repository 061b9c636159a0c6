//! Adjusts the indentation of docstrings to that of their function.

use crate::literal;
use crate::tree::{Flags, Kind, NONE, NodeId, Tree};

pub(super) fn indent(tree: &mut Tree<'_>) {
    let mut open: Vec<(NodeId, usize)> = tree.statements.iter().map(|id| (*id, 1)).collect();
    let mut found = Vec::new();
    while let Some((id, nesting)) = open.pop() {
        let node = *tree.node(id);
        let blocks = match node.kind {
            Kind::Def => {
                let body = tree.def(id).body;
                let first = tree.list(body).first();
                found.extend(
                    first
                        .filter(|id| tree.kind(**id) == Kind::String)
                        .map(|id| (*id, nesting)),
                );
                [body, NONE]
            }
            Kind::For => [node.c, NONE],
            Kind::If => {
                let mut other = NONE;
                if let Some(next) = tree.elif(id) {
                    // An `elif` is printed at the same level as this `if`.
                    open.push((next, nesting));
                } else if node.c != NONE {
                    other = tree.node(node.c).a;
                }
                [node.b, other]
            }
            _ => continue,
        };
        for block in blocks.into_iter().filter(|block| *block != NONE) {
            open.extend(tree.list(block).iter().map(|id| (*id, nesting + 1)));
        }
    }
    for (id, nesting) in found {
        let token = tree.source(id);
        if !token.contains('\n') || !literal::parts(token).triple {
            continue;
        }
        let start = tree.node(id).start as usize;
        let line = &tree.text[..start];
        let line = &line[line.rfind('\n').map_or(0, |at| at + 1)..];
        let moved = shift(token, line.chars().count(), 4 * nesting);
        if moved != token {
            tree.replace(id, moved.into_bytes());
            tree.node_mut(id).flags.set(Flags::TOKEN);
        }
    }
}

/// Moves every line except the first from column `from` to column `to`, and removes trailing
/// blanks.
fn shift(token: &str, from: usize, to: usize) -> String {
    let mut out = String::with_capacity(token.len());
    let mut lines = token.split('\n').peekable();
    let mut first = true;
    while let Some(line) = lines.next() {
        let mut line = line;
        if !first {
            out.push('\n');
            if to > from {
                out.extend(std::iter::repeat_n(' ', to - from));
            } else {
                let blanks = line.len() - line.trim_start_matches(' ').len();
                line = &line[blanks.min(from - to)..];
            }
        }
        out.push_str(line);
        if !first && lines.peek().is_some() {
            let length = out.trim_end_matches(' ').len();
            out.truncate(length);
        }
        first = false;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::shift;

    #[test]
    fn lines_move_together_and_lose_trailing_blanks() {
        let token = "\"\"\"A.\n  \n  b\n    c  \n  \"\"\"";
        assert_eq!(shift(token, 2, 4), "\"\"\"A.\n\n    b\n      c\n    \"\"\"");
        assert_eq!(shift(token, 4, 0), "\"\"\"A.\n\nb\nc\n\"\"\"");
    }
}
