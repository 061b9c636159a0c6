"""Moved."""

load("@protobuf//bazel:cc_proto_library.bzl", "cc_proto_library")
load("@protobuf//bazel:java_lite_proto_library.bzl", "java_lite_proto_library")
load("@protobuf//bazel:java_proto_library.bzl", "java_proto_library")
load("@protobuf//bazel:proto_library.bzl", "proto_library")
load("@protobuf//bazel/common:proto_common.bzl", "proto_common")
load("@protobuf//bazel/common:proto_info.bzl", "ProtoInfo")
load("@protobuf//bazel/common:proto_lang_toolchain_info.bzl", "ProtoLangToolchainInfo")
load("@protobuf//bazel/toolchains:proto_lang_toolchain.bzl", "proto_lang_toolchain")
load("@rules_android//android:rules.bzl", "aar_import", "android_binary", "android_device", "android_instrumentation_test", "android_library", "android_local_test", "android_sdk_repository")
load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_import.bzl", "cc_import")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_shared_library.bzl", "cc_shared_library")
load("@rules_cc//cc:objc_import.bzl", "objc_import")
load("@rules_cc//cc:objc_library.bzl", "objc_library")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_cc//cc/common:cc_shared_library_hint_info.bzl", "CcSharedLibraryHintInfo")
load("@rules_cc//cc/common:cc_shared_library_info.bzl", "CcSharedLibraryInfo")
load("@rules_cc//cc/common:debug_package_info.bzl", "DebugPackageInfo")
load("@rules_cc//cc/toolchains:cc_toolchain.bzl", "cc_toolchain")
load("@rules_cc//cc/toolchains:cc_toolchain_suite.bzl", "cc_toolchain_suite")
load("@rules_cc//cc/toolchains:fdo_prefetch_hints.bzl", "fdo_prefetch_hints")
load("@rules_cc//cc/toolchains:fdo_profile.bzl", "fdo_profile")
load("@rules_cc//cc/toolchains:memprof_profile.bzl", "memprof_profile")
load("@rules_cc//cc/toolchains:propeller_optimize.bzl", "propeller_optimize")
load("@rules_java//java:java_binary.bzl", "java_binary")
load("@rules_java//java:java_import.bzl", "java_import")
load("@rules_java//java:java_library.bzl", "java_library")
load("@rules_java//java:java_plugin.bzl", "java_plugin")
load("@rules_java//java:java_test.bzl", "java_test")
load("@rules_java//java/common:java_common.bzl", "java_common")
load("@rules_java//java/common:java_info.bzl", "JavaInfo")
load("@rules_java//java/common:java_plugin_info.bzl", "JavaPluginInfo")
load("@rules_java//java/toolchains:java_package_configuration.bzl", "java_package_configuration")
load("@rules_java//java/toolchains:java_runtime.bzl", "java_runtime")
load("@rules_java//java/toolchains:java_toolchain.bzl", "java_toolchain")
load("@rules_python//python:defs.bzl", "py_binary", "py_library", "py_runtime", "py_test")
load("@rules_shell//shell:sh_binary.bzl", "sh_binary")
load("@rules_shell//shell:sh_library.bzl", "sh_library")
load("@rules_shell//shell:sh_test.bzl", "sh_test")

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
    aar_import(name = name)
    android_binary(name = name)
    android_device(name = name)
    android_instrumentation_test(name = name)
    android_library(name = name)
    android_local_test(name = name)
    android_sdk_repository(name = name)
    cc_binary(name = name)
    fdo_prefetch_hints(name = name)
    fdo_profile(name = name)
    cc_import(name = name)
    cc_library(name = name)
    memprof_profile(name = name)
    objc_import(name = name)
    objc_library(name = name)
    propeller_optimize(name = name)
    cc_proto_library(name = name)
    cc_shared_library(name = name)
    native.cc_test(name = name)
    cc_toolchain(name = name)
    cc_toolchain_suite(name = name)
    java_binary(name = name)
    java_import(name = name)
    java_library(name = name)
    java_lite_proto_library(name = name)
    java_package_configuration(name = name)
    java_plugin(name = name)
    java_proto_library(name = name)
    java_runtime(name = name)
    java_test(name = name)
    java_toolchain(name = name)
    proto_library(name = name)
    proto_lang_toolchain(name = name)
    py_binary(name = name)
    py_library(name = name)
    py_runtime(name = name)
    py_test(name = name)
    sh_binary(name = name)
    sh_library(name = name)
    sh_test(name = name)

def cc_test(name):
    native.cc_test(name = name)
