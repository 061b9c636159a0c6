//! SARIF 2.1.0, which many linters and analyzers write.

use std::collections::BTreeMap;

use fixpoint_report::Severity;
use fixpoint_text::{LineIndex, Snapshot, Span};
use serde::Deserialize;

use super::{Finding, ProposedFix, Replacement, Sources, source_named};

const VERSION: &str = "2.1.0";

#[derive(Deserialize)]
struct Log {
    version: String,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
struct Run {
    tool: SarifTool,
    results: Vec<SarifResult>,
    artifacts: Vec<Artifact>,
    column_kind: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SarifTool {
    driver: Driver,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Driver {
    rules: Vec<Rule>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Rule {
    id: String,
    default_configuration: RuleConfiguration,
    message_strings: BTreeMap<String, Message>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RuleConfiguration {
    level: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Artifact {
    location: ArtifactLocation,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SarifResult {
    rule_id: Option<String>,
    rule_index: Option<usize>,
    rule: RuleReference,
    kind: Option<String>,
    level: Option<String>,
    baseline_state: Option<String>,
    suppressions: Vec<Suppression>,
    message: Message,
    locations: Vec<Location>,
    fixes: Vec<SarifFix>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RuleReference {
    id: Option<String>,
    index: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Suppression {
    status: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Message {
    text: Option<String>,
    id: Option<String>,
    arguments: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Option<Region>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ArtifactLocation {
    uri: Option<String>,
    index: Option<usize>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Region {
    start_line: Option<usize>,
    start_column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    char_offset: Option<usize>,
    char_length: Option<usize>,
    byte_offset: Option<usize>,
    byte_length: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SarifFix {
    description: Message,
    artifact_changes: Vec<ArtifactChange>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: Vec<SarifReplacement>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct SarifReplacement {
    deleted_region: Region,
    inserted_content: Message,
}

pub(super) fn findings(log: &str, sources: &Sources) -> Result<Vec<Finding>, String> {
    let log = log.strip_prefix('\u{feff}').unwrap_or(log);
    let log: Log =
        serde_json::from_str(log).map_err(|error| format!("it is not SARIF: {error}"))?;
    if log.version != VERSION {
        return Err(format!(
            "it is SARIF {}; only {VERSION} can be read",
            log.version
        ));
    }
    let mut findings = Vec::new();
    for run in &log.runs {
        for result in run.results.iter().filter(|result| result.is_open()) {
            findings.push(run.finding(result, sources)?);
        }
    }
    Ok(findings)
}

impl SarifResult {
    /// Whether the result is a problem that nobody has accepted.
    fn is_open(&self) -> bool {
        let is_problem = self.kind.as_deref().is_none_or(|kind| kind == "fail");
        let is_gone = self.baseline_state.as_deref() == Some("absent");
        let accepted = |it: &Suppression| it.status.as_deref().is_none_or(|it| it == "accepted");
        is_problem && !is_gone && !self.suppressions.iter().any(accepted)
    }
}

impl Run {
    fn finding(&self, result: &SarifResult, sources: &Sources) -> Result<Finding, String> {
        let id = result.rule_id.as_ref().or(result.rule.id.as_ref());
        let index = result.rule_index.or(result.rule.index);
        let rule = match index.and_then(|index| self.tool.driver.rules.get(index)) {
            Some(rule) => Some(rule),
            // The id of a result may extend the id of its rule: `CA1000/1`.
            None => id.and_then(|id| {
                let parent = id.rsplit_once('/').map_or("", |(parent, _)| parent);
                let rules = &self.tool.driver.rules;
                let named = |name: &str| rules.iter().find(|rule| rule.id == name);
                named(id).or_else(|| named(parent))
            }),
        };
        let name = id.or(rule.map(|rule| &rule.id));
        let name = name.filter(|name| !name.is_empty());
        let name = name.ok_or("a result names no rule")?;
        let location = result.locations.first();
        let location = location.ok_or_else(|| format!("a result of `{name}` has no location"))?;
        let location = &location.physical_location;
        let source = self.source(&location.artifact_location, sources)?;
        let span = match location.region {
            Some(region) => self.span(region, source)?,
            None => Span::at(0),
        };
        let level = result.level.as_ref();
        let level = level.or(rule.and_then(|rule| rule.default_configuration.level.as_ref()));
        let message = result.message.resolved(rule);
        let fixes = result.fixes.iter().map(|fix| self.fix(fix, rule, sources));
        Ok(Finding {
            path: source.path().to_owned(),
            span,
            rule: name.clone(),
            severity: match level.map(String::as_str) {
                Some("error") => Severity::Error,
                Some("note" | "none") => Severity::Info,
                _ => Severity::Warning,
            },
            message: message.unwrap_or_else(|| name.clone()),
            fixes: fixes.collect::<Result<_, String>>()?,
        })
    }

    fn fix(
        &self,
        fix: &SarifFix,
        rule: Option<&Rule>,
        sources: &Sources,
    ) -> Result<ProposedFix, String> {
        let mut replacements = Vec::new();
        for change in &fix.artifact_changes {
            let source = self.source(&change.artifact_location, sources)?;
            for replacement in &change.replacements {
                replacements.push(Replacement {
                    path: source.path().to_owned(),
                    span: self.span(replacement.deleted_region, source)?,
                    text: replacement
                        .inserted_content
                        .text
                        .clone()
                        .unwrap_or_default(),
                });
            }
        }
        let title = fix.description.resolved(rule);
        Ok(ProposedFix {
            title: title.unwrap_or_else(|| "Apply the fix".to_owned()),
            replacements,
        })
    }

    fn source<'a>(
        &self,
        location: &ArtifactLocation,
        sources: &'a Sources,
    ) -> Result<&'a Snapshot, String> {
        let listed = || self.artifacts.get(location.index?)?.location.uri.as_ref();
        let uri = location.uri.as_ref().or_else(listed);
        let uri = uri.ok_or("a location names no file")?;
        source_named(sources, &decoded(uri))
    }

    /// The bytes of a region.
    fn span(&self, region: Region, source: &Snapshot) -> Result<Span, String> {
        let range = self.range(region, source.text());
        let range = range.filter(|(start, end)| source.text().get(*start..*end).is_some());
        let span = range.and_then(|(start, end)| Span::new(start, end));
        span.ok_or_else(|| format!("a region is not in {}", source.path()))
    }

    fn range(&self, region: Region, text: &str) -> Option<(usize, usize)> {
        let Some(start_line) = region.start_line else {
            if let Some(start) = region.char_offset {
                let end = start.checked_add(region.char_length.unwrap_or(0))?;
                return Some((self.offset(text, start)?, self.offset(text, end)?));
            }
            let start = region.byte_offset?;
            return Some((start, start.checked_add(region.byte_length.unwrap_or(0))?));
        };
        let index = LineIndex::new(text);
        let line = |number: usize| {
            let number = number.checked_sub(1)?;
            let start = index.line_start(number);
            let is_line = number <= index.line_of(text.len());
            is_line.then(|| {
                (
                    start,
                    text.get(start..index.line_start(number + 1))
                        .unwrap_or_default(),
                )
            })
        };
        let (start, first) = line(start_line)?;
        let (end, last) = line(region.end_line.unwrap_or(start_line))?;
        let start_column = region.start_column.unwrap_or(1).checked_sub(1)?;
        let start = start + self.offset(first, start_column)?;
        let end = match region.end_column {
            Some(column) => end + self.offset(last, column.checked_sub(1)?)?,
            None => end + last.trim_end_matches(['\n', '\r']).len(),
        };
        Some((start, end))
    }

    /// The byte at which a column starts, counted from 0.
    fn offset(&self, text: &str, column: usize) -> Option<usize> {
        let is_utf16 = self.column_kind.as_deref() == Some("utf16CodeUnits");
        let mut left = column;
        for (offset, character) in text.char_indices() {
            if left == 0 {
                return Some(offset);
            }
            left = left.checked_sub(if is_utf16 { character.len_utf16() } else { 1 })?;
        }
        (left == 0).then_some(text.len())
    }
}

impl Message {
    /// The text, or that of the rule with its placeholders filled in.
    fn resolved(&self, rule: Option<&Rule>) -> Option<String> {
        let of_rule = || rule?.message_strings.get(self.id.as_ref()?)?.text.as_ref();
        let mut text = self.text.as_ref().or_else(of_rule)?.clone();
        for (number, argument) in self.arguments.iter().enumerate() {
            text = text.replace(&format!("{{{number}}}"), argument);
        }
        Some(text).filter(|text| !text.is_empty())
    }
}

/// A URI with its escapes resolved.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (byte, escaped) {
            (b'%', Some(escaped)) => {
                bytes.push(escaped);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const PATH: &str = "p/a b.py";
    const TEXT: &str = "x = 1\n\u{e4}\u{1f600}.bad()\n";

    fn found(run: Value) -> Result<Vec<Finding>, String> {
        let sources = Sources::from([(PATH.to_owned(), Snapshot::new(PATH, TEXT))]);
        let log = json!({ "version": "2.1.0", "runs": [run] });
        findings(&log.to_string(), &sources)
    }

    fn at(region: Value) -> Value {
        json!([{ "physicalLocation": { "artifactLocation": { "uri": "p/a%20b.py" }, "region": region } }])
    }

    #[test]
    fn results_become_findings_with_their_fixes() {
        let region = json!({ "startLine": 2, "startColumn": 4, "endColumn": 7 });
        let found = found(json!({
            "tool": { "driver": { "name": "t", "rules": [{
                "id": "bad-name",
                "defaultConfiguration": { "level": "error" },
                "messageStrings": { "default": { "text": "`{0}` is bad" } },
            }] } },
            "results": [{
                "ruleIndex": 0,
                "message": { "id": "default", "arguments": ["bad"] },
                "locations": at(region.clone()),
                "fixes": [{
                    "description": { "text": "Rename" },
                    "artifactChanges": [{
                        "artifactLocation": { "uri": "./p/a%20b.py" },
                        "replacements": [{ "deletedRegion": region, "insertedContent": { "text": "good" } }],
                    }],
                }],
            }],
        }))
        .expect("readable");
        let [finding] = &found[..] else {
            panic!("one finding");
        };
        assert_eq!(&TEXT[finding.span.range()], "bad");
        assert_eq!(
            (finding.rule.as_str(), finding.severity),
            ("bad-name", Severity::Error)
        );
        assert_eq!(finding.message, "`bad` is bad");
        let fix = &finding.fixes[0];
        assert_eq!(
            (fix.title.as_str(), fix.replacements[0].text.as_str()),
            ("Rename", "good")
        );
    }

    #[test]
    fn regions_count_in_every_unit() {
        let bytes = TEXT.find("bad").expect("it is there");
        for (kind, region) in [
            (
                "unicodeCodePoints",
                json!({ "startLine": 2, "startColumn": 4, "endColumn": 7 }),
            ),
            (
                "utf16CodeUnits",
                json!({ "startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 8 }),
            ),
            (
                "unicodeCodePoints",
                json!({ "charOffset": 9, "charLength": 3 }),
            ),
            (
                "utf16CodeUnits",
                json!({ "charOffset": 10, "charLength": 3 }),
            ),
            (
                "utf16CodeUnits",
                json!({ "byteOffset": bytes, "byteLength": 3 }),
            ),
        ] {
            let found = found(json!({
                "columnKind": kind,
                "results": [{ "ruleId": "r", "message": { "text": "m" }, "locations": at(region.clone()) }],
            }));
            let span = found.expect("readable")[0].span;
            assert_eq!(&TEXT[span.range()], "bad", "{kind} {region}");
        }
        let line = found(
            json!({ "results": [{ "ruleId": "r", "locations": at(json!({ "startLine": 1 })) }] }),
        );
        assert_eq!(&TEXT[line.expect("readable")[0].span.range()], "x = 1");
    }

    #[test]
    fn accepted_and_passing_results_are_left_out() {
        for more in [
            json!({ "kind": "pass" }),
            json!({ "baselineState": "absent" }),
            json!({ "suppressions": [{ "kind": "inSource" }] }),
        ] {
            let mut result = json!({ "ruleId": "r", "locations": at(json!({ "startLine": 1 })) });
            let more = more.as_object().expect("an object").clone();
            result.as_object_mut().expect("an object").extend(more);
            assert!(
                found(json!({ "results": [result] }))
                    .expect("readable")
                    .is_empty()
            );
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let result = |result: Value| found(json!({ "results": [result] }));
        for (outcome, why) in [
            (
                result(json!({ "ruleId": "r", "locations": at(json!({ "startLine": 9 })) })),
                "not in p/a b.py",
            ),
            (
                result(
                    json!({ "ruleId": "r", "locations": at(json!({ "startLine": 1, "startColumn": 99 })) }),
                ),
                "not in",
            ),
            (result(json!({ "ruleId": "r" })), "has no location"),
            (
                result(json!({ "locations": at(json!({ "startLine": 1 })) })),
                "names no rule",
            ),
            (
                findings("{\"version\":\"2.0.0\",\"runs\":[]}", &Sources::new()),
                "SARIF 2.0.0",
            ),
            (findings("[]", &Sources::new()), "not SARIF"),
        ] {
            let Err(error) = outcome else {
                panic!("no error: {why}");
            };
            assert!(error.contains(why), "{error}");
        }
    }
}
