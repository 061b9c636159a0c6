"""The binaries of `fixpoint.prebuilt`: one repository for each platform, fetched when it is needed."""

load("//toolchain/private:build_file.bzl", "write_build_file")
load("//toolchain/private:platforms.bzl", "PLATFORMS")

_PLACEHOLDER = "{platform}"

_DIGEST_LENGTH = 64

def prebuilt_repository(platform):
    """The name of the repository with the binary for a platform.

    Args:
        platform (string): A key of `PLATFORMS`.

    Returns:
        string: The name.
    """
    return "fixpoint_" + platform.replace("-", "_")

def _is_digest(text):
    return len(text) == _DIGEST_LENGTH and not text.lower().strip("0123456789abcdef")

def _check(tag):
    for platform, digest in tag.sha256.items():
        if platform not in PLATFORMS:
            fail("fixpoint.prebuilt: `sha256` has the unknown platform `{}`; use {}".format(
                platform,
                ", ".join(["`{}`".format(known) for known in PLATFORMS]),
            ))
        if not _is_digest(digest):
            fail("fixpoint.prebuilt: the `sha256` of `{}` is `{}`, with {} characters; it must be the {} hexadecimal digits that `sha256sum` prints".format(
                platform,
                digest,
                len(digest),
                _DIGEST_LENGTH,
            ))
    for url in tag.urls:
        if len(tag.sha256) > 1 and _PLACEHOLDER not in url:
            fail("fixpoint.prebuilt: `sha256` has {} platforms, and the URL `{}` is the same for all of them; put `{}` where their archives differ".format(
                len(tag.sha256),
                url,
                _PLACEHOLDER,
            ))

def prebuilt_binaries(tag, worker):
    """Declares a repository for every platform, whether it has a digest or not.

    Args:
        tag (bazel_module_tag): The `prebuilt` tag.
        worker (bool): Whether analyses may run in persistent workers.
    """
    _check(tag)
    for platform in PLATFORMS:
        _prebuilt_binary(
            name = prebuilt_repository(platform),
            platform = platform,
            sha256 = tag.sha256.get(platform, ""),
            urls = [url.replace(_PLACEHOLDER, platform) for url in tag.urls],
            worker = worker,
        )

def _prebuilt_binary_impl(rctx):
    platform = rctx.attr.platform
    if not rctx.attr.sha256:
        fail("fixpoint.prebuilt: `sha256` has no digest for `{platform}`, the platform of this machine; add `\"{platform}\": \"...\"`".format(platform = platform))
    rctx.download_and_extract(
        rctx.attr.urls,
        sha256 = rctx.attr.sha256,
        stripPrefix = "fixpoint-" + platform,
        type = "tar.gz",
    )
    write_build_file(rctx)

_prebuilt_binary = repository_rule(
    implementation = _prebuilt_binary_impl,
    doc = "The binary of a release archive, which is named by its digest.",
    attrs = {
        "platform": attr.string(),
        "sha256": attr.string(),
        "urls": attr.string_list(),
        "worker": attr.bool(),
    },
)
