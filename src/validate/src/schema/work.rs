//! Counts the steps of checking a value against a schema, before the check runs.
//!
//! Schemas that refer to each other can double the work at every level. A step is one visit of one
//! schema at one value. Equal visits are counted once and multiplied, so that the time of counting
//! is proportional to the size of the document and the schema.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jsonschema::{Draft, Registry, Uri, Validator};
use serde_json::{Map, Value};

use super::compile::options;

/// Checks with more steps do not run.
pub(crate) const MAX_STEPS: u64 = 20_000_000;
/// Above this number of steps, only the outcome is reported: each step may have an error, and all
/// errors are in memory at once.
pub(crate) const MAX_LISTED: u64 = 1_000_000;

/// The maximum number of distinct visits that are remembered.
const MAX_VISITS: usize = 4_000_000;
/// The maximum depth of nested visits.
const MAX_NESTED: usize = 2_000;

const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "extends"];
const SINGLES: [&str; 4] = ["not", "if", "then", "else"];
const TABLES: [&str; 2] = ["dependentSchemas", "dependencies"];
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// A check that takes more than [`MAX_STEPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuchWork;

type Steps = Result<u64, TooMuchWork>;

/// A schema, and the address that its references are relative to.
#[derive(Clone)]
struct SchemaLocation<'r> {
    schema: &'r Value,
    base: Arc<Uri<String>>,
}

impl<'r> SchemaLocation<'r> {
    /// A schema inside this one.
    fn with(&self, schema: &'r Value) -> Self {
        let base = Arc::clone(&self.base);
        Self { schema, base }
    }
}

/// Counts the steps of a check of `value` against the schema at `base`.
pub(crate) fn steps(registry: &Registry<'_>, base: &Uri<String>, value: &Value) -> Steps {
    let mut work = Work {
        registry,
        visits: HashMap::new(),
        targets: HashMap::new(),
        patterns: BTreeMap::new(),
        nested: 0,
    };
    let root = work.lookup(base, "#");
    root.map_or(Ok(0), |root| work.visit(&root, value))
}

/// Whether a schema contains references. If not, the number of steps is bounded by its size.
pub(crate) fn has_references(schema: &Value) -> bool {
    match schema {
        Value::Array(items) => items.iter().any(has_references),
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| REFERENCES.contains(&key.as_str()) || has_references(value)),
        _ => false,
    }
}

struct Work<'r> {
    registry: &'r Registry<'r>,
    /// The steps of each visit, by the addresses of schema and value. `None` while the visit is
    /// being counted.
    visits: HashMap<(usize, usize), Option<u64>>,
    /// The target of each reference, by the reference's address.
    targets: HashMap<usize, Option<SchemaLocation<'r>>>,
    patterns: BTreeMap<&'r str, Option<Validator>>,
    nested: usize,
}

