//! The statements of a stylesheet. Their texts are parts of the source.

use std::borrow::Cow;
use std::ops::Range;

pub(in crate::css) type Block<'a> = Vec<Node<'a>>;

#[derive(Debug)]
pub(in crate::css) struct Node<'a> {
    /// With the semicolon or the closing brace.
    pub(in crate::css) range: Range<usize>,
    pub(in crate::css) kind: Kind<'a>,
}

#[derive(Debug)]
pub(in crate::css) enum Kind<'a> {
    Comment { is_line: bool },
    Declaration(Declaration<'a>),
    Rule(Rule<'a>),
    AtRule(AtRule<'a>),
}

#[derive(Debug)]
pub(in crate::css) struct Declaration<'a> {
    /// What precedes the name: `*` and `_` are hacks for old browsers.
    pub(in crate::css) hack: &'a str,
    pub(in crate::css) name: Cow<'a, str>,
    /// From the name to the value, with the colon and comments.
    pub(in crate::css) between: Cow<'a, str>,
    pub(in crate::css) value: &'a str,
    /// The position of the value.
    pub(in crate::css) value_start: usize,
    /// `!important`, with the comments after it.
    pub(in crate::css) important: Option<&'a str>,
    /// The nested properties of SCSS.
    pub(in crate::css) block: Option<Block<'a>>,
}

#[derive(Debug)]
pub(in crate::css) struct Rule<'a> {
    pub(in crate::css) selector: &'a str,
    pub(in crate::css) block: Block<'a>,
}

#[derive(Debug)]
pub(in crate::css) struct AtRule<'a> {
    pub(in crate::css) name: &'a str,
    /// White space and comments after the name.
    pub(in crate::css) after_name: &'a str,
    /// Everything after the name, without the white space around it.
    pub(in crate::css) params: &'a str,
    pub(in crate::css) form: Form<'a>,
    pub(in crate::css) block: Option<Block<'a>>,
}

#[derive(Debug, PartialEq, Eq)]
pub(in crate::css) enum Form<'a> {
    Plain,
    /// A variable of Less, with its value, and the comments between the value and the block or the end.
    Variable {
        value: &'a str,
        comments: &'a str,
    },
    /// A call of a mixin in Less.
    Mixin {
        call: &'a str,
        is_important: bool,
    },
    /// A call of `each()` in Less.
    Function,
}
