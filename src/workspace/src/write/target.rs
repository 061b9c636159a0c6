//! One file of a journal, and the temporary beside it.
//!
//! Replacing a file exchanges its name with that of the temporary. So the replaced file still
//! exists afterwards, and is exchanged back if it is not the expected one.

use std::fs::File;
use std::io;

use fixpoint_text::Digest;
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use super::checkout::Checkout;
use super::journal::Entry;
use super::location::{FileLocation, FileSnapshot, look, remove_file, same_file};
use super::{Observer, Step};
use crate::path::{saved_name, split_name, temporary_name};
use crate::read::ReadError;

pub(crate) struct Target<'a> {
    place: FileLocation<'a>,
    entry: &'a Entry,
    /// The new file before the exchange, and the displaced file afterwards.
    temporary: String,
    /// The displaced file during an exchange, if the system cannot exchange names.
    aside: String,
    exchanges: bool,
}

/// What a file name refers to, compared with a journal entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentState {
    Base,
    New,
    /// Other bytes, bytes that cannot be read, or something that is not a file.
    Other,
    Nothing,
}

/// What a file name referred to at one moment.
struct Occupant {
    stat: Stat,
    digest: Option<Digest>,
}

impl<'a> Target<'a> {
    pub(crate) fn open(checkout: &Checkout<'_>, entry: &'a Entry) -> io::Result<Self> {
        let (parent, _) = split_name(&entry.path);
        let place = FileLocation::inside(checkout.directory(parent)?, &entry.path);
        let tag = checkout.tag();
        let name = |role: &str| {
            let digest = entry.new.as_bytes();
            temporary_name([
                tag.as_bytes(),
                entry.path.as_bytes(),
                digest,
                role.as_bytes(),
            ])
        };
        Ok(Self {
            temporary: name("temporary"),
            aside: name("aside"),
            exchanges: checkout.exchanges,
            place,
            entry,
        })
    }

    /// Whether the path of the file still leads here. The directory may have been moved.
    pub(crate) fn is_in_place(&self, checkout: &Checkout<'_>) -> bool {
        self.place.is_in_place(checkout.dir())
    }

    /// Reads the file that has this name now.
    pub(crate) fn look(&self) -> Result<FileSnapshot, ReadError> {
        self.place.look()
    }

    pub(crate) fn look_at_temporary(&self) -> Result<FileSnapshot, ReadError> {
        look(&self.place.dir, &self.temporary, self.place.path)
    }

    /// What the file and the temporary contain.
    pub(crate) fn content_states(&self) -> (ContentState, ContentState) {
        let holds = |seen: Result<FileSnapshot, ReadError>| match seen {
            Ok(seen) if seen.digest() == self.entry.new => ContentState::New,
            Ok(seen) if seen.digest() == self.entry.base => ContentState::Base,
            Err(ReadError::Vanished { .. }) => ContentState::Nothing,
            _ => ContentState::Other,
        };
        (holds(self.look()), holds(self.look_at_temporary()))
    }

    /// Creates the empty temporary.
    pub(crate) fn create_temporary(&self) -> io::Result<File> {
        let create = || {
            let flags =
                OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY | OFlags::CLOEXEC;
            let mode = Mode::RUSR | Mode::WUSR;
            rustix::fs::openat(&self.place.dir, &self.temporary, flags, mode)
        };
        let created = match create() {
            // The temporary is a leftover: it has our tag, we hold the lock, and no journal lists
            // it.
            Err(Errno::EXIST) => {
                remove_file(&self.place.dir, &self.temporary)?;
                create()
            }
            created => created,
        };
        Ok(File::from(created?))
    }

