//! The configuration of a proof: `.fixpoint/prove.yml`, `.efix.yml`, or a file named by the user.
//!
//! Keys are snake_case in YAML, and fields are camelCase in the JSON of the evidence. The
//! configuration holds names of environment variables, never their values.

mod defaults;
mod error;
mod read;
mod value;

use std::path::Path;

use fixpoint_workspace::{ReadError, read_text_file};
use serde::{Deserialize, Serialize};

pub use defaults::{ALWAYS_PROTECTED, DEFAULT_PROTECTED};
pub use error::{ConfigError, Reason};

/// The places where a configuration is looked for, in this order, relative to the repository.
pub const CONFIG_FILES: [&str; 2] = [".fixpoint/prove.yml", ".efix.yml"];

/// A larger configuration file is rejected.
pub const MAX_CONFIG_SIZE: u64 = 256 * 1024;

/// The engines that a configuration can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineName {
    #[default]
    Fixpoint,
    Command,
    Openai,
    Claude,
}

impl EngineName {
    pub const ALL: [Self; 4] = [Self::Fixpoint, Self::Command, Self::Openai, Self::Claude];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fixpoint => "fixpoint",
            Self::Command => "command",
            Self::Openai => "openai",
            Self::Claude => "claude",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.as_str() == name)
    }
}

/// Whether commands of the proof may use the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    #[default]
    Deny,
    Allow,
}

/// What happens if a patch looks as if it interferes with the results of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Suspicion {
    /// The patch is rejected.
    #[default]
    Refuse,
    /// The pull request names the suspicion.
    Report,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenAiConfig {
    pub model: String,
    /// The name of the environment variable that holds the key.
    pub api_key_env: String,
    pub timeout_ms: u64,
    /// The number of further attempts after the first one, for failed requests and malformed diffs.
    pub max_retries: u32,
    /// A URL prefix without a trailing slash.
    pub base_url: String,
}

/// A program that an engine starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProgramConfig {
    pub argv: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestConfig {
    pub required: bool,
    /// Commands that must pass. The command policy checks each of them before it runs.
    pub required_suites: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffConfig {
    pub max_files: u64,
    pub max_loc: u64,
    /// The ceiling that a justification cannot lift.
    pub hard_max_files: u64,
    pub hard_max_loc: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommandsConfig {
    pub allow: Vec<String>,
    pub timeout_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SecurityConfig {
    pub network: Network,
    /// Names of environment variables whose values never reach an artifact, a prompt or a log.
    pub redact: Vec<String>,
    /// Whether a sandbox layer that the kernel refuses ends the run.
    pub require_sandbox: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PathsConfig {
    /// If it is not empty, a patch may change only files that match one of these globs.
    pub allow: Vec<String>,
    /// A patch may not change files that match one of these globs.
    pub protect: Vec<String>,
    /// Whether a patch may make an existing file executable, or no longer executable.
    pub allow_mode_changes: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetConfig {
    /// How many candidate fixes are tried.
    pub candidates: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignConfig {
    /// The path of the private key. The key itself is not part of the configuration.
    pub key: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyConfig {
    pub suspicion: Suspicion,
}

/// Every setting of a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProveConfig {
    pub engine: EngineName,
    pub openai: OpenAiConfig,
    pub command: ProgramConfig,
    pub claude: ClaudeConfig,
    /// Commands that prepare a scratch tree, for example `npm ci`.
    pub prepare: Vec<String>,
    pub test: TestConfig,
    pub diff: DiffConfig,
    pub commands: CommandsConfig,
    pub security: SecurityConfig,
    pub paths: PathsConfig,
    pub budget: BudgetConfig,
    pub sign: SignConfig,
    pub policy: PolicyConfig,
}

/// The program of the `claude` engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaudeConfig {
    pub argv: Vec<String>,
}

/// A configuration and the file that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedConfig {
    pub config: ProveConfig,
    /// None if there is no file, so that every setting has its default.
    pub file: Option<String>,
}

impl ProveConfig {
    /// Reads `explicit`, else the first of [`CONFIG_FILES`] that exists in `repo`, else returns the
    /// defaults.
    pub fn load(repo: &Path, explicit: Option<&Path>) -> Result<LoadedConfig, ConfigError> {
        if let Some(path) = explicit {
            let name = path.to_string_lossy().into_owned();
            let text = read_text_file(path, MAX_CONFIG_SIZE)?;
            let config = Self::parse(&name, &text)?;
            return Ok(LoadedConfig {
                config,
                file: Some(name),
            });
        }
        for name in CONFIG_FILES {
            match read_text_file(&repo.join(name), MAX_CONFIG_SIZE) {
                Ok(text) => {
                    let config = Self::parse(name, &text)?;
                    return Ok(LoadedConfig {
                        config,
                        file: Some(name.to_owned()),
                    });
                }
                Err(ReadError::Vanished { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(LoadedConfig {
            config: Self::default(),
            file: None,
        })
    }

    /// Parses the YAML text of the file `file`, which is only named in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        read::parse(file, text)
    }

    /// The settings that decide a verdict, as JSON: all except those of engines and of signatures.
    pub fn decisive(&self) -> serde_json::Value {
        let mut settings = serde_json::to_value(self).unwrap_or_default();
        if let Some(members) = settings.as_object_mut() {
            for key in ["engine", "openai", "command", "claude", "sign"] {
                members.remove(key);
            }
        }
        settings
    }

    /// The names of all environment variables whose values must stay secret: `security.redact` and
    /// the variable of the API key. Sorted, without duplicates.
    pub fn secret_env_names(&self) -> Vec<String> {
        let mut names = self.security.redact.clone();
        names.push(self.openai.api_key_env.clone());
        names.sort();
        names.dedup();
        names
    }
}
