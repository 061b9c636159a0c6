//! `fixpoint: off`, `on` and `ignore` at any position of a text. The lines that they apply to are
//! kept, the rest is formatted, and the next run changes nothing.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;

use fixpoint_format::{FormatError, Language, Style, Suppressions, canonical};

fn styles(language: Language) -> Option<Style> {
    Some(Style::default_of(language))
}

/// A text that is not canonical, with its comment marks. Its last line is a separate statement.
struct Sample {
    language: Language,
    path: &'static str,
    marks: (&'static str, &'static str),
    text: &'static str,
    /// The canonical form of the last line.
    last: &'static str,
}

const SAMPLES: &[Sample] = &[
    Sample {
        language: Language::Python,
        path: "a.py",
        marks: ("#", ""),
        text: "a = [1,\n  2 , 3]\ndef f( x ):\n  if x :\n    return g( x,\n      1 )\n  return  2\nlast =  1\n",
        last: "last = 1\n",
    },
    Sample {
        language: Language::Yaml,
        path: "a.yaml",
        marks: ("#", ""),
        text: "a: [1,\n  2 , 3]\nb:\n    c:   1\n    d:\n        - x:  1\n          y: 2\n        -   z\nlast:   1\n",
        last: "last: 1\n",
    },
    Sample {
        language: Language::Toml,
        path: "a.toml",
        marks: ("#", ""),
        text: "a = [1,\n  2 , 3]\nb  = 'x'\n[t]\nc=  1\nd = [ [1],\n [2]]\nlast =   1\n",
        last: "last = 1\n",
    },
    Sample {
        language: Language::Jsonc,
        path: "a.jsonc",
        marks: ("//", ""),
        text: "{\n\"a\": [1,\n  2 , 3],\n \"b\": {\"c\":   1,\n\"d\": {} },\n    \"e\": [ [\n 1 ] ],\n\"last\":   1\n}\n",
        last: "  \"last\": 1,\n}\n",
    },
    Sample {
        language: Language::TypeScript,
        path: "a.ts",
        marks: ("//", ""),
        text: "const a = [1,\n  2 , 3]\nfunction f( x ) {\n  if (x )  {\n    return g( x,\n      1 )\n  }\n  return  2 }\nconst last =  1\n",
        last: "const last = 1;\n",
    },
    Sample {
        language: Language::Css,
        path: "a.css",
        marks: ("/*", "*/"),
        text: "a {\n color:red;\n   margin : 0\n}\n@media print {\n b{\n  color:   red; }\n }\n.last { top:0 }\n",
        last: ".last {\n  top: 0;\n}\n",
    },
    Sample {
        language: Language::GraphQl,
        path: "a.graphql",
        marks: ("#", ""),
        text: "query a( $b:Int ) {\n c( d:1 ,\n  e: 2 ) {\n   f }\n}\ntype G  {\n h: Int }\nscalar   Last\n",
        last: "scalar Last\n",
    },
    Sample {
        language: Language::Html,
        path: "a.html",
        marks: ("<!--", "-->"),
        text: "<div   class=a>\n<p>x</p>\n   <ul><li>1</li>\n<li>2</li></ul>\n</div>\n<hr   class=last>\n",
        last: "<hr class=\"last\">\n",
    },
    Sample {
        language: Language::Markdown,
        path: "a.md",
        marks: ("<!--", "-->"),
        text: "# a\n* b\n* c\n\n  d\n\n1) e\n\n> f\n> g\n\n#  Last\n",
        last: "# Last\n",
    },
    Sample {
        language: Language::Starlark,
        path: "BUILD",
        marks: ("#", ""),
        text: "a = [1,\n  2 , 3]\nf( name = \"x\",\n  srcs = glob( [\"b\"] ),\n  deps = [ \":c\",\n   \":d\" ])\nlast =  1\n",
        last: "last = 1\n",
    },
    Sample {
        language: Language::Clank,
        path: "a.clank",
        marks: ("//", ""),
        text: "fn f(x:Int)->Int{\n  let y =  g(x,\n  1)\n  y*2\n}\nfn g( a:Int,b:Int )->Int { a+b }\nfn last()->Int{1}\n",
        last: "fn last() -> Int {\n  1\n}\n",
    },
    Sample {
        language: Language::Text,
        path: "a.txt",
        marks: ("#", ""),
        text: "a\n  b\n\nc\nlast\n\n\n",
        last: "last\n",
    },
];

