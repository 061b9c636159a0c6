//! A table of arguments: their order, whether they contain labels, and whether their lists are
//! sorted.

/// What is known about an argument from its name.
#[derive(Clone, Copy, Default)]
pub(super) struct ArgumentInfo {
    /// The position among the other arguments; smaller values come first.
    pub priority: i8,
    /// Whether its strings are labels.
    pub labels: bool,
    /// Whether its lists are sorted, because their order is not significant.
    pub sorted: bool,
}

const LABELS: bool = true;
const SORTED: bool = true;
const NO: bool = false;

/// Sorted by name.
#[rustfmt::skip]
const ARGUMENTS: &[(&str, i8, bool, bool)] = &[
    ("alwayslink", 7, NO, NO),
    ("app_target", 0, LABELS, NO),
    ("appdir", 0, LABELS, NO),
    ("base_package", 0, LABELS, NO),
    ("baseline", -83, NO, NO),
    ("build_deps", 0, LABELS, NO),
    ("cc_deps", 0, LABELS, SORTED),
    ("ccdeps", 0, LABELS, NO),
    ("common_deps", 0, LABELS, SORTED),
    ("compile_deps", 0, LABELS, SORTED),
    ("compiler", 0, LABELS, NO),
    ("configs", 0, NO, SORTED),
    ("constraints", 0, NO, SORTED),
    ("data", 0, LABELS, SORTED),
    ("default_visibility", 0, LABELS, SORTED),
    ("dep", 0, LABELS, NO),
    ("deps", 4, LABELS, SORTED),
    ("deps_java", 0, LABELS, SORTED),
    ("destdir", 1, NO, NO),
    ("dont_depend_on", 0, LABELS, NO),
    ("env_deps", 0, LABELS, NO),
    ("envscripts", 0, LABELS, NO),
    ("exported_deps", 0, LABELS, SORTED),
    ("exports", 2, LABELS, SORTED),
    ("externs_list", 0, LABELS, NO),
    ("filegroups", 0, NO, SORTED),
    ("files", 0, LABELS, SORTED),
    ("globals", 0, LABELS, NO),
    ("gwt_name", -98, NO, NO),
    ("has_services", -86, NO, NO),
    ("hdrs", -87, NO, SORTED),
    ("implementation", 5, LABELS, NO),
    ("implementation_deps", 0, LABELS, SORTED),
    ("implements", 6, LABELS, NO),
    ("imports", 0, NO, SORTED),
    ("include", -85, NO, NO),
    ("includes", 0, LABELS, SORTED),
    ("inherits", 0, NO, SORTED),
    ("interface", 0, LABELS, NO),
    ("jar", 0, LABELS, NO),
    ("jars", 0, LABELS, NO),
    ("javadeps", 0, LABELS, SORTED),
    ("lib_deps", 0, LABELS, SORTED),
    ("library", 0, LABELS, NO),
    ("malloc", 0, LABELS, NO),
    ("model", 0, LABELS, NO),
    ("mods", 0, LABELS, NO),
    ("module_deps", 0, LABELS, SORTED),
    ("module_target", 0, LABELS, NO),
    ("name", -99, NO, NO),
    ("of", -84, LABELS, NO),
    ("out", -89, NO, NO),
    ("outs", -88, NO, SORTED),
    ("package_name", -97, NO, NO),
    ("packages", 0, NO, SORTED),
    ("plugin_modules", 0, NO, SORTED),
    ("plugins", 0, LABELS, NO),
    ("private_deps", 0, LABELS, SORTED),
    ("proto_deps", 0, LABELS, SORTED),
    ("proto_target", 0, LABELS, NO),
    ("protos", 0, LABELS, SORTED),
    ("pubs", 0, NO, SORTED),
    ("resource", 0, LABELS, NO),
    ("resources", 0, LABELS, SORTED),
    ("runtime_deps", 3, LABELS, SORTED),
    ("scope", 0, LABELS, NO),
    ("shared_deps", 0, LABELS, SORTED),
    ("similar_deps", 0, LABELS, SORTED),
    ("size", -95, NO, NO),
    ("source_jar", 0, LABELS, NO),
    ("src", -92, LABELS, NO),
    ("srcdir", -91, NO, NO),
    ("srcs", -90, LABELS, SORTED),
    ("stripped_targets", 0, LABELS, NO),
    ("suites", 0, LABELS, NO),
    ("swig_includes", 0, NO, SORTED),
    ("swigdeps", 0, LABELS, SORTED),
    ("tags", 0, NO, SORTED),
    ("target", 0, LABELS, NO),
    ("target_devices", 0, LABELS, NO),
    ("target_platforms", 0, LABELS, NO),
    ("template", 0, LABELS, NO),
    ("test", 0, LABELS, NO),
    ("test_data", 0, LABELS, SORTED),
    ("test_deps", 0, LABELS, SORTED),
    ("test_srcs", 0, LABELS, SORTED),
    ("test_tags", 0, NO, SORTED),
    ("testonly", -93, NO, NO),
    ("tests", 0, LABELS, SORTED),
    ("tests_deps", 0, LABELS, NO),
    ("timeout", -94, NO, NO),
    ("to_start_extensions", 0, NO, SORTED),
    ("tool", 0, LABELS, NO),
    ("tools", 0, LABELS, SORTED),
    ("visibility", 0, LABELS, SORTED),
    ("visible_node_name", -96, NO, NO),
];

