//! Rules and symbols that moved out of Bazel into separate repositories.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use fixpoint_engine::{Example, Rule};
use fixpoint_report::Safety;
use fixpoint_starlark::NodeRef;

use super::moved::{Moved, called, report_moved};
use crate::file::File;
use crate::lint::{Lint, LintFinding, bzl, in_build_and_bzl};

pub(super) const LINT: Lint = Lint {
    rules: RULES,
    applies: in_build_and_bzl,
    check,
};

const fn rule(name: &'static str, summary: &'static str, example: Option<Example>) -> Rule {
    Rule {
        name,
        summary,
        why: "Bazel is removing its built-in language rules: Bazel 8 loads them automatically, later versions do \
            not. A load states where they come from.",
        safety: Some(Safety::BehaviorChanging),
        safety_reason: "The workspace must know the repository under this name, in a version that contains the \
            loaded file. Nothing in the fixed file shows whether it does.",
        example,
    }
}

/// Generates the rules and the symbols that they are about from one list of rows. Both have the
/// same order. A rule may have several rows.
macro_rules! moved {
    ($($how:ident $rule:literal $symbol:literal $module:literal)*) => {
        const RULES: &[Rule] = &[$(rule(
            $rule,
            concat!("Loads `", $symbol, "` from `", $module, "` instead of using the built-in one."),
            moved!(@example $how $symbol $module),
        )),*];
        const MOVED: &[Moved] = &[$(Moved {
            symbol: $symbol,
            module: $module,
            is_called: moved!(@is_called $how),
        }),*];
    };
    (@is_called called) => { true };
    (@is_called named) => { false };
    (@example called $symbol:literal $module:literal) => {
        bzl(
            concat!("def f(name):\n    native.", $symbol, "(name = name)\n"),
            concat!(
                "load(\"", $module, "\", \"", $symbol, "\")\n\n",
                "def f(name):\n    ", $symbol, "(name = name)\n"
            ),
        )
    };
    (@example named $symbol:literal $module:literal) => {
        bzl(
            concat!("x = ", $symbol, "\n"),
            concat!("load(\"", $module, "\", \"", $symbol, "\")\n\nx = ", $symbol, "\n"),
        )
    };
}

