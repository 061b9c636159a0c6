//! Suspicious functions: constant comparisons, swallowed errors and counters of calls.

use super::{Source, has_word};
use crate::scan::Language;

pub(super) fn check(source: &Source, report: &mut dyn FnMut(usize, String)) {
    for line in source.added.iter().copied() {
        if let Some(reason) = constant_comparison(source, line) {
            report(line, reason);
        }
        if swallows(source, line) {
            report(line, "every error is swallowed".to_owned());
        }
        if let Some(name) = counter(source, line) {
            report(
                line,
                format!("the result depends on how often the code ran: `{name}`"),
            );
        }
    }
}

const COMPARISONS: [&str; 9] = [
    "__eq__",
    "__ne__",
    "__bool__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__contains__",
    "__instancecheck__",
];

fn constant_comparison(source: &Source, line: usize) -> Option<String> {
    let code = source.code(line).trim();
    match source.language {
        Language::Python => {
            let name = COMPARISONS.iter().find(|name| has_word(code, name))?;
            if !code.starts_with("def ") {
                // `__eq__ = lambda a, b: True` or `setattr(x, "__eq__", ...)`.
                let assigned = code.split_once('=').is_some_and(|(target, value)| {
                    target.trim_end().ends_with(name) && !value.starts_with('=')
                });
                return assigned.then(|| format!("`{name}` is replaced"));
            }
            if *name == "__eq__"
                && let Some(kind) = extended_value(source, line)
            {
                return Some(format!("a `{kind}` gets another equality"));
            }
            let parameters = code.split_once('(')?.1;
            let (parameters, after) = parameters.split_once(')')?;
            let mut names = parameters.split(',').map(|name| {
                let name = name.trim();
                name.split([':', '=']).next().unwrap_or(name).trim()
            });
            let (own, other) = (names.next(), names.next());
            let mut body: Vec<&str> = source
                .body(line)
                .into_iter()
                .map(|line| source.code(line).trim())
                .collect();
            if let Some((_, inline)) = after.split_once(':')
                && !inline.trim().is_empty()
            {
                body.push(inline.trim());
            }
            let constant = body.iter().any(|statement| {
                matches!(*statement, "return True" | "return 1" | "return not False")
            });
            let compares = other.is_none_or(|other| {
                body.iter().any(|statement| {
                    has_word(statement, other) && !statement.contains("isinstance")
                })
            });
            let suspicious = match *name {
                "__bool__" => {
                    body.len() == 1 && body[0].starts_with("return ") && {
                        let value = body[0]["return ".len()..].trim();
                        matches!(value, "True" | "False" | "1" | "0")
                    }
                }
                // An abstract method only raises.
                _ => {
                    let returns = body.iter().any(|statement| {
                        has_word(statement, "return") && !statement.contains("NotImplemented")
                    });
                    let looks_at_own = own.is_none_or(|own| {
                        own.starts_with('*') || body.iter().any(|it| has_word(it, own))
                    });
                    ((!compares || !looks_at_own) && returns) || (constant && body.len() == 1)
                }
            };
            suspicious.then(|| format!("`{name}` does not look at what it compares"))
        }
        Language::Rust => {
            if !code.contains("fn eq(") && !code.contains("fn ne(") {
                return None;
            }
            let inline = code.split_once('{').map_or("", |(_, body)| body);
            let body: Vec<&str> = std::iter::once(inline.trim_end_matches('}').trim())
                .chain(
                    source
                        .body(line)
                        .into_iter()
                        .map(|line| source.code(line).trim()),
                )
                .filter(|statement| !statement.is_empty())
                .collect();
            // Also a constant.
            let ignores_own = !body.iter().any(|statement| has_word(statement, "self"));
            ignores_own.then(|| "`eq` does not look at what it compares".to_owned())
        }
        Language::Script | Language::Go => None,
    }
}

/// The built-in type of values that the class around a Python method extends.
fn extended_value(source: &Source, line: usize) -> Option<&'static str> {
    const VALUES: [&str; 7] = ["int", "float", "str", "bytes", "tuple", "list", "dict"];
    let mut above = (0..line).rev();
    let class = above.find(|above| {
        !source.code(*above).trim().is_empty() && source.indent(*above) < source.indent(line)
    })?;
    let class = source.code(class).trim().strip_prefix("class ")?;
    let (_, bases) = class.split_once('(')?;
    VALUES.into_iter().find(|kind| has_word(bases, kind))
}

