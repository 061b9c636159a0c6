//! The table: one row for each language.

use crate::info::{Comments, Example, LanguageInfo, LineEndings, Quotes};

/// Declares the languages and the row of each, so that no language is listed twice.
macro_rules! languages {
    ($($(#[$attribute:meta])* $language:ident = $row:expr;)*) => {
        /// A language: files that one printer formats in one way.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Language {
            $($(#[$attribute])* $language,)*
        }

        impl Language {
            /// All languages, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$language),*];

            /// The row of the language.
            pub fn info(self) -> &'static LanguageInfo {
                match self {
                    $(Self::$language => {
                        const ROW: LanguageInfo = $row;
                        &ROW
                    })*
                }
            }
        }
    };
}

languages! {
    Json = LanguageInfo {
        name: "json",
        extensions: &["json", "geojson", "topojson", "jsonld", "webmanifest", "importmap"],
        fence_tags: &["json"],
        comments: Comments { are_allowed: false, ..SLASHES },
        template_quotes: Some(PLAIN_QUOTES),
        layout_rule: "format-json",
        summary: "Formats JSON in canonical form.",
        example: Example {
            path: "a.json",
            before: "{\"a\":1,\"b\":[1,2]}\n",
            after: "{ \"a\": 1, \"b\": [1, 2] }\n",
        },
        ..DEFAULT
    };

    /// JSON with comments and trailing commas.
    Jsonc = LanguageInfo {
        name: "jsonc",
        file_names: &[
            ".babelrc",
            ".babelrc.json",
            "babel.config.json",
            ".eslintrc",
            ".eslintrc.json",
            ".jshintrc",
            ".jscsrc",
            ".swcrc",
            ".hintrc",
            "devcontainer.json",
            ".devcontainer.json",
            "api-extractor.json",
            "tslint.json",
            "typedoc.json",
            "turbo.json",
            "deno.json",
            "biome.json",
            ".oxlintrc.json",
            ".oxfmtrc.json",
            "language-configuration.json",
        ],
        extensions: &[
            "jsonc",
            "code-workspace",
            "code-snippets",
            "sublime-project",
            "sublime-settings",
        ],
        read_only_extensions: &["json5"],
        fence_tags: &["jsonc"],
        comments: SLASHES,
        template_quotes: Some(PLAIN_QUOTES),
        layout_rule: "format-jsonc",
        summary: "Formats JSON with comments in canonical form.",
        example: Example {
            path: "a.jsonc",
            before: "{\"a\":1,} // one\n",
            after: "{ \"a\": 1 } // one\n",
        },
        ..DEFAULT
    };

    Yaml = LanguageInfo {
        name: "yaml",
        file_names: &[".clang-format", ".clang-tidy", ".clangd", ".yamllint", "CITATION.cff"],
        extensions: &["yaml", "yml"],
        fence_tags: &["yaml", "yml"],
        indentation_matters: true,
        line_endings: LineEndings::KeptWithReturn,
        template_quotes: Some(Quotes { after_blank: true, ..PLAIN_QUOTES }),
        layout_rule: "format-yaml",
        summary: "Formats YAML in canonical form.",
        example: Example {
            path: "a.yaml",
            before: "a:   1\nb: {c: 2}\n",
            after: "a: 1\nb: { c: 2 }\n",
        },
        ..DEFAULT
    };

    Toml = LanguageInfo {
        name: "toml",
        file_names: &["Pipfile"],
        extensions: &["toml"],
        fence_tags: &["toml"],
        template_quotes: Some(TRIPLE_QUOTES),
        layout_rule: "format-toml",
        summary: "Formats TOML in canonical form.",
        example: Example {
            path: "a.toml",
            before: "a=1\nb  = [1,2]\n",
            after: "a = 1\nb = [1, 2]\n",
        },
        ..DEFAULT
    };

    Markdown = LanguageInfo {
        name: "markdown",
        extensions: &["md", "markdown", "mdown"],
        fence_tags: &["markdown", "md"],
        comments: MARKUP,
        indentation_matters: true,
        line_endings: LineEndings::KeptWithReturn,
        layout_rule: "format-markdown",
        summary: "Formats Markdown, and the code in its fences, in canonical form.",
        example: Example {
            path: "a.md",
            before: "#  Title\n* item\n",
            after: "# Title\n\n- item\n",
        },
        ..DEFAULT
    };

    Python = LanguageInfo {
        name: "python",
        extensions: &["py", "pyi", "pyw"],
        interpreters: &["python", "pypy"],
        fence_tags: &["python", "py", "python3"],
        indentation_matters: true,
        template_quotes: Some(TRIPLE_QUOTES),
        line_width: 88,
        indent: 4,
        layout_rule: "format-python",
        summary: "Formats Python in canonical form.",
        example: Example {
            path: "a.py",
            before: "x = { 'a':1 }\n",
            after: "x = {\"a\": 1}\n",
        },
        ..DEFAULT
    };

    TypeScript = TYPESCRIPT;

    Tsx = LanguageInfo {
        extensions: &["tsx"],
        interpreters: &[],
        fence_tags: &["tsx"],
        example: Example { path: "a.tsx", ..TYPESCRIPT.example },
        ..TYPESCRIPT
    };

    JavaScript = JAVASCRIPT;

    Jsx = LanguageInfo {
        extensions: &["jsx"],
        interpreters: &[],
        fence_tags: &["jsx"],
        example: Example { path: "a.jsx", ..JAVASCRIPT.example },
        ..JAVASCRIPT
    };

    Css = LanguageInfo {
        name: "css",
        extensions: &["css"],
        fence_tags: &["css"],
        comments: Comments { are_allowed: true, line: &[], block: &[("/*", "*/")] },
        template_quotes: Some(PLAIN_QUOTES),
        layout_rule: "format-css",
        summary: "Formats CSS in canonical form.",
        example: Example {
            path: "a.css",
            before: "a{color:red}\n",
            after: "a {\n  color: red;\n}\n",
        },
        ..DEFAULT
    };

    Scss = LanguageInfo {
        name: "scss",
        extensions: &["scss"],
        fence_tags: &["scss"],
        comments: SLASHES,
        template_quotes: Some(PLAIN_QUOTES),
        layout_rule: "format-scss",
        summary: "Formats SCSS in canonical form.",
        example: Example {
            path: "a.scss",
            before: "a{&:hover{color:$b}}\n",
            after: "a {\n  &:hover {\n    color: $b;\n  }\n}\n",
        },
        ..DEFAULT
    };

    Less = LanguageInfo {
        name: "less",
        extensions: &["less"],
        fence_tags: &["less"],
        comments: SLASHES,
        template_quotes: Some(PLAIN_QUOTES),
        layout_rule: "format-less",
        summary: "Formats Less in canonical form.",
        example: Example {
            path: "a.less",
            before: "@a:1px;b{.c();}\n",
            after: "@a: 1px;\nb {\n  .c();\n}\n",
        },
        ..DEFAULT
    };

    Html = LanguageInfo {
        name: "html",
        extensions: &["html", "htm"],
        fence_tags: &["html"],
        comments: MARKUP,
        layout_rule: "format-html",
        summary: "Formats HTML in canonical form.",
        example: Example {
            path: "a.html",
            before: "<p   class=a>x</p>\n",
            after: "<p class=\"a\">x</p>\n",
        },
        ..DEFAULT
    };

    GraphQl = LanguageInfo {
        name: "graphql",
        extensions: &["graphql", "gql", "graphqls"],
        fence_tags: &["graphql", "gql"],
        template_quotes: Some(TRIPLE_QUOTES),
        layout_rule: "format-graphql",
        summary: "Formats GraphQL in canonical form.",
        example: Example {
            path: "a.graphql",
            before: "{a,b}\n",
            after: "{\n  a\n  b\n}\n",
        },
        ..DEFAULT
    };

    /// What Bazel and related tools read. `build.rs` and `workspace.json` are not Starlark.
    Starlark = LanguageInfo {
        name: "starlark",
        file_names: &["BUILD", "WORKSPACE", "WORKSPACE.bzlmod", "Tiltfile"],
        name_endings: &[
            ".bazel",
            ".bzl",
            ".scl",
            ".star",
            ".axl",
            ".sky",
            ".BUILD",
            ".WORKSPACE",
        ],
        indentation_matters: true,
        // Canonical Starlark is the output of buildifier, which always ends lines in LF.
        line_endings: LineEndings::Printed,
        has_fixed_layout: true,
        layout_rule: "format-starlark",
        summary: "Formats BUILD, MODULE.bazel, .bzl and other Starlark files in canonical form.",
        example: Example {
            path: "BUILD",
            before: "cc_library(srcs=['b.cc','a.cc'],name='x')\n",
            after: "cc_library(\n    name = \"x\",\n    srcs = [\n        \"a.cc\",\n        \
                \"b.cc\",\n    ],\n)\n",
        },
        ..DEFAULT
    };

    Clank = LanguageInfo {
        name: "clank",
        extensions: &["clank"],
        comments: SLASHES,
        has_fixed_layout: true,
        layout_rule: "format-clank",
        summary: "Formats Clank in canonical form.",
        example: Example {
            path: "a.clank",
            before: "fn f(x:Int)->Int{x*2}\n",
            after: "fn f(x: Int) -> Int {\n  x * 2\n}\n",
        },
        ..DEFAULT
    };

    /// A file of unknown format that the settings include. Only its line endings and final newline
    /// are canonical.
    Text = LanguageInfo {
        name: "text",
        // The comments of any language.
        comments: Comments {
            are_allowed: true,
            line: &["#", "//", "--", ";"],
            block: &[("<!--", "-->"), ("/*", "*/")],
        },
        has_fixed_layout: true,
        layout_rule: "format-text",
        summary: "Formats the files that `include` under `[language.text]` names (only line endings \
            and the final newline) in canonical form.",
        example: Example {
            path: "a.txt",
            before: "one\r\ntwo\nthree",
            after: "one\ntwo\nthree\n",
        },
        ..DEFAULT
    };
}

const TYPESCRIPT: LanguageInfo = LanguageInfo {
    name: "typescript",
    extensions: &["ts", "mts", "cts"],
    interpreters: &["deno", "bun", "ts-node", "tsx"],
    fence_tags: &["typescript", "ts", "mts", "cts"],
    comments: SLASHES,
    layout_rule: "format-typescript",
    summary: "Formats TypeScript and TSX in canonical form.",
    example: Example {
        path: "a.ts",
        before: "let a:number=1\n",
        after: "let a: number = 1;\n",
    },
    ..DEFAULT
};

const JAVASCRIPT: LanguageInfo = LanguageInfo {
    name: "javascript",
    extensions: &["js", "mjs", "cjs", "es6"],
    interpreters: &["node", "nodejs"],
    fence_tags: &["javascript", "js", "mjs", "cjs"],
    comments: SLASHES,
    layout_rule: "format-javascript",
    summary: "Formats JavaScript and JSX in canonical form.",
    example: Example {
        path: "a.js",
        before: "let a='b'\n",
        after: "let a = \"b\";\n",
    },
    ..DEFAULT
};

/// What most languages have in common. Every row has a name, a layout rule, a summary and an example
/// of its own.
const DEFAULT: LanguageInfo = LanguageInfo {
    name: "",
    file_names: &[],
    name_endings: &[],
    extensions: &[],
    read_only_extensions: &[],
    interpreters: &[],
    fence_tags: &[],
    comments: HASH,
    indentation_matters: false,
    line_endings: LineEndings::Kept,
    template_quotes: None,
    has_fixed_layout: false,
    line_width: 80,
    indent: 2,
    layout_rule: "",
    summary: "",
    example: Example {
        path: "",
        before: "",
        after: "",
    },
};

const HASH: Comments = Comments {
    are_allowed: true,
    line: &["#"],
    block: &[],
};

const SLASHES: Comments = Comments {
    are_allowed: true,
    line: &["//"],
    block: &[("/*", "*/")],
};

const MARKUP: Comments = Comments {
    are_allowed: true,
    line: &[],
    block: &[("<!--", "-->")],
};

const PLAIN_QUOTES: Quotes = Quotes {
    after_blank: false,
    triple: false,
};

const TRIPLE_QUOTES: Quotes = Quotes {
    after_blank: false,
    triple: true,
};
