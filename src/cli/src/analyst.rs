//! Analyzes one text or file, with the settings, schemas and modules that this needs.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use fixpoint_engine::{Config, Policy, Reported};
use fixpoint_format::SourceLanguage;
use fixpoint_lint::Deprecated;
use fixpoint_report::{FixReport, NotChecked};
use fixpoint_starlark::{FileKind, parse_nodes};
use fixpoint_text::Snapshot;
use fixpoint_validate::Library;
use fixpoint_workspace::Workspace;

use crate::args::{Arguments, PolicyOptions};
use crate::documents::{Assigned, Documents, Source, Texts};
use crate::failure::Failure;
use crate::isolate::{
    Handed, HandedModules, ISOLATION_SIZE, ReportedInput, TextTask, analyze_isolated,
};
use crate::loads::Loads;
use crate::modules::ModuleSource;
use crate::pipeline::{Phases, Settings, analyze_guarded};
use crate::session::{Session, parse_config};
use crate::survey::{Surveyed, surveyed};

/// Everything that is needed to analyze a text.
pub(crate) struct Analyst {
    config: Arc<Config>,
    config_text: Arc<str>,
    documents: Arc<Documents>,
    modules: Arc<ModuleSource>,
    loads: Loads,
    pub(crate) options: PolicyOptions,
    policy: Policy,
    pub(crate) wanted: Phases,
    time_limit: Duration,
    /// Whether this process is a helper, which may be killed at any time.
    is_helper: bool,
}

impl Analyst {
    pub(crate) fn of(session: &Session, arguments: &Arguments, options: &PolicyOptions) -> Self {
        let time_limit = Duration::from_secs(arguments.time_limit);
        Self::of_session(session, options, time_limit)
    }

    /// For the files of a workspace.
    pub(crate) fn of_session(
        session: &Session,
        options: &PolicyOptions,
        time_limit: Duration,
    ) -> Self {
        Self {
            config: Arc::clone(&session.config),
            config_text: Arc::clone(&session.config_text),
            documents: Arc::clone(&session.documents),
            modules: Arc::clone(&session.modules),
            loads: Loads::of(Arc::clone(&session.workspace)),
            options: options.clone(),
            policy: options.policy(),
            wanted: Phases::All,
            time_limit,
            is_helper: false,
        }
    }

    /// Sees what a Bazel action sees: only the files that the settings name.
    pub(crate) fn as_action(session: &Session, time_limit: Duration) -> Result<Self, Failure> {
        let assigned = session.documents.assigned();
        let source = Source::Workspace(Arc::clone(&session.workspace));
        let named = Documents::open(&session.config, &session.config_text, source, assigned)?;
        let analyst = Self::with_config(&session.config_text, named.texts(), assigned, time_limit)?;
        Ok(Self {
            modules: Arc::clone(&session.modules),
            ..analyst
        })
    }

    /// The same in a helper process.
    pub(crate) fn helping(self) -> Self {
        Self {
            is_helper: true,
            ..self
        }
    }

    /// In a helper: for one text and its inputs.
    pub(crate) fn of_parts(
        (config, config_text): (Arc<Config>, Arc<str>),
        (documents, modules): (Documents, ModuleSource),
        loads: Loads,
        (options, wanted): (&PolicyOptions, Phases),
    ) -> Self {
        Self {
            config,
            config_text,
            documents: Arc::new(documents),
            modules: Arc::new(modules),
            loads,
            options: options.clone(),
            policy: options.policy(),
            wanted,
            time_limit: Duration::MAX,
            is_helper: true,
        }
    }

    /// With the default policy, the configuration in `config_text`, the available files that it may
    /// name, and the schemas `assigned` to documents. Files that Starlark loads are not included.
    pub(crate) fn with_config(
        config_text: &str,
        files: Texts,
        assigned: &[Assigned],
        time_limit: Duration,
    ) -> Result<Self, Failure> {
        let options = PolicyOptions::default();
        let config = Arc::new(parse_config(config_text)?);
        let config_text: Arc<str> = config_text.into();
        let source = Source::Handed(files);
        let documents =
            Documents::open_within(time_limit, &config, &config_text, source, assigned)?;
        Ok(Self {
            config,
            config_text,
            documents: Arc::new(documents),
            modules: Arc::new(ModuleSource::unknown()),
            loads: Loads::Unseen,
            policy: options.policy(),
            options,
            wanted: Phases::All,
            time_limit,
            is_helper: false,
        })
    }

    /// The same for some of the phases.
    pub(crate) fn wanting(self, wanted: Phases) -> Self {
        Self { wanted, ..self }
    }

