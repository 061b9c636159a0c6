//! The same cases for the engines `command`, `openai` and `claude`.

use fixpoint_prove::config::{EngineName, ProveConfig};
use fixpoint_prove::engine::claude::ClaudeEngine;
use fixpoint_prove::engine::command::CommandEngine;
use fixpoint_prove::engine::openai::OpenAiEngine;
use fixpoint_prove::engine::{Engine, EngineError, PlainSpawn, Plan, create_engine, propose_patch};
use serde_json::{Value, json};

use crate::fake::{
    FakePause, FakeProgram, FakeServer, GOOD_DIFF, HUGE, HttpReply, Reply, config, edit_context,
    patch_answer, summary_context, verify_context,
};

/// An engine, and what keeps its fake alive.
struct Subject {
    engine: Box<dyn Engine>,
    program: Option<FakeProgram>,
    server: Option<FakeServer>,
}

impl Subject {
    /// The text of the request with this number, from 1.
    fn request(&self, number: usize) -> String {
        match (&self.program, &self.server) {
            (Some(program), _) => program.request(number),
            (_, Some(server)) => server.requests()[number - 1].clone(),
            _ => String::new(),
        }
    }
}

fn envelope(result: &str) -> String {
    let usage = json!({ "input_tokens": 4, "output_tokens": 2 });
    json!({ "type": "result", "is_error": false, "result": result, "usage": usage }).to_string()
}

fn program(replies: &[Reply], wrap: fn(&str) -> String) -> FakeProgram {
    let modes: Vec<(&str, String)> = replies
        .iter()
        .map(|reply| match reply {
            Reply::Answer(json) => ("reply", wrap(&json.to_string())),
            Reply::Text(text) => ("reply", wrap(text)),
            Reply::Huge => ("huge", String::new()),
            Reply::Hang => ("hang", String::new()),
        })
        .collect();
    FakeProgram::new(&modes)
}

fn command(mut config: ProveConfig, replies: &[Reply]) -> Subject {
    let program = program(replies, str::to_owned);
    config.command.argv = program.argv();
    Subject {
        engine: Box::new(CommandEngine::new(&config, PlainSpawn).unwrap()),
        program: Some(program),
        server: None,
    }
}

fn claude(mut config: ProveConfig, replies: &[Reply]) -> Subject {
    let program = program(replies, envelope);
    config.claude.argv = program.argv();
    Subject {
        engine: Box::new(ClaudeEngine::new(&config, PlainSpawn).unwrap()),
        program: Some(program),
        server: None,
    }
}

fn openai(mut config: ProveConfig, replies: &[Reply]) -> Subject {
    let replies = replies.iter().map(|reply| match reply {
        Reply::Answer(json) => HttpReply::completion(&json.to_string()),
        Reply::Text(text) => HttpReply::completion(text),
        Reply::Huge => HttpReply::new(200, "x".repeat(HUGE)),
        Reply::Hang => HttpReply {
            hang: true,
            ..HttpReply::new(200, "")
        },
    });
    let server = FakeServer::new(replies.collect());
    config.openai.base_url = server.url.clone();
    let key = Some("secret-key".to_owned());
    let engine = OpenAiEngine::new(&config, key, FakePause::default()).unwrap();
    Subject {
        engine: Box::new(engine),
        program: None,
        server: Some(server),
    }
}

/// Runs one case with every engine.
fn each(config: ProveConfig, replies: &[Reply], check: impl Fn(&mut Subject)) {
    let engines: [fn(ProveConfig, &[Reply]) -> Subject; 3] = [command, claude, openai];
    for make in engines {
        check(&mut make(config.clone(), replies));
    }
}

fn plan() -> Plan {
    Plan {
        hypothesis: "h".into(),
        focus_files: vec!["src/a.py".into()],
    }
}

fn answers(values: &[Value]) -> Vec<Reply> {
    values.iter().cloned().map(Reply::Answer).collect()
}

