//! Where text goes: findings to standard output, everything about the run itself to standard error.

use std::io::{self, ErrorKind, Write};

use annotate_snippets::{Level, Renderer};
use anstream::{AutoStream, ColorChoice};

use crate::failure::Failure;

/// Both streams, with colour where it is wanted.
pub(crate) struct Output {
    stdout: io::BufWriter<AutoStream<io::Stdout>>,
    stderr: AutoStream<io::Stderr>,
}

impl Output {
    pub(crate) fn new(color: ColorChoice) -> Self {
        Self {
            stdout: io::BufWriter::new(AutoStream::new(io::stdout(), color)),
            stderr: AutoStream::new(io::stderr(), color),
        }
    }

    /// Something the command was asked for.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), Failure> {
        self.stdout
            .write_all(text.as_bytes())
            .map_err(Failure::Output)
    }

    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.stdout, "{text}").map_err(Failure::Output)
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
