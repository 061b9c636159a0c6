//! Reads git's ignore rules. Ignore files are untrusted, so each must be a regular file of limited
//! size. Their total size is limited too, because compiling a pattern takes time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};

use crate::global::may_have_global_ignores;
use crate::read::{ReadError, read_file, read_unlinked_file};
use crate::repository::Repository;

const IGNORE_FILE: &str = ".gitignore";

/// The limit for one ignore file.
const MAX_IGNORE_FILE_SIZE: u64 = 128 * 1024;
/// The limit for the patterns of all ignore files that one search reads. Comments do not count.
const MAX_PATTERN_BYTES: usize = 1024 * 1024;

/// The rules of one directory, and of those above it in the same repository.
#[derive(Debug)]
pub(crate) struct Ignores {
    above: Option<Arc<Self>>,
    rules: Gitignore,
    /// Rules with lower priority than all ignore files. Only the top of a repository has them.
    last: Vec<Gitignore>,
    is_top: bool,
}

impl Ignores {
    /// Whether git ignores the entry at `path`, which is absolute. The caller has already checked
    /// its parent directories.
    pub(crate) fn cover(&self, path: &Path, is_dir: bool) -> bool {
        let mut level = self;
        loop {
            if let Some(verdict) = verdict(&level.rules, path, is_dir) {
                return verdict;
            }
            match &level.above {
                Some(above) if !level.is_top => level = above,
                _ => break,
            }
        }
        let mut last = level.last.iter();
        last.find_map(|rules| verdict(rules, path, is_dir))
            .unwrap_or(false)
    }
}

fn verdict(rules: &Gitignore, path: &Path, is_dir: bool) -> Option<bool> {
    match rules.matched(path, is_dir) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

/// Why the rules of a directory are not known, so that nothing in it is examined.
#[derive(Debug)]
pub(crate) struct UnknownRules {
    pub(crate) file: PathBuf,
    pub(crate) message: String,
}

/// Reads ignore files within the limits of one search.
#[derive(Debug, Default)]
pub(crate) struct IgnoreReader {
    pattern_bytes: usize,
    /// Ignore files that are links. They are not followed; git does not follow them either.
    links: Vec<PathBuf>,
}

impl IgnoreReader {
    /// Ignore files that were not read because they are links.
    pub(crate) fn into_links(self) -> Vec<PathBuf> {
        self.links
    }

    /// The rules that apply in `root`, including those of the directories above it in its
    /// repository.
    pub(crate) fn around(&mut self, root: &Path) -> Result<Arc<Ignores>, UnknownRules> {
        let top = root.ancestors().find(|directory| is_top(directory));
        let Some(top) = top else {
            // Ignore files and the user's own rules apply outside of a repository, too.
            let mut ignores = self.below(root, None)?;
            ignores.last.extend(self.global(root)?);
            return Ok(Arc::new(ignores));
        };
        let between: Vec<&Path> = root
            .ancestors()
            .take_while(|directory| directory.starts_with(top))
            .collect();
        let mut above = None;
        for directory in between.into_iter().rev() {
            above = Some(Arc::new(self.below(directory, above)?));
        }
        match above {
            Some(ignores) => Ok(ignores),
            None => Ok(Arc::new(self.below(root, None)?)),
        }
    }

    /// The rules of a directory. `above` are the rules of its parent directory.
    pub(crate) fn below(
        &mut self,
        directory: &Path,
        above: Option<Arc<Ignores>>,
    ) -> Result<Ignores, UnknownRules> {
        let file = directory.join(IGNORE_FILE);
        let rules = match file.symlink_metadata() {
            Ok(kind) if kind.is_symlink() => {
                self.links.push(file);
                Gitignore::empty()
            }
            Ok(kind) if !kind.is_dir() => self.rules(directory, &file, read_unlinked_file)?,
            _ => Gitignore::empty(),
        };
        let is_top = is_top(directory);
        let mut last = Vec::new();
        if is_top {
            if let Some(repository) = Repository::at(directory) {
                let exclude = repository.common_dir.join("info/exclude");
                if exclude.exists() {
                    last.push(self.rules(directory, &exclude, read_file)?);
                }
            }
            last.extend(self.global(directory)?);
        }
        Ok(Ignores {
            above,
            rules,
            last,
            is_top,
        })
    }

    /// The user's own rules, for a repository with its top at `top`.
    fn global(&mut self, top: &Path) -> Result<Option<Gitignore>, UnknownRules> {
        let file = may_have_global_ignores().then(gitconfig_excludes_path);
        match file.flatten().filter(|file| file.exists()) {
            Some(file) => self.rules(top, &file, read_file).map(Some),
            None => Ok(None),
        }
    }

    /// The rules in `file`, which apply below `directory`.
    fn rules(
        &mut self,
        directory: &Path,
        file: &Path,
        read: fn(&Path, u64) -> Result<Vec<u8>, ReadError>,
    ) -> Result<Gitignore, UnknownRules> {
        let unknown = |message: String| UnknownRules {
            file: file.to_owned(),
            message,
        };
        let bytes = match read(file, MAX_IGNORE_FILE_SIZE) {
            Ok(bytes) => bytes,
            Err(ReadError::Vanished { .. }) => return Ok(Gitignore::empty()),
            Err(ReadError::NotAFile { .. }) => return Err(unknown("not a regular file".into())),
            Err(ReadError::TooLarge { size, limit, .. }) => {
                let message = format!("has {size} bytes, more than the {limit} of an ignore file");
                return Err(unknown(message));
            }
            Err(error) => return Err(unknown(error.to_string())),
        };
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let patterns = || text.lines().filter(|line| is_pattern(line));
        self.pattern_bytes += patterns().map(str::len).sum::<usize>();
        if self.pattern_bytes > MAX_PATTERN_BYTES {
            return Err(unknown(format!(
                "the ignore files up to this one have more than {MAX_PATTERN_BYTES} bytes of patterns"
            )));
        }
        let mut builder = GitignoreBuilder::new(directory);
        for line in patterns() {
            // Git skips lines that are not valid patterns.
            let _ = builder.add_line(None, line);
        }
        builder.build().map_err(|error| unknown(error.to_string()))
    }
}

fn is_pattern(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

/// Whether a repository starts at a directory. The rules of the directories above do not apply in
/// it.
fn is_top(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}
