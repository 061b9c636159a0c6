//! Incremental checking of a program while it is edited.
//!
//! Checking a function depends on its body and on the declarations, not on other bodies. If the
//! last version had no problems and an edit stays inside one function body, only that function is
//! checked. It is checked together with the signatures it depends on. If nothing is found, the
//! whole program has no problems.
//!
//! All other edits compile the whole program. Use one [`Editing`] for each file and its options.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::ast::{Ast, DeclKind, NodeRef};
use crate::compile::check_with;
use crate::lex::{TokenKind, lex};
use crate::parse::parse;
use crate::refine::unrepeatable;
use crate::result::CompileResult;
use crate::{Input, Options, compile};

/// The outcome of checking a text.
#[derive(Debug)]
pub enum Checked {
    /// There are no diagnostics, obligations or holes.
    Sound {
        /// Whether checking a single function was enough.
        alone: bool,
    },
    Faulty(Box<CompileResult>),
}

/// State that is kept between checks.
#[derive(Debug, Default)]
pub struct Editing {
    options: Options,
    sound: Option<Sound>,
}

/// The part of a program that had to be checked to find it sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    Nothing,
    /// The function at this byte range.
    Function(Range<usize>),
}

impl Editing {
    /// Creates the state for a program that is compiled with `options`.
    pub fn with(options: Options) -> Self {
        Self {
            options,
            sound: None,
        }
    }

    /// Checks a text. Reports the same problems as [`compile`].
    pub fn check(&mut self, file: &str, text: &str) -> Checked {
        if self.still_sound(file, text).is_some() {
            return Checked::Sound { alone: true };
        }
        // Text always compiles, at worst to a result with syntax errors.
        let Ok(result) = compile(Input::Source { file, text }, &self.options) else {
            return Checked::Sound { alone: false };
        };
        if is_faulty(&result) {
            return Checked::Faulty(Box::new(result));
        }
        self.sound = Some(Sound::of(&result.ast));
        Checked::Sound { alone: false }
    }

    /// Records a text as sound without checking it.
    pub fn know_sound(&mut self, file: &str, text: &str) {
        let read = parse(file, text);
        self.sound = read.errors.is_empty().then(|| Sound::of(&read.ast));
    }

    /// Checks a text if looking at a single function is enough. Returns `None` and forgets the
    /// known state otherwise.
    pub fn still_sound(&mut self, file: &str, text: &str) -> Option<Touched> {
        let mut sound = self.sound.take()?;
        let touched = sound.take_over(file, text, &self.options)?;
        self.sound = Some(sound);
        Some(touched)
    }
}

fn is_faulty(result: &CompileResult) -> bool {
    !(result.diagnostics.is_empty() && result.obligations.is_empty() && result.holes.is_empty())
}

/// A program without problems.
#[derive(Debug)]
struct Sound {
    text: String,
    /// In source order.
    places: Vec<Place>,
    /// The declarations of each name.
    declared: HashMap<String, Vec<usize>>,
    /// Declarations that every function may depend on without naming them.
    nameless: Vec<usize>,
    /// Whether bodies affect the checks of other functions, by writing to fields or by returning
    /// varying values.
    is_entangled: bool,
}

/// The byte range of a declaration, and of its body including the braces.
#[derive(Clone, Debug)]
struct Place {
    whole: Range<usize>,
    body: Option<Range<usize>>,
}

impl Sound {
    fn of(ast: &Ast) -> Self {
        let mut declared: HashMap<String, Vec<usize>> = HashMap::new();
        let (mut places, mut nameless) = (Vec::new(), Vec::new());
        for (at, decl) in ast.own(&ast.program).iter().enumerate() {
            let mut declare = |name: &str| declared.entry(name.to_owned()).or_default().push(at);
            let mut body = None;
            match &decl.kind {
                DeclKind::Fn(it) => {
                    declare(&it.signature.name.text);
                    body = Some(it.body.span.range());
                }
                DeclKind::ExternalFn(it) => declare(&it.signature.name.text),
                DeclKind::Rec(it) => declare(&it.name.text),
                DeclKind::TypeAlias(it) => declare(&it.name.text),
                DeclKind::Sum(it) => {
                    declare(&it.name.text);
                    it.variants.iter().for_each(|it| declare(&it.name.text));
                }
                DeclKind::ExternalMod(_) | DeclKind::Mod(_) | DeclKind::Use(_) => {}
            }
            let names_none = matches!(
                decl.kind,
                DeclKind::ExternalMod(_) | DeclKind::Mod(_) | DeclKind::Use(_)
            );
            if names_none {
                nameless.push(at);
            }
            places.push(Place {
                whole: decl.span.range(),
                body,
            });
        }
        let mut is_entangled = ast.links.writes() || has_hidden_unrepeatable(ast);
        NodeRef::Program(&ast.program).each(&mut |node| is_entangled |= node.writes_part());
        Self {
            text: ast.source.text().to_owned(),
            places,
            declared,
            nameless,
            is_entangled,
        }
    }

