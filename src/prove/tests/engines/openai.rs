//! The `openai` engine: the shape of its requests, retries, and that the key stays secret.

use std::time::Duration;

use fixpoint_prove::engine::openai::OpenAiEngine;
use fixpoint_prove::engine::{Engine, EngineError, Plan};
use serde_json::{Value, json};

use crate::fake::{FakePause, FakeServer, HttpReply, config, edit_context};

const KEY: &str = "sk-very-secret";

/// Calls `plan` once, with up to three retries.
fn plan(replies: Vec<HttpReply>, random: f64) -> (Result<Plan, EngineError>, Vec<Duration>, usize) {
    let server = FakeServer::new(replies);
    let mut config = config();
    config.openai.base_url = server.url.clone();
    config.openai.max_retries = 3;
    let pause = FakePause {
        random,
        ..FakePause::default()
    };
    let mut engine = OpenAiEngine::new(&config, Some(KEY.into()), pause.clone()).unwrap();
    let result = engine.plan(&edit_context());
    let slept = pause.slept.borrow().clone();
    (result, slept, server.requests().len())
}

fn good() -> HttpReply {
    HttpReply::completion("{\"hypothesis\": \"x\", \"focus_files\": []}")
}

// E-74
#[test]
fn the_request_has_a_schema_and_the_data() {
    let server = FakeServer::new(vec![good(), good()]);
    for base in [server.url.clone(), format!("{}/v1", server.url)] {
        let mut config = config();
        config.openai.base_url = base;
        config.openai.model = "some-model".into();
        let pause = FakePause::default();
        let mut engine = OpenAiEngine::new(&config, Some(KEY.into()), pause).unwrap();
        engine.plan(&edit_context()).unwrap();
        let usage = &engine.usage()[0];
        assert_eq!(
            (usage.call.as_str(), usage.model.as_str()),
            ("plan", "some-model")
        );
        assert_eq!(
            (
                usage.prompt_tokens,
                usage.completion_tokens,
                usage.total_tokens
            ),
            (7, 3, 10)
        );
    }
    for request in server.requests() {
        assert!(
            request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
            "{request}"
        );
        assert!(
            request
                .to_lowercase()
                .contains(&format!("authorization: bearer {KEY}"))
        );
        let body: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert_eq!(body["model"], "some-model");
        assert_eq!(body["messages"][0]["role"], "system");
        let user = body["messages"][1]["content"].as_str().unwrap();
        assert!(
            user.contains("1 failed") && user.contains("tests/test_a.py"),
            "{user}"
        );
        assert!(!user.contains(KEY));
        let schema = &body["response_format"]["json_schema"];
        assert_eq!(body["response_format"]["type"], "json_schema");
        assert_eq!(schema["strict"], true);
        assert_eq!(
            schema["schema"]["required"],
            json!(["hypothesis", "focus_files"])
        );
        assert_eq!(schema["schema"]["additionalProperties"], false);
    }
}

// E-100
#[test]
fn failures_of_the_server_are_retried_with_backoff() {
    let busy = || HttpReply::new(503, "busy");
    let (result, slept, requests) = plan(vec![busy(), busy(), busy(), good()], 0.0);
    result.unwrap();
    let millis = |values: [u64; 3]| values.map(Duration::from_millis).to_vec();
    assert_eq!(slept, millis([500, 1000, 2000]));
    assert_eq!(requests, 4);
    let (result, slept, _) = plan(vec![busy(), busy(), busy(), busy(), good()], 1.0);
    assert_eq!(slept, millis([250, 500, 1000]));
    assert!(matches!(
        result,
        Err(EngineError::Status { status: 503, .. })
    ));
}

// E-100
#[test]
fn retry_after_is_honoured() {
    let limited = |name, value: &str| HttpReply::new(429, "slow down").header(name, value);
    let (result, slept, _) = plan(
        vec![
            limited("retry-after", "7"),
            limited("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"),
            limited("retry-after-ms", "1500"),
            good(),
        ],
        0.0,
    );
    result.unwrap();
    assert_eq!(slept, [7000, 7000, 1500].map(Duration::from_millis));
    let (result, slept, requests) = plan(vec![limited("retry-after", "3600"), good()], 0.0);
    assert!(
        matches!(result, Err(EngineError::RateLimited(_))),
        "{result:?}"
    );
    assert!(slept.is_empty());
    assert_eq!(requests, 1);
}

#[test]
fn other_statuses_are_final_and_the_key_stays_secret() {
    let message = json!({ "error": { "message": format!("Incorrect key: {KEY}") } }).to_string();
    let (result, slept, _) = plan(vec![HttpReply::new(401, message), good()], 0.0);
    let error = result.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server answered with status 401: Incorrect key: ***"
    );
    assert!(slept.is_empty());
    let (result, _, _) = plan(
        vec![HttpReply::new(400, format!("echo {KEY}")), good()],
        0.0,
    );
    assert!(!format!("{:?}", result.unwrap_err()).contains(KEY));
}

#[test]
fn redirects_are_not_followed() {
    let other = FakeServer::new(vec![good()]);
    let moved = HttpReply::new(302, "").header("location", other.url.clone());
    let (result, _, _) = plan(vec![moved], 0.0);
    assert!(
        matches!(result, Err(EngineError::Status { status: 302, .. })),
        "{result:?}"
    );
    assert!(other.requests().is_empty());
}

#[test]
fn refusals_and_truncated_answers_are_errors() {
    for choice in [
        json!({ "finish_reason": "length", "message": { "content": "{\"hypo" } }),
        json!({ "finish_reason": "stop", "message": { "refusal": "no", "content": null } }),
        json!({ "finish_reason": "content_filter", "message": {} }),
        json!({ "message": {} }),
    ] {
        let body = json!({ "choices": [choice] }).to_string();
        let (result, _, _) = plan(vec![HttpReply::new(200, body)], 0.0);
        assert!(
            matches!(result, Err(EngineError::NoAnswer { .. })),
            "{result:?}"
        );
    }
    let (result, _, _) = plan(vec![HttpReply::new(200, "{}")], 0.0);
    assert!(
        matches!(result, Err(EngineError::Missing { .. })),
        "{result:?}"
    );
}

#[test]
fn a_key_is_required() {
    for key in [None, Some(String::new()), Some("a\nb".to_owned())] {
        let error = OpenAiEngine::new(&config(), key, FakePause::default());
        let message = error.err().unwrap().to_string();
        assert!(message.contains("OPENAI_API_KEY"), "{message}");
    }
}
