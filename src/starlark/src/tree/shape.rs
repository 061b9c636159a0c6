//! The kinds of nodes with named parts.

use fixpoint_text::Span;

use super::view::{NodeRef, Nodes};
use super::{Kind, Op};

#[derive(Clone, Copy)]
pub enum Shape<'t, 'a> {
    Ident(&'a str),
    Number(&'a str),
    String,
    List(Nodes<'t, 'a>),
    Set(Nodes<'t, 'a>),
    /// Contains [`Shape::Entry`] nodes.
    Dict(Nodes<'t, 'a>),
    Tuple(Nodes<'t, 'a>),
    Paren(NodeRef<'t, 'a>),
    Comprehension {
        body: NodeRef<'t, 'a>,
        clauses: Nodes<'t, 'a>,
    },
    Call {
        callee: NodeRef<'t, 'a>,
        arguments: Nodes<'t, 'a>,
    },
    Dot {
        object: NodeRef<'t, 'a>,
        name: &'a str,
        name_span: Span,
    },
    Index {
        object: NodeRef<'t, 'a>,
        index: NodeRef<'t, 'a>,
    },
    Slice {
        object: NodeRef<'t, 'a>,
    },
    /// A bare `*` has no operand.
    Unary {
        op: Op,
        operand: Option<NodeRef<'t, 'a>>,
    },
    Binary {
        op: Op,
        left: NodeRef<'t, 'a>,
        right: NodeRef<'t, 'a>,
    },
    /// Also keyword arguments and parameters with a default.
    Assign {
        op: Op,
        target: NodeRef<'t, 'a>,
        value: NodeRef<'t, 'a>,
    },
    Conditional {
        then: NodeRef<'t, 'a>,
        test: NodeRef<'t, 'a>,
        otherwise: NodeRef<'t, 'a>,
    },
    Lambda {
        parameters: Nodes<'t, 'a>,
        body: NodeRef<'t, 'a>,
    },
    Entry {
        key: NodeRef<'t, 'a>,
        value: NodeRef<'t, 'a>,
    },
    ForClause {
        target: NodeRef<'t, 'a>,
        iterable: NodeRef<'t, 'a>,
    },
    IfClause(NodeRef<'t, 'a>),
    /// A parameter with a type.
    Typed {
        name: &'a str,
        annotation: NodeRef<'t, 'a>,
    },
    Load(Load<'t, 'a>),
    Return(Option<NodeRef<'t, 'a>>),
    Def(Function<'t, 'a>),
    For {
        target: NodeRef<'t, 'a>,
        iterable: NodeRef<'t, 'a>,
        body: Nodes<'t, 'a>,
    },
    If {
        condition: NodeRef<'t, 'a>,
        body: Nodes<'t, 'a>,
        otherwise: Option<Nodes<'t, 'a>>,
    },
    Block(Nodes<'t, 'a>),
    /// `pass`, `break`, `continue`.
    Branch(&'a str),
    /// Comment blocks, closing brackets, the word `else`, names in loads, skipped bytes.
    Other,
}

#[derive(Clone, Copy)]
pub struct Load<'t, 'a> {
    pub module: NodeRef<'t, 'a>,
    names: Nodes<'t, 'a>,
}

/// A symbol of a load.
#[derive(Clone, Copy)]
pub struct Symbol<'t, 'a> {
    pub local: NodeRef<'t, 'a>,
    pub remote: NodeRef<'t, 'a>,
    /// Including its alias and its quotes.
    pub span: Span,
}

#[derive(Clone, Copy)]
pub struct Function<'t, 'a> {
    pub name: &'a str,
    pub name_span: Span,
    pub parameters: Nodes<'t, 'a>,
    pub returns: Option<NodeRef<'t, 'a>>,
    pub body: Nodes<'t, 'a>,
}

impl<'t, 'a> Load<'t, 'a> {
    pub fn symbols(self) -> impl Iterator<Item = Symbol<'t, 'a>> {
        let tree = self.names.tree;
        let (pairs, _) = self.names.ids.as_chunks::<2>();
        pairs.iter().map(move |[local, remote]| {
            let (quote, end) = (tree.node(*remote).b, tree.node(*remote).c);
            let start = tree.node(*local).start.min(quote);
            Symbol {
                local: NodeRef { tree, id: *local },
                remote: NodeRef { tree, id: *remote },
                span: Span::from(start as usize..end as usize),
            }
        })
    }

    pub fn len(self) -> usize {
        self.names.len() / 2
    }

    pub fn is_empty(self) -> bool {
        self.names.is_empty()
    }
}

impl<'t, 'a> Symbol<'t, 'a> {
    /// The name of the symbol in the loading file.
    pub fn name(self) -> String {
        String::from_utf8_lossy(&self.local.tree.name(self.local.id)).into_owned()
    }
}

impl<'t, 'a> Shape<'t, 'a> {
    pub(super) fn of(it: NodeRef<'t, 'a>) -> Self {
        let tree = it.tree;
        let node = tree.node(it.id);
        let block = |id| NodeRef { tree, id }.list();
        match node.kind {
            Kind::Ident => Self::Ident(it.text()),
            Kind::Number => Self::Number(it.text()),
            Kind::String => Self::String,
            Kind::List => Self::List(it.list()),
            Kind::Set => Self::Set(it.list()),
            Kind::Dict => Self::Dict(it.list()),
            Kind::Tuple => Self::Tuple(it.list()),
            Kind::Paren => Self::Paren(it.child(tree.list(it.id)[0])),
            Kind::Comprehension => Self::Comprehension {
                body: it.child(node.c),
                clauses: it.list(),
            },
            Kind::Call => Self::Call {
                callee: it.child(node.c),
                arguments: it.list(),
            },
            Kind::Dot => Self::Dot {
                object: it.child(node.a),
                name: tree.slice(node.b, node.c),
                name_span: Span::from(node.b as usize..node.c as usize),
            },
            Kind::Index => Self::Index {
                object: it.child(node.a),
                index: it.child(node.b),
            },
            Kind::Slice => Self::Slice {
                object: it.child(tree.extra[node.a as usize]),
            },
            Kind::Unary => Self::Unary {
                op: node.op,
                operand: it.child_if_any(node.a),
            },
            Kind::Binary => Self::Binary {
                op: node.op,
                left: it.child(node.a),
                right: it.child(node.b),
            },
            Kind::Assign => Self::Assign {
                op: node.op,
                target: it.child(node.a),
                value: it.child(node.b),
            },
            Kind::Conditional => Self::Conditional {
                then: it.child(node.a),
                test: it.child(node.b),
                otherwise: it.child(node.c),
            },
            Kind::Lambda => Self::Lambda {
                parameters: it.list(),
                body: it.child(node.c),
            },
            Kind::Entry => Self::Entry {
                key: it.child(node.a),
                value: it.child(node.b),
            },
            Kind::ForClause => Self::ForClause {
                target: it.child(node.a),
                iterable: it.child(node.b),
            },
            Kind::IfClause => Self::IfClause(it.child(node.a)),
            Kind::Typed => Self::Typed {
                name: tree.slice(node.start, node.b),
                annotation: it.child(node.a),
            },
            Kind::Load => Self::Load(Load {
                module: it.child(node.c),
                names: Nodes {
                    tree,
                    ids: tree.load_pairs(it.id),
                },
            }),
            Kind::Return => Self::Return(it.child_if_any(node.a)),
            Kind::Def => {
                let def = tree.def(it.id);
                let (start, end) = def.name;
                Self::Def(Function {
                    name: tree.slice(start, end),
                    name_span: Span::from(start as usize..end as usize),
                    parameters: it.list(),
                    returns: it.child_if_any(def.returns),
                    body: block(def.body),
                })
            }
            Kind::For => Self::For {
                target: it.child(node.a),
                iterable: it.child(node.b),
                body: block(node.c),
            },
            Kind::If => Self::If {
                condition: it.child(node.a),
                body: block(node.b),
                otherwise: it
                    .child_if_any(node.c)
                    .map(|marker| block(tree.node(marker.id).a)),
            },
            Kind::Block => Self::Block(it.list()),
            Kind::Branch => Self::Branch(it.text()),
            Kind::Error | Kind::CommentBlock | Kind::LoadName | Kind::End | Kind::Else => {
                Self::Other
            }
        }
    }
}
