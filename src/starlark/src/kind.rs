//! Determines the dialect of a file from its name.

/// The dialects, which differ in their canonical text or in the statements they allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `BUILD`, `BUILD.bazel`, `foo.BUILD`.
    Build,
    /// `WORKSPACE` and its variants.
    Workspace,
    /// `MODULE.bazel` and `*.MODULE.bazel`.
    Module,
    /// `.bzl`.
    Bzl,
    /// Any other Starlark: `.scl`, `.star`, `.axl`, `REPO.bazel`. Formatted like `.bzl`.
    Default,
}

impl FileKind {
    /// The kind that buildifier uses to format a file with this name. Every name has one;
    /// `fixpoint-language` decides which files are Starlark.
    pub fn of_name(path: &str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let lower = name.to_ascii_lowercase();
        let name = lower.strip_suffix(".oss").unwrap_or(&lower);
        let (base, ext) = match name.rfind('.') {
            Some(dot) => name.split_at(dot),
            None => (name, ""),
        };
        if name == "module.bazel" || name.ends_with(".module.bazel") {
            Self::Module
        } else if ext == ".bzl" {
            Self::Bzl
        } else if ext == ".sky" {
            Self::Default
        } else if ext == ".build" || base == "build" || base.starts_with("build.") {
            Self::Build
        } else if ext == ".workspace" || base == "workspace" || base.starts_with("workspace.") {
            Self::Workspace
        } else {
            Self::Default
        }
    }

    /// BUILD, WORKSPACE and MODULE files. Their layout depends on the number of elements, and
    /// arguments and lists are sorted.
    pub(crate) fn is_build_family(self) -> bool {
        matches!(self, Self::Build | Self::Workspace | Self::Module)
    }
}

#[cfg(test)]
mod tests {
    use super::FileKind::{self, Build, Bzl, Default, Module, Workspace};

    #[test]
    fn the_file_name_determines_the_kind() {
        let cases = [
            ("a/b/BUILD", Build),
            ("Build.Bazel", Build),
            ("BUILD.foo.bazel", Build),
            ("foo.BUILD", Build),
            ("foo.BUILD.bazel", Default),
            ("BUILD_foo", Default),
            ("BUILD.bazel.oss", Build),
            ("BUILD.bzl", Bzl),
            ("BUILD.sky", Default),
            ("WORKSPACE.bzlmod", Workspace),
            ("foo.WORKSPACE.bazel", Default),
            ("MODULE.bazel", Module),
            ("x/foo.MODULE.bazel", Module),
            ("MODULE", Default),
            ("defs.bzl.oss", Bzl),
            ("REPO.bazel", Default),
        ];
        for (name, kind) in cases {
            assert_eq!(FileKind::of_name(name), kind, "{name}");
        }
    }
}