impl<'r> Work<'r> {
    fn lookup(&self, base: &Uri<String>, reference: &str) -> Option<SchemaLocation<'r>> {
        let resolved = self
            .registry
            .resolver(base.clone())
            .lookup(reference)
            .ok()?;
        Some(SchemaLocation {
            schema: resolved.contents(),
            base: resolved.resolver().base_uri(),
        })
    }

    fn target(
        &mut self,
        place: &SchemaLocation<'r>,
        reference: &'r Value,
    ) -> Option<SchemaLocation<'r>> {
        let key = std::ptr::from_ref(reference).addr();
        if let Some(known) = self.targets.get(&key) {
            return known.clone();
        }
        let target = reference.as_str();
        let target = target.and_then(|it| self.lookup(&place.base, it));
        self.targets.insert(key, target.clone());
        target
    }

    fn visit(&mut self, place: &SchemaLocation<'r>, value: &Value) -> Steps {
        let Value::Object(keywords) = place.schema else {
            return Ok(1);
        };
        let key = (
            std::ptr::from_ref(place.schema).addr(),
            std::ptr::from_ref(value).addr(),
        );
        match self.visits.get(&key) {
            Some(Some(known)) => return Ok(*known),
            // A schema that refers to itself in place.
            Some(None) => return Ok(1),
            None => {}
        }
        if self.nested >= MAX_NESTED || self.visits.len() >= MAX_VISITS {
            return Err(TooMuchWork);
        }
        self.visits.insert(key, None);
        self.nested += 1;
        let steps = self.keywords(keywords, place, value);
        self.nested -= 1;
        let steps = steps?;
        self.visits.insert(key, Some(steps));
        Ok(steps)
    }

    fn keywords(
        &mut self,
        keywords: &'r Map<String, Value>,
        place: &SchemaLocation<'r>,
        value: &Value,
    ) -> Steps {
        let place = &self.based(keywords, place);
        let mut total = Total(1);
        let listed = keywords.get("enum").and_then(Value::as_array);
        total.add(listed.map_or(0, |it| it.len() as u64))?;
        for list in LISTS.iter().filter_map(|it| keywords.get(*it)) {
            for schema in list.as_array().into_iter().flatten() {
                total.add(self.visit(&place.with(schema), value)?)?;
            }
        }
        for schema in SINGLES.iter().filter_map(|it| keywords.get(*it)) {
            total.add(self.visit(&place.with(schema), value)?)?;
        }
        for table in TABLES.iter().filter_map(|it| keywords.get(*it)) {
            for schema in table.as_object().into_iter().flat_map(Map::values) {
                total.add(self.visit(&place.with(schema), value)?)?;
            }
        }
        for reference in REFERENCES.iter().filter_map(|it| keywords.get(*it)) {
            if let Some(target) = self.target(place, reference) {
                total.add(self.visit(&target, value)?)?;
            }
        }
        match value {
            Value::Object(members) => total.add(self.members(keywords, place, members)?)?,
            Value::Array(items) => total.add(self.items(keywords, place, items)?)?,
            _ => {}
        }
        Ok(total.0)
    }

    /// The base address of a schema, which may have its own id.
    fn based(
        &self,
        keywords: &Map<String, Value>,
        place: &SchemaLocation<'r>,
    ) -> SchemaLocation<'r> {
        if !keywords.contains_key("$id") && !keywords.contains_key("id") {
            return place.clone();
        }
        let resource = Draft::default().create_resource_ref(place.schema);
        let outer = self.registry.resolver((*place.base).clone());
        match outer.in_subresource(resource) {
            Ok(inner) => SchemaLocation {
                schema: place.schema,
                base: inner.base_uri(),
            },
            Err(_) => place.clone(),
        }
    }

    fn members(
        &mut self,
        keywords: &'r Map<String, Value>,
        place: &SchemaLocation<'r>,
        members: &Map<String, Value>,
    ) -> Steps {
        let mut total = Total(0);
        let properties = keywords.get("properties").and_then(Value::as_object);
        let patterns = keywords.get("patternProperties").and_then(Value::as_object);
        for (key, value) in members {
            let mut is_known = false;
            if let Some(schema) = properties.and_then(|it| it.get(key)) {
                is_known = true;
                total.add(self.visit(&place.with(schema), value)?)?;
            }
            for (pattern, schema) in patterns.into_iter().flatten() {
                if self.matches(pattern, key) {
                    is_known = true;
                    total.add(self.visit(&place.with(schema), value)?)?;
                }
            }
            let others = ["additionalProperties", "unevaluatedProperties"];
            let others = others.iter().filter_map(|it| keywords.get(*it));
            for schema in others.filter(|_| !is_known) {
                total.add(self.visit(&place.with(schema), value)?)?;
            }
        }
        if let Some(names) = keywords.get("propertyNames") {
            let each = self.visit(&place.with(names), &Value::Null)?;
            total.add(each.saturating_mul(members.len() as u64))?;
        }
        Ok(total.0)
    }

    fn items(
        &mut self,
        keywords: &'r Map<String, Value>,
        place: &SchemaLocation<'r>,
        items: &[Value],
    ) -> Steps {
        let mut total = Total(0);
        let firsts = ["prefixItems", "items"].iter();
        let firsts = firsts.filter_map(|it| keywords.get(*it)?.as_array());
        let firsts: Vec<&'r Value> = firsts.flatten().collect();
        let others = ["items", "additionalItems", "contains", "unevaluatedItems"].iter();
        let others: Vec<&'r Value> = others.filter_map(|it| keywords.get(*it)).collect();
        for (index, value) in items.iter().enumerate() {
            let first = firsts.get(index).copied();
            for schema in first.into_iter().chain(others.iter().copied()) {
                total.add(self.visit(&place.with(schema), value)?)?;
            }
        }
        Ok(total.0)
    }

    fn matches(&mut self, pattern: &'r str, key: &str) -> bool {
        let known = self.patterns.entry(pattern).or_insert_with(|| {
            let schema = serde_json::json!({ "pattern": pattern });
            options().build(&schema).ok()
        });
        let known = known.as_ref();
        known.is_some_and(|it| it.is_valid(&Value::from(key)))
    }
}

struct Total(u64);

impl Total {
    fn add(&mut self, steps: u64) -> Result<(), TooMuchWork> {
        self.0 = self.0.saturating_add(steps);
        match self.0 > MAX_STEPS {
            true => Err(TooMuchWork),
            false => Ok(()),
        }
    }
}
