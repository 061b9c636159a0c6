//! Parses declarations.

use std::sync::Arc;

use super::{Parsed, Parser};
use crate::ast::{
    Decl, DeclKind, ExternalFn, ExternalMod, Field, FnDecl, Name, Param, Rec, Signature, Sum,
    TypeAlias, TypeExpr, TypeParam, Use, Variant,
};
use crate::host;
use crate::lex::TokenKind as T;
use crate::syntax::SyntaxError;

impl Parser<'_> {
    pub(crate) fn declaration(&mut self) -> Parsed<Decl> {
        let start = self.here();
        let kind = match self.token().kind {
            T::Mod => {
                self.bump();
                DeclKind::Mod(self.ident("a module name")?)
            }
            T::Use => self.use_decl()?,
            T::Type => {
                self.bump();
                let name = self.type_ident("a type name")?;
                let type_params = self.type_params()?;
                self.expect(T::Equal)?;
                let ty = self.type_expr()?;
                DeclKind::TypeAlias(Box::new(TypeAlias {
                    name,
                    type_params,
                    ty,
                }))
            }
            T::Rec => self.rec_decl()?,
            T::Sum => self.sum_decl()?,
            T::External => self.external_decl()?,
            T::Fn => self.fn_decl()?,
            _ => return Err(self.unexpected("a declaration")),
        };
        Ok(self.node(start, kind))
    }

    fn use_decl(&mut self) -> Parsed<DeclKind> {
        self.bump();
        if self.eat(T::External) {
            let span = self.bytes_of(self.token());
            let path = vec![Name {
                text: self.string()?.into(),
                span,
            }];
            let is_as = self.at(T::Ident) && self.text_of(self.token()) == "as";
            let alias = if is_as {
                self.bump();
                let wanted = |kind| matches!(kind, T::Ident | T::Underscore);
                Some(self.name_of("a name or `_`", wanted)?)
            } else {
                None
            };
            return Ok(DeclKind::Use(Use {
                path,
                items: Vec::new(),
                alias,
                is_external: true,
            }));
        }
        let mut path = vec![self.ident("a module name")?];
        let mut items = Vec::new();
        while self.eat(T::Dot) {
            if self.eat(T::OpenBrace) {
                let wanted = |kind| matches!(kind, T::Ident | T::TypeIdent);
                items.push(self.name_of("a name", wanted)?);
                while self.eat(T::Comma) {
                    items.push(self.name_of("a name", wanted)?);
                }
                self.expect(T::CloseBrace)?;
                break;
            }
            path.push(self.ident("a module name")?);
        }
        Ok(DeclKind::Use(Use {
            path,
            items,
            alias: None,
            is_external: false,
        }))
    }

    fn rec_decl(&mut self) -> Parsed<DeclKind> {
        self.bump();
        let name = self.type_ident("a record's name")?;
        let type_params = self.type_params()?;
        self.expect(T::OpenBrace)?;
        let fields = self.list(T::CloseBrace, true, Self::field)?;
        self.expect(T::CloseBrace)?;
        Ok(DeclKind::Rec(Rec {
            name,
            type_params,
            fields,
        }))
    }

    pub(crate) fn field(&mut self) -> Parsed<Field> {
        let name = self.ident("a field's name")?;
        self.expect(T::Colon)?;
        let ty = self.type_expr()?;
        let id = self.fresh();
        Ok(Field { id, name, ty })
    }

    fn sum_decl(&mut self) -> Parsed<DeclKind> {
        self.bump();
        let name = self.type_ident("a sum's name")?;
        let type_params = self.type_params()?;
        self.expect(T::OpenBrace)?;
        let variants = self.list(T::CloseBrace, true, Self::variant)?;
        self.expect(T::CloseBrace)?;
        Ok(DeclKind::Sum(Sum {
            name,
            type_params,
            variants,
        }))
    }

    pub(super) fn variant_name(&mut self) -> Parsed<Name> {
        self.name_of("a variant's name", |kind| {
            kind == T::TypeIdent || kind.is_builtin_type()
        })
    }

    pub(crate) fn variant(&mut self) -> Parsed<Variant> {
        let start = self.here();
        let name = self.variant_name()?;
        let mut fields = Vec::new();
        if self.eat(T::OpenParen) {
            fields = self.list(T::CloseParen, false, Self::variant_field)?;
            self.expect(T::CloseParen)?;
        }
        let (id, span) = self.placed(start);
        Ok(Variant {
            id,
            span,
            name,
            fields,
        })
    }

    fn variant_field(&mut self) -> Parsed<(Option<Name>, TypeExpr)> {
        let mut name = None;
        if self.at(T::Ident) {
            name = Some(self.ident("a field's name")?);
            self.expect(T::Colon)?;
        }
        Ok((name, self.type_expr()?))
    }

    fn external_decl(&mut self) -> Parsed<DeclKind> {
        self.bump();
        if self.eat(T::Mod) {
            let name = self.ident("a module name")?;
            self.expect(T::Equal)?;
            let module = self.string()?;
            self.expect(T::OpenBrace)?;
            let mut functions = Vec::new();
            while self.eat(T::Fn) {
                functions.push(self.signature(Self::type_expr)?);
            }
            self.expect(T::CloseBrace)?;
            return Ok(DeclKind::ExternalMod(ExternalMod {
                name,
                module,
                functions,
            }));
        }
        self.expect(T::Fn)?;
        let signature = self.signature(Self::type_expr)?;
        self.expect(T::Equal)?;
        let token = self.token();
        let js_name = self.string()?;
        if !host::is_expression(&js_name) {
            let found = self.text_of(token);
            return Err(Box::new(SyntaxError::expected(
                token.span,
                host::EXPECTED,
                found,
            )));
        }
        Ok(DeclKind::ExternalFn(Box::new(ExternalFn {
            signature,
            js_name,
        })))
    }

    fn fn_decl(&mut self) -> Parsed<DeclKind> {
        self.bump();
        let signature = self.signature(Self::return_type)?;
        let precondition = self.eat(T::Pre).then(|| self.expr());
        let precondition = precondition.transpose()?;
        let postcondition = self.eat(T::Post).then(|| self.expr());
        let postcondition = postcondition.transpose()?;
        let body = self.block()?;
        Ok(DeclKind::Fn(Arc::new(FnDecl {
            signature,
            precondition,
            postcondition,
            body,
        })))
    }

    fn signature(&mut self, result: fn(&mut Self) -> Parsed<TypeExpr>) -> Parsed<Signature> {
        let name = self.ident("a function's name")?;
        let type_params = self.type_params()?;
        self.expect(T::OpenParen)?;
        let params = self.list(T::CloseParen, false, Self::param)?;
        self.expect(T::CloseParen)?;
        self.expect(T::Arrow)?;
        let return_type = result(self)?;
        Ok(Signature {
            name,
            type_params,
            params,
            return_type,
        })
    }

    pub(crate) fn param(&mut self) -> Parsed<Param> {
        let name = self.ident("a parameter's name")?;
        self.expect(T::Colon)?;
        let ty = self.type_expr()?;
        let id = self.fresh();
        Ok(Param { id, name, ty })
    }

    fn type_params(&mut self) -> Parsed<Vec<TypeParam>> {
        if !self.eat(T::OpenBracket) {
            return Ok(Vec::new());
        }
        let mut params = Vec::new();
        loop {
            let name = self.type_ident("a type parameter")?;
            let constraint = self.eat(T::Colon).then(|| self.type_expr()).transpose()?;
            let id = self.fresh();
            params.push(TypeParam {
                id,
                name,
                constraint,
            });
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::CloseBracket)?;
        Ok(params)
    }
}
