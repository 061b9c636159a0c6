"""Helpers for the analysis tests."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest")
load("//rules:defs.bzl", "FixInfo")
load("//rules/private:aspect.bzl", "analysis_aspect")

ObservedInfo = provider(
    doc = "What an aspect made of a target, for a test to look at.",
    fields = {
        "actions": "list[Action]: All actions of the target, those of the aspects under test included.",
        "groups": "struct: The output groups.",
        "info": "FixInfo: What the target or the aspect provides.",
    },
)

def observing_aspect(required):
    """An aspect that runs after `required` and provides its results.

    Args:
        required (Aspect): The aspect under test.

    Returns:
        Aspect: An aspect that provides `ObservedInfo`.
    """

    def _observe(target, _ctx):
        return [ObservedInfo(
            actions = target.actions,
            groups = target[OutputGroupInfo] if OutputGroupInfo in target else None,
            info = target[FixInfo] if FixInfo in target else None,
        )]

    return aspect(implementation = _observe, requires = [analysis_aspect, required])

def observed(env):
    """The results of the aspect under test on the target under test.

    Args:
        env (struct): The test's environment.

    Returns:
        ObservedInfo: The results.
    """
    return analysistest.target_under_test(env)[ObservedInfo]

def names(files):
    """The paths of source files, sorted.

    Args:
        files (depset[struct]): As in `FixInfo.files`.

    Returns:
        list[string]: The paths.
    """
    return sorted([file.source.basename for file in files.to_list()])

def with_mnemonic(actions, mnemonic):
    """The actions of one kind.

    Args:
        actions (list[Action]): The actions.
        mnemonic (string): The kind.

    Returns:
        list[Action]: The actions of that kind.
    """
    return [action for action in actions if action.mnemonic == mnemonic]
