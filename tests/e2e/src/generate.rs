//! Generates workspaces of any size, with the same bytes every time.

use std::fmt::Write as _;

use crate::workspace::Workspace;

/// The number of files in one package, like in a typical folder.
pub const PACKAGE: usize = 50;

/// The file with a number. Five languages alternate, and every tenth file is not canonical.
fn file(number: usize) -> (String, String) {
    let canonical = !number.is_multiple_of(10);
    let name = |extension| format!("file_{number}.{extension}");
    match number % 5 {
        0 => (name("py"), python(number, canonical)),
        1 => (name("ts"), typescript(number)),
        2 => (
            name("json"),
            format!("{{ \"name\": \"file {number}\", \"size\": {number} }}\n"),
        ),
        3 => (
            name("yaml"),
            format!("name: file {number}\nsizes:\n  - {number}\n  - 0\n"),
        ),
        _ => (
            name("md"),
            format!("# File {number}\n\nSome words about it.\n"),
        ),
    }
}

fn python(number: usize, canonical: bool) -> String {
    let mut text = format!("\"\"\"Module {number}.\"\"\"\n");
    for function in 0..20 {
        let assignment = if canonical {
            "total = first + second"
        } else {
            "total=first+second"
        };
        let _ = write!(
            text,
            "\n\ndef function_{function}(first, second):\n    {assignment}\n    return total * {number}\n"
        );
    }
    text
}

fn typescript(number: usize) -> String {
    let mut text = String::new();
    for function in 0..20 {
        let _ = write!(
            text,
            "export function number{function}(first: number, second: number): number {{\n  \
             return (first + second) * {number};\n}}\n\n"
        );
    }
    text.pop();
    text
}

/// Adds a file group `//part_N:files` for every [`PACKAGE`] files.
pub fn generate(workspace: &Workspace, files: usize) {
    for (package, first) in (0..files).step_by(PACKAGE).enumerate() {
        let mut list = String::new();
        for number in first..files.min(first + PACKAGE) {
            let (name, text) = file(number);
            workspace.write(format!("part_{package}/{name}"), text);
            let _ = writeln!(list, "        \"{name}\",");
        }
        let build = format!("filegroup(\n    name = \"files\",\n    srcs = [\n{list}    ],\n)\n");
        workspace.write(format!("part_{package}/BUILD.bazel"), build);
    }
}
