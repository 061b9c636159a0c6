//! Where text goes: findings to standard output, everything about the run itself to standard error.

use std::io::{self, ErrorKind, Write};

use annotate_snippets::{Level, Renderer};
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};

use crate::failure::Failure;

/// Both streams, with colour where it is wanted.
pub(crate) struct Output {
    stdout: io::BufWriter<io::Stdout>,
    colored: bool,
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
            stderr: AutoStream::new(io::stderr(), color),
        }
    }

    /// Contents: what is in a file or would be, byte for byte.
    pub(crate) fn print(&mut self, contents: &str) -> Result<(), Failure> {
        self.stdout
            .write_all(contents.as_bytes())
            .map_err(Failure::Output)
    }

    /// Where contents too large to be held go piece by piece.
    pub(crate) fn contents(&mut self) -> &mut impl Write {
        &mut self.stdout
    }

    /// A line for people, which may have colours in it.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        let written = if self.colored {
            writeln!(self.stdout, "{text}")
        } else {
            writeln!(self.stdout, "{}", strip_str(text))
        };
        written.map_err(Failure::Output)
    }

    /// To be called once all is printed, so that a full disk is noticed.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(Failure::Output)
    }

    /// Something about the run: what was skipped, what failed, how it went.
    pub(crate) fn note(&mut self, level: Level<'static>, message: &str) {
        let group = [annotate_snippets::Group::with_title(
            level.primary_title(message),
        )];
        self.notice(&Renderer::styled().render(&group));
    }

    /// A line on standard error. Where even that cannot be written nobody can be told.
    pub(crate) fn notice(&mut self, text: &str) {
        let _ = self.stdout.flush();
        let _ = writeln!(self.stderr, "{text}");
    }

    /// Tells of a failure and gives the exit status for it.
    pub(crate) fn failure(&mut self, failure: &Failure) -> i32 {
        match failure {
            // `fixpoint check | head` is no failure.
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => return 0,
            Failure::Config(rendered) => self.notice(rendered),
            other => self.note(Level::ERROR, &other.to_string()),
        }
        failure.status()
    }
}
