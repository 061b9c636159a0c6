//! The same input gives the same bytes, whoever asks: directly, after a trip to another process, and from
//! an analyzer that has analyzed other files before.

use std::sync::Arc;

use fixpoint_analysis::{
    Analysis, AnalysisInput, AnalysisOptions, Analyzer, AssignedSchema, FileInput, FileText, Files,
    Loads, Phases, ProjectInput, analyze, schema_files,
};
use fixpoint_clank::modules::{Modules, SourceFile, interfaces};
use fixpoint_engine::Reported;
use fixpoint_report::to_protobuf;
use fixpoint_text::Snapshot;
use proptest::prelude::*;
use proptest::sample::select;

const SETTINGS: [&str; 3] = [
    "",
    "[language.json]\nindent = 4\n\n[lint]\ndisable = [\"print\"]\n",
    "[validate]\nrules = [\"rules.yaml\"]\n\n[[validate.schema]]\nfiles = [\"*.json\"]\nschema = \"schema.json\"\n",
];

const RULES: &str = "files: ['**']\nrules:\n  - id: tags-sorted\n    at: /tags\n    require: { sorted: true }\n    message: tags are sorted\n    fix: { safety: behavior_preserving, reason: Tags are a set. }\n";

const PATHS: [&str; 7] = [
    "BUILD",
    "a.bzl",
    "a.json",
    "b/a.yaml",
    "a.toml",
    "a.clank",
    "a.unknown",
];

/// Texts that have findings, fixes, schemas, loads or modules in at least one of the languages.
const TEXTS: [&str; 12] = [
    "",
    "load(\":old.bzl\", \"old\")\n\nold()\nprint(1)\n",
    "load(\"//b:c.bzl\", \"c\")\nx = [1,2]\n",
    "{\"$schema\": \"schema.json\", \"b\": 1, \"b\":2}",
    "{\"$schema\": \"absent.json\"}\n",
    "{\"$schema\": \"../out.json\"}\n",
    "# yaml-language-server: $schema=../schema.json\nb:   1\n",
    "tags = ['b', 'a']\na=2\n",
    "use geo\n\nfn main() -> Int {\n  geo.area(2)\n}\n",
    "fn main() -> Int {\n  let x = 1\n  y\n}\n",
    "{",
    "\u{feff}a: {b}\r\nc: 1",
];

