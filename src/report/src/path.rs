//! The syntax of paths in a report.

/// Whether `path` is inside a workspace: relative, with `/` as the separator, without NUL, and
/// without parts that are empty, `.` or `..`.
pub fn is_workspace_path(path: &str) -> bool {
    !path.contains('\0')
        && path
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_inside_the_workspace_are_accepted() {
        // F-53
        assert!(is_workspace_path("a/b.json"));
        assert!(is_workspace_path("..a/b...json"));
        for bad in [
            "",
            "/etc/passwd",
            "a/../b",
            "..",
            "./a",
            "a//b",
            "a/",
            "a\0b",
        ] {
            assert!(!is_workspace_path(bad), "{bad:?}");
        }
    }
}
