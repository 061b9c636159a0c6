//! Splitting of commands, the allowlist, and the search for programs.
#![allow(clippy::disallowed_methods, reason = "these tests write programs")]

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;

use fixpoint_prove::command::{Command, CommandError, CommandPolicy, resolve, search_path};

fn argv(text: &str) -> Vec<String> {
    Command::parse(text)
        .expect("the command is valid")
        .argv()
        .to_vec()
}

// E-99
#[test]
fn splits_like_a_shell() {
    let cases: [(&str, &[&str]); 14] = [
        ("cargo test", &["cargo", "test"]),
        ("  cargo\t test  ", &["cargo", "test"]),
        ("pytest 'a b' \"c d\"", &["pytest", "a b", "c d"]),
        (
            "pytest 'a; b | c && $(d) `e` $F > g * ?'",
            &["pytest", "a; b | c && $(d) `e` $F > g * ?"],
        ),
        (
            "pytest \"a; b | c && > d < e * ? {f}\"",
            &["pytest", "a; b | c && > d < e * ? {f}"],
        ),
        ("pytest \"\\$(a) \\`b\\` \\$C\"", &["pytest", "$(a) `b` $C"]),
        ("pytest a\\;b \\$c", &["pytest", "a;b", "$c"]),
        ("pytest -k 'a''b'", &["pytest", "-k", "ab"]),
        (
            "pytest tests/a.py::test_b[1]",
            &["pytest", "tests/a.py::test_b[1]"],
        ),
        ("pytest ''", &["pytest", ""]),
        (
            "go test ./... -run ^A$",
            &["go", "test", "./...", "-run", "^A$"],
        ),
        ("go test -run \"^A$\"", &["go", "test", "-run", "^A$"]),
        ("node --a=b c~d e#f", &["node", "--a=b", "c~d", "e#f"]),
        ("node 'é ü'", &["node", "é ü"]),
    ];
    for (text, expected) in cases {
        assert_eq!(argv(text), expected, "{text}");
    }
}

// E-95 E-99
#[test]
fn rejects_shell_syntax() {
    let cases = [
        "a;b",
        "a ; b",
        "a|b",
        "a | b",
        "a || b",
        "a & b",
        "a &",
        "a&&b",
        "a && b",
        "$(a)",
        "a $(b)",
        "a \"$(b)\"",
        "a ${B}",
        "a $B",
        "a \"$B\"",
        "a \"${B}\"",
        "a $1",
        "a $@",
        "a $?",
        "a $$",
        "a `b`",
        "a \"`b`\"",
        "a < b",
        "a > b",
        "a >> b",
        "a 2>&1",
        "a <<< b",
        "a <(b)",
        "(a)",
        "a *",
        "a b?",
        "a {b,c}",
        "a ~",
        "a ~/b",
        "a # b",
        "#a",
        "a $'b'",
        "a $\"b\"",
        "a \"\"$(b)",
        "a '\\'$(b)",
        "a \\\\$(b)",
        "a \"\\\\$(b)\"",
        "a \"\\a$(b)\"",
        "a ''`b`''",
        "a \"b\";c",
        "a;",
        "a $[1]",
    ];
    for text in cases {
        assert!(
            matches!(Command::parse(text), Err(CommandError::Shell { .. })),
            "{text}: {:?}",
            Command::parse(text)
        );
    }
}

#[test]
fn rejects_control_characters_everywhere() {
    for text in [
        "a\nb",
        "a \\\nb",
        "a 'b\nc'",
        "a \"b\nc\"",
        "a\rb",
        "a\0b",
        "a 'b\0'",
        "a \u{1b}[2J",
        "a\n",
        "a \"\\\n\"",
    ] {
        assert!(
            matches!(Command::parse(text), Err(CommandError::Control { .. })),
            "{text:?}"
        );
    }
}

#[test]
fn rejects_unbalanced_empty_and_assignments() {
    for text in [
        "a 'b", "a \"b", "a b\\", "'", "\"", "a 'b\"", "a \"b'", "\\",
    ] {
        assert_eq!(
            Command::parse(text),
            Err(CommandError::Unbalanced),
            "{text}"
        );
    }
    for text in ["", "  ", "\t", "''", "'' a", "\"\""] {
        assert_eq!(Command::parse(text), Err(CommandError::Empty), "{text:?}");
    }
    for text in [
        "A=b c", "A= c", "_a1=b c", "PATH=. c", "A+=b c", "A=b", "'A=b' c",
    ] {
        assert!(
            matches!(Command::parse(text), Err(CommandError::Assignment { .. })),
            "{text}"
        );
    }
}

