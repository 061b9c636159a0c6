//! List items and task list checkboxes.

use super::block::{Kind, TooDeep};
use super::cursor::Cursor;
use super::parser::Parser;
use super::scan::{CODE_INDENT, Marker, is_space};

impl Parser<'_> {
    /// Opens a list item, and a list if it is the first. Returns whether only text can follow.
    pub(super) fn open_item(
        &mut self,
        marker: Marker,
        indent: usize,
        cursor: &mut Cursor<'_>,
    ) -> Result<bool, TooDeep> {
        cursor.skip_space();
        let start = cursor.at;
        cursor.skip_bytes(marker.length);
        let (space, text_start) = cursor.indent();
        let is_blank = text_start == cursor.end;
        let space = if is_blank || space > CODE_INDENT {
            1
        } else {
            space
        };
        cursor.skip_columns(space);
        let task = task_marker(cursor.trimmed()).filter(|_| cursor.indent().0 < CODE_INDENT);
        if task.is_some() {
            cursor.skip_space();
            cursor.skip_bytes(3);
            cursor.skip_columns(1);
        }
        let goes_on = self.open.last().is_some_and(|&list| {
            matches!(self.document.blocks[list].kind, Kind::List { mark, start }
                if mark == marker.mark && start.is_some() == marker.number.is_some())
        });
        if !goes_on {
            let list = Kind::List {
                start: marker.number,
                mark: marker.mark,
            };
            self.open_container(list, start)?;
        }
        let item = Kind::Item {
            marker: start..start + marker.length,
            content: indent + marker.length + space,
            task,
        };
        self.push_container(item, start)?;
        Ok(task.is_some())
    }
}

/// Parses `[ ]` or `[x]` before text. Returns whether it is ticked.
fn task_marker(rest: &str) -> Option<bool> {
    let after = rest.get(3..)?;
    let before_text = after.starts_with(is_space) && !after.trim_start_matches(is_space).is_empty();
    match &rest.as_bytes()[..3] {
        b"[ ]" if before_text => Some(false),
        b"[x]" | b"[X]" if before_text => Some(true),
        _ => None,
    }
}