// E-07 E-24 E-25 E-32 E-33 E-67 E-72 E-73
#[test]
fn all_four_calls_work() {
    let replies = answers(&[
        json!({ "hypothesis": "minus", "focus_files": ["src/a.py"] }),
        patch_answer(GOOD_DIFF),
        json!({ "summary": "1 of 1 passed" }),
        json!({ "title": " Fix\nadd ", "body": "Body" }),
    ]);
    each(config(), &replies, |subject| {
        let name = subject.engine.name().to_owned();
        let plan = subject.engine.plan(&edit_context()).unwrap();
        assert_eq!(plan.hypothesis, "minus", "{name}");
        assert_eq!(plan.focus_files, ["src/a.py"], "{name}");
        let proposed = propose_patch(subject.engine.as_mut(), &edit_context(), &plan, 2).unwrap();
        assert_eq!(proposed.attempts, 1, "{name}");
        assert_eq!(proposed.response.patch_diff, GOOD_DIFF, "{name}");
        assert_eq!(proposed.response.file_justifications[0].file, "src/a.py");
        assert_eq!(proposed.parsed.changed_files()[0].path, "src/a.py");
        let summary = subject.engine.verify(&verify_context()).unwrap();
        assert_eq!(summary, "1 of 1 passed", "{name}");
        let text = subject.engine.summarize_pr(&summary_context()).unwrap();
        assert_eq!(
            (text.title.as_str(), text.body.as_str()),
            ("Fix add", "Body")
        );
        for (number, expected) in [(1, "1 failed"), (1, "tests/test_a.py"), (2, "text of a")] {
            let request = subject.request(number);
            assert!(request.contains(expected), "{name}: {request}");
        }
        let request = subject.request(4);
        assert!(request.contains("files_changed"), "{name}: {request}");
        assert!(!request.contains("filesChanged"), "{name}: {request}");
    });
}

// E-77
#[test]
fn a_malformed_diff_is_asked_for_again() {
    let fenced = format!("```diff\n{GOOD_DIFF}```");
    for good in [GOOD_DIFF, fenced.as_str(), GOOD_DIFF.trim_end()] {
        let bad = GOOD_DIFF.replace("-1,2", "-1,9");
        let replies = answers(&[patch_answer(&bad), patch_answer(good)]);
        each(config(), &replies, |subject| {
            let proposed =
                propose_patch(subject.engine.as_mut(), &edit_context(), &plan(), 1).unwrap();
            assert_eq!(proposed.attempts, 2);
            assert_eq!(proposed.rejected.len(), 1);
            assert_eq!(proposed.response.patch_diff, GOOD_DIFF);
            let request = subject.request(2);
            assert!(
                request.contains("the hunk has fewer lines than it says"),
                "{request}"
            );
        });
    }
}

#[test]
fn retries_are_bounded() {
    let replies = answers(&[
        patch_answer("no diff"),
        patch_answer(""),
        patch_answer(GOOD_DIFF),
    ]);
    each(config(), &replies, |subject| {
        let error = propose_patch(subject.engine.as_mut(), &edit_context(), &plan(), 1);
        assert!(matches!(error, Err(EngineError::Patch(_))), "{error:?}");
    });
}

#[test]
fn an_answer_that_is_not_json_is_an_error() {
    for text in ["I fixed it!", "[]", "{\"hypothesis\": ", "null"] {
        each(config(), &[Reply::Text(text)], |subject| {
            let error = subject.engine.plan(&edit_context()).unwrap_err();
            assert!(matches!(error, EngineError::NotJson { .. }), "{error}");
        });
    }
}

#[test]
fn huge_output_is_an_error() {
    each(config(), &[Reply::Huge], |subject| {
        let error = subject.engine.plan(&edit_context()).unwrap_err();
        assert!(matches!(error, EngineError::TooLarge { .. }), "{error}");
    });
}

// E-69 E-70
#[test]
fn missing_fields_are_named() {
    let replies = answers(&[json!({ "patch_diff": "d", "root_cause": null, "fix_summary": "f" })]);
    each(config(), &replies, |subject| {
        let error = subject
            .engine
            .apply_edits(&edit_context(), &plan())
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the response lacks root_cause, tests_summary, risk_rollback"
        );
    });
    each(
        config(),
        &answers(&[json!({ "hypothesis": 5 })]),
        |subject| {
            let error = subject.engine.plan(&edit_context()).unwrap_err();
            assert!(
                matches!(
                    error,
                    EngineError::WrongType {
                        field: "hypothesis",
                        ..
                    }
                ),
                "{error}"
            );
        },
    );
    each(config(), &answers(&[json!({ "title": "t" })]), |subject| {
        let error = subject.engine.summarize_pr(&summary_context()).unwrap_err();
        assert_eq!(error.to_string(), "the response lacks body");
    });
}