    /// With these Clank modules.
    pub(crate) fn with_modules(mut self, modules: ModuleSource) -> Self {
        self.modules = Arc::new(modules);
        self
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Analyzes a file of the workspace, unless its name excludes it.
    pub(crate) fn look_at(&self, workspace: &Workspace, path: &str) -> Seen {
        let known = match self.wanted {
            Phases::Validation => Some(Library::reads(path)),
            _ => SourceLanguage::by_name(path, &self.config),
        };
        if known == Some(false) {
            let reason = match self.wanted {
                Phases::Validation => "it is not JSON, YAML or TOML",
                _ => SourceLanguage::reason_to_skip(path, ""),
            };
            return Seen::Unknown(reason.into());
        }
        match workspace.read(path) {
            Ok(snapshot) => self.look(snapshot),
            // The first line of a file that is not text cannot be a shebang.
            Err(error) if known.is_none() && error.is_about_content() => {
                Seen::Unknown(SourceLanguage::reason_to_skip(path, "").into())
            }
            Err(error) => Seen::Unread {
                message: error.to_string(),
                is_about_content: error.is_about_content(),
            },
        }
    }

    pub(crate) fn look(&self, snapshot: Snapshot) -> Seen {
        self.look_with(&snapshot, &Reported::default())
    }

    /// Applies the fixes of stored reports before those that are found in the text.
    pub(crate) fn look_with(&self, snapshot: &Snapshot, reported: &Reported) -> Seen {
        let seen = if !self.is_helper && snapshot.text().len() > ISOLATION_SIZE {
            self.look_isolated(snapshot, reported)
        } else {
            self.look_here(snapshot, reported)
        };
        let Seen::Report(file) = seen else {
            return seen;
        };
        let report = FixReport {
            not_checked: self.not_checked(snapshot),
            ..file.report
        };
        Seen::Report(Box::new(surveyed(report, snapshot.clone())))
    }

    fn look_here(&self, snapshot: &Snapshot, reported: &Reported) -> Seen {
        let settings = Settings {
            config: &self.config,
            documents: &self.documents,
            modules: &self.modules,
            loads: &self.loads,
            reported,
        };
        match analyze_guarded(snapshot, settings, &self.policy, self.wanted) {
            Ok(None) if self.wanted == Phases::Validation => {
                Seen::Unknown("no schema and no rule is for it".into())
            }
            Ok(None) => Seen::Unknown(
                SourceLanguage::reason_to_skip(snapshot.path(), snapshot.text()).into(),
            ),
            Ok(Some(run)) => Seen::Report(Box::new(surveyed(run.report, snapshot.clone()))),
            Err(reason) => Seen::Failed(reason),
        }
    }

    /// Analyzes a text in a separate process.
    fn look_isolated(&self, snapshot: &Snapshot, reported: &Reported) -> Seen {
        // Loads the schemas of this text, so that `texts` includes them.
        let _ = self.documents.checks(snapshot, &self.config);
        let task = TextTask {
            path: snapshot.path().to_owned(),
            wanted: self.wanted,
            options: self.options.clone(),
            handed: Handed {
                deprecated: self.deprecated(snapshot),
                reported: ReportedInput::of(reported),
                config: self.config_text.to_string(),
                files: self.documents.texts(),
                assigned: self.documents.assigned_to(snapshot.path()),
                modules: HandedModules::of(&self.modules, snapshot),
            },
        };
        analyze_isolated(task, snapshot.text(), self.time_limit)
    }
}

impl Analyst {
    /// The deprecated symbols among those that a Starlark text loads.
    fn deprecated(&self, snapshot: &Snapshot) -> Deprecated {
        match FileKind::from_path(snapshot.path()) {
            Some(_) => self
                .loads
                .deprecated(snapshot.path(), &parse_nodes(snapshot.text())),
            None => Deprecated::new(),
        }
    }
}

impl Analyst {
    /// The checks of a text that need files which are not available.
    fn not_checked(&self, snapshot: &Snapshot) -> Vec<NotChecked> {
        let loads = match FileKind::from_path(snapshot.path()) {
            Some(_) if matches!(self.loads, Loads::Unseen) => {
                self.loads.unseen(&parse_nodes(snapshot.text()))
            }
            _ => Vec::new(),
        };
        let loads = loads.into_iter().map(|label| NotChecked {
            what: format!("whether symbols loaded from {label} are deprecated"),
            why: "an action does not see the files that its sources load".to_owned(),
        });
        let schema = self.documents.unseen(snapshot).map(|written| NotChecked {
            what: format!("the schema {written} that the document names"),
            why: "an action sees only the schemas that fixpoint.toml or a target names".to_owned(),
        });
        loads.chain(schema).collect()
    }
}

pub(crate) enum Seen {
    Report(Box<Surveyed>),
    /// Nothing in the file can be checked, and why.
    Unknown(Cow<'static, str>),
    Unread {
        message: String,
        /// Whether the file can be read, but is not text that Fixpoint analyzes.
        is_about_content: bool,
    },
    Failed(String),
}
