//! Patterns of JSON pointers: `*` stands for any one key or index, `**` for any number of them.

use fixpoint_document::{Node, Pointer};

#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Reads a pattern, or says what is wrong with it.
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

    /// Every place in `root` that the pattern stands for, in document order.
    pub fn places<'d>(&self, root: Node<'d>) -> Vec<(Pointer, Node<'d>)> {
        let mut places = vec![(Pointer::root(), root)];
        for step in &self.steps {
            places = match step {
                Step::Key(key) => places
                    .into_iter()
                    .filter_map(|(at, node)| Some((at.join(key), child(node, key)?)))
                    .collect(),
                Step::Any => places.iter().flat_map(|it| children(it)).collect(),
                Step::AnyDepth => below(places),
            };
        }
        places
    }
}

fn child<'d>(node: Node<'d>, key: &str) -> Option<Node<'d>> {
    match key.parse::<usize>() {
        Ok(index) if node.items().len() > 0 => node.items().nth(index),
        _ => node.get(key).map(|it| it.value),
    }
}

fn children<'d>((at, node): &(Pointer, Node<'d>)) -> Vec<(Pointer, Node<'d>)> {
    let items = node.items().enumerate();
    let items = items.map(|(index, item)| (at.join(index.to_string()), item));
    let members = node.members().map(|it| (at.join(it.key), it.value));
    items.chain(members).collect()
}

/// The places and all below them.
fn below(places: Vec<(Pointer, Node<'_>)>) -> Vec<(Pointer, Node<'_>)> {
    let mut all = Vec::new();
    let mut open: Vec<_> = places.into_iter().rev().collect();
    while let Some(place) = open.pop() {
        open.extend(children(&place).into_iter().rev());
        all.push(place);
    }
    all
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
    fn a_pattern_stands_for_every_place_it_fits() {
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
    fn what_is_no_pattern_is_told() {
        for (wrong, told) in [
            ("jobs/*", "must be empty or start with `/`"),
            ("/a~2", "`~` is written `~0`"),
            ("/**/a/**", "`**` more than once"),
        ] {
            let error = Pattern::parse(wrong).expect_err("no pattern");
            assert!(error.contains(told), "{error}");
        }
    }
}
