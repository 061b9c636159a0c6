//! Finds uses of names that give Python code access to the running program.

use std::collections::{BTreeMap, BTreeSet};

use super::python_modules::{ATTRIBUTES, FUNCTIONS, GLOBALS, HIDDEN, LIMITED, REFUSED};
use super::{Code, Lines, Use, members};
use crate::suspicion::special_cases::Token;

const STREAMS: [&str; 3] = ["stderr", "stdin", "stdout"];
/// What ordinary code does with the streams of the process.
const STREAM_MEMBERS: [&str; 9] = [
    "buffer",
    "close",
    "flush",
    "read",
    "readline",
    "readlines",
    "reconfigure",
    "write",
    "writelines",
];
/// Attributes that describe the machine, the environment or the caller.
const DESCRIPTIONS: [&str; 13] = [
    "expandvars",
    "f_back",
    "f_code",
    "f_globals",
    "f_locals",
    "fileno",
    "isatty",
    "st_dev",
    "st_gid",
    "st_ino",
    "st_mode",
    "st_nlink",
    "st_uid",
];
/// How attributes of frames, code and tracebacks start.
const FRAMES: [&str; 5] = ["ag_", "co_", "cr_", "gi_", "tb_"];
/// Functions that describe a value.
const DESCRIBING: [&str; 8] = [
    "getattr",
    "hasattr",
    "id",
    "isinstance",
    "issubclass",
    "repr",
    "str",
    "type",
];

pub(super) fn uses(lines: &Lines, names: &BTreeSet<String>) -> Vec<Use> {
    let mut code = Code::of(lines);
    let imports = Imports::of(&mut code);
    for at in 0..code.tokens.len() {
        if imports.tokens.contains(&at) {
            continue;
        }
        let Some(word) = code.word(at).map(str::to_owned) else {
            continue;
        };
        if code.mark_before(at) == "." {
            attribute(&mut code, at, &word, &imports);
        } else {
            name(&mut code, at, &word, &imports, names);
        }
        if word == "is" && compares_identities(&code, at) {
            code.add(at, "is");
        }
    }
    for (line, _) in lines.code.iter().enumerate() {
        let hidden = code.strings(line..line + 1);
        let hidden: Vec<String> = hidden
            .filter(|it| (is_special(it) && !ATTRIBUTES.contains(&&**it)) || is_composed(it))
            .collect();
        code.found
            .extend(hidden.into_iter().map(|name| Use { line, name }));
    }
    // Python reads `𝐬𝐲𝐬` as `sys`.
    for (line, text) in lines.code.iter().enumerate() {
        if !text.is_ascii() {
            let name = "a name with other letters than ASCII".to_owned();
            code.found.push(Use { line, name });
        }
    }
    code.found
}

