"""Tests the rules: their providers, and the actions that building them runs."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//rules:defs.bzl", "FixInfo", "canonical_sources", "document_schema", "fix", "fix_test")
load(":common.bzl", "names", "with_mnemonic")

def _runs_nothing_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    reports = [file.report for file in target[FixInfo].files.to_list()]
    asserts.equals(env, ["data.json", "one.py"], names(target[FixInfo].files))
    built = target[DefaultInfo].files.to_list() + target[DefaultInfo].default_runfiles.files.to_list()
    for report in reports:
        asserts.false(env, report in built, "building the test would make " + report.short_path)
    asserts.true(env, target[FixInfo].must_examine)
    return analysistest.end(env)

runs_nothing_test = analysistest.make(_runs_nothing_impl)

def _has_reports_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    runfiles = [file.basename for file in target[DefaultInfo].default_runfiles.files.to_list()]
    asserts.true(env, "one.py.fix.pb" in runfiles, str(runfiles))
    asserts.false(env, "one.py" in runfiles, str(runfiles))
    return analysistest.end(env)

has_reports_test = analysistest.make(_has_reports_impl)

def _writes_no_source_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    files = target[DefaultInfo].files.to_list()
    asserts.equals(env, ["one.py"], [file.basename for file in files])
    asserts.false(env, files[0].is_source)
    asserts.true(env, files[0].short_path == files[0].owner.package + "/one.py", files[0].short_path)
    (analysis,) = with_mnemonic(analysistest.target_actions(env), "FixpointAnalyze")
    outputs = sorted([file.basename for file in analysis.outputs.to_list()])
    asserts.equals(env, ["one.py", "one.py.fix-map.json", "one.py.fix.pb"], outputs)
    return analysistest.end(env)

writes_no_source_test = analysistest.make(_writes_no_source_impl)

def _has_schema_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    asserts.equals(env, ["data.json"], names(target[FixInfo].files))
    asserts.true(env, target[FixInfo].must_examine)
    (analysis,) = with_mnemonic(analysistest.target_actions(env), "FixpointAnalyze")
    inputs = [file.basename for file in analysis.inputs.to_list()]
    for needed in ["data.json", "keyed.yaml", "schema.json"]:
        asserts.true(env, needed in inputs, "{} is not among {}".format(needed, inputs))
    assigned = """--assigned-schema={"document":"tests/analysis/data.json","schema":"tests/analysis/schema.json"}"""
    asserts.true(env, assigned in analysis.argv, str(analysis.argv))

    # The schema itself is not a document of the target.
    asserts.false(env, "--path=tests/analysis/schema.json" in analysis.argv, str(analysis.argv))
    return analysistest.end(env)

has_schema_test = analysistest.make(_has_schema_impl)

def rules_test_suite(name):
    """Declares all tests of this file.

    Args:
        name (string): The name of the suite.
    """
    native.filegroup(name = "listed", srcs = ["data.json"], tags = ["manual"])
    fix_test(name = "tested", srcs = ["one.py"], tags = ["manual"], targets = [":listed"])
    fix(name = "fixed", targets = [":one"])
    canonical_sources(name = "canonical", srcs = ["one.py"], tags = ["manual"])
    document_schema(
        name = "documents",
        data = ["keyed.yaml"],
        schema = "schema.json",
        srcs = ["data.json"],
        tags = ["manual"],
    )
    has_schema_test(name = "documents_test", target_under_test = ":documents")
    runs_nothing_test(name = "tested_test", target_under_test = ":tested")
    has_reports_test(name = "fixed_test", target_under_test = ":fixed")
    writes_no_source_test(name = "canonical_test", target_under_test = ":canonical")
    native.test_suite(
        name = name,
        tests = [
            "canonical_test",
            "documents_test",
            "fixed_test",
            "tested_test",
        ],
    )
