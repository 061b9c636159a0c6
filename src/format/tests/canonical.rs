//! Texts that differ only in white space have the same canonical text.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use fixpoint_format::{Language, Style, canonical};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

// C-42, C-43
#[test]
fn white_space_does_not_matter() {
    let cases: [(&str, &[&str]); 9] = [
        (
            "a.json",
            &[
                "{\"a\":[1,2],\"b\":{}}",
                "{ \"a\" : [ 1 , 2 ] , \"b\" : { } }\n\n",
            ],
        ),
        ("a.jsonc", &["[1,// c\n2]", "[\n  1,    // c\n\t2   ]"]),
        (
            "a.yaml",
            &[
                "a:\n- 1\n- b: [1,2]   # c\n",
                "a:\n    -   1\n    -   b:   [ 1, 2 ] # c",
            ],
        ),
        (
            "a.toml",
            &[
                "a=1\n[b]\nc=[1,2]#d",
                "a  =  1\n[ b ]\nc = [ 1 , 2 ]   #d\n\n",
            ],
        ),
        (
            "a.md",
            &["* a\n* b\n\n# c", "-   a\n-   b\n\n\n\n#   c   #\n"],
        ),
        ("a.py", &["x=f( 1,2 )#c\n", "x = f(1,\n  2)   # c"]),
        (
            "a.ts",
            &[
                "const a=f(1,{b:2})//c",
                "const   a = f( 1, { b : 2 } ) ;   //c\n\n\n",
            ],
        ),
        (
            "a.css",
            &["a{b:c;d:e}/*f*/", "a   {\n b : c ;\n\td:e;\n}   /*f*/\n"],
        ),
        (
            "a.graphql",
            &["{a(b:1){c}}#d", "{  a ( b : 1 ) {\n\tc }\n} #d\n"],
        ),
    ];
    for (path, sources) in cases {
        let language = Language::detect(path, "").unwrap();
        let printed: Vec<_> = sources
            .iter()
            .map(|source| canonical(language, path, source, &styles).unwrap())
            .collect();
        assert!(
            printed.windows(2).all(|pair| pair[0] == pair[1]),
            "{path}: {printed:#?}"
        );
    }
}

#[test]
fn the_configured_style_is_used() {
    let narrow = |language: Language| -> Option<Style> {
        let style = Style::default_of(language);
        Some(Style::new(20, fixpoint_format::Indent::Tab)).filter(|narrow| *narrow != style)
    };
    let json = canonical(
        Language::Json,
        "a.json",
        "{\"a\": [1000000, 2000000]}",
        &narrow,
    );
    assert_eq!(
        json.unwrap(),
        "{\n\t\"a\": [\n\t\t1000000, 2000000\n\t]\n}\n"
    );
    let python = canonical(
        Language::Python,
        "a.py",
        "def f():\n    return 1\n",
        &narrow,
    );
    assert_eq!(python.unwrap(), "def f():\n\treturn 1\n");
}

// C-73, C-75: the crate computes; it neither runs commands nor reads or writes files.
#[test]
fn the_crate_is_pure() {
    fn check(folder: &std::path::Path) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                check(&path);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            for banned in [
                "std::fs",
                "std::env",
                "std::time",
                "std::process",
                "std::net",
            ] {
                assert!(!source.contains(banned), "{}: {banned}", path.display());
            }
        }
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    check(&root.join("src"));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for banned in ["fixpoint-cli", "fixpoint-workspace", "clap"] {
        assert!(!manifest.contains(banned), "{banned}");
    }
}

#[test]
fn nothing_is_moved_into_a_kept_region_or_out_of_it() {
    // The printer moves loads to the top of the file, so into or out of a region.
    for text in [
        "lo # fixpoint: off\nload(\"b.bzl\", \"a\")\n",
        "x = 1\n# fixpoint: off\nload(\"b.bzl\",   \"a\")\n# fixpoint: on\ny = [ 1 ]\n",
        "x = 1\n# fixpoint: off\ny = [ 1 ]\n# fixpoint: on\nload(\"b.bzl\", \"a\")\n",
        "f(\n  srcs = [],\n  # fixpoint: off\n  name =  \"a\",\n  # fixpoint: on\n)\n",
    ] {
        let printed = canonical(Language::Starlark, "BUILD", text, &styles);
        assert!(printed.is_err(), "{text}\nbecomes\n{printed:?}");
    }
    let kept = "load(\"b.bzl\", \"a\")\n\n# fixpoint: off\ny = [ 1 ]\n# fixpoint: on\nx = [ 1 ]\n";
    assert_eq!(
        canonical(Language::Starlark, "BUILD", kept, &styles).unwrap(),
        kept.replace("x = [ 1 ]", "x = [1]")
    );
}
