//! The kinds of nodes, for error messages about unknown kinds.

pub(super) struct Category {
    pub name: &'static str,
    pub kinds: &'static str,
}

pub(super) const DECLARATION: Category = Category {
    name: "declaration",
    kinds: "fn, externalFn, rec, sum, typeAlias, mod, use",
};

pub(super) const STATEMENT: Category = Category {
    name: "statement",
    kinds: "let, assign, expr, for, while, loop, return, break, continue, assert",
};

pub(super) const BLOCK: Category = Category {
    name: "block",
    kinds: "block",
};

pub(super) const EXPRESSION: Category = Category {
    name: "expression",
    kinds: "literal, ident, unary, binary, call, index, field, lambda, if, match, block, array, tuple, record, \
            range, propagate, hole",
};

pub(super) const LITERAL: Category = Category {
    name: "literal",
    kinds: "int, float, string, template, bool, unit",
};

pub(super) const TYPE: Category = Category {
    name: "type",
    kinds: "named, array, tuple, function, refined, effect, recordType",
};

pub(super) const PATTERN: Category = Category {
    name: "pattern",
    kinds: "wildcard, ident, literal, tuple, record, variant",
};
