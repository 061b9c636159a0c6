"""The public rules of Fixpoint.

```starlark
load("@fixpoint//rules:defs.bzl", "fix")

fix(name = "fix")
```
"""

load("//rules/private:action.bzl", _fix_action = "fix_action")
load("//rules/private:aspect.bzl", _fix_aspect = "fix_aspect", _strict_aspect = "strict_aspect", _view_aspect = "view_aspect")
load("//rules/private:canonical_sources.bzl", _canonical_sources = "canonical_sources")
load("//rules/private:clank.bzl", _clank_binary = "clank_binary", _clank_library = "clank_library", _clank_test = "clank_test")
load("//rules/private:document_schema.bzl", _document_schema = "document_schema")
load("//rules/private:fix.bzl", _fix = "fix")
load("//rules/private:fix_test.bzl", _fix_test = "fix_test")
load("//rules/private:fix_workspace_test.bzl", _fix_workspace_test = "fix_workspace_test")
load("//rules/private:learn.bzl", _RulePackInfo = "RulePackInfo", _rule_candidates = "rule_candidates", _rule_pack = "rule_pack")
load("//rules/private:providers.bzl", _FixInfo = "FixInfo")

FixInfo = _FixInfo
RulePackInfo = _RulePackInfo
canonical_sources = _canonical_sources
clank_binary = _clank_binary
clank_library = _clank_library
clank_test = _clank_test
document_schema = _document_schema
fix = _fix
fix_action = _fix_action
fix_aspect = _fix_aspect
fix_test = _fix_test
fix_workspace_test = _fix_workspace_test
rule_candidates = _rule_candidates
rule_pack = _rule_pack
strict_aspect = _strict_aspect
view_aspect = _view_aspect