#[test]
fn no_reply_is_a_timeout() {
    let mut config = config();
    config.openai.max_retries = 0;
    config.openai.timeout_ms = 300;
    config.commands.timeout_ms = 300;
    each(config, &[Reply::Hang], |subject| {
        let error = subject.engine.plan(&edit_context()).unwrap_err();
        assert!(matches!(error, EngineError::Timeout(_)), "{error}");
    });
}

// E-07 E-62 E-68
#[test]
fn the_command_receives_one_versioned_object() {
    let replies = answers(&[patch_answer(GOOD_DIFF)]);
    let mut subject = command(config(), &replies);
    subject
        .engine
        .apply_edits(&edit_context(), &plan())
        .unwrap();
    let request: Value = serde_json::from_str(&subject.request(1)).unwrap();
    assert_eq!(request["version"], 1);
    assert_eq!(request["call"], "apply_edits");
    assert_eq!(request["plan"]["hypothesis"], "h");
    assert_eq!(request["repro_command"], "pytest");
    assert_eq!(request["repro_result"]["exit_code"], 1);
    assert_eq!(request["contents"]["src/a.py"], "text of a");
    assert_eq!(request["policies"]["max_files"], 8);
    assert_eq!(request["files"][0], "src/a.py");
}

#[test]
fn a_program_that_fails_or_does_not_read_is_handled() {
    let mut config = config();
    let program = FakeProgram::new(&[
        ("fail", String::new()),
        ("unread", json!({ "hypothesis": "x" }).to_string()),
    ]);
    config.command.argv = program.argv();
    let mut engine = CommandEngine::new(&config, PlainSpawn).unwrap();
    let mut context = edit_context();
    context.contents.insert("big".into(), "x".repeat(1_000_000));
    let error = engine.plan(&context).unwrap_err().to_string();
    assert!(error.contains("broken") && error.contains('3'), "{error}");
    assert_eq!(engine.plan(&context).unwrap().hypothesis, "x");

    config.command.argv = vec!["/nonexistent/program".into()];
    let mut engine = CommandEngine::new(&config, PlainSpawn).unwrap();
    let error = engine.plan(&context).unwrap_err();
    assert!(matches!(error, EngineError::Start { .. }), "{error}");
    config.command.argv.clear();
    assert!(CommandEngine::new(&config, PlainSpawn).is_err());
}

// E-102
#[test]
fn claude_runs_in_print_mode_and_reports_errors() {
    let failed = json!({ "type": "result", "is_error": true, "result": "Credit is low" });
    let structured = json!({ "result": "", "structured_output": { "hypothesis": "s" } });
    let modes = [
        ("reply", envelope("{\"hypothesis\": \"x\"}")),
        ("reply", failed.to_string()),
        ("reply", structured.to_string()),
    ];
    let program = FakeProgram::new(&modes);
    let mut config = config();
    config.claude.argv = program.argv();
    let mut engine = ClaudeEngine::new(&config, PlainSpawn).unwrap();
    engine.plan(&edit_context()).unwrap();
    assert!(
        program
            .arguments(1)
            .starts_with("-p\n--output-format\njson\n")
    );
    assert_eq!(engine.usage()[0].total_tokens, 6);
    let error = engine.plan(&edit_context()).unwrap_err();
    assert!(error.to_string().contains("Credit is low"), "{error}");
    assert_eq!(engine.plan(&edit_context()).unwrap().hypothesis, "s");
}

// E-43 E-75
#[test]
fn the_configuration_chooses_the_engine() {
    let mut config = config();
    config.command.argv = vec!["x".into()];
    for name in EngineName::ALL {
        config.engine = name;
        let engine = create_engine(&config, PlainSpawn, Some("key".into())).unwrap();
        let expected = (name != EngineName::Fixpoint).then_some(name.as_str());
        assert_eq!(engine.as_ref().map(|engine| engine.name()), expected);
    }
    let default = create_engine(&ProveConfig::default(), PlainSpawn, None);
    assert!(default.unwrap().is_none());
}
