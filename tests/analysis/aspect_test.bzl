"""Tests the aspects: which files they examine, and which actions they declare."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//rules:defs.bzl", "fix_action", "fix_aspect", "fix_test", "strict_aspect", "view_aspect")
load(":common.bzl", "names", "observed", "observing_aspect", "with_mnemonic")

_observe_fix = observing_aspect(fix_aspect)
_observe_strict = observing_aspect(strict_aspect)
_observe_view = observing_aspect(view_aspect)

def _fix_case(implementation):
    return analysistest.make(
        implementation,
        extra_target_under_test_aspects = [_observe_fix],
    )

def _strict_case(implementation):
    return analysistest.make(
        implementation,
        extra_target_under_test_aspects = [_observe_strict],
    )

def _view_case(implementation):
    return analysistest.make(
        implementation,
        extra_target_under_test_aspects = [_observe_view],
    )

def _any_attribute_impl(ctx):
    env = analysistest.begin(ctx)
    info = observed(env).info
    asserts.equals(env, ["cmd.txt", "data.json", "keyed.yaml", "one.py"], names(info.files))
    asserts.equals(env, 1, info.generated)
    return analysistest.end(env)

any_attribute_test = _fix_case(_any_attribute_impl)

def _opted_out_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, [], observed(env).info.files.to_list())
    asserts.equals(env, [], with_mnemonic(observed(env).actions, "FixpointAnalyze"))
    return analysistest.end(env)

opted_out_test = _fix_case(_opted_out_impl)

def _external_impl(ctx):
    env = analysistest.begin(ctx)
    info = observed(env).info
    asserts.equals(env, ["one.py"], names(info.files))
    asserts.equals(env, 1, info.external)
    return analysistest.end(env)

external_test = _fix_case(_external_impl)

def _passed_on_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ["data.json", "one.py"], names(observed(env).info.files))

    # The filegroup's file is analyzed only once, by the filegroup.
    analyses = with_mnemonic(observed(env).actions, "FixpointAnalyze")
    inputs = [file.basename for action in analyses for file in action.inputs.to_list()]
    asserts.true(env, "data.json" in inputs)
    asserts.false(env, "one.py" in inputs)
    return analysistest.end(env)

passed_on_test = _fix_case(_passed_on_impl)

def _expect_groups(env, expected):
    groups = observed(env).groups
    for name, endings in expected.items():
        paths = [file.short_path for file in getattr(groups, name).to_list()]
        asserts.equals(env, len(endings), len(paths))
        for path, ending in zip(paths, endings):
            asserts.true(env, path.endswith(ending), path)

def _output_groups_impl(ctx):
    env = analysistest.begin(ctx)
    _expect_groups(env, {
        "fixpoint_reports": [".fixpoint/report/tests/analysis/one.py.fix.pb", ".fixpoint/reports.txt"],
    })
    for name in ["_validation", "fixpoint_canonical", "fixpoint_diff", "fixpoint_json"]:
        asserts.false(env, hasattr(observed(env).groups, name), name)
    asserts.equals(env, [], with_mnemonic(observed(env).actions, "FixpointView"))
    return analysistest.end(env)

output_groups_test = _fix_case(_output_groups_impl)

def _view_groups_impl(ctx):
    env = analysistest.begin(ctx)
    _expect_groups(env, {
        "fixpoint_canonical": [".fixpoint/canonical/tests/analysis/one.py"],
        "fixpoint_diff": [".fixpoint/diff/tests/analysis/one.py.fix.diff"],
        "fixpoint_json": [".fixpoint/json/tests/analysis/one.py.fix.json"],
    })
    return analysistest.end(env)

view_groups_test = _view_case(_view_groups_impl)

def _expect_mapped_paths(env, mnemonic):
    actions = with_mnemonic(observed(env).actions, mnemonic)
    asserts.true(env, len(actions) > 0, mnemonic)
    for action in actions:
        asserts.equals(env, fix_action.environment, action.env)
        for argument in action.argv:
            asserts.false(env, "=/" in argument or argument.startswith("/"), argument)

def _paths_are_mapped_impl(ctx):
    env = analysistest.begin(ctx)
    _expect_mapped_paths(env, "FixpointAnalyze")
    return analysistest.end(env)

paths_are_mapped_test = _fix_case(_paths_are_mapped_impl)

def _view_paths_are_mapped_impl(ctx):
    env = analysistest.begin(ctx)
    _expect_mapped_paths(env, "FixpointView")
    return analysistest.end(env)

view_paths_are_mapped_test = _view_case(_view_paths_are_mapped_impl)

def _batches_impl(ctx):
    env = analysistest.begin(ctx)
    analyses = with_mnemonic(observed(env).actions, "FixpointAnalyze")
    sources = [
        file.basename
        for action in analyses
        for file in action.inputs.to_list()
        if file.basename.startswith("many")
    ]
    asserts.equals(env, 100, len(sources))
    asserts.equals(env, 100, len({source: True for source in sources}))
    asserts.true(env, 1 < len(analyses) and len(analyses) <= 4, str(len(analyses)))
    return analysistest.end(env)

batches_test = _fix_case(_batches_impl)

def _validation_feeds_nothing_impl(ctx):
    env = analysistest.begin(ctx)
    markers = observed(env).groups._validation.to_list()
    asserts.equals(env, 1, len(markers))
    for action in observed(env).actions:
        for marker in markers:
            asserts.false(
                env,
                marker in action.inputs.to_list(),
                "{} is an input of {}".format(marker.short_path, action),
            )
    asserts.equals(env, 1, len(with_mnemonic(observed(env).actions, "FixpointCheck")))
    return analysistest.end(env)

validation_feeds_nothing_test = _strict_case(_validation_feeds_nothing_impl)

def _no_check_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, [], with_mnemonic(observed(env).actions, "FixpointCheck"))
    return analysistest.end(env)

no_check_test = _strict_case(_no_check_impl)

def _flag_impl(ctx):
    env = analysistest.begin(ctx)
    (check,) = with_mnemonic(observed(env).actions, "FixpointCheck")
    asserts.equals(env, ctx.attr.allow_empty, "--allow-empty" in check.argv)
    return analysistest.end(env)

zero_files_test = analysistest.make(
    _flag_impl,
    attrs = {"allow_empty": attr.bool()},
    extra_target_under_test_aspects = [_observe_strict],
)

def _named(**kwargs):
    """The attributes of a target that `//...` does not build."""
    kwargs.setdefault("tags", []).append("manual")
    return kwargs

def aspect_test_suite(name):
    """Declares all tests of this file.

    Args:
        name (string): The name of the suite.
    """
    native.genrule(
        cmd = "touch $@",
        outs = ["generated.txt"],
        **_named(name = "generator")
    )
    native.genrule(
        cmd = "touch $@",
        outs = ["any.out"],
        srcs = ["one.py", "data.json", "keyed.yaml", "generated.txt"],
        tools = ["cmd.txt"],
        **_named(name = "any_attribute")
    )
    native.filegroup(srcs = ["one.py"], **_named(name = "opted_out", tags = ["no-fixpoint"]))
    native.filegroup(srcs = ["one.py"], **_named(name = "opted_out_underscore", tags = ["no_fixpoint"]))
    native.filegroup(
        srcs = ["one.py", "@bazel_skylib//:LICENSE"],
        **_named(name = "external")
    )
    native.filegroup(srcs = ["one.py"], **_named(name = "one"))
    native.filegroup(srcs = [":one", "data.json"], **_named(name = "passed_on"))
    native.filegroup(
        srcs = ["many{}.txt".format(number) for number in range(100)],
        **_named(name = "many")
    )
    native.filegroup(**_named(name = "nothing"))
    native.filegroup(srcs = ["one.py"], **_named(name = "tagged_permissive", tags = ["fixpoint-permissive"]))
    fix_test(mode = "permissive", srcs = ["one.py"], **_named(name = "pinned_permissive"))
    fix_test(**_named(name = "empty"))
    fix_test(allow_empty = True, **_named(name = "empty_allowed"))

    cases = {
        "any_attribute": (any_attribute_test, {}),
        "external": (external_test, {}),
        "many": (batches_test, {}),
        "opted_out": (opted_out_test, {}),
        "opted_out_underscore": (opted_out_test, {}),
        "passed_on": (passed_on_test, {}),
        "empty": (zero_files_test, {"allow_empty": False}),
        "empty_allowed": (zero_files_test, {"allow_empty": True}),
        "nothing": (no_check_test, {}),
        "pinned_permissive": (no_check_test, {}),
        "tagged_permissive": (no_check_test, {}),
    }
    for target, (rule, attributes) in cases.items():
        rule(name = target + "_test", target_under_test = ":" + target, **attributes)
    output_groups_test(name = "output_groups_test", target_under_test = ":one")
    paths_are_mapped_test(name = "paths_are_mapped_test", target_under_test = ":one")
    validation_feeds_nothing_test(name = "validation_feeds_nothing_test", target_under_test = ":one")
    view_groups_test(name = "view_groups_test", target_under_test = ":one")
    view_paths_are_mapped_test(name = "view_paths_are_mapped_test", target_under_test = ":one")
    native.test_suite(
        name = name,
        tests = [target + "_test" for target in cases] + [
            "output_groups_test",
            "paths_are_mapped_test",
            "validation_feeds_nothing_test",
            "view_groups_test",
            "view_paths_are_mapped_test",
        ],
    )
