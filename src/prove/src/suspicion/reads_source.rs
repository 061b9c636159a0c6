//! Added tests that read the text of the code instead of testing its behaviour.

use std::collections::BTreeSet;

use super::{Suspicion, TestText};

/// Lines that a patch adds to a test and that read one of the changed sources.
pub fn reads_source(test: &TestText, old: &str, sources: &[&str]) -> Vec<Suspicion> {
    let known: BTreeSet<&str> = old.lines().collect();
    let names_source = |line: &str| {
        sources.iter().any(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            ['"', '\''].iter().any(|quote| {
                // `"a.py"` and `"src/a.py"`, but not the module in `require("../src/a.js")`.
                line.contains(&format!("{name}{quote}"))
                    && !line.contains("require(")
                    && !line.contains("import")
                    && !line.contains("mock")
            })
        })
    };
    // `calc.__file__`, but not the folder of a package.
    let names_module_file = |line: &str| {
        let mut stems = sources.iter().filter_map(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.strip_suffix(".py")
        });
        let is_folder = line.contains("dirname") || line.contains(".parent");
        !is_folder && stems.any(|stem| line.contains(&format!("{stem}.__file__")))
    };
    let lists_sources = |line: &str| {
        let mut extensions = sources
            .iter()
            .filter_map(|path| Some(path.rsplit_once('.')?.1));
        line.contains("glob(")
            && extensions.any(|extension| line.contains(&format!("*.{extension}")))
    };
    let reads = |line: &str| {
        let calls = [
            "open(", "read", "exists", "is_file", "isfile", "stat", "Path(", "'grep'", "\"grep\"",
            "'cat'", "\"cat\"", "'git'", "\"git\"",
        ];
        line.contains("inspect.getsource")
            || line.contains(".__code__")
            || (line.contains("ast.parse(") && line.contains("read"))
            || names_module_file(line)
            || lists_sources(line)
            || (names_source(line) && calls.iter().any(|call| line.contains(call)))
    };
    let added = test.text.lines().enumerate();
    added
        .filter(|(_, line)| !known.contains(line) && reads(line))
        .map(|(index, _)| Suspicion {
            path: test.path.clone(),
            line: index + 1,
            reason: "the test looks at the text of the code, not at what it does".to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        let test = TestText {
            path: "tests/test_a.py".to_owned(),
            text: text.to_owned(),
            base: None,
        };
        reads_source(&test, "", &["src/a.py", "marker.txt"]).len()
    }

    #[test]
    fn tests_of_the_text_are_found() {
        for text in [
            "assert 'x' in open('src/a.py').read()\n",
            "assert os.path.exists(\"marker.txt\")\n",
            "assert 'x' in inspect.getsource(add)\n",
            "with open(a.__file__) as file:\n",
            "texts = [path.read_text() for path in ROOT.glob('*.py')]\n",
            "out = run(['grep', '-c', 'x', 'src/a.py'])\n",
            "tree = ast.parse(ROOT.joinpath(name).read_text())\n",
        ] {
            assert_eq!(count(text), 1, "{text}");
        }
        for text in [
            "import a\n",
            "DATA = os.path.dirname(a.__file__)\n",
            "paths = ROOT.glob('*.json')\n",
            "const a = require('../src/a.py');\n",
            "open('data/a.txt').read()\n",
            "assert run('src/a.py') == 1\n",
        ] {
            assert_eq!(count(text), 0, "{text}");
        }
    }
}
