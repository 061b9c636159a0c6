//! Tests comments that silence a rule. They apply to the same lines as in buildifier, and do not
//! prevent formatting.

mod common;

use common::{findings, laid_out};
use fixpoint_engine::{Config, Engine, Phase, Policy};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_lint::{LintPhase, LintSettings};
use fixpoint_report::Exit;
use fixpoint_text::Snapshot;

/// The rules that are reported for a text, in order.
fn reported_rules(path: &str, text: &str) -> Vec<String> {
    let found = findings(path, text).into_iter();
    found.map(|it| it.rule.into_owned()).collect()
}

#[test]
fn code_is_formatted_even_if_it_leaves_the_range_of_a_comment() {
    let texts = [
        "print(1); print(2)  # buildifier: disable=print\n",
        "print(1); print(2)  # fixpoint: ignore[print]\n",
        "print(  # buildifier: disable=print\n    1)\n",
        "print([print(1),\n  2,  # buildifier: disable=print\n])\n",
        "x = [print(y) for y in z]; print(1)  # buildifier: disable=print\n",
    ];
    let (config, settings) = (Config::default(), LintSettings::default());
    for text in texts {
        let source = SourceLanguage::of("BUILD", text, &config).expect("Starlark");
        let (lint, layout) = (
            LintPhase::new(&settings),
            FormatPhase::new(&source, &config),
        );
        let engine = Engine::new(&source, [&lint as &dyn Phase, &layout]);
        let run = engine.run(&Snapshot::new("BUILD", text), &Policy::default());
        let exit = run.report.outcome.as_ref().map(|it| it.exit());
        assert_eq!(exit, Some(Exit::Fixpoint), "{text}");
        let canonical = run.canonical.text();
        assert_eq!(laid_out("BUILD", text).as_deref(), Ok(canonical));
        assert_ne!(canonical, text);
    }
}

#[test]
fn a_comment_applies_to_the_lines_of_its_node() {
    let silent = [
        "print(1)  # buildifier: disable=print\n",
        "# buildifier: disable=print\nprint(1)\n",
        "# buildozer: disable=print\nprint(1)\n",
        "print(1)  # buildifier: disable=load,print why\n",
        "# buildifier: disable=print\nf(\n    a = 1,\n    b = print(1),\n)\n",
        "print(1); f()  # buildifier: disable=print\n",
    ];
    for text in silent {
        assert_eq!(
            reported_rules("BUILD", text),
            Vec::<String>::new(),
            "{text}"
        );
    }
    let reported = [
        "print(1)  # buildifier: disable=load\n",
        "# buildifier: disable=print\n\nprint(1)\n",
        "f()  # buildifier: disable=print\nprint(1)\n",
        "f(\n    a = 1,  # buildifier: disable=print\n    b = print(1),\n)\n",
    ];
    for text in reported {
        assert_eq!(reported_rules("BUILD", text), ["print"], "{text}");
    }
}

/// As in buildifier, case does not matter, and a longer name silences the rule too.
#[test]
fn a_disabled_name_silences_rules_that_are_its_prefix() {
    let silent = [
        "print(1)  # buildifier: disable=print\n",
        "print(1)  # Buildifier: disable=print\n",
        "print(1)  # BUILDOZER: DISABLE=PRINT\n",
        "print(1)  # buildifier: disable=print-statement\n",
        "print(1)  # buildifier: disable=load,print\n",
        "load(\"m\", \"a\")  # buildifier: disable=load-on-top\n",
    ];
    for text in silent {
        assert_eq!(reported_rules("BUILD", text), [""; 0], "{text}");
    }
    assert_eq!(
        reported_rules("BUILD", "print(1)  # buildifier: disable=prin\n"),
        ["print"]
    );
}
