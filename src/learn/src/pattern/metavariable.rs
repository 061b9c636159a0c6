//! Finds `$X`, `$_` and `$$$ARGS` in the text of a pattern, and `{{ X }}` in that of a template.

use super::fragment::Hole;

/// The metavariables of a pattern, in order.
pub(crate) fn metavariables(text: &str) -> Vec<Hole> {
    let mut holes: Vec<Hole> = Vec::new();
    for (at, _) in text.match_indices('$') {
        let after_word =
            text[..at].ends_with(|char: char| char.is_alphanumeric() || "_$".contains(char));
        if after_word && !text[..at].ends_with("$$") {
            continue;
        }
        if holes.last().is_some_and(|hole| at < hole.range.end) {
            continue;
        }
        let rest = &text[at..];
        let (mark, many) = if rest.starts_with("$$$") {
            (3, true)
        } else {
            (1, false)
        };
        let name = rest[mark..]
            .split(|char: char| {
                !(char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_')
            })
            .next()
            .unwrap_or_default();
        let end = at + mark + name.len();
        let ends_here =
            !text[end..].starts_with(|char: char| char.is_alphanumeric() || char == '$');
        let is_name = name.starts_with(|char: char| char.is_ascii_uppercase() || char == '_');
        if is_name && ends_here {
            holes.push(Hole {
                range: at..end,
                name: (name != "_").then(|| name.to_owned()),
                many,
            });
        }
    }
    holes
}

/// The slots of a template, in order.
pub(crate) fn slots(text: &str) -> Vec<Hole> {
    let mut holes = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find("{{") {
        let start = at + found;
        at = start + 2;
        let Some(length) = text[at..].find("}}") else {
            break;
        };
        let name = text[at..at + length].trim();
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || char == '_')
            && !name.starts_with(|char: char| char.is_ascii_digit());
        if is_name {
            at += length + 2;
            holes.push(Hole {
                range: start..at,
                name: Some(name.to_owned()),
                many: false,
            });
        }
    }
    holes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(holes: &[Hole]) -> Vec<(Option<&str>, bool)> {
        let pair = |hole: &'static Hole| (hole.name.as_deref(), hole.many);
        let leaked: &'static [Hole] = holes.to_vec().leak();
        leaked.iter().map(pair).collect()
    }

    #[test]
    fn metavariables_are_upper_case_names_after_dollars() {
        let found = metavariables("f($A, $_, $$$ARGS, $B_2, $$$_)");
        assert_eq!(
            names(&found),
            [
                (Some("A"), false),
                (None, false),
                (Some("ARGS"), true),
                (Some("B_2"), false),
                (None, true)
            ]
        );
        assert_eq!(metavariables("$a a$B ${C} $1 $Ab $"), []);
    }

    #[test]
    fn slots_are_names_in_two_braces() {
        // B-18
        let found = slots("switch ({{ scrutinee }}) { {{arms}} } {{ 1 }} {{ a b }} {{");
        assert_eq!(
            names(&found),
            [(Some("scrutinee"), false), (Some("arms"), false)]
        );
    }
}
