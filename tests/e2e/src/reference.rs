//! Generates the page `docs/rules.md` from the documentation that Bazel extracts from the Starlark
//! files.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::command::{bazelw, binary, repository, run};

const HEAD: &str = "\
# Rules\n\n\
`cargo run -p fixpoint-e2e --bin reference` generates this page from the code, and a test compares it.\n\
[Fixpoint in Bazel](bazel.md) describes how to use the rules.\n\n";

/// The current content of the page.
pub fn reference() -> String {
    run(Command::new(bazelw())
        .arg("build")
        .arg(format!("--repo_env=FIXPOINT_BINARY={}", binary().display()))
        .args([
            "//rules:reference.textproto",
            "//toolchain:reference.textproto",
        ])
        .current_dir(repository()))
    .succeeds();
    let read = |package: &str| {
        let file = format!("bazel-bin/{package}/reference.textproto");
        let text = fs::read_to_string(repository().join(&file));
        Message::parse(&text.unwrap_or_else(|error| panic!("{file}: {error}")))
    };
    let (rules, toolchain) = (read("rules"), read("toolchain"));
    let mut page = HEAD.to_owned();
    page += &rules.text("module_docstring");
    page += "\n";
    for rule in rules.all("rule_info") {
        section(&mut page, "##", &rule.text("rule_name"), rule);
        table(&mut page, "attribute", rule.all("attribute"));
    }
    for function in rules.all("func_info") {
        section(&mut page, "##", &function.text("function_name"), function);
        table(&mut page, "argument", function.all("parameter"));
    }
    for aspect in rules.all("aspect_info") {
        section(&mut page, "##", &aspect.text("aspect_name"), aspect);
    }
    for provider in rules.all("provider_info") {
        section(&mut page, "##", &provider.text("provider_name"), provider);
        table(&mut page, "field", provider.all("field_info"));
    }
    page += "\n## The module extension\n\n";
    page += &toolchain.text("module_docstring");
    page += "\n";
    for extension in toolchain.all("module_extension_info") {
        for tag in extension.all("tag_class") {
            section(
                &mut page,
                "###",
                &format!("fixpoint.{}", tag.text("tag_name")),
                tag,
            );
            table(&mut page, "attribute", tag.all("attribute"));
        }
    }
    canonical(&page)
}

fn section(page: &mut String, level: &str, name: &str, of: &Message) {
    let text = of.text("doc_string");
    let _ = write!(page, "\n{level} `{name}`\n\n{}\n", text.trim());
}

fn table<'a>(page: &mut String, what: &str, rows: impl Iterator<Item = &'a Message>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = write!(page, "\n| {what} | is | default |\n| --- | --- | --- |\n");
    for row in rows {
        let text = row
            .text("doc_string")
            .replace('\n', " ")
            .replace('|', "\\|");
        let default = match (row.text("mandatory").as_str(), row.text("default_value")) {
            ("true", _) => "required".to_owned(),
            (_, default) if default.is_empty() => String::new(),
            (_, default) => format!("`{default}`"),
        };
        let _ = writeln!(page, "| `{}` | {text} | {default} |", row.text("name"));
    }
}

/// The page as Fixpoint formats it.
fn canonical(page: &str) -> String {
    let mut format = Command::new(binary())
        .args(["format", "--stdin", "--path=docs/rules.md"])
        .current_dir(repository())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = format.stdin.take().expect("piped");
    stdin.write_all(page.as_bytes()).expect("read");
    drop(stdin);
    let output = format.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{page}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A message in protobuf's text form.
#[derive(Debug, Default)]
struct Message {
    texts: Vec<(String, String)>,
    messages: Vec<(String, Message)>,
}

impl Message {
    fn parse(text: &str) -> Self {
        let mut open = vec![(String::new(), Self::default())];
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_suffix(" {") {
                open.push((name.to_owned(), Self::default()));
            } else if line == "}" {
                let closed = open.pop().expect("open");
                open.last_mut().expect("outer").1.messages.push(closed);
            } else if let Some((name, value)) = line.split_once(": ") {
                let (_, message) = open.last_mut().expect("open");
                message.texts.push((name.to_owned(), unquoted(value)));
            }
        }
        open.pop().expect("the whole").1
    }

    /// The value of a field. Empty if it is not set.
    fn text(&self, name: &str) -> String {
        let field = self.texts.iter().find(|(it, _)| it == name);
        field.map_or_else(String::new, |(_, text)| text.clone())
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        let named = self.messages.iter().filter(move |(it, _)| it == name);
        named.map(|(_, message)| message)
    }
}

/// A value without its quotes and escapes.
fn unquoted(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"').and_then(|it| it.strip_suffix('"')) else {
        return value.to_owned();
    };
    let mut bytes = Vec::new();
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(digit @ b'0'..=b'7') => {
                let mut code = u32::from(digit - b'0');
                while let Some(next @ b'0'..=b'7') = rest.peek().copied() {
                    code = code * 8 + u32::from(next - b'0');
                    rest.next();
                }
                bytes.push(u8::try_from(code).expect("a byte"));
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_messages_are_parsed() {
        let text = "a {\n  b: \"x \\\"y\\\"\\n\\303\\244\"\n  c {\n    d: true\n  }\n}\na {\n}\n";
        let message = Message::parse(text);
        let all: Vec<_> = message.all("a").collect();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].text("b"), "x \"y\"\n\u{e4}");
        assert_eq!(
            all[0].all("c").map(|it| it.text("d")).collect::<Vec<_>>(),
            ["true"]
        );
        assert_eq!(all[1].text("b"), "");
    }
}
