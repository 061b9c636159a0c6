//! Writes patterns and templates as text.

use super::source::Source;
use super::unify::{Shape, Variable, What};

/// The name of a variable in patterns and templates.
pub(super) fn variable_name(variable: usize) -> String {
    match variable {
        0..26 => char::from(b'A' + variable as u8).to_string(),
        _ => format!("V{variable}"),
    }
}

/// The text of a shape as one example has it, with variables in place of what varies.
pub(super) fn text(
    shape: &Shape,
    source: &Source,
    example: usize,
    variables: &[Variable],
    pattern: bool,
) -> String {
    let mut holes = Vec::new();
    holes_of(shape, source, example, &mut holes);
    let tree = &source.tree;
    let Some(run) = shape.at[example] else {
        return String::new();
    };
    let (start, end) = (tree.start(run.first), tree.end(run.last));
    for comment in tree.comments_in(tree.span(run.first)) {
        holes.push((comment.start(), comment.end(), None));
    }
    holes.sort();
    let mut text = String::new();
    let mut at = start;
    for (from, to, variable) in holes {
        if from < at {
            continue;
        }
        text.push_str(&tree.text()[at..from]);
        if let Some(variable) = variable {
            let name = variable_name(variable);
            let is_list = variables[variable].is_list;
            text.push_str(&match (pattern, is_list) {
                (true, false) => format!("${name}"),
                (true, true) => format!("$$${name}"),
                (false, _) => format!("{{{{ {name} }}}}"),
            });
            if is_list {
                at = to + last_comma(&tree.text()[to..end]);
                continue;
            }
        }
        at = to;
    }
    text.push_str(&tree.text()[at..end]);
    text
}

/// The length of a trailing comma before a closing bracket, with the white space before it. Only some examples have
/// one.
fn last_comma(rest: &str) -> usize {
    match rest.trim_start().strip_prefix(',') {
        Some(after) if after.trim_start().starts_with([')', ']', '}']) => rest.len() - after.len(),
        _ => 0,
    }
}

fn holes_of(
    shape: &Shape,
    source: &Source,
    example: usize,
    holes: &mut Vec<(usize, usize, Option<usize>)>,
) {
    match &shape.what {
        What::Hole(variable) | What::List(variable) => {
            if let Some(run) = shape.at[example] {
                holes.push((
                    source.tree.start(run.first),
                    source.tree.end(run.last),
                    Some(*variable),
                ));
            }
        }
        What::Node(children) => children
            .iter()
            .for_each(|child| holes_of(child, source, example, holes)),
        What::Fixed | What::Comma => {}
    }
}
