//! A repository, a home and a runner for tests of the sandbox.
#![allow(dead_code, reason = "every test program uses a part of this")]
#![allow(
    clippy::print_stdout,
    reason = "a test reads what another process prints"
)]
#![allow(
    unsafe_code,
    reason = "a function that runs before `main` needs an unsafe attribute"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fixpoint_prove::runner::{RunOutcome, RunRequest, Runner, RunnerConfig};

pub struct Fixture {
    /// Removes the files at the end.
    _folder: tempfile::TempDir,
    pub root: PathBuf,
    /// The user's repository.
    pub repository: PathBuf,
    /// The scratch copy.
    pub tree: PathBuf,
    pub home: PathBuf,
    pub results: PathBuf,
    pub config: RunnerConfig,
    pub variables: BTreeMap<String, String>,
}

/// Every test program is also the helper.
// SAFETY: the C library calls each entry of this section before `main`, after the standard library has
// stored the arguments. The function takes no arguments and does not unwind.
#[used]
#[unsafe(link_section = ".init_array")]
static ENTER: extern "C" fn() = enter;

extern "C" fn enter() {
    fixpoint_prove::sandbox::enter_if_requested();
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(RUN_ARGUMENT) {
        let folder = arguments.next().unwrap_or_default();
        let script = arguments.next().unwrap_or_default();
        let outcome = Fixture::in_folder(Path::new(&folder)).shell(&script);
        println!("{:?}", outcome.layers);
        println!("{:?}", outcome.stdout.text);
        println!("{}", outcome.stderr.text);
    }
}

/// Makes a test program run a script in the sandbox and print the outcome: `__run FOLDER SCRIPT`.
pub const RUN_ARGUMENT: &str = "__run";

/// The number of processes whose command line or environment contains the text.
pub fn processes(text: &str) -> usize {
    let contains = |file: PathBuf| {
        std::fs::read(file).is_ok_and(|bytes| {
            String::from_utf8_lossy(&bytes)
                .replace('\0', " ")
                .contains(text)
        })
    };
    std::fs::read_dir("/proc")
        .expect("processes")
        .flatten()
        .filter(|entry| entry.path().join("fd").exists())
        .filter(|entry| {
            contains(entry.path().join("cmdline")) || contains(entry.path().join("environ"))
        })
        .count()
}

impl Fixture {
    /// Everything is below a folder outside `/tmp`, so that the private `/tmp` does not hide it.
    pub fn new() -> Self {
        Self::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    pub fn in_folder(parent: &Path) -> Self {
        let folder = tempfile::tempdir_in(parent).expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        let path = |name: &str| {
            let path = root.join(name);
            std::fs::create_dir_all(&path).expect("a folder");
            path
        };
        let fixture = Self {
            repository: path("repository"),
            tree: path("scratch/tree"),
            home: path("home"),
            results: path("scratch/results"),
            config: RunnerConfig {
                helper: std::env::current_exe().expect("a test program"),
                ..RunnerConfig::new(path("scratch/state"))
            },
            variables: BTreeMap::from([
                ("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned()),
                ("HOME".to_owned(), root.join("home").display().to_string()),
            ]),
            root,
            _folder: folder,
        };
        for tree in [&fixture.repository, &fixture.tree] {
            std::fs::create_dir(tree.join("src")).expect("a folder");
            std::fs::write(tree.join("src/a.txt"), "user\n").expect("a file");
        }
        std::fs::write(fixture.tree.join("src/a.txt"), "scratch\n").expect("a file");
        fixture
    }

    pub fn runner(&self) -> Runner {
        Runner::new(self.config.clone(), self.variables.clone().into_iter()).expect("a runner")
    }

    pub fn request(&self, argv: &[&str]) -> RunRequest {
        RunRequest {
            results: Some(self.results.clone()),
            ..RunRequest::new(
                argv.iter().map(|&word| word.to_owned()).collect(),
                self.tree.clone(),
                self.repository.clone(),
                Duration::from_secs(60),
            )
        }
    }

    pub fn run(&self, argv: &[&str]) -> RunOutcome {
        self.runner().run(&self.request(argv)).expect("a run")
    }

    pub fn shell(&self, script: &str) -> RunOutcome {
        self.run(&["sh", "-c", script])
    }

    /// All files below the fixture with their contents, except the results.
    pub fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path == self.results {
                    continue;
                }
                if path.symlink_metadata().expect("metadata").is_dir() {
                    folders.push(path.clone());
                    files.insert(path, Vec::new());
                } else {
                    let bytes = std::fs::read(&path).unwrap_or_default();
                    files.insert(path, bytes);
                }
            }
        }
        files
    }
}
