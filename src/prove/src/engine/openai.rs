//! The `openai` engine: chat completions with a JSON schema, over HTTP.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::Engine;
use super::context::Request;
use super::error::{EngineError, MAX_MESSAGE};
use super::prompts::Prompt;
use super::response::{Answer, TokenUsage, envelope};
use super::spawn::MAX_OUTPUT;
use crate::config::{OpenAiConfig, ProveConfig};

/// The first delay between attempts; each further one is twice as long, up to the longest.
const FIRST_DELAY: Duration = Duration::from_millis(500);
const LONGEST_DELAY: Duration = Duration::from_secs(30);

/// If the server asks for a longer wait, the call fails.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(120);

/// Time and chance, which tests replace.
pub trait Pause {
    fn sleep(&mut self, duration: Duration);
    /// A number from 0 to 1.
    fn random(&mut self) -> f64;
    fn now(&self) -> SystemTime;
}

/// The real clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemPause;

impl Pause for SystemPause {
    fn sleep(&mut self, duration: Duration) {
        std::thread::sleep(duration);
    }

    fn random(&mut self) -> f64 {
        // Without random numbers the delay has no jitter, which is still correct.
        let random = getrandom::u32().unwrap_or(u32::MAX);
        f64::from(random) / f64::from(u32::MAX)
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// Calls a server that speaks the chat completions protocol.
pub struct OpenAiEngine<P> {
    config: OpenAiConfig,
    key: String,
    agent: ureq::Agent,
    pause: P,
    usage: Vec<TokenUsage>,
}

/// Whether another attempt may help, and when.
enum Failure {
    Final(EngineError),
    Retry(EngineError, Option<Duration>),
}

impl<P: Pause> OpenAiEngine<P> {
    /// `key` is the value of the variable `openai.api_key_env`, which the caller reads.
    pub fn new(config: &ProveConfig, key: Option<String>, pause: P) -> Result<Self, EngineError> {
        let config = config.openai.clone();
        let usable = |key: &String| !key.is_empty() && key.bytes().all(|b| b.is_ascii_graphic());
        let key = key.map(|key| key.trim().to_owned()).filter(usable);
        let key = key.ok_or_else(|| EngineError::NotConfigured {
            engine: "openai",
            reason: format!(
                "the environment variable {} has no usable key",
                config.api_key_env
            ),
        })?;
        let mut builder = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_millis(config.timeout_ms)))
            .http_status_as_error(false)
            // A redirect could send the request to another host.
            .max_redirects(0)
            .max_redirects_will_error(false);
        if is_loopback(&config.base_url) {
            builder = builder.proxy(None);
        }
        Ok(Self {
            agent: builder.build().new_agent(),
            config,
            key,
            pause,
            usage: Vec::new(),
        })
    }

    fn url(&self) -> String {
        let base = self.config.base_url.trim_end_matches('/');
        let version = if base.ends_with("/v1") { "" } else { "/v1" };
        format!("{base}{version}/chat/completions")
    }