moved! {
    called "native-android" "aar_import" "@rules_android//android:rules.bzl"
    called "native-android" "android_binary" "@rules_android//android:rules.bzl"
    called "native-android" "android_device" "@rules_android//android:rules.bzl"
    called "native-android" "android_instrumentation_test" "@rules_android//android:rules.bzl"
    called "native-android" "android_library" "@rules_android//android:rules.bzl"
    called "native-android" "android_local_test" "@rules_android//android:rules.bzl"
    called "native-android" "android_sdk_repository" "@rules_android//android:rules.bzl"
    called "native-cc-binary" "cc_binary" "@rules_cc//cc:cc_binary.bzl"
    named "native-cc-common" "cc_common" "@rules_cc//cc/common:cc_common.bzl"
    named "native-cc-debug-package-info" "DebugPackageInfo" "@rules_cc//cc/common:debug_package_info.bzl"
    called "native-cc-fdo-prefetch-hints" "fdo_prefetch_hints" "@rules_cc//cc/toolchains:fdo_prefetch_hints.bzl"
    called "native-cc-fdo-profile" "fdo_profile" "@rules_cc//cc/toolchains:fdo_profile.bzl"
    called "native-cc-import" "cc_import" "@rules_cc//cc:cc_import.bzl"
    named "native-cc-info" "CcInfo" "@rules_cc//cc/common:cc_info.bzl"
    called "native-cc-library" "cc_library" "@rules_cc//cc:cc_library.bzl"
    called "native-cc-memprof-profile" "memprof_profile" "@rules_cc//cc/toolchains:memprof_profile.bzl"
    called "native-cc-objc-import" "objc_import" "@rules_cc//cc:objc_import.bzl"
    called "native-cc-objc-library" "objc_library" "@rules_cc//cc:objc_library.bzl"
    called "native-cc-propeller-optimize" "propeller_optimize" "@rules_cc//cc/toolchains:propeller_optimize.bzl"
    called "native-cc-proto" "cc_proto_library" "@protobuf//bazel:cc_proto_library.bzl"
    called "native-cc-shared-library" "cc_shared_library" "@rules_cc//cc:cc_shared_library.bzl"
    named "native-cc-shared-library-hint-info" "CcSharedLibraryHintInfo" "@rules_cc//cc/common:cc_shared_library_hint_info.bzl"
    named "native-cc-shared-library-info" "CcSharedLibraryInfo" "@rules_cc//cc/common:cc_shared_library_info.bzl"
    called "native-cc-test" "cc_test" "@rules_cc//cc:cc_test.bzl"
    called "native-cc-toolchain" "cc_toolchain" "@rules_cc//cc/toolchains:cc_toolchain.bzl"
    called "native-cc-toolchain-suite" "cc_toolchain_suite" "@rules_cc//cc/toolchains:cc_toolchain_suite.bzl"
    called "native-java-binary" "java_binary" "@rules_java//java:java_binary.bzl"
    named "native-java-common" "java_common" "@rules_java//java/common:java_common.bzl"
    called "native-java-import" "java_import" "@rules_java//java:java_import.bzl"
    named "native-java-info" "JavaInfo" "@rules_java//java/common:java_info.bzl"
    called "native-java-library" "java_library" "@rules_java//java:java_library.bzl"
    called "native-java-lite-proto" "java_lite_proto_library" "@protobuf//bazel:java_lite_proto_library.bzl"
    called "native-java-package-config" "java_package_configuration" "@rules_java//java/toolchains:java_package_configuration.bzl"
    called "native-java-plugin" "java_plugin" "@rules_java//java:java_plugin.bzl"
    named "native-java-plugin-info" "JavaPluginInfo" "@rules_java//java/common:java_plugin_info.bzl"
    called "native-java-proto" "java_proto_library" "@protobuf//bazel:java_proto_library.bzl"
    called "native-java-runtime" "java_runtime" "@rules_java//java/toolchains:java_runtime.bzl"
    called "native-java-test" "java_test" "@rules_java//java:java_test.bzl"
    called "native-java-toolchain" "java_toolchain" "@rules_java//java/toolchains:java_toolchain.bzl"
    called "native-proto" "proto_library" "@protobuf//bazel:proto_library.bzl"
    named "native-proto-common" "proto_common" "@protobuf//bazel/common:proto_common.bzl"
    named "native-proto-info" "ProtoInfo" "@protobuf//bazel/common:proto_info.bzl"
    called "native-proto-lang-toolchain" "proto_lang_toolchain" "@protobuf//bazel/toolchains:proto_lang_toolchain.bzl"
    named "native-proto-lang-toolchain-info" "ProtoLangToolchainInfo" "@protobuf//bazel/common:proto_lang_toolchain_info.bzl"
    called "native-py" "py_binary" "@rules_python//python:defs.bzl"
    called "native-py" "py_library" "@rules_python//python:defs.bzl"
    called "native-py" "py_runtime" "@rules_python//python:defs.bzl"
    called "native-py" "py_test" "@rules_python//python:defs.bzl"
    called "native-sh-binary" "sh_binary" "@rules_shell//shell:sh_binary.bzl"
    called "native-sh-library" "sh_library" "@rules_shell//shell:sh_library.bzl"
    called "native-sh-test" "sh_test" "@rules_shell//shell:sh_test.bzl"
}

type Row = (&'static Moved, &'static Rule);

/// The rows by symbol and whether it is called. The map exists because every call of every file is
/// looked up.
static ROWS: LazyLock<BTreeMap<(&str, bool), Row>> = LazyLock::new(|| {
    let rows = MOVED.iter().zip(RULES);
    rows.map(|(it, rule)| ((it.symbol, it.is_called), (it, rule)))
        .collect()
});

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    for call in file.calls() {
        if let Some(name) = called(call) {
            tell_if_moved(file, call.callee, name, true, found);
        }
    }
    for name in file.names().uses() {
        if name.text().starts_with(|c: char| c.is_ascii_uppercase())
            || name.text().ends_with("_common")
        {
            tell_if_moved(file, *name, name.text(), false, found);
        }
    }
}

fn tell_if_moved<'t, 'a>(
    file: &File<'t, 'a>,
    node: NodeRef<'t, 'a>,
    name: &str,
    is_called: bool,
    found: &mut Vec<LintFinding>,
) {
    if let Some((moved, rule)) = ROWS.get(&(name, is_called)) {
        found.extend(report_moved(
            file,
            rule,
            moved,
            node,
            Safety::BehaviorChanging,
        ));
    }
}
