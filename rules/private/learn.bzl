"""Targets whose rules `bazel run //:fix -- --learn` adds to the workspace."""

load("//rules/private:action.bzl", "command_line", "run_command", "workspace_file_flag")
load("//toolchain:toolchain.bzl", "TOOLCHAIN_TYPE")

RulePackInfo = provider(
    doc = "Rules that `bazel run //:fix -- --learn` adds to the workspace.",
    fields = {
        "pack": "File: The rules, as `fixpoint rules export` writes them.",
        "sha256": "string: The digest of the pack if its rules are pinned, else empty.",
    },
)

def _pair_flag(file):
    return workspace_file_flag(file.path, file.short_path, "pair")

def _negative_flag(file):
    return workspace_file_flag(file.path, file.short_path, "negative")

def _rule_candidates_impl(ctx):
    pack = ctx.actions.declare_file(ctx.label.name + ".rules.json")
    args = command_line(ctx, "learn")
    args.add(pack, format = "--output=%s")
    args.add_all(ctx.files.pairs, map_each = _pair_flag)
    args.add_all(ctx.files.negatives, map_each = _negative_flag)
    run_command(
        ctx,
        args,
        inputs = ctx.files.pairs + ctx.files.negatives,
        outputs = [pack],
        mnemonic = "FixpointLearn",
        progress_message = "Learning rules for %{label}",
        in_worker = False,
    )
    return [
        DefaultInfo(files = depset([pack])),
        RulePackInfo(pack = pack, sha256 = ""),
    ]

rule_candidates = rule(
    implementation = _rule_candidates_impl,
    doc = """\
Learns rules from pairs of files and writes them into a pack. Nobody has reviewed the rules, so they are
candidates: `bazel run //:fix -- --learn` adds them to `.fixpoint/rules`, not pinned.

Example:

```starlark
load("@fixpoint//rules:defs.bzl", "fix", "rule_candidates")

rule_candidates(
    name = "candidates",
    pairs = glob([
        "pairs/*.before.*",
        "pairs/*.after.*",
    ]),
)

fix(
    name = "fix",
    learn = [":candidates"],
)
```""",
    attrs = {
        "negatives": attr.label_list(
            doc = "Files that no rule may change.",
            allow_files = True,
        ),
        "pairs": attr.label_list(
            doc = "Files before and after a change: `NAME.before.EXT` and `NAME.after.EXT`.",
            allow_files = True,
            mandatory = True,
        ),
    },
    toolchains = [TOOLCHAIN_TYPE],
)

def _rule_pack_impl(ctx):
    return [
        DefaultInfo(files = depset([ctx.file.src])),
        RulePackInfo(pack = ctx.file.src, sha256 = ctx.attr.sha256),
    ]

rule_pack = rule(
    implementation = _rule_pack_impl,
    doc = """\
The rules of a pack that `fixpoint rules export` has written, often in another repository. `bazel run //:fix -- --learn`
adds them to `.fixpoint/rules`. They are pinned only if you name the digest of the pack.

Example:

```starlark
load("@fixpoint//rules:defs.bzl", "fix", "rule_pack")

rule_pack(
    name = "http_rules",
    src = "@company_rules//:http.rules.json",
)

fix(
    name = "fix",
    learn = [":http_rules"],
)
```""",
    attrs = {
        "sha256": attr.string(
            doc = "The SHA-256 digest of the pack that you have reviewed. With it, the rules are pinned, and a pack with another digest is refused.",
        ),
        "src": attr.label(
            doc = "The pack.",
            allow_single_file = True,
            mandatory = True,
        ),
    },
)
