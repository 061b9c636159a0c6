//! Patterns of JSON pointers: `*` matches any one key or index, `**` any number of them.

use std::borrow::Cow;

use fixpoint_document::{Node, Pointer};

/// A pattern. Without steps, it matches the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Any,
    AnyDepth,
}

impl Pattern {
    /// Parses a pattern, or returns an error message.
    pub fn parse(text: &str) -> Result<Self, String> {
        let pointer = Pointer::parse(text).map_err(|error| error.to_string())?;
        let steps: Vec<Step> = pointer
            .tokens()
            .iter()
            .map(|token| match token.as_str() {
                "*" => Step::Any,
                "**" => Step::AnyDepth,
                _ => Step::Key(token.clone()),
            })
            .collect();
        if steps.iter().filter(|it| **it == Step::AnyDepth).count() > 1 {
            return Err(format!("`{text}` has `**` more than once; one is enough"));
        }
        Ok(Self { steps })
    }

    /// Every place in `root` that the pattern matches.
    pub fn places<'d>(&self, root: Node<'d>) -> Vec<(Pointer, Node<'d>)> {
        let mut places = Vec::new();
        walk(&self.steps, root, &mut Vec::new(), &mut places);
        places
    }
}

/// Adds the places that `steps` match from `node`. `path` is the path of `node`.
fn walk<'d>(
    steps: &[Step],
    node: Node<'d>,
    path: &mut Vec<Cow<'d, str>>,
    places: &mut Vec<(Pointer, Node<'d>)>,
) {
    let Some((step, rest)) = steps.split_first() else {
        places.push((path.iter().map(|it| &**it).collect(), node));
        return;
    };
    match step {
        Step::Key(key) => {
            if let Some((key, child)) = child(node, key) {
                path.push(key);
                walk(rest, child, path, places);
                path.pop();
            }
        }
        Step::Any => each_child(node, path, |child, path| walk(rest, child, path, places)),
        Step::AnyDepth => {
            walk(rest, node, path, places);
            each_child(node, path, |child, path| walk(steps, child, path, places));
        }
    }
}

fn child<'d>(node: Node<'d>, key: &str) -> Option<(Cow<'d, str>, Node<'d>)> {
    match key.parse::<usize>() {
        Ok(index) if node.items().len() > 0 => {
            let item = node.items().nth(index)?;
            Some((Cow::Owned(index.to_string()), item))
        }
        _ => node.get(key).map(|it| (Cow::Borrowed(it.key), it.value)),
    }
}

fn each_child<'d>(
    node: Node<'d>,
    path: &mut Vec<Cow<'d, str>>,
    mut visit: impl FnMut(Node<'d>, &mut Vec<Cow<'d, str>>),
) {
    for (index, item) in node.items().enumerate() {
        path.push(Cow::Owned(index.to_string()));
        visit(item, path);
        path.pop();
    }
    for member in node.members() {
        path.push(Cow::Borrowed(member.key));
        visit(member.value, path);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use fixpoint_document::{Document, Format};

    use super::*;

    fn places(pattern: &str, text: &str) -> Vec<String> {
        let document = Document::parse(Format::Yaml, text).expect("a document");
        let pattern = Pattern::parse(pattern).expect("a pattern");
        let places = pattern.places(document.root());
        places.into_iter().map(|(at, _)| at.to_string()).collect()
    }

    #[test]
    fn a_pattern_matches_every_fitting_place() {
        let text = "jobs:\n  a: {steps: [{uses: x}, {run: y}]}\n  b/c: {steps: [{uses: z}]}\n";
        assert_eq!(
            places("/jobs/*/steps/*/uses", text),
            ["/jobs/a/steps/0/uses", "/jobs/b~1c/steps/0/uses"]
        );
        assert_eq!(places("/**/uses", text).len(), 2);
        assert_eq!(places("/jobs/a/steps/1", text), ["/jobs/a/steps/1"]);
        assert_eq!(places("", text), [""]);
        assert!(places("/jobs/none/*", text).is_empty());
    }

    #[test]
    fn an_invalid_pattern_is_reported() {
        for (wrong, expected) in [
            ("jobs/*", "must be empty or start with `/`"),
            ("/a~2", "write `~` as `~0`"),
            ("/**/a/**", "`**` more than once"),
        ] {
            let error = Pattern::parse(wrong).expect_err("no pattern");
            assert!(error.contains(expected), "{error}");
        }
    }
}
