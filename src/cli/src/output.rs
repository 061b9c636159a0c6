//! Where text goes: findings to standard output, everything about the run itself to standard error.
//!
//! Sources, reports, rules files and file names are untrusted. Output for people is made printable
//! here even if it goes to a pipe, because Bazel shows on a terminal what an action wrote to a
//! pipe. File contents are exact, except on a terminal.

use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal as _, Write};

use annotate_snippets::Level;
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use fixpoint_text::escape_json;

#[cfg(feature = "clank")]
use crate::clank::escaped::EscapedJson;
use crate::failure::Failure;
use crate::render::words::printable;
use crate::render::{Printable, Rendered};

/// Standard output and standard error, with colors if they are wanted.
pub(crate) struct Output {
    stdout: io::BufWriter<io::Stdout>,
    colored: bool,
    on_terminal: bool,
    stderr: AutoStream<io::Stderr>,
}

impl Output {
    pub(crate) fn new(color: ColorChoice) -> Self {
        let wanted = match color {
            ColorChoice::Auto => AutoStream::choice(&io::stdout()),
            other => other,
        };
        Self {
            stdout: io::BufWriter::new(io::stdout()),
            colored: wanted != ColorChoice::Never,
            on_terminal: io::stdout().is_terminal(),
            stderr: AutoStream::new(io::stderr(), color),
        }
    }

    /// File contents, byte for byte. On a terminal, control characters are made printable.
    pub(crate) fn print(&mut self, contents: &str) -> Result<(), Failure> {
        let contents = if self.on_terminal {
            printable(contents)
        } else {
            Cow::Borrowed(contents)
        };
        self.print_raw(&contents)
    }

    /// A JSON document.
    pub(crate) fn print_json(&mut self, json: &str) -> Result<(), Failure> {
        self.print_raw(&escape_json(json))
    }

    /// The output of another program, byte for byte: it may contain colors.
    pub(crate) fn print_raw(&mut self, contents: &str) -> Result<(), Failure> {
        self.stdout
            .write_all(contents.as_bytes())
            .map_err(Failure::Output)
    }

    /// A JSON document that is written in pieces.
    #[cfg(feature = "clank")]
    pub(crate) fn stream_json<T>(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<T, Failure> {
        write(&mut EscapedJson::new(&mut self.stdout)).map_err(Failure::Output)
    }

    /// A line for people.
    pub(crate) fn line(&mut self, text: &(impl Printable + ?Sized)) -> Result<(), Failure> {
        let text = text.lines();
        let written = if self.colored {
            writeln!(self.stdout, "{text}")
        } else {
            writeln!(self.stdout, "{}", strip_str(&text))
        };
        written.map_err(Failure::Output)
    }

    /// Call this after everything is printed, so that a full disk is noticed.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(Failure::Output)
    }

    /// A message about the run itself, such as a skipped file or a failure.
    pub(crate) fn note(&mut self, level: Level<'static>, message: &str) {
        self.notice(&Rendered::note(level, message));
    }

    /// A line on standard error. A failure to write it is ignored, since it cannot be reported.
    pub(crate) fn notice(&mut self, text: &(impl Printable + ?Sized)) {
        let _ = self.stdout.flush();
        let _ = writeln!(self.stderr, "{}", text.lines());
    }

    /// Reports a failure and returns its exit status.
    pub(crate) fn failure(&mut self, failure: &Failure) -> i32 {
        match failure {
            // A closed pipe is not a failure, as in `fixpoint check | head`.
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => return 0,
            Failure::Config(rendered) => self.notice(rendered),
            other => self.note(Level::ERROR, &other.to_string()),
        }
        failure.status()
    }
}
