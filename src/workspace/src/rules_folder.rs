//! The folder of learned rules: `{target}/{id}.json` below [`RULES_FOLDER`], or below a folder that a person named.
//!
//! Rules are not sources. Only the commands that curate rules write them, one file at a time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::path::check_relative;
use crate::read::{ReadError, read_unlinked_file};

/// Where the rules of a project are, relative to its root.
pub const RULES_FOLDER: &str = ".fixpoint/rules";

/// The limit for one rule. A rule has a few examples.
const MAX_RULE_SIZE: u64 = 1024 * 1024;
/// The limit for the files of a folder.
const MAX_RULES: usize = 20_000;

#[derive(Clone, Debug)]
pub struct RulesFolder {
    root: PathBuf,
    /// Folders that must not be links, because they can come with a repository.
    own: Vec<PathBuf>,
}

/// A file of the folder. Its path is relative to the folder.
#[derive(Debug)]
pub struct StoredRule {
    pub path: String,
    pub text: Result<String, ReadError>,
}

impl RulesFolder {
    /// The rules of the project at `root`. The folder need not exist.
    pub fn of_project(root: &Path) -> Self {
        let folder = root.join(RULES_FOLDER);
        let own = folder.ancestors().take_while(|it| *it != root);
        Self {
            own: own.map(Path::to_owned).collect(),
            root: folder,
        }
    }

    /// The rules in a folder that a person named. It may be a link.
    pub fn with_root(root: PathBuf) -> Self {
        Self {
            root,
            own: Vec::new(),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the rules for one language.
    pub fn target_dir(&self, target: &str) -> PathBuf {
        self.root.join(target)
    }

    /// All `.json` files one level below the folder, sorted. Links are not followed, and a folder that does not exist
    /// has no rules.
    pub fn read(&self) -> io::Result<Vec<StoredRule>> {
        self.check_folders(&[])?;
        let mut rules = Vec::new();
        for (target, folder) in entries(&self.root)? {
            if !folder.symlink_metadata()?.is_dir() {
                continue;
            }
            for (name, file) in entries(&folder)? {
                if !name.ends_with(".json") {
                    continue;
                }
                if rules.len() == MAX_RULES {
                    let message = format!("more than {MAX_RULES} rules; remove those not used");
                    return Err(io::Error::other(message));
                }
                let text = read_unlinked_file(&file, MAX_RULE_SIZE)
                    .and_then(|bytes| text_of(&file, bytes));
                rules.push(StoredRule {
                    path: format!("{target}/{name}"),
                    text,
                });
            }
        }
        Ok(rules)
    }

    /// Creates or replaces a file in one step. Folders are created when they are needed.
    pub fn write(&self, path: &str, text: &str) -> io::Result<()> {
        let place = self.place(path)?;
        let folder = place.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".fixpoint-")
            .suffix(".tmp")
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
            .tempfile_in(folder)?;
        io::Write::write_all(&mut file, text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&place).map_err(|error| error.error)?;
        Ok(())
    }

    pub fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.place(path)?)
    }

    /// The place of a file. Rejects a path that leads out of the folder.
    fn place(&self, path: &str) -> io::Result<PathBuf> {
        check_relative(path).map_err(io::Error::other)?;
        let place = self.root.join(path);
        let below = place.ancestors().skip(1);
        let below: Vec<&Path> = below.take_while(|it| *it != self.root).collect();
        self.check_folders(&below)?;
        Ok(place)
    }

    fn check_folders(&self, below: &[&Path]) -> io::Result<()> {
        for folder in self
            .own
            .iter()
            .map(PathBuf::as_path)
            .chain(below.iter().copied())
        {
            if folder.symlink_metadata().is_ok_and(|it| !it.is_dir()) {
                let message = format!("{} is not a folder; remove it", folder.display());
                return Err(io::Error::other(message));
            }
        }
        Ok(())
    }
}