impl Sample {
    fn comment(&self, order: &str) -> String {
        let (open, close) = self.marks;
        format!("{open} fixpoint: {order} {close}")
            .trim_end()
            .to_owned()
    }

    fn lines_before_last(&self) -> usize {
        let is_last = |line: &str| line.to_ascii_lowercase().contains("last");
        self.text.lines().position(is_last).unwrap()
    }

    fn canonical<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, FormatError> {
        canonical(self.language, self.path, text, &styles)
    }

    /// Inserts comments into the text: before each given line, or at its end.
    fn with(&self, comments: &[(usize, bool, &str)]) -> String {
        let mut text = String::new();
        for (index, line) in self.text.split_inclusive('\n').enumerate() {
            let here = |behind| {
                comments
                    .iter()
                    .filter(move |(line, is_behind, _)| *line == index && *is_behind == behind)
            };
            for (_, _, order) in here(false) {
                let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
                text.push_str(&format!("{indent}{}\n", self.comment(order)));
            }
            text.push_str(line.trim_end_matches('\n'));
            for (_, _, order) in here(true) {
                text.push_str(&format!(" {}", self.comment(order)));
            }
            text.push('\n');
        }
        text
    }

    fn without(&self, text: &str, orders: &[&str]) -> String {
        let mut text = text.to_owned();
        for order in orders {
            text = text.replace(&self.comment(order), "");
        }
        text
    }