    /// Returns when the bytes of the temporary are on the disk.
    pub(crate) fn sync_temporary(&self) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.place.dir, &self.temporary, flags, Mode::empty())?;
        Ok(rustix::fs::fsync(&file)?)
    }

    /// Removes the temporary of a write that was not committed, whatever its content.
    pub(crate) fn remove_temporary(&self) -> io::Result<()> {
        remove_file(&self.place.dir, &self.temporary)
    }

    /// Exchanges the file and the temporary, if `is_expected` is true for the replaced file.
    /// Otherwise that file keeps its name, and the result is false. If `content` is given, the
    /// temporary must have it.
    pub(crate) fn exchange_if(
        &self,
        content: Option<Digest>,
        is_expected: impl Fn(&FileSnapshot) -> bool,
        observe: &mut Observer<'_>,
    ) -> io::Result<bool> {
        let incoming = self.occupant(&self.temporary)?;
        if content.is_some() && incoming.digest != content {
            let problem = "its temporary copy was changed";
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        match self.exchange(observe) {
            Ok(()) => {}
            // The file was removed or created again meanwhile.
            Err(error) if is_about_names(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
        observe(Step::Exchanged(self.place.path));
        if self
            .look_at_temporary()
            .is_ok_and(|seen| is_expected(&seen))
        {
            return Ok(true);
        }
        match self.exchange(observe) {
            Ok(()) => {}
            Err(error) if is_about_names(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
        observe(Step::Exchanged(self.place.path));
        // If this is not the new file, the user saved the file once more. The later version keeps
        // the name, and `discard` keeps the earlier one.
        let outgoing = self.occupant(&self.temporary)?;
        if !same_file(&outgoing.stat, &incoming.stat) || outgoing.digest != incoming.digest {
            self.exchange(observe)?;
        }
        Ok(false)
    }

    fn occupant(&self, name: &str) -> io::Result<Occupant> {
        let stat = rustix::fs::statat(&self.place.dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let seen = look(&self.place.dir, name, self.place.path).ok();
        Ok(Occupant {
            stat,
            digest: seen.map(|seen| seen.digest()),
        })
    }

    fn exchange(&self, observe: &mut Observer<'_>) -> io::Result<()> {
        let (dir, from, to) = (&self.place.dir, &self.temporary, self.place.name);
        if self.exchanges {
            match rustix::fs::renameat_with(dir, from, dir, to, RenameFlags::EXCHANGE) {
                Err(error) if is_unsupported(error) => {}
                done => return Ok(done?),
            }
        }
        self.exchange_in_steps(observe)
    }

    /// For file systems that cannot exchange two names. [`Target::complete_exchange`] continues
    /// after a kill at any step.
    fn exchange_in_steps(&self, observe: &mut Observer<'_>) -> io::Result<()> {
        let (dir, name) = (&self.place.dir, self.place.name);
        rustix::fs::renameat(dir, name, dir, &self.aside)?;
        observe(Step::MovedAside(self.place.path));
        if let Err(error) = self.rename_to_free(&self.temporary, name, observe) {
            if error.kind() != io::ErrorKind::AlreadyExists {
                self.rename_to_free(&self.aside, name, observe)?;
            }
            return Err(error);
        }
        observe(Step::MovedIn(self.place.path));
        Ok(rustix::fs::renameat(
            dir,
            &self.aside,
            dir,
            &self.temporary,
        )?)
    }

    /// Renames, unless `to` exists.
    fn rename_to_free(&self, from: &str, to: &str, observe: &mut Observer<'_>) -> io::Result<()> {
        let dir = &self.place.dir;
        if self.exchanges {
            match rustix::fs::renameat_with(dir, from, dir, to, RenameFlags::NOREPLACE) {
                Err(error) if is_unsupported(error) => {}
                done => return Ok(done?),
            }
        }
        match rustix::fs::linkat(dir, from, dir, to, AtFlags::empty()) {
            Ok(()) => {
                observe(Step::Linked(self.place.path));
                return remove_file(dir, from);
            }
            Err(error) if !is_unsupported(error) => return Err(error.into()),
            Err(_) => {}
        }
        // If neither call is supported, the name is checked first. Directories cannot be linked
        // either.
        match rustix::fs::statat(dir, to, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Err(Errno::EXIST.into()),
            Err(Errno::NOENT) => Ok(rustix::fs::renameat(dir, from, dir, to)?),
            Err(error) => Err(error.into()),
        }
    }

    /// Completes or undoes an exchange in steps that was killed.
    pub(crate) fn complete_exchange(&self, observe: &mut Observer<'_>) -> io::Result<()> {
        let (dir, name) = (&self.place.dir, self.place.name);
        let stat = |name: &str| rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok();
        let Some(aside) = stat(&self.aside) else {
            return Ok(());
        };
        let displace = || rustix::fs::renameat(dir, &self.aside, dir, &self.temporary);
        match (stat(name), stat(&self.temporary)) {
            (None, _) => self.rename_to_free(&self.aside, name, observe),
            // The file had been linked back to its name.
            (Some(file), _) if same_file(&file, &aside) => remove_file(dir, &self.aside),
            (Some(file), Some(temporary)) if same_file(&file, &temporary) => {
                remove_file(dir, &self.temporary)?;
                Ok(displace()?)
            }
            (Some(_), None) => Ok(displace()?),
            // The file was created again meanwhile. `discard` handles the displaced file.
            (Some(_), Some(_)) => Ok(()),
        }
    }

    /// Removes the leftovers of a committed write. Bytes that are neither the old nor the new text
    /// belong to the user. They are kept under separate names, which are returned.
    pub(crate) fn discard(&self) -> io::Result<Vec<String>> {
        let dir = &self.place.dir;
        let mut saved = Vec::new();
        for name in [&self.temporary, &self.aside] {
            let Ok(stat) = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            let ours = look(dir, name, self.place.path)
                .is_ok_and(|seen| [self.entry.base, self.entry.new].contains(&seen.digest()));
            if ours {
                remove_file(dir, name)?;
                continue;
            }
            // The inode makes the name unique while the file exists.
            let id = Digest::of_parts([name.as_bytes(), &stat.st_ino.to_le_bytes()]);
            let kept_as = saved_name(id);
            rustix::fs::renameat(dir, name, dir, &kept_as)?;
            let (parent, _) = split_name(self.place.path);
            saved.push(match parent {
                "" => kept_as,
                parent => format!("{parent}/{kept_as}"),
            });
        }
        Ok(saved)
    }
}

fn is_about_names(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists
    )
}

/// Whether the error may mean that the file system, kernel or sandbox does not support the call.
fn is_unsupported(error: Errno) -> bool {
    matches!(
        error,
        Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::PERM
    )
}
