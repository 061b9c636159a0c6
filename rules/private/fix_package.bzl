"""A package's files, those that no target names included."""

load("//rules/private:fix_test.bzl", "fix_test")

def _is_nobodys(entry):
    """Whether a folder is git's, or one of the links that Bazel makes at the root."""
    return entry == ".git" or not native.package_name() and entry.startswith("bazel-")

def _folders():
    """The folders in the package's own that are not packages themselves."""
    entries = native.glob(["*"], exclude_directories = 0, allow_empty = True)
    files = {file: True for file in native.glob(["*"], allow_empty = True)}
    return [entry for entry in entries if entry not in files and not _is_nobodys(entry)]

def fix_package(name = "fixpoint", exclude = [], packages_below = True, **kwargs):
    """A `fix_test` over every file of a package: BUILD and `.bzl` files and files no target names.

    A folder with a BUILD file of its own is another package, whose files no glob of this one can see.
    So that none is missed, each package below must call `fix_package` with the same name; one that
    does not is an error that names it. Left out are `.git` and, at the root, folders whose name begins
    with `bazel-`, which is how Bazel names the links it makes.

    Example:

    ```starlark
    load("@fixpoint//rules:defs.bzl", "fix_package")

    fix_package()
    ```

    Args:
        name (string, optional): The name of the test.
        exclude (list[string], optional): Globs of files to leave out.
        packages_below (bool, optional): Whether packages below must have the test too.
        **kwargs (dict): Attributes of `fix_test`.
    """

    # Only folders that are somebody's are walked: Bazel's own can hold any number of files.
    below_folders = ["{}/**".format(folder) for folder in _folders()]
    below = []
    if packages_below:
        packages = native.subpackages(include = ["*"] + below_folders, allow_empty = True)
        below = [package for package in packages if not _is_nobodys(package)]
    prefix = native.package_name() + "/" if native.package_name() else ""
    fix_test(
        name = name,
        srcs = native.glob(["*"] + below_folders, exclude = exclude, allow_empty = True),
        packages = ["//{}{}:{}".format(prefix, package, name) for package in below],
        size = kwargs.pop("size", "small"),
        visibility = kwargs.pop("visibility", ["//visibility:public"]),
        **kwargs
    )
