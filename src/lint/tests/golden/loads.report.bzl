3:1 module-docstring info: the file has no docstring
3:15 load warning: `unused` is loaded but not used (likely_preserving: Remove the load)
8:5 load warning: `idle` is loaded but not used (likely_preserving: Remove the symbol)
9:5 load warning: `alias` is loaded but not used (likely_preserving: Remove the symbol)
11:15 load warning: `used` is loaded already (likely_preserving: Remove the load)
12:15 load warning: `used` is loaded already, from another file
13:6 bzl-visibility info: `//x/private:d.bzl` is private to `//x`
15:1 no-effect warning: the result is dropped
17:13 package-name warning: `PACKAGE_NAME` is gone; `native.package_name()` took its place (behavior_preserving: Use the function)
17:34 repository-name warning: `REPOSITORY_NAME` is gone; `native.repository_name()` took its place (behavior_preserving: Use the function)
