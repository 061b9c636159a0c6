//! Turns a candidate into a rule, and checks that the rule does the same as the candidate.

use fixpoint_text::Span;

use super::Reason;
use super::case::{File, Site};
use super::emit::variable_name;
use super::find::Known;
use super::names::{Meaning, Origin};
use super::rule::{Candidate, Guard, ImportChange};
use super::source::Run;
use crate::{
    CompiledRule, Constraint, Example, Imports, Language, Matching, NO_TIME, Outcomes, Provenance,
    Rule, RuleSet, TextEdit, Tree, rewrite,
};

/// A rule that was checked.
#[derive(Clone, Debug)]
pub(super) struct Exported {
    pub rule: Rule,
    pub compiled: CompiledRule,
}

pub(super) fn export(
    known: &Known<'_>,
    sites: &[Site<'_>],
    level: usize,
    candidate: &Candidate,
) -> Result<Exported, Reason> {
    let language = known.cases[sites[0].case].before.source.tree.language();
    let rule = rule(language, candidate)?;
    let compiled = CompiledRule::compile(&rule).map_err(|error| Reason::Rule(error.to_string()))?;
    let rule = Rule {
        node_kind: compiled.pattern().node_kind_name().to_owned(),
        ..rule
    }
    .with_computed_id();
    let compiled = CompiledRule::compile(&rule)
        .map_err(|error| Reason::Rule(error.to_string()))
        .unwrap_or(compiled);
    check(known, sites, level, &compiled)?;
    let rule = Rule {
        examples: examples(known, sites, &compiled),
        ..rule
    };
    let rule = rule.with_outcomes(Outcomes {
        applied_ok: sites.len() as u64,
        rejected: 0,
    });
    Ok(Exported { rule, compiled })
}

/// A rule keeps this many examples.
const MAX_EXAMPLES: usize = 3;
/// A longer text is not an example that a person reads.
const MAX_EXAMPLE_SIZE: usize = 16 * 1024;

/// The shortest files that the rule changes. They are whole files, because guards look at imports and scopes.
fn examples(known: &Known<'_>, sites: &[Site<'_>], rule: &CompiledRule) -> Vec<Example> {
    let cases: std::collections::BTreeSet<usize> = sites.iter().map(|site| site.case).collect();
    let files = cases.into_iter().map(|index| &known.cases[index].before);
    let text = |file: &File| file.source.tree.text().len();
    let mut files: Vec<&File> = files
        .filter(|file| text(file) <= MAX_EXAMPLE_SIZE)
        .collect();
    files.sort_by_key(|file| text(file));
    files.truncate(MAX_EXAMPLES);
    let set = RuleSet::new(vec![rule.clone()]);
    let example = |file: &File| {
        let before = file.source.tree.text();
        Example {
            path: Some(file.path.clone()),
            after: rewrite(&file.path, before, &set).text,
            before: before.to_owned(),
        }
    };
    files.into_iter().map(example).collect()
}

fn rule(language: Language, candidate: &Candidate) -> Result<Rule, Reason> {
    let guards = candidate.guards.iter();
    let constraints = guards
        .map(|guard| constraint(candidate, guard))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Rule {
        id: "0".to_owned(),
        target_id: language.name().to_owned(),
        node_kind: "Other".to_owned(),
        pattern: candidate.texts.0.clone(),
        template: candidate.texts.1.clone(),
        provenance: Provenance::Extracted,
        pinned: false,
        confidence: 0.0,
        priority: 0,
        created: NO_TIME.to_owned(),
        matching: Matching::Structure,
        constraints: constraints.into_iter().flatten().collect(),
        imports: imports(language, &candidate.imports)?,
        message: String::new(),
        examples: Vec::new(),
        counter_examples: Vec::new(),
        outcomes: Outcomes::default(),
    }
    .with_computed_id())
}