// E-05 E-54 E-55 X-29 D-10
#[test]
fn allows_by_whole_words() {
    let check = |allow: &[&str], text: &str| {
        let policy = CommandPolicy {
            allow: allow.iter().map(|&entry| entry.to_owned()).collect(),
            network_allowed: false,
        };
        policy.check(&Command::parse(text).expect("the command is valid"))
    };
    let allowed: [(&[&str], &str); 6] = [
        (&["node"], "node a.js"),
        (&["npm test"], "npm test"),
        (&["npm test"], "npm test -- --grep a"),
        (&["npm  test "], "npm test"),
        (&["./bazelw"], "./bazelw test //a"),
        (&["/opt/x/bin/y"], "/opt/x/bin/y"),
    ];
    for (allow, text) in allowed {
        assert_eq!(check(allow, text), Ok(()), "{text}");
    }
    let rejected: [(&[&str], &str); 12] = [
        (&["node"], "nodemon a.js"),
        (&["node"], "./node a.js"),
        (&["node"], "/usr/bin/node a.js"),
        (&["node"], "tools/node"),
        (&["node"], "nod"),
        (&["npm test"], "npm run test"),
        (&["npm test"], "npm"),
        (&["npm test"], "npm 'test '"),
        (&["npm test"], "npm tests"),
        (&["npm test"], "'npm test'"),
        (&["", " "], "a"),
        (&[], "node"),
    ];
    for (allow, text) in rejected {
        assert!(
            matches!(check(allow, text), Err(CommandError::NotAllowed { .. })),
            "{text}"
        );
    }
    for text in [
        "curl https://a",
        "wget a",
        "ssh a",
        "nc a 1",
        "/usr/bin/curl a",
    ] {
        let program = text.split(' ').next().expect("there is a word");
        assert!(
            matches!(check(&[program], text), Err(CommandError::Network { .. })),
            "{text}"
        );
    }
    let open = CommandPolicy {
        allow: vec!["curl".to_owned()],
        network_allowed: true,
    };
    let curl = Command::parse("curl a").expect("the command is valid");
    assert_eq!(open.check(&curl), Ok(()));
    let default = CommandPolicy::default();
    for text in [
        "cargo test",
        "python3 -m pytest",
        "bazel test //a",
        "fixpoint check",
    ] {
        let command = Command::parse(text).expect("the command is valid");
        assert_eq!(default.check(&command), Ok(()), "{text}");
    }
}

#[test]
fn finds_programs_outside_the_trees_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    let program = |path: &str, mode: u32| {
        let file = root.join(path);
        std::fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        std::fs::write(&file, "#!/bin/sh\n").expect("a file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    program("tree/bin/cargo", 0o755);
    program("early/cargo", 0o644);
    program("late/cargo", 0o755);
    std::fs::create_dir_all(root.join("linked")).expect("a folder");
    std::os::unix::fs::symlink(root.join("tree/bin/cargo"), root.join("linked/cargo"))
        .expect("a link");
    std::os::unix::fs::symlink(root.join("tree/bin"), root.join("linked_folder")).expect("a link");
    let tree = root.join("tree");
    let path = std::env::join_paths([
        "".into(),
        "bin".into(),
        root.join("tree/bin"),
        root.join("linked"),
        root.join("linked_folder"),
        root.join("early"),
        root.join("late"),
    ])
    .expect("a path");
    assert_eq!(
        resolve("cargo", &path, &[&tree]),
        Ok(root.join("late/cargo"))
    );
    let safe = search_path(&path, &[&tree]);
    let folders: Vec<_> = std::env::split_paths(&safe).collect();
    assert_eq!(
        folders,
        [root.join("linked"), root.join("early"), root.join("late")]
    );
    assert!(matches!(
        resolve("cargo", OsStr::new(""), &[&tree]),
        Err(CommandError::NotFound { .. })
    ));
}

/// Random texts: a real shell splits every accepted one into the same words.
#[test]
fn a_shell_agrees_on_accepted_commands() {
    let alphabet: Vec<char> = "aab b''\"\"\\\\$`;|&<>()*?[]{}~#=!./%\té-+^,:@"
        .chars()
        .collect();
    let mut state = 7_u64;
    let mut random = |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).expect("31 bits") % limit
    };
    let mut script = String::new();
    let mut expected = Vec::new();
    for _ in 0..200_000 {
        let length = random(12) + 1;
        let text: String = (0..length)
            .map(|_| alphabet[random(alphabet.len())])
            .collect();
        if let Ok(command) = Command::parse(&format!("a {text}")) {
            script.push_str(&format!("printf '%s\\0' a {text}\necho\n"));
            for word in command.argv() {
                expected.extend_from_slice(word.as_bytes());
                expected.push(0);
            }
            expected.push(b'\n');
        }
    }
    // An empty folder, so that `[` matches no file.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(".script");
    std::fs::write(&file, script).expect("a file");
    let output = std::process::Command::new("sh")
        .arg(&file)
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let count = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').count();
    assert!(count(&expected) > 1000, "{}", count(&expected));
    for (ours, theirs) in expected
        .split(|&byte| byte == b'\n')
        .zip(output.stdout.split(|&byte| byte == b'\n'))
    {
        assert_eq!(
            String::from_utf8_lossy(ours),
            String::from_utf8_lossy(theirs)
        );
    }
    assert_eq!(count(&expected), count(&output.stdout));
}
