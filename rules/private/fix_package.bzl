"""A test of all files of a package, including files that no target names."""

load("//rules/private:fix_test.bzl", "fix_test")

def _is_nobodys(entry):
    """Whether a folder is `.git`, or one of the links that Bazel creates at the root."""
    return entry == ".git" or not native.package_name() and entry.startswith("bazel-")

def _folders():
    """The folders directly in the package that are not packages themselves."""
    entries = native.glob(["*"], exclude_directories = 0, allow_empty = True)
    files = {file: True for file in native.glob(["*"], allow_empty = True)}
    return [entry for entry in entries if entry not in files and not _is_nobodys(entry)]

def fix_package(name = "fixpoint", exclude = [], packages_below = False, **kwargs):
    """Declares a `fix_test` over every file of a package, including BUILD and `.bzl` files and files no target names.

    A folder with its own BUILD file is another package. No glob of this package can see its files, so it
    needs its own call. A `fix_workspace_test` covers all packages without any call.

    `.git` is left out. At the root, so are folders whose name begins with `bazel-`, because Bazel gives
    such names to the links it creates. Files that git ignores are left out and counted. Only the `.gitignore`
    at the root of the workspace and those in the package are read: not those in folders between the two,
    and not those of the machine or the user.

    Example:

    ```starlark
    load("@fixpoint//rules:defs.bzl", "fix_package")

    fix_package()
    ```

    Args:
        name (string, optional): The name of the test.
        exclude (list[string], optional): Globs of files to leave out.
        packages_below (bool, optional): Whether every package below must have a test of the same name. If
            one is missing, building the test fails, in permissive mode too.
        **kwargs (dict): Attributes of `fix_test`.
    """

    # Bazel's own folders are not searched, because they can contain any number of files.
    below_folders = ["{}/**".format(folder) for folder in _folders()]
    below = []
    if packages_below:
        packages = native.subpackages(include = ["*"] + below_folders, allow_empty = True)
        below = [package for package in packages if not _is_nobodys(package)]
    prefix = native.package_name() + "/" if native.package_name() else ""
    fix_test(
        name = name,
        gitignores = [Label("@fixpoint_gitignore//:gitignore")] + native.glob(
            [".gitignore"] + [folder + "/.gitignore" for folder in below_folders],
            allow_empty = True,
        ),
        srcs = native.glob(["*"] + below_folders, exclude = exclude, allow_empty = True),
        packages = ["//{}{}:{}".format(prefix, package, name) for package in below],
        visibility = kwargs.pop("visibility", ["//visibility:public"]),
        **kwargs
    )