    /// Takes over an edited text if it differs in at most one body and has no problems there.
    /// Returns what was checked.
    fn take_over(&mut self, file: &str, text: &str, options: &Options) -> Option<Touched> {
        if self.text == text {
            return Some(Touched::Nothing);
        }
        let (at, place) = self.edited(text)?;
        if self.is_entangled || !self.is_sound(file, text, (at, &place), options)? {
            return None;
        }
        let touched = Touched::Function(place.whole.clone());
        let (old, new) = (self.text.len(), text.len());
        let moved = |range: &Range<usize>| range.start + new - old..range.end + new - old;
        for later in self.places.iter_mut().skip(at + 1) {
            later.whole = moved(&later.whole);
            later.body = later.body.as_ref().map(moved);
        }
        if let Some(slot) = self.places.get_mut(at) {
            *slot = place;
        }
        self.text = text.to_owned();
        Some(touched)
    }

    /// The function whose body is the only difference to `text`, and its range in `text`.
    fn edited(&self, text: &str) -> Option<(usize, Place)> {
        let (old, new) = (self.text.as_bytes(), text.as_bytes());
        let least = old.len().min(new.len());
        let same = |(a, b): (&u8, &u8)| a == b;
        let start = old.iter().zip(new).take_while(|it| same(*it)).count();
        let from_end = old.iter().rev().zip(new.iter().rev());
        let kept = from_end.take(least - start).take_while(|it| same(*it));
        let end = old.len() - kept.count();
        let at = self.places.partition_point(|it| it.whole.end < start);
        let place = self.places.get(at)?;
        let body = place.body.as_ref()?;
        if start <= body.start || end >= body.end {
            return None;
        }
        let moved = |end: usize| (end + new.len()).checked_sub(old.len());
        Some((
            at,
            Place {
                whole: place.whole.start..moved(place.whole.end)?,
                body: Some(body.start..moved(body.end)?),
            },
        ))
    }

    /// Whether the function at `place` of `text` has no problems, checked with the declarations it
    /// depends on.
    fn is_sound(
        &self,
        file: &str,
        text: &str,
        (at, place): (usize, &Place),
        options: &Options,
    ) -> Option<bool> {
        let function = text.get(place.whole.clone())?;
        // The function must still end at the same place, whatever its new text is.
        let read = parse(file, function);
        let [decl] = read.ast.program.declarations.as_slice() else {
            return None;
        };
        let DeclKind::Fn(it) = &decl.kind else {
            return None;
        };
        let start = place.whole.start;
        let body = it.body.span.range();
        let is_same = decl.span.range() == (0..function.len())
            && place.body == Some(body.start + start..body.end + start);
        if !read.errors.is_empty() || !is_same {
            return None;
        }
        let mut needed: BTreeSet<usize> = self.nameless.iter().copied().collect();
        needed.insert(at);
        let mut words = names_in(function);
        while let Some(word) = words.pop() {
            for decl in self.declared.get(word).into_iter().flatten() {
                if needed.insert(*decl) {
                    words.extend(names_in(self.outside(*decl)?));
                }
            }
        }
        let mut program = String::new();
        for decl in &needed {
            if *decl == at {
                program.push_str(function);
            } else {
                program.push_str(self.outside(*decl)?);
                let has_body = self.places.get(*decl)?.body.is_some();
                program.push_str(if has_body { "{ loop {} }" } else { "" });
            }
            program.push('\n');
        }
        let read = parse(file, &program);
        if !read.errors.is_empty() || read.ast.program.declarations.len() != needed.len() {
            return None;
        }
        let result = check_with(read.ast, options);
        let names = &result.typing.names;
        let is_entangled = names.writes_fields || has_hidden_unrepeatable(&result.ast);
        Some(!is_entangled && !is_faulty(&result))
    }

    /// The text of a declaration without its body.
    fn outside(&self, at: usize) -> Option<&str> {
        let place = self.places.get(at)?;
        let end = place.body.as_ref().map_or(place.whole.end, |it| it.start);
        self.text.get(place.whole.start..end)
    }
}

/// Whether the program has functions whose signatures hide that they are not repeatable.
fn has_hidden_unrepeatable(ast: &Ast) -> bool {
    let unrepeatable = unrepeatable(ast, None);
    let mut declarations = ast.program.declarations.iter();
    declarations.any(|it| match &it.kind {
        DeclKind::Fn(it) => unrepeatable.contains(it.signature.name.text.as_str()),
        // The names that this `use` imports are not known here.
        DeclKind::Use(it) => it.items.is_empty() && ast.links.imported() == 0,
        _ => false,
    })
}

/// All names that occur in a text.
fn names_in(text: &str) -> Vec<&str> {
    let tokens = lex(text);
    let words = tokens.all.iter().filter(|it| {
        matches!(it.kind, TokenKind::Ident | TokenKind::TypeIdent) || it.kind.is_builtin_type()
    });
    words.filter_map(|it| text.get(it.span.range())).collect()
}