fn is_special(name: &str) -> bool {
    name.len() > 4
        && name.starts_with("__")
        && name.ends_with("__")
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// `__{name}__` and `__%s__`: the name of a special method, composed at run time.
fn is_composed(name: &str) -> bool {
    name == "__" || (name.starts_with("__") && name.contains(['{', '%']))
}

fn attribute(code: &mut Code<'_>, at: usize, word: &str, imports: &Imports) {
    if is_special(word) {
        if !ATTRIBUTES.contains(&word) {
            code.add(at, word);
        }
        return;
    }
    let head = code.head(at);
    let is_own = matches!(code.word(head), Some("self" | "cls"));
    let is_frame = FRAMES.iter().any(|start| word.starts_with(start));
    if DESCRIPTIONS.contains(&word) || (is_frame && !is_own) {
        code.add(at, format!(".{word}"));
    }
    let is_call_result = at >= 2 && code.mark(at - 2) == ")";
    if is_call_result && matches!(word, "handlers" | "hasHandlers") {
        code.add(at, format!(".{word}"));
    }
    let is_module = code
        .word(head)
        .is_some_and(|head| imports.all.contains(head));
    if is_module && (word.starts_with('_') || HIDDEN.contains(&word)) {
        code.add(at, format!("a module's {word}"));
    }
}

fn name(code: &mut Code<'_>, at: usize, word: &str, imports: &Imports, names: &BTreeSet<String>) {
    let next = code.mark(at + 1).to_owned();
    let is_bound = next == "=" || code.word_before(at) == Some("def");
    if GLOBALS.contains(&word) || (FUNCTIONS.contains(&word) && !is_bound && next != ":") {
        code.add(at, word);
    }
    let is_call = next == "(" && !is_bound;
    // The hash of a text tells one run from another.
    if is_call
        && (word == "id" || (word == "hash" && function_around(code, at) != Some("__hash__")))
    {
        code.add(at, word);
    }
    if word == "open"
        && next == "("
        && matches!(code.token(at + 2), Some(Token::Literal(it)) if !it.starts_with('"'))
    {
        code.add(at, "open with the number of a file");
    }
    if imports.environment.contains(word) {
        code.add_environment(at, "os.environ", names);
    }
    if imports.streams.contains(word) {
        stream(code, at, at, word);
    }
    let from_star = imports.has_star && HIDDEN.contains(&word);
    let module = imports.limited.get(word).map(String::as_str);
    let Some(module) = module.or(from_star.then_some(word)).filter(|_| !is_bound) else {
        return;
    };
    let Some((member_at, member)) = code.member(at) else {
        code.add(at, format!("{module} as a value"));
        return;
    };
    let member = member.to_owned();
    if members(LIMITED, module).is_some_and(|members| !members.allow(&member)) {
        code.add(at, format!("{module}.{member}"));
    } else if module == "os" && matches!(&*member, "environ" | "getenv") {
        code.add_environment(member_at, "os.environ", names);
    } else if module == "sys" && STREAMS.contains(&&*member) {
        stream(code, at, member_at, &member);
    }
}

/// The name of the function that starts above a token.
fn function_around<'a>(code: &'a Code<'_>, at: usize) -> Option<&'a str> {
    let def = (0..at).rev().find(|at| code.is_word(*at, "def"))?;
    code.word(def + 1)
}

/// `sys.stdout.isatty()` and `type(sys.stdout)` describe the process; writing does not.
fn stream(code: &mut Code<'_>, start: usize, at: usize, name: &str) {
    let described = match code.member(at) {
        Some((_, member)) => !STREAM_MEMBERS.contains(&member),
        None => {
            let before = start.checked_sub(2).and_then(|at| code.word(at));
            let is_iterated = code.word_before(start) == Some("in");
            let is_passed = matches!(code.mark_before(start), "(" | "," | "=");
            let is_described = before.is_some_and(|it| DESCRIBING.contains(&it));
            (!is_passed && !is_iterated) || is_described
        }
    };
    if described {
        let member = code
            .member(at)
            .map_or(String::new(), |(_, it)| format!(".{it}"));
        code.add(start, format!("sys.{name}{member}"));
    }
}

/// `a is b`, where both may be numbers or strings: whether equal ones are the same object is not defined.
fn compares_identities(code: &Code<'_>, at: usize) -> bool {
    let is_constant = |word: &str| {
        let known = [
            "None",
            "True",
            "False",
            "NotImplemented",
            "Ellipsis",
            "self",
            "cls",
        ];
        let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).collect();
        known.contains(&word) || (!letters.is_empty() && letters.iter().all(|c| c.is_uppercase()))
    };
    if code.word_before(at).is_some_and(is_constant) {
        return false;
    }
    // `type(a) is int`
    if code.mark_before(at) == ")" && calls_type(code, at - 1) {
        return false;
    }
    if code.word_before(at) == Some("__class__") {
        return false;
    }
    let mut right = if code.is_word(at + 1, "not") {
        at + 2
    } else {
        at + 1
    };
    while let Some((member, _)) = code.member(right) {
        right = member;
    }
    let is_ellipsis = code.mark(right) == ".";
    let is_called = code.mark(right + 1) == "(";
    !is_ellipsis && (is_called || !code.word(right).is_some_and(is_constant))
}

/// Whether the parenthesis closes `type(`.
fn calls_type(code: &Code<'_>, close: usize) -> bool {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        match code.mark(at) {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return code.word_before(at) == Some("type");
        }
    }
    false
}

/// The imports of a file.
#[derive(Default)]
struct Imports {
    /// The names of limited modules in this file, with the modules.
    limited: BTreeMap<String, String>,
    /// The names of all modules.
    all: BTreeSet<String>,
    /// Names of the environment and its functions.
    environment: BTreeSet<String>,
    streams: BTreeSet<String>,
    /// Whether all names of another module are names of this file.
    has_star: bool,
    /// The tokens of import statements.
    tokens: BTreeSet<usize>,
}

