//! The defaults of all settings.

use super::{
    BudgetConfig, ClaudeConfig, CommandsConfig, DiffConfig, Network, OpenAiConfig, PathsConfig,
    SecurityConfig, TestConfig,
};

/// Globs that stay protected whatever `paths.protect` contains: a patch may not change the rules by
/// which it is judged.
pub const ALWAYS_PROTECTED: &[&str] = &[".fixpoint/**", "**/.efix.yml", "**/.efix.yaml"];

/// The default of `paths.protect`: files that decide which tests run, how they run, and with which
/// dependencies. A manifest such as `package.json` is protected because its scripts are the test
/// command. A configuration that lists `paths.protect` replaces this list.
pub const DEFAULT_PROTECTED: &[&str] = &[
    // Continuous integration.
    ".github/**",
    ".gitlab-ci.yml",
    ".gitlab/**",
    ".circleci/**",
    ".buildkite/**",
    ".travis.yml",
    ".drone.yml",
    "appveyor.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    // Git and the environment of a shell.
    "**/.gitattributes",
    "**/.gitmodules",
    "**/.env",
    "**/.env.*",
    "**/.envrc",
    "**/.pre-commit-config.yaml",
    // Python.
    "**/conftest.py",
    "**/sitecustomize.py",
    "**/usercustomize.py",
    "**/*.pth",
    "**/pytest.ini",
    "**/.pytest.ini",
    "**/pytest.toml",
    "**/.pytest.toml",
    "**/pyproject.toml",
    "**/setup.cfg",
    "**/tox.ini",
    "**/tox.toml",
    "**/noxfile.py",
    "**/.coveragerc",
    "**/.python-version",
    // JavaScript and TypeScript.
    "**/package.json",
    "**/.npmrc",
    "**/.yarnrc",
    "**/.yarnrc.yml",
    "**/.pnpmfile.cjs",
    "**/pnpm-workspace.yaml",
    "**/{jest,vitest,vite,ava,babel,karma,playwright,cypress,wdio}.{config,conf,setup}.*",
    "**/vitest.workspace.*",
    "**/.babelrc*",
    "**/.mocharc*",
    "**/mocha.opts",
    "**/.{nyc,c8,swc}rc*",
    "**/setupTests.*",
    "**/bunfig.toml",
    "**/deno.{json,jsonc}",
    "**/.nvmrc",
    "**/.node-version",
    // Rust. A build script runs before every test.
    "**/Cargo.toml",
    "**/build.rs",
    "**/.cargo/**",
    "**/.config/nextest.toml",
    "**/rust-toolchain",
    "**/rust-toolchain.toml",
    // Go, Java and others.
    "**/go.mod",
    "**/go.work",
    "**/pom.xml",
    "**/.mvn/**",
    "**/META-INF/services/**",
    "**/junit-platform.properties",
    "**/{build,settings}.gradle",
    "**/{build,settings}.gradle.kts",
    "**/gradle.properties",
    "**/Makefile",
    "**/GNUmakefile",
    "**/justfile",
    "**/.tool-versions",
    // Bazel. BUILD files are not in the list, because they are ordinary sources of a fix.
    "**/.bazelrc",
    "**/*.bazelrc",
    "**/.bazelversion",
    "**/.bazeliskrc",
    "**/.bazelignore",
    "**/REPO.bazel",
    "**/MODULE.bazel",
    "**/WORKSPACE",
    "**/WORKSPACE.bazel",
    "tools/bazel",
    "fixpoint.toml",
    // Lock files.
    "**/Cargo.lock",
    "**/package-lock.json",
    "**/npm-shrinkwrap.json",
    "**/yarn.lock",
    "**/pnpm-lock.yaml",
    "**/bun.lock",
    "**/bun.lockb",
    "**/poetry.lock",
    "**/uv.lock",
    "**/pdm.lock",
    "**/Pipfile.lock",
    "**/go.sum",
    "**/go.work.sum",
    "**/gradle.lockfile",
    "**/Gemfile.lock",
    "**/composer.lock",
    "**/MODULE.bazel.lock",
];

fn texts(items: &[&str]) -> Vec<String> {
    items.iter().map(|&item| item.to_owned()).collect()
}

impl Default for OpenAiConfig {
    fn default() -> Self {
        Self {
            model: "gpt-4.1-mini".into(),
            api_key_env: "OPENAI_API_KEY".into(),
            timeout_ms: 120_000,
            max_retries: 2,
            base_url: "https://api.openai.com".into(),
        }
    }
}

impl Default for ClaudeConfig {
    fn default() -> Self {
        Self {
            argv: texts(&["claude"]),
        }
    }
}

impl Default for TestConfig {
    fn default() -> Self {
        Self {
            required: true,
            required_suites: Vec::new(),
        }
    }
}

impl Default for DiffConfig {
    fn default() -> Self {
        Self {
            max_files: 8,
            max_loc: 300,
            hard_max_files: 40,
            hard_max_loc: 2000,
        }
    }
}

impl Default for CommandsConfig {
    fn default() -> Self {
        Self {
            allow: texts(&[
                "node", "npm", "npx", "pnpm", "yarn", "pytest", "bazel", "bazelisk", "cargo", "go",
                "python", "python3", "mvn", "fixpoint",
            ]),
            timeout_ms: 600_000,
        }
    }
}

impl Default for SecurityConfig {
    fn default() -> Self {
        Self {
            network: Network::Deny,
            redact: texts(&["GITHUB_TOKEN", "OPENAI_API_KEY"]),
            require_sandbox: false,
        }
    }
}

impl Default for PathsConfig {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            protect: texts(DEFAULT_PROTECTED),
            allow_mode_changes: false,
        }
    }
}

impl Default for BudgetConfig {
    fn default() -> Self {
        Self { candidates: 20 }
    }
}
