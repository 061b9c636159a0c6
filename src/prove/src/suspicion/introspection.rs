//! Code that inspects the process that runs it, or hides the names that it uses.

use super::special_cases::{Token, tokens};
use super::{Source, has_word};

/// What differs between the machine of a user and a place where tests run, in strings.
const NAMES: [&str; 16] = [
    "'/usr'",
    "\"/usr\"",
    "PYTHONHASHSEED",
    "CARGO_MANIFEST_DIR",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_PKG_",
    "INIT_CWD",
    "npm_lifecycle",
    "/sys/class",
    "/proc/",
    "/etc/hostname",
    "/.dockerenv",
    "/var/tmp",
    "/run/",
    "'/dev'",
    "\"/dev\"",
];

/// Folders of the machine, whose contents differ in the sandbox.
const PLACES: [&str; 15] = [
    "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/mnt", "/opt", "/root", "/sbin", "/srv",
    "/sys", "/tmp", "/var", "~",
];

/// What reads the date.
const CLOCKS: [&str; 11] = [
    "time.time()",
    "time.gmtime",
    "time.localtime",
    "strftime(",
    "datetime.now(",
    "datetime.utcnow(",
    "date.today(",
    "Date.now()",
    "new Date()",
    "time.Now()",
    "SystemTime::now()",
];

/// Code that runs before the main function, or reaches behind the language.
const BEHIND: [&str; 6] = [
    "libc::_exit(",
    "libc::exit(",
    "link_section",
    "no_mangle",
    "export_name",
    "macro_rules! assert",
];

pub(super) fn check(source: &Source, report: &mut dyn FnMut(usize, String)) {
    for line in source.added.iter().copied() {
        let (code, text) = (source.code(line), source.text(line));
        if source.is_in_main(line) {
            continue;
        }
        // Arguments of a program start at 1; the name of the program is at 0.
        let program = ["sys.argv[0]", "process.argv[0]", "process.argv[1]"];
        let whole = code.trim_end().ends_with("sys.argv") || code.contains("str(sys.argv");
        if whole || program.iter().any(|name| code.contains(name)) {
            report(line, "the code asks which program runs it".to_owned());
        }
        if let Some(name) = BEHIND.iter().find(|name| text.contains(**name)) {
            report(line, format!("`{name}` changes how the program runs"));
        }
        if CLOCKS.iter().any(|name| code.contains(name)) && compares_with_date(text) {
            report(line, "the date decides about the result".to_owned());
        }
        if let Some(name) = place(source, line) {
            report(line, format!("`{name}` decides about the result"));
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

/// `< '2031'` and `< 1900000000`: a comparison with a fixed date.
fn compares_with_date(text: &str) -> bool {
    let is_date = |token: &Token| match token {
        Token::Literal(text) => {
            let digits = text
                .trim_matches('"')
                .chars()
                .take_while(char::is_ascii_digit);
            digits.count() >= 4
        }
        Token::Word(_) | Token::Mark(_) => false,
    };
    let compares = |token: &Token| matches!(token, Token::Mark(mark) if "<>==".contains(&**mark));
    let tokens = tokens(text);
    tokens.windows(2).any(|two| {
        (compares(&two[0]) && is_date(&two[1])) || (is_date(&two[0]) && compares(&two[1]))
    })
}

/// A name of [`NAMES`], or git's folder, that a branch depends on.
fn place(source: &Source, line: usize) -> Option<&'static str> {
    let text = source.text(line);
    let name = NAMES.iter().find(|name| text.contains(**name)).copied();
    let git = ["'.git'", "\".git\""]
        .into_iter()
        .find(|name| text.contains(name));
    let name = name.or(git).or_else(|| probed(source, line))?;
    // The branch may be on one of the next lines.
    let branches = |line: usize| {
        let code = source.code(line);
        ["if", "elif", "match", "switch", "and", "or"]
            .iter()
            .any(|word| has_word(code, word))
            || ["?", "&&", "||"].iter().any(|mark| code.contains(mark))
    };
    (line..line + 3).any(branches).then_some(name)
}

/// The folder of the machine that the code near a line reads.
fn probed(source: &Source, line: usize) -> Option<&'static str> {
    let asks = (line.saturating_sub(2)..line + 3).any(|near| {
        let calls = [
            "exists", "is_file", "isfile", "is_dir", "isdir", "access", "stat", "listdir",
            "iterdir", "readdir", "open", "Stat", "ReadDir", "metadata", "which",
        ];
        calls.iter().any(|call| source.code(near).contains(call))
    });
    let text = source.text(line);
    let starts = |place: &&str| {
        ['"', '\'', '`']
            .iter()
            .any(|quote| text.contains(&format!("{quote}{place}")))
    };
    PLACES.into_iter().find(|place| asks && starts(place))
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
            "import sys\nx = 'runner' in sys.modules\n",
            "NAME = sys.argv[0]\n",
            "PROGRAM = sys.argv\n",
            "open('/proc/self/cmdline')\n",
            "import __main__\n",
            "x = eval(text)\n",
            "def f(a):\n    if time.strftime('%Y') < '2031':\n        return a\n",
            "def f(a):\n    return a if time.time() < 1900000000 else 0\n",
            "def f(a):\n    if os.path.exists('/etc/ssl'):\n        return a\n",
            "def f(a):\n    return a if Path('/home').is_dir() else 0\n",
            "import os\ndef f(a):\n    if os.getpid() < 50:\n        return a\n",
            "def f(a):\n    return a if os.path.exists('.git') else 0\n",
            "def f(a):\n    seed = os.environ['PYTHONHASHSEED']\n    if seed == '1':\n        return a\n",
        ] {
            assert!(count("a.py", code) > 0, "{code}");
        }
        assert!(count("a.js", "process['ex' + 'it'](0);\n") > 0);
    }

    #[test]
    fn ordinary_code_is_not_reported() {
        for code in [
            "def main():\n    run(sys.argv)\n",
            "def f(route):\n    if route == '/home':\n        return 1\n",
            "x = 'a, b: ' + name\n",
            "y = 'one two, ' + 'three'\n",
            "z = ast.literal_eval(text)\n",
            "cursor.exec(query)\n",
            "args = parse(sys.argv[1:])\n",
            "if time.time() > deadline:\n    stop()\n",
            "if time.time() - start < 60:\n    wait()\n",
        ] {
            assert_eq!(count("a.py", code), 0, "{code}");
        }
        assert_eq!(count("a.js", "const found = pattern.exec(text);\n"), 0);
    }
}
