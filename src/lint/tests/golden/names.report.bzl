1:1 module-docstring info: the file has no docstring
1:1 name-conventions info: `camelCase` is spelled like no variable
1:13 filetype warning: `FileType` is gone; use a list of endings
2:8 provider-params info: the provider has no description, and does not name its fields
4:1 confusing-name info: `l` is easily taken for a digit
5:1 confusing-name info: `l` is easily taken for a digit
5:1 redefined-variable warning: `l` has a value already
6:1 unused-variable warning: the variable `_unused` is not used
8:1 function-docstring info: `make` has no docstring
8:1 unnamed-macro info: the macro `make` has no parameter `name`
9:5 native-package warning: `native.package()` changes its caller's defaults
11:5 git-repository warning: `git_repository` now lives in `@bazel_tools//tools/build_defs/repo:git.bzl` (likely_preserving: Load `git_repository`)
12:5 git-repository warning: `new_git_repository` now lives in `@bazel_tools//tools/build_defs/repo:git.bzl` (likely_preserving: Load `new_git_repository`)
13:5 http-archive warning: `http_archive` now lives in `@bazel_tools//tools/build_defs/repo:http.bzl` (likely_preserving: Load `http_archive`)
15:1 unused-variable warning: the function `_idle` is not used
15:11 unused-variable warning: the variable `a` is not used
16:20 skylark-docstring info: Skylark is called Starlark (behavior_preserving: Write Starlark)