/// The constraint of a guard; none if the rule needs none for it.
fn constraint(candidate: &Candidate, guard: &Guard) -> Result<Option<Constraint>, Reason> {
    let not = |constraint| Some(Constraint::Not(Box::new(constraint)));
    let capture = |variable: &usize| variable_name(*variable);
    let kinds = |kinds: &std::collections::BTreeSet<&'static str>| {
        kinds.iter().map(|kind| (*kind).to_owned()).collect()
    };
    Ok(match guard {
        Guard::Name(name, meaning) => {
            let in_pattern = candidate.roots.contains(name);
            match meaning {
                Meaning::Free => Some(Constraint::NotShadowed { name: name.clone() }),
                Meaning::Local | Meaning::TopLevel => {
                    not(Constraint::NotShadowed { name: name.clone() })
                }
                Meaning::Imported(origin) if in_pattern => Some(Constraint::Import {
                    name: name.clone(),
                    module: origin.module.clone(),
                    symbol: origin.symbol.clone(),
                }),
                Meaning::Imported(origin) => Some(Constraint::Imported {
                    name: name.clone(),
                    module: origin.module.clone(),
                    symbol: origin.symbol.clone(),
                }),
                Meaning::Unknown => return Err(Reason::Guard(name.clone())),
            }
        }
        Guard::Kinds(variable, any) => Some(Constraint::Kind {
            capture: capture(variable),
            any: kinds(any),
        }),
        // Kinds of lists are not limited.
        Guard::NotKinds(variable, _) if candidate.lists[*variable] => None,
        Guard::NotKinds(variable, any) => {
            if any.is_empty() {
                None
            } else {
                not(Constraint::Kind {
                    capture: capture(variable),
                    any: kinds(any),
                })
            }
        }
        Guard::Some(variable) => Some(Constraint::Regex {
            capture: capture(variable),
            matches: "(?s).+".to_owned(),
        }),
        Guard::Texts(variable, texts) => {
            let texts: Vec<String> = texts
                .iter()
                .map(|text| regex::escape(text).replace(' ', "\\s*"))
                .collect();
            Some(Constraint::Regex {
                capture: capture(variable),
                matches: texts.join("|"),
            })
        }
        Guard::Without(variable, name) => not(Constraint::Regex {
            capture: capture(variable),
            matches: format!("(?s)(?:.*,)?\\s*{}\\s*=.*", regex::escape(name)),
        }),
        Guard::Inside(kind) => Some(Constraint::Inside(place(kind))),
        Guard::NotInside(kind) => not(Constraint::Inside(place(kind))),
        Guard::NotImported(symbol, module) => not(Constraint::Imported {
            name: symbol.clone(),
            module: module.clone(),
            symbol: Some(symbol.clone()),
        }),
        Guard::Folder(folder) => Some(Constraint::Path {
            glob: format!("{folder}**"),
        }),
    })
}

fn place(kind: &str) -> crate::Place {
    crate::Place {
        kind: Some(kind.to_owned()),
        pattern: None,
    }
}

fn imports(language: Language, change: &ImportChange) -> Result<Imports, Reason> {
    let statements =
        |names: &std::collections::BTreeMap<String, Origin>| -> Result<Vec<String>, Reason> {
            names
                .iter()
                .map(|(local, origin)| {
                    statement(language, local, origin).ok_or_else(|| Reason::Guard(local.clone()))
                })
                .collect()
        };
    Ok(Imports {
        add: statements(&change.added)?,
        remove: statements(&change.removed)?,
    })
}

fn statement(language: Language, local: &str, origin: &Origin) -> Option<String> {
    let Origin { module, symbol } = origin;
    let renamed = |name: &str, word: &str| {
        if name == local {
            String::new()
        } else {
            format!(" {word} {local}")
        }
    };
    Some(match (language, symbol.as_deref()) {
        (Language::Python, Some(symbol)) => {
            format!("from {module} import {symbol}{}", renamed(symbol, "as"))
        }
        (Language::Python, None) => format!("import {module}{}", renamed(module, "as")),
        (Language::Starlark, Some(symbol)) if symbol == local => {
            format!("load(\"{module}\", \"{symbol}\")")
        }
        (Language::Starlark, Some(symbol)) => format!("load(\"{module}\", {local} = \"{symbol}\")"),
        (Language::Go, None) => {
            let last = module.rsplit('/').next().unwrap_or("");
            if last == local {
                format!("\"{module}\"")
            } else {
                format!("{local} \"{module}\"")
            }
        }
        (Language::Java, None) => format!("import {module};"),
        (Language::Rust, None) => {
            let last = module.rsplit("::").next().unwrap_or("");
            format!("use {module}{};", renamed(last, "as"))
        }
        (_, Some("default")) => format!("import {local} from \"{module}\";"),
        (_, Some(symbol)) => format!(
            "import {{ {symbol}{} }} from \"{module}\";",
            renamed(symbol, "as")
        ),
        _ => return None,
    })
}

