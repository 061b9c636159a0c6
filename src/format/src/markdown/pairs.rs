//! Pairs the delimiter runs of emphasis.

use super::inline::{Decoration, Style};

/// A delimiter run or a bracket that may pair with a later one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delimiter {
    pub(super) mark: u8,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its length before any of it was paired.
    length: usize,
    pub(super) can_open: bool,
    pub(super) can_close: bool,
    /// Whether a bracket can still open a link.
    pub(super) is_active: bool,
    /// The number of pieces and decorations before a bracket.
    pub(super) place: (usize, usize),
}

impl Delimiter {
    pub(super) fn bracket(mark: u8, start: usize, end: usize, place: (usize, usize)) -> Self {
        Self {
            mark,
            start,
            end,
            length: end - start,
            can_open: false,
            can_close: false,
            is_active: true,
            place,
        }
    }

    pub(super) fn marks(text: &str, start: usize, end: usize) -> Self {
        let mark = text.as_bytes()[start];
        let sides = Sides {
            before: text[..start].chars().next_back(),
            after: text[end..].chars().next(),
        };
        // Only `*` and `~~` can be inside of words.
        let anywhere = mark == b'*' || mark == b'~' && end - start == 2;
        Self {
            mark,
            start,
            end,
            length: end - start,
            can_open: sides.can_open(anywhere),
            can_close: sides.can_close(anywhere),
            is_active: true,
            place: (0, 0),
        }
    }
}

/// The characters on both sides of a delimiter run. `None` at the edge of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub(super) before: Option<char>,
    pub(super) after: Option<char>,
}

impl Sides {
    fn is_flanking(first: Option<char>, second: Option<char>) -> bool {
        let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let is_punctuation = |c: Option<char>| c.is_some_and(is_punctuation);
        !is_space(second) && (!is_punctuation(second) || is_space(first) || is_punctuation(first))
    }

    fn is_left_flanking(self) -> bool {
        Self::is_flanking(self.before, self.after)
    }

    fn is_right_flanking(self) -> bool {
        Self::is_flanking(self.after, self.before)
    }

    pub(super) fn can_open(self, anywhere: bool) -> bool {
        let free =
            || anywhere || !self.is_right_flanking() || self.before.is_some_and(is_punctuation);
        self.is_left_flanking() && free()
    }

    pub(super) fn can_close(self, anywhere: bool) -> bool {
        let free =
            || anywhere || !self.is_left_flanking() || self.after.is_some_and(is_punctuation);
        self.is_right_flanking() && free()
    }
}

/// Approximately the punctuation and symbols of Unicode: not letters, digits, white space, control
/// characters or combining characters.
pub(super) fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    !c.is_alphanumeric()
        && !c.is_whitespace()
        && !c.is_control()
        && !matches!(u32::from(c), 0xAD | 0x300..=0x36F | 0x200B..=0x200F | 0x202A..=0x202E
            | 0x2060..=0x206F | 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F | 0xFEFF
            | 0xE000..=0xF8FF | 0xE0000..=0xE0FFF)
}

/// Pairs the delimiters from `bottom` on, and removes them.
pub(super) fn pair(delimiters: &mut Vec<Delimiter>, bottom: usize, found: &mut Vec<Decoration>) {
    // For each kind of closing delimiter, no delimiter before this position opens it.
    let mut floors = [0; 18];
    // The delimiters from `bottom` to `top` may still open something.
    let mut top = bottom;
    for index in bottom..delimiters.len() {
        let mut closing = delimiters[index];
        while closing.can_close && closing.start < closing.end {
            let floor = &mut floors[floor_of(closing)];
            let opener = (bottom..top)
                .rev()
                .take_while(|&opener| delimiters[opener].start >= *floor)
                .find(|&opener| opens(delimiters[opener], closing));
            let Some(opener) = opener else {
                *floor = closing.start;
                break;
            };
            let Some(decoration) = wrap(&mut delimiters[opener], &mut closing) else {
                break;
            };
            found.push(decoration);
            let is_used_up = delimiters[opener].start == delimiters[opener].end;
            top = if is_used_up { opener } else { opener + 1 };
        }
        if closing.can_open && closing.start < closing.end {
            delimiters[top] = closing;
            top += 1;
        }
    }
    delimiters.truncate(bottom);
}

fn floor_of(closing: Delimiter) -> usize {
    let kind = match closing.mark {
        b'*' => 0,
        b'_' => 1,
        _ => 2,
    };
    kind * 6 + closing.length % 3 * 2 + usize::from(closing.can_open)
}

fn opens(opening: Delimiter, closing: Delimiter) -> bool {
    let sum_of_threes = (opening.length + closing.length).is_multiple_of(3)
        && !(opening.length.is_multiple_of(3) && closing.length.is_multiple_of(3));
    opening.mark == closing.mark
        && opening.can_open
        && !(sum_of_threes && (opening.can_close || closing.can_open))
}

/// Pairs the innermost delimiters of both. `None` for `~` with `~~`.
fn wrap(opening: &mut Delimiter, closing: &mut Delimiter) -> Option<Decoration> {
    let lengths = (opening.end - opening.start, closing.end - closing.start);
    let (style, used) = match opening.mark {
        b'~' if lengths.0 != lengths.1 => return None,
        b'~' => (Style::Strikethrough, lengths.0),
        _ if lengths.0 >= 2 && lengths.1 >= 2 => (Style::Strong, 2),
        _ => (Style::Emphasis, 1),
    };
    let content = opening.end..closing.start;
    opening.end -= used;
    closing.start += used;
    Some(Decoration {
        style,
        span: opening.end..closing.start,
        content,
        is_label: false,
    })
}