fn text_files() -> Files {
    let schema = r##"{ "properties": { "b": { "$ref": "types.json#/b" } } }"##;
    Files::from(
        [
            ("schema.json", schema),
            ("types.json", r#"{ "b": { "type": "string" } }"#),
            ("rules.yaml", RULES),
        ]
        .map(|(path, text)| (path.to_owned(), FileText::Text(text.to_owned()))),
    )
}

fn read(path: &str) -> Option<FileText> {
    match path {
        "absent.json" => Some(FileText::Absent),
        _ => text_files().remove(path),
    }
}

fn modules() -> Arc<Modules> {
    let file = SourceFile {
        path: "geo.clank".to_owned(),
        text: "mod geo\n\npub fn area(x: Int) -> Int {\n  x * x\n}\n".to_owned(),
        code: "geo.mjs".to_owned(),
    };
    Arc::new(interfaces(&[file], Modules::default()).0)
}

fn inputs() -> impl Strategy<Value = AnalysisInput> {
    let project = (select(&SETTINGS[..]), any::<bool>());
    let options = (
        select(&[Phases::All, Phases::Layout, Phases::Validation][..]),
        any::<bool>(),
    );
    let file = (
        select(&PATHS[..]),
        select(&TEXTS[..]),
        any::<bool>(),
        any::<bool>(),
    );
    (project, options, file).prop_map(|(project, options, file)| {
        let (settings, has_assigned) = project;
        let assigned = has_assigned.then(|| AssignedSchema {
            document: "b/a.yaml".to_owned(),
            schema: "schema.json".to_owned(),
        });
        let assigned = assigned.into_iter().collect();
        let project = ProjectInput::collect(settings.to_owned(), assigned, read);
        let (path, text, is_visible, is_only) = file;
        let file = FileInput::new(Snapshot::new(path, text));
        let file = match is_visible {
            false => file,
            true => FileInput {
                schemas: Arc::new(
                    ["schema.json", "absent.json"]
                        .iter()
                        .flat_map(|path| schema_files(path, read))
                        .collect(),
                ),
                loads: Loads::Followed([(":old.bzl".to_owned(), ["old".to_owned()].into())].into()),
                modules: modules(),
                ..file
            },
        };
        let (phases, applies_likely) = options;
        AnalysisInput {
            project: Arc::new(project.expect("a valid project")),
            options: AnalysisOptions {
                applies_likely,
                ..AnalysisOptions::of_phases(phases)
            },
            file: FileInput {
                reported: match is_only {
                    true => Reported::Only(Vec::new()),
                    false => Reported::default(),
                },
                ..file
            },
        }
    })
}

/// Everything that an analysis leads to, as bytes.
fn bytes(analysis: Analysis) -> Vec<u8> {
    match analysis {
        Analysis::Analyzed(analyzed) => {
            let mut bytes = to_protobuf(&analyzed.report);
            bytes.extend(analyzed.canonical.text().as_bytes());
            bytes
        }
        Analysis::Skipped(reason) => reason.into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_same_input_gives_the_same_bytes(input in inputs(), others in prop::collection::vec(inputs(), 0..4)) {
        let direct = bytes(analyze(&input).expect("analyzed"));

        let sent = serde_json::to_vec(&input).expect("serialized");
        let received: AnalysisInput = serde_json::from_slice(&sent).expect("deserialized");
        prop_assert_eq!(&bytes(analyze(&received).expect("analyzed")), &direct);

        let analyzer = Analyzer::new(&input.project).expect("a valid project");
        for other in &others {
            analyzer.analyze(&other.file, &other.options).expect("analyzed");
        }
        let reused = analyzer.analyze(&input.file, &input.options).expect("analyzed");
        prop_assert_eq!(&bytes(reused), &direct);
    }
}

fn report(
    path: &str,
    text: &str,
    file: impl FnOnce(FileInput) -> FileInput,
) -> fixpoint_report::FixReport {
    let input = AnalysisInput {
        project: Arc::default(),
        options: AnalysisOptions::default(),
        file: file(FileInput::new(Snapshot::new(path, text))),
    };
    match analyze(&input).expect("analyzed") {
        Analysis::Analyzed(analyzed) => analyzed.report,
        Analysis::Skipped(reason) => panic!("{path} is skipped: {reason}"),
    }
}

#[test]
fn what_is_not_visible_is_reported_as_not_checked() {
    let text = "load(\":old.bzl\", \"old\")\n\nold()\n";
    let hidden = report("BUILD", text, |file| file);
    assert_eq!(
        hidden.not_checked[0].what,
        "whether symbols loaded from :old.bzl are deprecated"
    );
    let followed = report("BUILD", text, |file| FileInput {
        loads: Loads::Followed([(":old.bzl".to_owned(), ["old".to_owned()].into())].into()),
        ..file
    });
    assert!(followed.not_checked.is_empty());
    assert!(
        followed
            .diagnostics
            .iter()
            .any(|it| it.rule == "deprecated-function")
    );

    let text = "{ \"$schema\": \"schema.json\" }\n";
    let hidden = report("a.json", text, |file| file);
    assert_eq!(
        hidden.not_checked[0].what,
        "the schema schema.json that the document names"
    );
    // A file that is known to be absent is a finding, not a gap.
    let absent = report("a.json", text, |file| FileInput {
        schemas: Arc::new([("schema.json".to_owned(), FileText::Absent)].into()),
        ..file
    });
    assert!(absent.not_checked.is_empty());
    assert!(
        absent
            .diagnostics
            .iter()
            .any(|it| it.rule == "schema-unresolved")
    );
}
