//! Prints TypeScript, JavaScript and JSX like prettier.
//!
//! [`Printer`] turns a tree into a document. Each family of nodes is in a file of its own. Before
//! printing, comments are attached to nodes by the rules of prettier. They are printed beside these
//! nodes.

mod array;
mod arrow;
mod assignment;
mod binary;
mod block;
mod call;
mod call_arguments;
mod class;
mod comments;
mod conditional;
mod decorators;
mod enum_module;
mod expression;
mod function;
mod interface;
mod jest_each;
mod jsx;
mod kind;
mod literal;
mod member;
mod member_chain;
mod module;
mod nodes;
mod object;
mod operators;
mod options;
mod parameters;
mod parens;
mod parens_parent;
mod prepare;
mod property;
mod scan;
mod simple;
mod spans;
mod statement;
mod template;
mod test_call;
mod tree;
mod types;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Deref;

use bumpalo::Bump;
use oxc_ast::AstKind;
use oxc_ast::ast::Program;

use crate::doc::{Doc, DocBuilder, Label, PrintOptions, print};
use crate::{FormatError, Style};
use assignment::Layout;
use comments::Comments;
use options::Options;
use tree::{Tree, id_of};

/// Concatenates documents and texts.
macro_rules! docs {
    ($printer:expr, $($part:expr),* $(,)?) => {
        $printer.concat(&[$($crate::doc::Doc::from($part)),*])
    };
}
use docs;

pub(super) use prepare::{prepare, regroup};

/// Prints a program whose parentheses are removed, except those of type casts.
pub(super) fn print_program<'a>(
    program: &'a Program<'a>,
    style: Style,
    is_typescript: bool,
) -> Result<String, FormatError> {
    let arena = Bump::new();
    let options = Options::new(style, is_typescript);
    let tree = Tree::new(program);
    let code = comments::without_comments(program);
    let code: &str = code.as_deref().unwrap_or(program.source_text);
    let comments = comments::attach(program, &tree, code);
    let printer = Printer::new(program.source_text, code, options, tree, comments, &arena);
    let doc = printer.print(AstKind::Program(program));
    if let Some(comment) = printer.comments.first_unprinted() {
        let line = program.source_text[..comment.start].matches('\n').count() + 1;
        return Err(FormatError::damaged(format!(
            "the comment on line {line} is not printed"
        )));
    }
    Ok(print(
        doc,
        PrintOptions {
            width: options.width,
            tab_width: options.tab_width,
            use_tabs: options.use_tabs,
        },
    ))
}

/// Marks a chain of method calls that may be on several lines.
const MEMBER_CHAIN: Label = Label("member-chain");

/// How the parent requires a node to be printed.
#[derive(Clone, Copy, Default)]
struct Args {
    /// The node is the first argument of a call, and only this argument may break.
    expand_first: bool,
    /// The node is the last argument of a call, and only this argument may break.
    expand_last: bool,
    /// The node is the right side of an assignment with this layout.
    layout: Option<Layout>,
}

struct Printer<'a> {
    text: &'a str,
    /// The text with blanks instead of comments.
    code: &'a str,
    options: Options,
    tree: Tree<'a>,
    comments: Comments,
    docs: DocBuilder<'a>,
    /// The documents of nodes that are printed more than once, by the id of the node.
    cache: RefCell<Vec<Option<Doc<'a>>>>,
    /// An argument cannot be printed as the only one that breaks.
    cannot_expand: Cell<bool>,
    /// The values of a table of tests are being printed.
    is_in_jest_table: Cell<bool>,
}

impl<'a> Deref for Printer<'a> {
    type Target = DocBuilder<'a>;

    fn deref(&self) -> &Self::Target {
        &self.docs
    }
}

impl<'a> Printer<'a> {
    fn new<'s: 'a>(
        text: &'s str,
        code: &str,
        options: Options,
        tree: Tree<'a>,
        comments: Comments,
        arena: &'a Bump,
    ) -> Self {
        let code = match code.len() == text.len() && code.as_ptr() == text.as_ptr() {
            true => text,
            false => arena.alloc_str(code),
        };
        Self {
            text,
            code,
            options,
            cache: RefCell::new(vec![None; tree.len()]),
            tree,
            comments,
            docs: DocBuilder::new(arena),
            cannot_expand: Cell::new(false),
            is_in_jest_table: Cell::new(false),
        }
    }

