//! Comments that silence a rule, and layout: the comment reaches as far as buildifier says, and layout does
//! not wait for it.

mod common;

use common::{findings, laid_out};
use fixpoint_engine::{Config, Engine, Phase, Policy};
use fixpoint_format::{FormatPhase, SourceLanguage};
use fixpoint_lint::LintPhase;
use fixpoint_report::Exit;
use fixpoint_text::Snapshot;

/// The rules that are told of in a text, in order.
fn told(path: &str, text: &str) -> Vec<String> {
    let found = findings(path, text).into_iter();
    found.map(|it| it.rule.into_owned()).collect()
}

#[test]
fn layout_is_not_refused_where_it_takes_code_out_of_a_comments_reach() {
    let texts = [
        "print(1); print(2)  # buildifier: disable=print\n",
        "print(1); print(2)  # fixpoint: ignore[print]\n",
        "print(  # buildifier: disable=print\n    1)\n",
        "print([print(1),\n  2,  # buildifier: disable=print\n])\n",
        "x = [print(y) for y in z]; print(1)  # buildifier: disable=print\n",
    ];
    let config = Config::default();
    for text in texts {
        let source = SourceLanguage::of("BUILD", text, &config).expect("Starlark");
        let (lint, layout) = (LintPhase::new(&config), FormatPhase::new(&source, &config));
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
fn a_comment_reaches_the_lines_of_the_node_that_carries_it() {
    let silent = [
        "print(1)  # buildifier: disable=print\n",
        "# buildifier: disable=print\nprint(1)\n",
        "# buildozer: disable=print\nprint(1)\n",
        "print(1)  # buildifier: disable=load,print why\n",
        "# buildifier: disable=print\nf(\n    a = 1,\n    b = print(1),\n)\n",
        "print(1); f()  # buildifier: disable=print\n",
    ];
    for text in silent {
        assert_eq!(told("BUILD", text), Vec::<String>::new(), "{text}");
    }
    let told_of = [
        "print(1)  # buildifier: disable=load\n",
        "# buildifier: disable=print\n\nprint(1)\n",
        "f()  # buildifier: disable=print\nprint(1)\n",
        "f(\n    a = 1,  # buildifier: disable=print\n    b = print(1),\n)\n",
    ];
    for text in told_of {
        assert_eq!(told("BUILD", text), ["print"], "{text}");
    }
}

/// As buildifier has it: in any case, and also by a longer name.
#[test]
fn a_name_that_starts_with_a_rules_silences_it() {
    let silent = [
        "print(1)  # buildifier: disable=print\n",
        "print(1)  # Buildifier: disable=print\n",
        "print(1)  # BUILDOZER: DISABLE=PRINT\n",
        "print(1)  # buildifier: disable=print-statement\n",
        "print(1)  # buildifier: disable=load,print\n",
        "load(\"m\", \"a\")  # buildifier: disable=load-on-top\n",
    ];
    for text in silent {
        assert_eq!(told("BUILD", text), [""; 0], "{text}");
    }
    assert_eq!(
        told("BUILD", "print(1)  # buildifier: disable=prin\n"),
        ["print"]
    );
}