/// The range in [`ARGUMENTS`] of the names that start with each letter.
const BY_LETTER: [(u8, u8); 26] = {
    let mut ranges = [(0, 0); 26];
    let mut at = 0;
    while at < ARGUMENTS.len() {
        let letter = (ARGUMENTS[at].0.as_bytes()[0] - b'a') as usize;
        if ranges[letter].1 == 0 {
            ranges[letter].0 = at as u8;
        }
        ranges[letter].1 = at as u8 + 1;
        at += 1;
    }
    ranges
};

/// The properties of an argument in a call of `callee`.
pub(super) fn argument_info(callee: Option<&str>, argument: &str) -> ArgumentInfo {
    let letter = argument.bytes().next().unwrap_or(0).wrapping_sub(b'a');
    let Some((from, to)) = BY_LETTER.get(usize::from(letter)) else {
        return ArgumentInfo::default();
    };
    let group = &ARGUMENTS[usize::from(*from)..usize::from(*to)];
    let named = group.iter().find(|(name, ..)| *name == argument);
    let mut info = named.map_or(ArgumentInfo::default(), |(_, priority, labels, sorted)| {
        ArgumentInfo {
            priority: *priority,
            labels: *labels,
            sorted: *sorted,
        }
    });
    match (callee, argument) {
        (Some(callee), "module_name") if is_override(callee) => info.priority = -99,
        (Some("bazel_dep" | "module"), "version") => info.priority = -98,
        (Some("genrule"), "outs" | "srcs") | (Some("cc_embed_data"), "srcs") => info.sorted = false,
        (Some("package_group"), "includes") => info.labels = false,
        _ => {}
    }
    info
}

/// Whether a call in a MODULE file overrides the source or version of another module.
pub(crate) fn is_override(callee: &str) -> bool {
    let kinds = [
        "archive_override",
        "git_override",
        "local_path_override",
        "multiple_version_override",
        "single_version_override",
    ];
    kinds.contains(&callee)
}

#[cfg(test)]
mod tests {
    use super::{ARGUMENTS, argument_info};

    #[test]
    fn every_name_in_the_table_is_found() {
        assert!(ARGUMENTS.is_sorted_by(|a, b| a.0 < b.0));
        for (name, priority, labels, sorted) in ARGUMENTS {
            let found = argument_info(None, name);
            assert_eq!(
                (found.priority, found.labels, found.sorted),
                (*priority, *labels, *sorted)
            );
        }
        for unknown in ["", "zzz", "Name", "_deps", "dep_", "é"] {
            let found = argument_info(None, unknown);
            assert_eq!(
                (found.priority, found.labels, found.sorted),
                (0, false, false)
            );
        }
    }

    #[test]
    fn some_calls_are_exceptions() {
        assert!(
            argument_info(Some("cc_library"), "srcs").sorted
                && !argument_info(Some("genrule"), "srcs").sorted
        );
        assert!(!argument_info(Some("package_group"), "includes").labels);
        assert_eq!(argument_info(Some("bazel_dep"), "version").priority, -98);
        assert_eq!(
            argument_info(Some("git_override"), "module_name").priority,
            -99
        );
    }
}