/// Checks that the rule changes all examples exactly, and no other place of any known text.
pub(super) fn check(
    known: &Known<'_>,
    sites: &[Site<'_>],
    level: usize,
    rule: &CompiledRule,
) -> Result<(), Reason> {
    for (index, case) in known.cases.iter().enumerate() {
        if known.skipped.contains(&index) {
            continue;
        }
        let tree = &case.before.source.tree;
        let mut expected: Vec<_> = sites
            .iter()
            .filter(|site| site.case == index)
            .filter_map(|site| site.at(level))
            .collect();
        expected.sort();
        expected.dedup();
        let inexact = || Reason::Inexact(case.name.clone());
        for result in results(rule, tree, &case.before.path) {
            let at = expected
                .iter()
                .position(|(old, _)| result.is_at(tree.span(*old)));
            let Some(at) = at else {
                return Err(Reason::CounterExample(case.name.clone()));
            };
            let (old, node) = expected.remove(at);
            if result.text_of(tree, tree.span(old)) != case.after.source.text(Run::one(node)) {
                return Err(inexact());
            }
        }
        if let Some((old, _)) = expected.first() {
            let refusal = rule
                .matches(tree, &case.before.path)
                .into_iter()
                .find(|found| found.found.span.start() == tree.start(*old));
            return Err(match refusal.and_then(|found| found.edits.err()) {
                Some(refusal) => Reason::Refused {
                    pair: case.name.clone(),
                    refusal: refusal.to_string(),
                },
                None => inexact(),
            });
        }
        if !results(rule, &case.after.source.tree, &case.after.path).is_empty() {
            return Err(Reason::CounterExample(case.name.clone()));
        }
    }
    let set = RuleSet::new(vec![rule.clone()]);
    for file in known.negatives {
        let text = file.source.tree.text();
        if rewrite(&file.path, text, &set).text != text {
            return Err(Reason::CounterExample(file.path.clone()));
        }
    }
    Ok(())
}

/// A place that a rule changes.
pub(super) struct Place {
    span: Span,
    edits: Vec<TextEdit>,
}

impl Place {
    /// Whether the place is a node, except for a mark at its end.
    pub fn is_at(&self, span: Span) -> bool {
        self.span.start() == span.start()
            && self.span.end() <= span.end()
            && self.span.end() + 1 >= span.end()
    }

    /// What a node around the place becomes.
    pub fn text_of(&self, tree: &Tree, span: Span) -> String {
        let mut text = tree.text()[span.range()].to_owned();
        for edit in self.edits.iter().rev() {
            if edit.span.start() >= span.start() && edit.span.end() <= span.end() {
                text.replace_range(
                    edit.span.start() - span.start()..edit.span.end() - span.start(),
                    &edit.replacement,
                );
            }
        }
        text
    }
}

/// The places that the rule changes.
pub(super) fn results(rule: &CompiledRule, tree: &Tree, path: &str) -> Vec<Place> {
    if !rule
        .words
        .iter()
        .all(|word| tree.text().contains(word.as_str()))
    {
        return Vec::new();
    }
    let matches = rule.matches(tree, path).into_iter();
    matches
        .filter_map(|found| {
            let mut edits = found.edits.ok()?;
            edits.sort();
            Some(Place {
                span: found.found.span,
                edits,
            })
        })
        .collect()
}
