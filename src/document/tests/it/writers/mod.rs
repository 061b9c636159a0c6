//! Writes random values as text, in random styles, with comments wherever they are allowed.

mod json;
mod toml;
mod yaml;

use fixpoint_document::{Document, Format, Value};

/// A seeded random generator.
pub(crate) struct Chance {
    state: u64,
    comments: usize,
    /// The values that have an anchor, with its name.
    anchored: Vec<(Value, String)>,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed,
            comments: 0,
            anchored: Vec::new(),
        }
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }

    /// A unique comment.
    fn remark(&mut self) -> String {
        self.comments += 1;
        format!("remark-{}.", self.comments)
    }
}

pub(crate) fn write(format: Format, value: &Value, chance: &mut Chance) -> String {
    let mut text = match format {
        Format::Json => json::write(value, 0, chance, false),
        Format::Jsonc => json::write(value, 0, chance, true),
        Format::Yaml => {
            let mut out = String::new();
            if chance.one_in(4) {
                out.push_str(&format!("# {}\n", chance.remark()));
            }
            if chance.one_in(5) {
                out.push_str("---\n");
            }
            yaml::block(&mut out, value, 0, chance);
            out
        }
        Format::Toml => {
            let mut out = String::new();
            toml::table(&mut out, value, "", chance);
            out
        }
    };
    // The end of a block scalar may be part of it.
    let is_same =
        |text: &str| Document::parse(format, text).is_ok_and(|it| it.root().value() == *value);
    if chance.one_in(3) && is_same(text.trim_end()) {
        text = text.trim_end().to_owned();
    } else if !text.ends_with('\n') {
        text.push('\n');
    }
    if chance.one_in(5) {
        text = text.replace('\n', "\r\n");
    }
    if chance.one_in(8) {
        text.insert(0, '\u{feff}');
    }
    text
}

fn end_line(out: &mut String, column: usize, chance: &mut Chance) {
    if chance.one_in(5) {
        out.push_str(&format!(" # {}", chance.remark()));
    }
    out.push('\n');
    if chance.one_in(8) {
        out.push('\n');
    }
    if chance.one_in(8) {
        out.push_str(&format!("{}# {}\n", " ".repeat(column), chance.remark()));
    }
}

/// The comments in a text, in order, with their offsets.
pub(crate) fn remarks(text: &str) -> Vec<(usize, &str)> {
    let starts = text.match_indices("remark-").map(|it| it.0);
    starts
        .filter_map(|start| {
            let length = text[start..].find('.')?;
            Some((start, &text[start..start + length]))
        })
        .collect()
}
