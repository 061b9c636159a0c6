//! Code that looks at the process which runs it, or hides the names that it uses.

use super::Source;
use super::special_cases::{Token, tokens};

/// What a library has no reason to ask: which program runs it, and with which modules.
const PROCESS: [&str; 12] = [
    "sys.modules",
    "sys.orig_argv",
    "import __main__",
    "__subclasses__()",
    "traceback.format_stack",
    "traceback.print_stack",
    "traceback.walk_stack",
    "gc.get_",
    "module.parent",
    "require.main.filename",
    "Object.keys(process.env",
    "process.execArgv",
];

pub(super) fn check(source: &Source, report: &mut dyn FnMut(usize, String)) {
    for line in source.added.iter().copied() {
        let (code, text) = (source.code(line), source.text(line));
        if source.is_in_main(line) {
            continue;
        }
        if let Some(name) = PROCESS.iter().find(|name| code.contains(**name)) {
            report(line, format!("`{name}` looks at the process"));
        }
        // Arguments of a program start at 1; the name of the program is at 0.
        let program = ["sys.argv[0]", "process.argv[0]", "process.argv[1]"];
        let whole = code.trim_end().ends_with("sys.argv") || code.contains("str(sys.argv");
        if whole || program.iter().any(|name| code.contains(name)) {
            report(line, "the code asks which program runs it".to_owned());
        }
        if text.contains("/proc/self") || text.contains("/proc/1/") {
            report(line, "`/proc` looks at the process".to_owned());
        }
        if joins_literals(text) {
            report(line, "a name is put together from parts".to_owned());
        }
        if runs_text(code) {
            report(line, "text is run as code".to_owned());
        }
    }
}

/// `'_ex' + 'it'`: nobody needs to join two short words.
fn joins_literals(text: &str) -> bool {
    let is_part = |token: &Token| match token {
        Token::Literal(text) => {
            let text = text.trim_matches('"');
            !text.is_empty()
                && text.len() < 20
                && text
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_.:/".contains(c))
                && text.chars().any(char::is_alphabetic)
        }
        Token::Word(_) | Token::Mark(_) => false,
    };
    let is_plus = |token: &Token| matches!(token, Token::Mark(mark) if mark == "+");
    tokens(text)
        .windows(3)
        .any(|three| is_part(&three[0]) && is_plus(&three[1]) && is_part(&three[2]))
}

fn runs_text(code: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    ["eval(", "exec(", "new Function("].iter().any(|call| {
        code.match_indices(call)
            .any(|(at, _)| !code[..at].ends_with(is_name) && !code[..at].ends_with("def "))
    })
}

#[cfg(test)]
mod tests {
    use super::super::{ChangedFile, suspicious};

    fn count(path: &str, code: &str) -> usize {
        let file = ChangedFile {
            path: path.to_owned(),
            old: None,
            new: code.to_owned(),
        };
        suspicious(&[file], &[]).len()
    }

    #[test]
    fn hidden_names_and_questions_about_the_process_are_found() {
        for code in [
            "getattr(os, '_ex' + 'it')(0)\n",
            "x = 'runner' in sys.modules\n",
            "NAME = sys.argv[0]\n",
            "PROGRAM = sys.argv\n",
            "open('/proc/self/cmdline')\n",
            "import __main__\n",
            "x = eval(text)\n",
        ] {
            assert!(count("a.py", code) > 0, "{code}");
        }
        assert!(count("a.js", "process['ex' + 'it'](0);\n") > 0);
    }

    #[test]
    fn ordinary_code_is_not_reported() {
        for code in [
            "def main():\n    run(sys.argv)\n",
            "x = 'a, b: ' + name\n",
            "y = 'one two, ' + 'three'\n",
            "z = ast.literal_eval(text)\n",
            "cursor.exec(query)\n",
            "args = parse(sys.argv[1:])\n",
        ] {
            assert_eq!(count("a.py", code), 0, "{code}");
        }
        assert_eq!(count("a.js", "const found = pattern.exec(text);\n"), 0);
    }
}
