//! A program that is checked again and again while it is edited.
//!
//! Checking a function depends on its body and on what is declared, not on other bodies. So where
//! nothing was found in a program and an edit stays within the body of one function, that function is
//! checked alone, among the bare declarations it relies on; if nothing is found there, nothing is wrong
//! with the whole. Everything else is compiled afresh. There is one [`Editing`] for each file and what
//! it is compiled with.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::ast::{Ast, DeclKind, NodeRef};
use crate::compile::check_with;
use crate::lex::{TokenKind, lex};
use crate::parse::parse;
use crate::refine::unrepeatable;
use crate::result::CompileResult;
use crate::{Input, Options, compile};

/// What became of a look at a text.
#[derive(Debug)]
pub enum Checked {
    /// There is no diagnostic, no obligation and no hole.
    Sound {
        /// Whether one function had to be looked at and no more.
        alone: bool,
    },
    Faulty(Box<CompileResult>),
}

/// What is kept from one look to the next.
#[derive(Debug, Default)]
pub struct Editing {
    options: Options,
    sound: Option<Sound>,
}

/// What of a program had to be looked at to see that nothing is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    Nothing,
    /// The function at these bytes.
    Function(Range<usize>),
}

impl Editing {
    /// One for a program that is compiled with `options`.
    pub fn with(options: Options) -> Self {
        Self {
            options,
            sound: None,
        }
    }

    /// What [`compile`] finds in a text.
    pub fn check(&mut self, file: &str, text: &str) -> Checked {
        if self.still_sound(file, text).is_some() {
            return Checked::Sound { alone: true };
        }
        // A text is always a program, if one with errors of syntax.
        let Ok(result) = compile(Input::Source { file, text }, &self.options) else {
            return Checked::Sound { alone: false };
        };
        if is_faulty(&result) {
            return Checked::Faulty(Box::new(result));
        }
        self.sound = Some(Sound::of(&result.ast));
        Checked::Sound { alone: false }
    }

    /// Takes it as known that nothing is wrong with a text.
    pub fn know_sound(&mut self, file: &str, text: &str) {
        let read = parse(file, text);
        self.sound = read.errors.is_empty().then(|| Sound::of(&read.ast));
    }

    /// Whether nothing is wrong with a text, if a look at one function is enough to know; otherwise
    /// nothing is known any more.
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

/// A program in which nothing was found.
#[derive(Debug)]
struct Sound {
    text: String,
    /// In the order of the text.
    places: Vec<Place>,
    /// The declarations of a name.
    declared: HashMap<String, Vec<usize>>,
    /// The declarations that every function may rely on, by names they do not spell out.
    nameless: Vec<usize>,
    /// Whether some bodies make a difference to others, by writing to fields or by asking outside.
    is_entangled: bool,
}

/// The bytes of a declaration, and of its body with the braces.
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
        let mut is_entangled = ast.links.writes() || asks_outside(ast);
        NodeRef::Program(&ast.program).each(&mut |node| is_entangled |= node.writes_part());
        Self {
            text: ast.source.text().to_owned(),
            places,
            declared,
            nameless,
            is_entangled,
        }
    }

    /// What was touched, if the text differs within one body at most and nothing is wrong there; it is
    /// the text that is known from then on.
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

    /// The function whose body alone is another one in `text`, and its place there.
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

    /// Whether nothing is found in the function at `place` of `text`, with what it relies on around it.
    fn is_sound(
        &self,
        file: &str,
        text: &str,
        (at, place): (usize, &Place),
        options: &Options,
    ) -> Option<bool> {
        let function = text.get(place.whole.clone())?;
        // It has to end where it ended, whatever is written in it now.
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
        let is_entangled = names.writes_fields || asks_outside(&result.ast);
        Some(!is_entangled && !is_faulty(&result))
    }

    /// A declaration without its body.
    fn outside(&self, at: usize) -> Option<&str> {
        let place = self.places.get(at)?;
        let end = place.body.as_ref().map_or(place.whole.end, |it| it.start);
        self.text.get(place.whole.start..end)
    }
}

/// Whether functions that look repeatable without their bodies may not be.
fn asks_outside(ast: &Ast) -> bool {
    let unrepeatable = unrepeatable(ast, None);
    let mut declarations = ast.program.declarations.iter();
    declarations.any(|it| match &it.kind {
        DeclKind::Fn(it) => unrepeatable.contains(it.signature.name.text.as_str()),
        // Which names it brings is not told here.
        DeclKind::Use(it) => it.items.is_empty() && ast.links.imported() == 0,
        _ => false,
    })
}

/// Every name that is written in a text.
fn names_in(text: &str) -> Vec<&str> {
    let tokens = lex(text);
    let words = tokens.all.iter().filter(|it| {
        matches!(it.kind, TokenKind::Ident | TokenKind::TypeIdent) || it.kind.is_builtin_type()
    });
    words.filter_map(|it| text.get(it.span.range())).collect()
}
