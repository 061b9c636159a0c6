"""Moved."""

SYMBOLS = [
    cc_common,
    DebugPackageInfo,
    CcInfo,
    CcSharedLibraryHintInfo,
    CcSharedLibraryInfo,
    java_common,
    JavaInfo,
    JavaPluginInfo,
    proto_common,
    ProtoInfo,
    ProtoLangToolchainInfo,
]

def macro(name):
    """Makes one of each."""
    native.aar_import(name = name)
    native.android_binary(name = name)
    native.android_device(name = name)
    native.android_instrumentation_test(name = name)
    native.android_library(name = name)
    native.android_local_test(name = name)
    native.android_sdk_repository(name = name)
    native.cc_binary(name = name)
    native.fdo_prefetch_hints(name = name)
    native.fdo_profile(name = name)
    native.cc_import(name = name)
    native.cc_library(name = name)
    native.memprof_profile(name = name)
    native.objc_import(name = name)
    native.objc_library(name = name)
    native.propeller_optimize(name = name)
    native.cc_proto_library(name = name)
    native.cc_shared_library(name = name)
    native.cc_test(name = name)
    native.cc_toolchain(name = name)
    native.cc_toolchain_suite(name = name)
    native.java_binary(name = name)
    native.java_import(name = name)
    native.java_library(name = name)
    native.java_lite_proto_library(name = name)
    native.java_package_configuration(name = name)
    native.java_plugin(name = name)
    native.java_proto_library(name = name)
    native.java_runtime(name = name)
    native.java_test(name = name)
    native.java_toolchain(name = name)
    native.proto_library(name = name)
    native.proto_lang_toolchain(name = name)
    native.py_binary(name = name)
    native.py_library(name = name)
    native.py_runtime(name = name)
    native.py_test(name = name)
    native.sh_binary(name = name)
    native.sh_library(name = name)
    native.sh_test(name = name)

def cc_test(name):
    native.cc_test(name = name)