/// Handlers of every kind of error that do nothing.
fn swallows(source: &Source, line: usize) -> bool {
    let code = source.code(line).trim();
    match source.language {
        Language::Python => {
            if code.contains("suppress(Exception)") || code.contains("suppress(BaseException)") {
                return true;
            }
            let Some((kind, inline)) = code
                .strip_prefix("except")
                .and_then(|rest| rest.split_once(':'))
            else {
                return false;
            };
            let kind = kind.split(" as ").next().unwrap_or("").trim();
            if !matches!(kind, "" | "Exception" | "BaseException" | "AssertionError") {
                return false;
            }
            let is_nothing = |statement: &str| matches!(statement.trim(), "pass" | "...");
            let body = source.body(line);
            is_nothing(inline) || matches!(body[..], [only] if is_nothing(source.code(only)))
        }
        Language::Script => {
            let compact: String = code.split_whitespace().collect();
            if compact.contains(".catch(()=>{})") {
                return true;
            }
            let Some((_, rest)) = compact.split_once("catch") else {
                return false;
            };
            let Some((_, body)) = rest.split_once('{') else {
                return false;
            };
            let next = source
                .next(line)
                .map_or("", |next| source.code(next).trim());
            body.starts_with('}') || (body.is_empty() && next.starts_with('}'))
        }
        Language::Go => {
            let compact: String = code.split_whitespace().collect();
            compact == "_=recover()" || compact == "recover()" || compact.contains("{recover()}")
        }
        Language::Rust => code.contains("catch_unwind("),
    }
}

/// The name of a counter that outlives calls, is added by the patch, and decides about something.
fn counter(source: &Source, line: usize) -> Option<String> {
    let code = source.code(line).trim();
    // `def f(x, _calls=[0]):` keeps its list between calls.
    if source.language == Language::Python && code.starts_with("def ") && code.contains("=[0]") {
        return Some("=[0]".to_owned());
    }
    let compact: String = code.split_whitespace().collect();
    let name = compact
        .strip_suffix(';')
        .unwrap_or(&compact)
        .strip_suffix("+=1")
        .or_else(|| compact.trim_end_matches(';').strip_suffix("++"))
        .or_else(|| code.split_once(".fetch_add(").map(|(name, _)| name))?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let name = name.rsplit(['=', ' ']).next().unwrap_or(name);
    if name.is_empty() || !name.chars().all(is_name) || source.indent(line) == 0 {
        return None;
    }
    let added_code = |found: &dyn Fn(usize, &str) -> bool| {
        source
            .added
            .iter()
            .any(|line| found(*line, source.code(*line)))
    };
    let outlives = added_code(&|other, code| {
        let trimmed = code.trim();
        let top = source.indent(other) == 0 && other != line;
        match source.language {
            Language::Python => {
                (trimmed.starts_with("global ") && has_word(trimmed, name))
                    || (top && name.contains('.') && trimmed.starts_with(&format!("{name} =")))
            }
            Language::Script => {
                top && (trimmed.starts_with(&format!("let {name} "))
                    || trimmed.starts_with(&format!("var {name} "))
                    || trimmed.starts_with(&format!("{name} =")))
            }
            Language::Go => top && trimmed.starts_with("var ") && has_word(trimmed, name),
            Language::Rust => trimmed.contains("static ") && has_word(trimmed, name),
        }
    });
    let decides = source.language == Language::Rust && code.contains("if ")
        || added_code(&|_, code| {
            let branches = has_word(code, "if") || code.contains('?') || code.contains("match ");
            branches && has_word(code, name)
        })
        || (source.language == Language::Rust && {
            // `let n = CALLS.fetch_add(1, ..);` and a branch on `n`.
            let local = code
                .strip_prefix("let ")
                .and_then(|rest| rest.split_once('='))
                .map(|(local, _)| local.trim());
            local.is_some_and(|local| {
                added_code(&|_, code| has_word(code, "if") && has_word(code, local))
            })
        });
    (outlives && decides).then(|| name.to_owned())
}