    /// The kept lines, without indentation in languages where it moves with the block.
    fn kept(&self, text: &str) -> Vec<String> {
        let found = Suppressions::find(self.language, self.path, text);
        let regions = found
            .off_regions()
            .iter()
            .map(|region| &text[region.range()]);
        let moves = matches!(
            self.language,
            Language::Python | Language::Starlark | Language::Yaml | Language::Markdown
        );
        let trimmed = |line: &str| match moves {
            true => line.trim_start().to_owned(),
            false => line.to_owned(),
        };
        regions
            .flat_map(|region| {
                region
                    .split_inclusive('\n')
                    .map(trimmed)
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// Checks that the result keeps the marked lines and is stable.
    fn check(&self, text: &str) -> Option<String> {
        match self.canonical(text) {
            Ok(printed) => {
                let again = self.canonical(&printed);
                assert!(
                    matches!(again, Ok(Cow::Borrowed(_))),
                    "a second run changes\n{text}\n->\n{printed}\n->\n{again:?}"
                );
                // A line with a trailing comment may be printed as several lines, some of which are
                // then kept too.
                let (kept, found) = (self.kept(text), self.kept(&printed));
                assert!(
                    kept.is_empty() || found.windows(kept.len()).any(|lines| lines == kept),
                    "{text}\n->\n{printed}"
                );
                Some(printed.into_owned())
            }
            Err(FormatError::Syntax(error)) => {
                assert!(
                    text.get(error.span().range()).is_some(),
                    "{error:?}\n{text}"
                );
                None
            }
            Err(FormatError::Unkept { line }) => {
                assert!(line < text.lines().count(), "{line}\n{text}");
                None
            }
            Err(_) => None,
        }
    }
}

#[test]
fn an_off_on_pair_at_any_position_keeps_only_its_lines() {
    for sample in SAMPLES {
        let lines = sample.lines_before_last();
        let plain = sample.canonical(sample.text).unwrap().into_owned();
        assert!(plain.ends_with(sample.last), "{}:\n{plain}", sample.path);
        let (mut tried, mut printed_all) = (0, 0);
        for from in 0..lines {
            for to in from..lines {
                for (off_behind, on_behind) in
                    [(false, false), (true, false), (false, true), (true, true)]
                {
                    if to == from && off_behind >= on_behind {
                        continue;
                    }
                    let text = sample.with(&[(from, off_behind, "off"), (to, on_behind, "on")]);
                    tried += 1;
                    let Some(printed) = sample.check(&text) else {
                        continue;
                    };
                    printed_all += 1;
                    assert!(printed.ends_with(sample.last), "{text}\n->\n{printed}");
                }
            }
        }
        assert!(
            printed_all * 10 >= tried * 9,
            "{}: only {printed_all} of {tried} texts are laid out",
            sample.path
        );
    }
}

#[test]
fn an_open_region_and_an_ignored_line_are_kept_at_any_position() {
    for sample in SAMPLES {
        let lines = sample.lines_before_last();
        for at in 0..lines {
            for behind in [false, true] {
                for order in ["off", "on", "ignore[format]", "ignore[other]"] {
                    let text = sample.with(&[(at, behind, order)]);
                    let Some(printed) = sample.check(&text) else {
                        continue;
                    };
                    if matches!(order, "on" | "ignore[other]") {
                        assert!(printed.ends_with(sample.last), "{text}\n->\n{printed}");
                    }
                    if order == "ignore[format]" {
                        let found = Suppressions::find(sample.language, sample.path, &text);
                        let line = found.ignores().first().map(|ignore| ignore.line());
                        let line = line.and_then(|line| text.lines().nth(line));
                        assert!(
                            line.is_none_or(|line| printed.contains(line.trim_start())),
                            "{text}\n->\n{printed}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn directives_inside_brackets_apply_and_the_rest_is_formatted() {
    for (language, path, text, expected) in [
        (
            Language::Python,
            "a.py",
            "a = [1, # fixpoint: off\n  2]\nb = 2\n",
            "a = [\n    1,  # fixpoint: off\n  2]\nb = 2\n",
        ),
        (
            Language::Python,
            "a.py",
            "a = [1, # fixpoint: off\n  2, # fixpoint: on\n 3]\nb =   2\n",
            "a = [\n    1,  # fixpoint: off\n    2,  # fixpoint: on\n    3,\n]\nb = 2\n",
        ),
        (
            Language::Python,
            "a.py",
            "a  = 0\ndef f():\n  x  = 1\n  # fixpoint: off\n  y  = 1\n\nz  = 2\n",
            "a = 0\n\n\ndef f():\n  x  = 1\n  # fixpoint: off\n  y  = 1\n\nz  = 2\n",
        ),
        (
            Language::Yaml,
            "a.yaml",
            "a: [1, # fixpoint: off\n  2]\nb:   2\n",
            "a: [\n    1, # fixpoint: off\n  2]\nb:   2\n",
        ),
        (
            Language::Yaml,
            "a.yaml",
            "a: [1, # fixpoint: off\n  2  , # fixpoint: on\n 3]\nb:   2\n",
            "a: [\n    1, # fixpoint: off\n    2, # fixpoint: on\n    3,\n  ]\nb: 2\n",
        ),
        (
            Language::Starlark,
            "BUILD",
            "f(\n  srcs = [],\n  # fixpoint: off\n  name =  \"a\",\n  # fixpoint: on\n)\nb  = 1\n",
            "f(\n  srcs = [],\n  # fixpoint: off\n  name =  \"a\",\n  # fixpoint: on\n)\nb = 1\n",
        ),
    ] {
        let printed = canonical(language, path, text, &styles);
        assert_eq!(printed.as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn a_span_is_always_within_the_text() {
    let text = ":\n : fixpoint: : : e\n :";
    match canonical(Language::Yaml, "a.yaml", text, &styles) {
        Err(FormatError::Syntax(error)) => assert!(text.get(error.span().range()).is_some()),
        other => assert!(
            matches!(other, Err(FormatError::Damaged { .. })),
            "{other:?}"
        ),
    }
}

#[test]
fn directives_without_effect_change_nothing_else() {
    for sample in SAMPLES {
        let plain = sample.canonical(sample.text).unwrap().into_owned();
        let lines = sample.lines_before_last();
        for at in 0..lines {
            let orders = ["on", "ignore[other]"];
            let text = sample.with(&[(at, false, orders[at % 2])]);
            let Some(printed) = sample.check(&text) else {
                continue;
            };
            let bare = sample.without(&printed, &orders);
            let squeeze = |text: &str| text.split_whitespace().collect::<String>();
            let same = |one: &str, two: &str| {
                squeeze(one).replace(',', "") == squeeze(two).replace(',', "")
            };
            assert!(same(&bare, &plain), "{text}\n->\n{printed}");
        }
    }
}
