//! The indentation of a line, as a sequence of steps.

use super::Align;

/// Index of an indentation in [`Indentations`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Indentation(usize);

impl Indentation {
    pub(super) const ROOT: Self = Self(0);
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Indent,
    Spaces(usize),
}

#[derive(Clone, Debug)]
struct State {
    steps: Vec<Step>,
    root: Indentation,
    text: String,
    width: usize,
    /// Indentations that were derived from this one.
    derived: Vec<(Align, Indentation)>,
    indented: Option<Indentation>,
}

/// All indentations of one document. Equal steps from the same indentation are stored once.
pub(super) struct Indentations {
    states: Vec<State>,
    tab_width: usize,
    use_tabs: bool,
}

impl Indentations {
    pub(super) fn new(tab_width: usize, use_tabs: bool) -> Self {
        Self {
            states: vec![State {
                steps: Vec::new(),
                root: Indentation::ROOT,
                text: String::new(),
                width: 0,
                derived: Vec::new(),
                indented: None,
            }],
            tab_width,
            use_tabs,
        }
    }

    pub(super) fn text(&self, indentation: Indentation) -> &str {
        &self.states[indentation.0].text
    }

    pub(super) fn width(&self, indentation: Indentation) -> usize {
        self.states[indentation.0].width
    }

    pub(super) fn root_of(&self, indentation: Indentation) -> Indentation {
        self.states[indentation.0].root
    }

    pub(super) fn indent(&mut self, base: Indentation) -> Indentation {
        if let Some(known) = self.states[base.0].indented {
            return known;
        }
        let mut steps = self.states[base.0].steps.clone();
        steps.push(Step::Indent);
        let root = self.states[base.0].root;
        let indented = self.add(steps, root);
        self.states[base.0].indented = Some(indented);
        indented
    }

    pub(super) fn align(&mut self, base: Indentation, align: Align) -> Indentation {
        let State {
            steps,
            root,
            derived,
            ..
        } = &self.states[base.0];
        if let Some((_, known)) = derived.iter().find(|(by, _)| *by == align) {
            return *known;
        }
        let (mut steps, mut root) = (steps.clone(), *root);
        match align {
            Align::ToRoot => return root,
            Align::Spaces(0) => return base,
            Align::Spaces(count) => steps.push(Step::Spaces(usize::from(count))),
            Align::Dedent => {
                steps.pop();
            }
            Align::Root => root = base,
        }
        let aligned = self.add(steps, root);
        self.states[base.0].derived.push((align, aligned));
        aligned
    }

    fn add(&mut self, steps: Vec<Step>, root: Indentation) -> Indentation {
        let (text, width) = self.render(&steps);
        self.states.push(State {
            steps,
            root,
            text,
            width,
            derived: Vec::new(),
            indented: None,
        });
        Indentation(self.states.len() - 1)
    }

    /// With tabs, an alignment that is followed by another step takes one tab; at the end, it takes
    /// spaces.
    fn render(&self, steps: &[Step]) -> (String, usize) {
        let (mut text, mut width) = (String::new(), 0);
        let (mut pending_tabs, mut pending_spaces) = (0, 0);
        let tabs = |text: &mut String, width: &mut usize, count: usize| {
            text.extend(std::iter::repeat_n('\t', count));
            *width += count * self.tab_width;
        };
        let spaces = |text: &mut String, width: &mut usize, count: usize| {
            text.extend(std::iter::repeat_n(' ', count));
            *width += count;
        };
        for step in steps {
            if let Step::Spaces(count) = step {
                pending_tabs += 1;
                pending_spaces += count;
                continue;
            }
            if self.use_tabs {
                tabs(&mut text, &mut width, pending_tabs);
            } else {
                spaces(&mut text, &mut width, pending_spaces);
            }
            (pending_tabs, pending_spaces) = (0, 0);
            match step {
                Step::Indent if self.use_tabs => tabs(&mut text, &mut width, 1),
                Step::Indent => spaces(&mut text, &mut width, self.tab_width),
                Step::Spaces(_) => {}
            }
        }
        spaces(&mut text, &mut width, pending_spaces);
        (text, width)
    }
}