/// The names and paths in a folder, sorted.
fn entries(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in listed.take(MAX_RULES + 1) {
        let entry = entry?;
        // A name that is not UTF-8 is not the name of a rule.
        if let Ok(name) = entry.file_name().into_string() {
            found.push((name, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| ReadError::NotUtf8 {
        path: path.to_string_lossy().into_owned(),
        offset: error.utf8_error().valid_up_to(),
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn rules_are_stored_below_their_target() -> Outcome {
        // B-01 B-32 B-33 B-34
        let project = tempfile::tempdir()?;
        let folder = RulesFolder::of_project(project.path());
        assert!(folder.read()?.is_empty());
        assert!(!folder.root().exists());

        folder.write("python/b.json", "2")?;
        folder.write("python/a.json", "1")?;
        folder.write("python/a.json", "3")?;

        let rules = folder.read()?;
        let listed: Vec<_> = rules
            .iter()
            .map(|rule| (&*rule.path, rule.text.as_deref().unwrap_or("?")))
            .collect();
        assert_eq!(listed, [("python/a.json", "3"), ("python/b.json", "2")]);
        assert_eq!(fs::read_dir(folder.target_dir("python"))?.count(), 2);

        folder.remove("python/a.json")?;
        assert_eq!(folder.read()?.len(), 1);
        Ok(())
    }

    #[test]
    fn load_skips_non_json_files() -> Outcome {
        // B-36 B-48
        let project = tempfile::tempdir()?;
        let folder = RulesFolder::of_project(project.path());
        folder.write("python/a.json", "1")?;
        fs::write(folder.target_dir("python").join("junk.txt"), "junk")?;
        fs::write(folder.root().join("README.json"), "not in a target")?;
        let rules = folder.read()?;
        assert!(matches!(&rules[..], [one] if one.path == "python/a.json"));
        Ok(())
    }

    #[test]
    fn a_file_is_replaced_and_never_half_written() -> Outcome {
        // D-09
        let project = tempfile::tempdir()?;
        let folder = RulesFolder::of_project(project.path());
        folder.write("python/a.json", "old")?;
        let place = folder.target_dir("python").join("a.json");
        let reader = project.path().join("reader");
        fs::hard_link(&place, &reader)?;
        folder.write("python/a.json", "new")?;
        assert_eq!(fs::read_to_string(&place)?, "new");
        assert_eq!(fs::read_to_string(&reader)?, "old");
        Ok(())
    }

    #[test]
    fn nothing_is_written_outside_of_the_folder() -> Outcome {
        let project = tempfile::tempdir()?;
        let elsewhere = tempfile::tempdir()?;
        let folder = RulesFolder::of_project(project.path());
        for path in ["../x.json", "/x.json", "python/../../x.json", ""] {
            assert!(folder.write(path, "x").is_err(), "{path}");
            assert!(folder.remove(path).is_err(), "{path}");
        }
        fs::create_dir_all(folder.root())?;
        symlink(elsewhere.path(), folder.target_dir("python"))?;
        assert!(folder.write("python/a.json", "x").is_err());
        fs::write(elsewhere.path().join("a.json"), "x")?;
        assert!(folder.read()?.is_empty());
        assert!(folder.remove("python/a.json").is_err());
        assert_eq!(fs::read_dir(elsewhere.path())?.count(), 1);
        Ok(())
    }

    #[test]
    fn a_folder_of_rules_that_is_a_link_is_not_used() -> Outcome {
        let elsewhere = tempfile::tempdir()?;
        for link in [".fixpoint", ".fixpoint/rules"] {
            let project = tempfile::tempdir()?;
            let place = project.path().join(link);
            fs::create_dir_all(place.parent().ok_or("no parent")?)?;
            symlink(elsewhere.path(), &place)?;
            fs::create_dir_all(elsewhere.path().join("rules/python"))?;
            fs::write(elsewhere.path().join("rules/python/a.json"), "x")?;

            let folder = RulesFolder::of_project(project.path());
            assert!(folder.read().is_err(), "{link}");
            assert!(folder.write("python/b.json", "x").is_err(), "{link}");
        }
        Ok(())
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() -> Outcome {
        let project = tempfile::tempdir()?;
        let folder = RulesFolder::of_project(project.path());
        folder.write("python/good.json", "1")?;
        fs::write(folder.target_dir("python").join("bytes.json"), [0xff])?;
        symlink("/dev/zero", folder.target_dir("python").join("zero.json"))?;
        let rules = folder.read()?;
        let readable: Vec<_> = rules
            .iter()
            .map(|it| (&*it.path, it.text.is_ok()))
            .collect();
        let expected = [
            ("python/bytes.json", false),
            ("python/good.json", true),
            ("python/zero.json", false),
        ];
        assert_eq!(readable, expected);
        Ok(())
    }
}
