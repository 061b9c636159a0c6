"""Tests Clank targets: the inputs of each action."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//rules:defs.bzl", "FixInfo", "clank_binary", "clank_library")
load(":common.bzl", "names", "with_mnemonic")

def _compiles_canonical_text_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    asserts.equals(env, ["app.clank"], names(target[FixInfo].files))
    actions = analysistest.target_actions(env)
    (analysis,) = with_mnemonic(actions, "FixpointAnalyze")
    (compilation,) = with_mnemonic(actions, "ClankCompile")
    inputs = [file.short_path for file in compilation.inputs.to_list()]
    package = "tests/analysis/"
    for needed in ["app.clank", "app.fixpoint/report/tests/analysis/app.clank.fix.pb", "geo.modules/interface.json"]:
        asserts.true(env, package + needed in inputs, "{} is not among {}".format(needed, inputs))

    # A change of a function body in the library must not change an input here.
    for needless in ["geo.clank", "geo.modules/geo.mjs"]:
        asserts.false(env, package + needless in inputs, needless)

    # The reports must exist even if the library has errors.
    inputs = [file.short_path for file in analysis.inputs.to_list()]
    asserts.true(env, package + "geo.fixpoint/interface.json" in inputs, str(inputs))
    asserts.false(env, package + "geo.modules/interface.json" in inputs, str(inputs))
    return analysistest.end(env)

compiles_canonical_text_test = analysistest.make(_compiles_canonical_text_impl)

def _runs_with_all_code_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    runfiles = [file.basename for file in target[DefaultInfo].default_runfiles.files.to_list()]
    for needed in ["app.mjs", "app.mjs.map", "geo.mjs", "geo.mjs.map"]:
        asserts.true(env, needed in runfiles, "{} is not among {}".format(needed, runfiles))
    for needless in ["app.clank", "app.mts"]:
        asserts.false(env, needless in runfiles, needless)
    return analysistest.end(env)

runs_with_all_code_test = analysistest.make(_runs_with_all_code_impl)

def clank_test_suite(name):
    """Declares all tests of this file.

    Args:
        name (string): The name of the suite.
    """
    clank_library(name = "geo", srcs = ["geo.clank"], tags = ["manual"])
    clank_binary(name = "app", srcs = ["app.clank"], tags = ["manual"], deps = [":geo"])
    compiles_canonical_text_test(name = "app_actions_test", target_under_test = ":app")
    runs_with_all_code_test(name = "app_runfiles_test", target_under_test = ":app")
    native.test_suite(
        name = name,
        tests = [
            "app_actions_test",
            "app_runfiles_test",
        ],
    )
