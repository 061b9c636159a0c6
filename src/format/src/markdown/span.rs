//! Prints code spans with as few backticks as possible.

use super::link;
use super::render::Rendering;
use super::scan::{self, Marker};
use super::writer::RAW_LINE_END;

impl Rendering<'_> {
    pub(super) fn code(&mut self, raw: &str) {
        let ticks = scan::run(raw.as_bytes(), b'`');
        if self.in_label {
            link::push_lines(self.out, raw);
            return;
        }
        let mut code = &raw[ticks..raw.len() - ticks];
        let is_space = |c: char| matches!(c, ' ' | '\n');
        let is_blank = code.chars().all(is_space);
        let is_padded =
            |code: &str| !is_blank && code.starts_with(is_space) && code.ends_with(is_space);
        if is_padded(code) {
            code = &code[1..code.len() - 1];
        }
        let ticks = self.tick_count(code, ticks);
        let padded = code.starts_with('`') || code.ends_with('`') || is_padded(code);
        self.out.extend(std::iter::repeat_n('`', ticks));
        if padded {
            self.out.push(' ');
        }
        if code.contains('\n') {
            self.code_lines(code);
        } else {
            self.out.push_str(code);
        }
        if padded {
            self.out.push(' ');
        }
        self.out.extend(std::iter::repeat_n('`', ticks));
    }

    /// Keeps a line break between two words. Any other line break is printed as a space, which
    /// means the same.
    fn code_lines(&mut self, code: &str) {
        let bytes = code.as_bytes();
        for (at, c) in code.char_indices() {
            let is_space = |at: usize| matches!(bytes.get(at), None | Some(b' ' | b'\n'));
            let alone = c == '\n' && at > 0 && !is_space(at - 1) && !is_space(at + 1);
            if c != '\n' {
                self.out.push(c);
            } else if alone && !self.code_starts_block(&code[at + 1..]) {
                self.out.push(RAW_LINE_END);
            } else {
                self.out.push(' ');
            }
        }
    }

    fn code_starts_block(&self, rest: &str) -> bool {
        let line = rest.split('\n').next().unwrap_or(rest);
        let word = line.split(' ').next().unwrap_or(line);
        scan::starts_block(line)
            || Marker::of(word).is_some_and(|marker| marker.length == word.len())
    }

    /// The fewest backticks that do not occur in the code. The written number if plain text has
    /// such a run.
    fn tick_count(&mut self, code: &str, written: usize) -> usize {
        let mut inside = Vec::new();
        if code.contains('`') {
            push_runs(code, false, &mut inside);
        }
        let mut count = 1;
        while inside.contains(&count) {
            count += 1;
        }
        if count == written {
            return count;
        }
        let plain = match self.plain_ticks.take() {
            Some(plain) => plain,
            None => self.read_plain_ticks(),
        };
        if plain.contains(&count) {
            count = written;
        }
        self.plain_ticks = Some(plain);
        count
    }

    fn read_plain_ticks(&self) -> Vec<usize> {
        let mut ticks = Vec::new();
        let mut at = 0;
        for piece in self.pieces {
            push_runs(&self.text[at..piece.start], true, &mut ticks);
            at = piece.end;
        }
        push_runs(&self.text[at..], true, &mut ticks);
        ticks
    }
}

/// Adds the lengths of the runs of backticks. `escapes` says whether a backslash escapes one.
fn push_runs(text: &str, escapes: bool, runs: &mut Vec<usize>) {
    let bytes = text.as_bytes();
    if memchr::memchr(b'`', bytes).is_none() {
        return;
    }
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'`' => {
                let length = scan::run(&bytes[at..], b'`');
                runs.push(length);
                length
            }
            b'\\' if escapes => 2,
            _ => 1,
        };
    }
}