    fn call(&mut self, prompt: &Prompt) -> Result<Answer, EngineError> {
        let body = json!({
            "model": self.config.model,
            "messages": [
                { "role": "system", "content": prompt.system },
                { "role": "user", "content": prompt.user },
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": { "name": prompt.call, "strict": true, "schema": prompt.schema },
            },
        })
        .to_string();
        let mut attempt = 0;
        loop {
            let (error, wait) = match self.request(&body) {
                Ok(response) => return self.answer(prompt.call, &response),
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Retry(error, wait)) => (error, wait),
            };
            if attempt >= self.config.max_retries {
                return Err(error);
            }
            let delay = match wait {
                Some(wait) if wait > LONGEST_RETRY_AFTER => {
                    return Err(EngineError::RateLimited(wait));
                }
                Some(wait) => wait,
                None => self.backoff(attempt),
            };
            self.pause.sleep(delay);
            attempt += 1;
        }
    }

    /// Exponential backoff; the jitter takes off up to a half.
    fn backoff(&mut self, attempt: u32) -> Duration {
        let factor = 2_u32.saturating_pow(attempt);
        let delay = FIRST_DELAY.saturating_mul(factor).min(LONGEST_DELAY);
        delay.mul_f64(1.0 - self.pause.random().clamp(0.0, 1.0) / 2.0)
    }

    fn request(&self, body: &str) -> Result<Vec<u8>, Failure> {
        let sent = self
            .agent
            .post(self.url())
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
            .send(body);
        let mut response = sent.map_err(|error| self.transport(&error))?;
        let status = response.status().as_u16();
        let header = |name: &str| {
            let value = response.headers().get(name)?;
            value.to_str().ok().map(str::trim).map(str::to_owned)
        };
        let wait = header("retry-after-ms")
            .and_then(|text| text.parse().ok().map(Duration::from_millis))
            .or_else(|| retry_after(&header("retry-after")?, self.pause.now()));
        let bytes = response
            .body_mut()
            .with_config()
            .limit(MAX_OUTPUT as u64)
            .read_to_vec()
            .map_err(|error| self.transport(&error))?;
        if status == 200 {
            return Ok(bytes);
        }
        let error = EngineError::Status {
            status,
            message: self.message(&bytes),
        };
        match status {
            408 | 409 | 425 | 429 | 500..=599 => Err(Failure::Retry(error, wait)),
            _ => Err(Failure::Final(error)),
        }
    }

    fn transport(&self, error: &ureq::Error) -> Failure {
        match error {
            ureq::Error::Timeout(_) => {
                let timeout = Duration::from_millis(self.config.timeout_ms);
                Failure::Retry(EngineError::Timeout(timeout), None)
            }
            ureq::Error::BodyExceedsLimit(_) => {
                Failure::Final(EngineError::TooLarge { limit: MAX_OUTPUT })
            }
            ureq::Error::Io(_) | ureq::Error::ConnectionFailed | ureq::Error::Protocol(_) => {
                Failure::Retry(self.failed(error), None)
            }
            _ => Failure::Final(self.failed(error)),
        }
    }

    fn failed(&self, error: &ureq::Error) -> EngineError {
        EngineError::Transport {
            reason: self.without_key(&error.to_string()),
        }
    }

    fn without_key(&self, text: &str) -> String {
        text.replace(&self.key, "***")
    }

    /// The server's message: `error.message` of its JSON, or the start of the text.
    fn message(&self, bytes: &[u8]) -> String {
        let json: Option<Value> = serde_json::from_slice(bytes).ok();
        let message = json
            .as_ref()
            .and_then(|json| json.pointer("/error/message")?.as_str());
        let text = String::from_utf8_lossy(bytes);
        let message = self.without_key(message.unwrap_or(&text));
        message.chars().take(MAX_MESSAGE).collect()
    }

    fn answer(&mut self, call: &str, bytes: &[u8]) -> Result<Answer, EngineError> {
        let json = envelope(bytes)?;
        let names = ["prompt_tokens", "completion_tokens"];
        self.usage
            .extend(TokenUsage::of(call, &self.config.model, &json, names));
        let choice = json.pointer("/choices/0").ok_or(EngineError::Missing {
            fields: vec!["choices"],
        })?;
        let no_answer = EngineError::no_answer;
        match choice.get("finish_reason").and_then(Value::as_str) {
            Some("length") => return Err(no_answer("the answer is cut off")),
            Some("content_filter") => return Err(no_answer("a content filter removed the answer")),
            _ => {}
        }
        if let Some(refusal) = choice.pointer("/message/refusal").and_then(Value::as_str) {
            return Err(no_answer(refusal));
        }
        let content = choice.pointer("/message/content").and_then(Value::as_str);
        Answer::parse_answer(content.ok_or_else(|| no_answer("the message has no content"))?)
    }
}

fn is_loopback(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| {
        host.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    })
}

/// The wait that a `Retry-After` header asks for: seconds, or a date.
fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    let until = UNIX_EPOCH + Duration::from_secs(http_date(text)?);
    Some(until.duration_since(now).unwrap_or_default())
}

/// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
fn http_date(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, date) = text.split_once(", ")?;
    let words: Vec<&str> = date.split(' ').collect();
    let [day, month, year, time, "GMT"] = words[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)? as u64;
    let day: u64 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    let year: u64 = year
        .parse()
        .ok()
        .filter(|year| (1970..=9999).contains(year))?;
    let mut clock = time
        .split(':')
        .map(|part| part.parse::<u64>().ok().filter(|it| *it < 61));
    let (hours, minutes, seconds) = (clock.next()??, clock.next()??, clock.next()??);
    // Days of the civil calendar, with years that start in March.
    let shifted = if month < 2 { year - 1 } else { year };
    let month = (month + 10) % 12;
    let leap_days = shifted / 4 - shifted / 100 + shifted / 400;
    let days =
        (365 * shifted + leap_days + (month * 153 + 2) / 5 + day - 1).checked_sub(719_468)?;
    Some(days * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

impl<P: Pause> Engine for OpenAiEngine<P> {
    fn name(&self) -> &str {
        "openai"
    }

    fn ask(&mut self, request: &Request<'_>) -> Result<Answer, EngineError> {
        self.call(&Prompt::of(request))
    }

    fn usage(&self) -> &[TokenUsage] {
        &self.usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_retry_after() {
        assert_eq!(http_date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(
            http_date("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(784_111_777)
        );
        assert_eq!(
            http_date("Tue, 29 Feb 2028 12:00:00 GMT"),
            Some(1_835_438_400)
        );
        for text in [
            "",
            "soon",
            "Sun, 06 Nov 1994",
            "Sun, 99 Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(http_date(text), None, "{text}");
        }
        let now = UNIX_EPOCH + Duration::from_secs(784_111_770);
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(retry_after(date, now), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(date, SystemTime::now()), Some(Duration::ZERO));
        assert_eq!(retry_after("3", now), Some(Duration::from_secs(3)));
        assert_eq!(retry_after("-3", now), None);
    }
}
