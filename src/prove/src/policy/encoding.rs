//! Source files that a reviewer reads as other text than the interpreter.

/// The encoding that a Python file names in its first two lines, if it is not UTF-8.
///
/// A decoder such as `utf-7` can turn a comment into code that Python runs and no reviewer sees.
pub(super) fn other_encoding(path: &str, text: &str) -> Option<String> {
    let (_, extension) = path.rsplit_once('.')?;
    if !matches!(extension, "py" | "pyi" | "pyw") {
        return None;
    }
    // Python also ends a line at `\r`.
    let lines = text.split(['\n', '\r']).filter(|line| !line.is_empty());
    let name = lines.take(2).find_map(named_encoding)?;
    let normal = name.to_ascii_lowercase().replace('_', "-");
    let is_utf8 = matches!(
        &*normal,
        "utf-8" | "utf8" | "utf-8-sig" | "ascii" | "us-ascii"
    );
    (!is_utf8).then_some(name)
}

/// `# -*- coding: NAME -*-` and `# vim: fileencoding=NAME`.
fn named_encoding(line: &str) -> Option<String> {
    let line = line.trim_start_matches('\u{feff}').trim_start();
    let comment = line.strip_prefix('#')?;
    let mut found = comment.match_indices("coding").filter_map(|(at, word)| {
        let rest = comment[at + word.len()..].strip_prefix([':', '='])?;
        let rest = rest.trim_start_matches([' ', '\t']);
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
        (!name.is_empty()).then_some(name)
    });
    found.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_other_than_utf8_are_found() {
        for text in [
            "# -*- coding: utf-7 -*-\n",
            "#!/usr/bin/python\n# vim: set fileencoding=utf_7 :\n",
            "#coding=utf-7\r\n",
            "\n# coding:utf-16\n",
            "\t# coding: latin-1\n",
            "#x\r#coding:utf-7\r",
        ] {
            assert!(other_encoding("a/b.py", text).is_some(), "{text}");
            assert_eq!(other_encoding("a/b.js", text), None, "{text}");
        }
        for text in [
            "# -*- coding: UTF-8 -*-\n",
            "# coding: utf_8\n",
            "# encoding of names\nimport a\n",
            "import a\nimport b\n# coding: utf-7\n",
        ] {
            assert_eq!(other_encoding("b.py", text), None, "{text}");
        }
    }
}
