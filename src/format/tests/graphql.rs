//! The layout of GraphQL, which is that of prettier.

use fixpoint_format::{Language, Style, canonical};

fn becomes(text: &str, expected: &str) {
    let styles = |language| Some(Style::default_of(language));
    for text in [text, expected] {
        let printed = canonical(Language::GraphQl, "a.graphql", text, &styles);
        assert_eq!(printed.as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn lists_are_broken_only_if_they_do_not_fit() {
    becomes(
        "{a(b:[1,2],c:{d:1})}",
        "{\n  a(b: [1, 2], c: { d: 1 })\n}\n",
    );
    let (long, other) = ("a".repeat(40), "b".repeat(40));
    becomes(
        &format!("query Q(${long}:Int,${other}:Int){{c}}"),
        &format!("query Q(\n  ${long}: Int\n  ${other}: Int\n) {{\n  c\n}}\n"),
    );
    becomes(
        &format!("union U={long}|{other}"),
        &format!("union U =\n  | {long}\n  | {other}\n"),
    );
}

#[test]
fn one_blank_line_stays_between_definitions_and_fields() {
    becomes(
        "type A{a:Int,\n\n\nb:Int}\nscalar B\n\n\nscalar C",
        "type A {\n  a: Int\n\n  b: Int\n}\nscalar B\n\nscalar C\n",
    );
}

#[test]
fn comments_stay_with_their_nodes() {
    becomes(
        "# a\n\n{ b # c\n # d\n e }\n# f",
        "# a\n\n{\n  b # c\n  # d\n  e\n}\n# f\n",
    );
    becomes(
        "{a(b:[ # c\n])}",
        "{\n  a(\n    b: [\n      # c\n    ]\n  )\n}\n",
    );
    becomes("# only\n\n# comments", "# only\n\n# comments\n");
}

#[test]
fn an_ignored_node_stays_as_it_is() {
    becomes(
        "# prettier-ignore\nenum   A { B\n C }\nenum   D { E }",
        "# prettier-ignore\nenum   A { B\n C }\nenum D {\n  E\n}\n",
    );
}

#[test]
fn white_space_in_a_value_stays() {
    becomes("\"\"\" a  \"\"\" scalar B", "\"\"\"\na\n\"\"\"\nscalar B\n");
    becomes(
        "{a(b: \"\"\"c  \n  d\"\"\")}",
        "{\n  a(\n    b: \"\"\"c  \n  d\"\"\"\n  )\n}\n",
    );
}

#[test]
fn proposals_and_descriptions_of_operations_are_accepted() {
    becomes(
        "\"a\" query B(\"c\" $d:Int){...E(f:1)}\nextend directive @g @h",
        "\"a\"\nquery B(\n  \"c\"\n  $d: Int\n) {\n  ...E(f: 1)\n}\nextend directive @g @h\n",
    );
}