impl Imports {
    /// Reads the imports, and adds those of refused modules and members.
    fn of(code: &mut Code<'_>) -> Self {
        let mut imports = Self::default();
        for at in 0..code.tokens.len() {
            if imports.tokens.contains(&at) || code.mark_before(at) == "." {
                continue;
            }
            if code.is_word(at, "import") {
                for (module, name, at) in listed(code, at + 1, &mut imports.tokens) {
                    imports.module(code, at, &module, name);
                }
            } else if code.is_word(at, "from") {
                let mut end = at + 1;
                let mut module = String::new();
                while code.mark(end) == "."
                    || (code.word(end).is_some() && !code.is_word(end, "import"))
                {
                    module.push_str(code.word(end).unwrap_or("."));
                    end += 1;
                }
                if code.is_word(end, "import") {
                    imports.tokens.extend(at..=end);
                    for (member, name, at) in listed(code, end + 1, &mut imports.tokens) {
                        imports.member(code, at, &module, &member, name);
                    }
                }
            }
        }
        imports
    }

    fn module(&mut self, code: &mut Code<'_>, at: usize, module: &str, name: Option<String>) {
        let root = module.split('.').next().unwrap_or(module);
        let name = name.unwrap_or_else(|| root.to_owned());
        if is_refused(root) {
            code.add(at, root);
        }
        if let Some(limits) = members(LIMITED, root) {
            let member = module.split('.').nth(1);
            if let Some(member) = member.filter(|it| !limits.allow(it)) {
                code.add(at, format!("{root}.{member}"));
            }
            if member.is_none() || name == root {
                self.limited.insert(name.clone(), root.to_owned());
            }
        }
        self.all.insert(name);
    }

    fn member(
        &mut self,
        code: &mut Code<'_>,
        at: usize,
        module: &str,
        member: &str,
        name: Option<String>,
    ) {
        let root = module.split('.').next().unwrap_or(module);
        let name = name.unwrap_or_else(|| member.to_owned());
        let is_limited =
            members(LIMITED, module).is_some_and(|limits| member == "*" || !limits.allow(member));
        let is_hidden = HIDDEN.contains(&member.trim_start_matches('_')) && module != "os";
        self.has_star |= member == "*";
        if !root.is_empty() && is_refused(root) {
            code.add(at, root);
        } else if is_limited || is_hidden {
            code.add(at, format!("{module}.{member}"));
        }
        match (module, member) {
            ("os", "environ" | "getenv") => {
                self.environment.insert(name);
            }
            ("sys", stream) if STREAMS.contains(&stream) => {
                self.streams.insert(name);
            }
            _ => {}
        }
    }
}

fn is_refused(root: &str) -> bool {
    REFUSED.contains(&root) || (root.starts_with('_') && root != "__future__")
}

/// The names of an import statement: each with its new name and its position.
fn listed(
    code: &Code<'_>,
    start: usize,
    tokens: &mut BTreeSet<usize>,
) -> Vec<(String, Option<String>, usize)> {
    let mut found = Vec::new();
    let in_parentheses = code.mark(start) == "(";
    let mut at = start + usize::from(in_parentheses);
    let mut line = code.line(at);
    loop {
        let first = at;
        let mut name = String::new();
        while (code.word(at).is_some() && !code.is_word(at, "as"))
            || matches!(code.mark(at), "." | "*")
        {
            if !in_parentheses && code.line(at) != line {
                break;
            }
            name.push_str(
                code.word(at)
                    .unwrap_or(if code.mark(at) == "*" { "*" } else { "." }),
            );
            at += 1;
        }
        let mut new_name = None;
        if code.is_word(at, "as") {
            new_name = code.word(at + 1).map(str::to_owned);
            at += 2;
        }
        if !name.is_empty() {
            found.push((name, new_name, first));
        }
        if code.mark(at) == "\\" {
            at += 1;
            line = code.line(at);
        } else if code.mark(at) == "," {
            at += 1;
        } else {
            break;
        }
    }
    tokens.extend(start..at);
    found
}
