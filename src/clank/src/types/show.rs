//! Prints types for messages and payloads.

use super::{Arena, Ty, TyKind};

/// Deeper parts are not printed; only inference produces such types.
const MAX_DEPTH: usize = 32;

impl Arena {
    pub fn show(&self, ty: Ty) -> String {
        let mut text = String::new();
        self.write(ty, 0, &mut text);
        text
    }

    fn write(&self, ty: Ty, depth: usize, out: &mut String) {
        if depth > MAX_DEPTH {
            out.push_str("...");
            return;
        }
        let ty = match self.kind(ty) {
            TyKind::Alias { name, args, .. } => {
                out.push_str(self.name(*name));
                return self.write_args(args, depth, out);
            }
            TyKind::Var(_) => {
                let target = self.follow(ty);
                if let TyKind::Alias { .. } = self.kind(target) {
                    return self.write(target, depth, out);
                }
                target
            }
            _ => ty,
        };
        match self.kind(ty) {
            TyKind::Var(at) => match self.variable_name(*at) {
                Some(name) => out.push_str(name),
                None => out.push_str(&format!("?{at}")),
            },
            TyKind::Generic(at) => out.push_str(&format!("T{at}")),
            TyKind::Prim(primitive) => out.push_str(primitive.name()),
            TyKind::Named(name, args) => {
                out.push_str(self.name(*name));
                self.write_args(args, depth, out);
            }
            TyKind::Function {
                params,
                result,
                effects,
            } => {
                match params.as_slice() {
                    [one] if !matches!(self.kind(self.resolve(*one)), TyKind::Function { .. }) => {
                        self.write(*one, depth + 1, out);
                    }
                    _ => self.write_list("(", params, ")", depth, out),
                }
                out.push_str(" -> ");
                if effects.is_empty() {
                    self.write(*result, depth + 1, out);
                } else {
                    out.push_str(&effects.names().join(" + "));
                    out.push('[');
                    self.write(*result, depth + 1, out);
                    out.push(']');
                }
            }
            TyKind::Tuple(parts) => self.write_list("(", parts, ")", depth, out),
            TyKind::Array(element) => {
                out.push('[');
                self.write(*element, depth + 1, out);
                out.push(']');
            }
            TyKind::Record { fields, open } => {
                out.push('{');
                for (at, (name, ty)) in fields.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    out.push_str(self.name(*name));
                    out.push_str(": ");
                    self.write(*ty, depth + 1, out);
                }
                out.push_str(match (open, fields.is_empty()) {
                    (true, false) => ", ...}",
                    (true, true) => "...}",
                    _ => "}",
                });
            }
            TyKind::Refined { base, refinement } => {
                self.write(*base, depth + 1, out);
                out.push_str(&format!(
                    "{{{} | {}}}",
                    refinement.var, refinement.predicate
                ));
            }
            TyKind::Alias { target, .. } => self.write(*target, depth + 1, out),
            TyKind::Never => out.push_str("never"),
        }
    }

    /// Follows variables and keeps aliases.
    fn follow(&self, mut ty: Ty) -> Ty {
        while let TyKind::Var(at) = self.kind(ty)
            && let Some(next) = self.bound(*at)
        {
            ty = next;
        }
        ty
    }

    fn write_args(&self, args: &[Ty], depth: usize, out: &mut String) {
        if !args.is_empty() {
            self.write_list("[", args, "]", depth, out);
        }
    }

    fn write_list(&self, open: &str, parts: &[Ty], close: &str, depth: usize, out: &mut String) {
        out.push_str(open);
        for (at, part) in parts.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            self.write(*part, depth + 1, out);
        }
        out.push_str(close);
    }
}