    fn parent(&self, node: AstKind<'a>) -> AstKind<'a> {
        self.tree.node(self.tree.parent_id(id_of(node)))
    }

    /// The ancestors of a node, from its parent to the program.
    fn ancestors(&self, node: AstKind<'a>) -> impl Iterator<Item = AstKind<'a>> {
        let mut id = id_of(node);
        std::iter::from_fn(move || {
            let parent = self.tree.parent_id(id);
            (parent != id).then(|| {
                id = parent;
                self.tree.node(parent)
            })
        })
    }

    fn end(&self, node: AstKind<'_>) -> usize {
        spans::end(self.code, node)
    }

    /// Whether an empty line follows a node.
    fn is_next_line_empty(&self, node: AstKind<'_>) -> bool {
        let (end, full_end) = (self.end(node), spans::full_end(node));
        scan::is_next_line_empty(self.text, end)
            || (full_end != end && scan::is_next_line_empty(self.text, full_end))
    }

    fn print(&self, node: AstKind<'a>) -> Doc<'a> {
        let id = id_of(node);
        if let Some(doc) = self.cache.borrow()[id] {
            return doc;
        }
        let doc = self.print_with(node, Args::default());
        self.cache.borrow_mut()[id] = Some(doc);
        doc
    }

    fn print_with(&self, node: AstKind<'a>, args: Args) -> Doc<'a> {
        let doc = self.with_parentheses(node, args);
        if self.prints_own_comments(node) {
            doc
        } else {
            self.with_comments(node, doc)
        }
    }

    fn print_option(&self, node: Option<AstKind<'a>>) -> Doc<'a> {
        node.map_or(Doc::NIL, |node| self.print(node))
    }

    fn with_parentheses(&self, node: AstKind<'a>, args: Args) -> Doc<'a> {
        let is_ignored = self.is_ignored(node);
        let mut doc = match is_ignored {
            true => self.ignored(node),
            false => self.print_node(node, args),
        };
        if matches!(
            node,
            AstKind::MethodDefinition(_)
                | AstKind::PropertyDefinition(_)
                | AstKind::AccessorProperty(_)
        ) {
            return doc;
        }
        if (self.comments.has_leading(node) || self.comments.has_trailing(node))
            && self.is_called_function(node)
        {
            let contents = docs!(self, Doc::SOFTLINE, self.with_comments(node, doc));
            doc = docs!(self, self.indent(contents), Doc::SOFTLINE);
        }
        let decorators = match node {
            // A class expression prints its decorators itself.
            AstKind::Class(class) if class.is_expression() => Doc::NIL,
            _ if is_ignored => Doc::NIL,
            _ => self.decorators_before(node),
        };
        let needs_parens = self.needs_parens(node);
        if decorators.is_nil() && !needs_parens {
            return doc;
        }
        self.inherit_label(doc, |doc| {
            let doc = match decorators.is_nil() {
                true => doc,
                false => self.group(docs!(self, decorators, doc)),
            };
            match needs_parens {
                true => docs!(self, "(", doc, ")"),
                false => doc,
            }
        })
    }

    /// Whether a function is called or used as a tag, which puts it in parentheses with its comments.
    fn is_called_function(&self, node: AstKind<'a>) -> bool {
        if !nodes::is_function_or_arrow(node) {
            return false;
        }
        use kind::ToKind;
        match self.parent(node) {
            AstKind::CallExpression(call) => tree::same(call.callee.kind(), node),
            AstKind::TaggedTemplateExpression(tagged) => tree::same(tagged.tag.kind(), node),
            _ => false,
        }
    }

    /// Whether the node prints its comments itself.
    fn prints_own_comments(&self, node: AstKind<'a>) -> bool {
        use kind::ToKind;
        let is = |child: AstKind<'_>| tree::same(child, node);
        let by_parent = match self.parent(node) {
            AstKind::TSUnionType(_) => true,
            AstKind::JSXSpreadAttribute(_) | AstKind::JSXSpreadChild(_) => true,
            AstKind::Class(class) => {
                class.id.as_ref().is_some_and(|id| is(id.kind()))
                    || class
                        .type_parameters
                        .as_ref()
                        .is_some_and(|it| is(it.kind()))
                    || class
                        .heritage
                        .as_ref()
                        .is_some_and(|heritage| is(heritage.expression.kind()))
            }
            AstKind::TSInterfaceDeclaration(interface) => {
                is(interface.id.kind())
                    || interface
                        .type_parameters
                        .as_ref()
                        .is_some_and(|it| is(it.kind()))
            }
            _ => self.is_called_function(node),
        };
        if by_parent {
            return true;
        }
        if self.comments.is_ignored(node) {
            return false;
        }
        match node {
            AstKind::TSUnionType(union) => self.union_prints_own_comments(union),
            _ => nodes::is_jsx(node),
        }
    }

    fn is_ignored(&self, node: AstKind<'a>) -> bool {
        self.comments.is_ignored(node) || self.is_ignored_jsx(node)
    }

    /// The text of a node that is kept as it is.
    fn ignored(&self, node: AstKind<'a>) -> Doc<'a> {
        let (start, end) = (spans::start(node), self.end(node));
        self.comments.mark_printed(start, end);
        let text = self.lines(&self.text[start..end], Doc::LITERALLINE);
        if self.options.semi
            && spans::has_semicolon_after_end(self.code, node)
            && !self.is_in_for(node)
        {
            return docs!(self, text, ";");
        }
        match node {
            AstKind::Class(class) if class.is_expression() && !class.decorators.is_empty() => {
                let indented = self.indent(docs!(self, Doc::SOFTLINE, text));
                docs!(self, indented, Doc::SOFTLINE)
            }
            _ => text,
        }
    }

    /// The text of a node.
    fn source(&self, node: AstKind<'a>) -> Doc<'a> {
        let (start, end) = (spans::start(node), spans::full_end(node));
        self.comments.mark_printed(start, end);
        self.lines(&self.text[start..end], Doc::LITERALLINE)
    }

    fn semicolon(&self) -> &'static str {
        if self.options.semi { ";" } else { "" }
    }

    /// A comma at the end of a list that breaks.
    fn trailing_comma(&self) -> Doc<'a> {
        match self.options.trailing_comma {
            options::TrailingComma::None => Doc::NIL,
            _ => self.if_break(",", ""),
        }
    }

    /// A comma at the end of a list of arguments or parameters that breaks.
    fn trailing_comma_of_call(&self) -> Doc<'a> {
        match self.options.trailing_comma {
            options::TrailingComma::All => self.if_break(",", ""),
            _ => Doc::NIL,
        }
    }

    fn text_of(&self, text: impl Into<Cow<'a, str>>) -> Doc<'a> {
        match text.into() {
            Cow::Borrowed(text) => Doc::Text(text),
            Cow::Owned(text) => self.text(&text),
        }
    }
}
