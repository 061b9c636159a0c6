"""Tests the parsers of repository rules: strings in TOML, and references in schemas."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//toolchain:config_files.bzl", "may_match")

# buildifier: disable=bzl-visibility
load("//toolchain/private:toml.bzl", "toml_strings")

# buildifier: disable=bzl-visibility
load("//toolchain/private:workspace.bzl", "references")

# Each text means the same: s.json is the schema of a.yaml, and r.yaml contains the rules.
_SAME = [
    """
[validate]
rules = ["r.yaml"] # "no.yaml"

[[validate.schema]] # ["no"]
files = ["a.yaml"]
schema = "s.json"
""",
    """
[ validate ]
'rules' = [
  # "no.yaml"
  'r.yaml', # and no other ]
]
[[ "validate" . schema ]]
files = ['a.yaml']
schema = '''s.json'''
""",
    "validate.rules = [\"\"\"\nr.yaml\"\"\"]\nvalidate.schema = [\n  { files = [\"a.yaml\"], schema = \"s.json\" },\n]\n",
    "validate = { rules = [\"r.yaml\"], schema = [{ files = [\"a.yaml\"], schema = \"s.json\" }] }",
    "exclude = [\"x]\\\\\", 'y[\\']\r\n[validate]\r\nrules = [\"r.yaml\"]\r\nschema = [{ files = [\"a.yaml\"], schema = \"s.json\" }]\r\n[lint]\r\ndisable = []\r\n",
]

def _one_meaning_impl(ctx):
    env = unittest.begin(ctx)
    for text in _SAME:
        found = [it[:2] for it in toml_strings(text) if it[0][0] == "validate"]
        asserts.equals(env, [
            (("validate", "rules"), "r.yaml"),
            (("validate", "schema", "files"), "a.yaml"),
            (("validate", "schema", "schema"), "s.json"),
        ], found, text)
    return unittest.end(env)

one_meaning_test = unittest.make(_one_meaning_impl)

def _escapes_impl(ctx):
    env = unittest.begin(ctx)
    for text, said in [
        ("k = \"a\\\"b\\\\\"", "a\"b\\"),
        ("k = 'a\\'", "a\\"),
        ("k = \"a # b\" # c", "a # b"),
        ("k = \"\"\"a\"\"\"\"", "a\""),
        ("k = \"unfinished", ""),
    ]:
        asserts.equals(env, [(("k",), said)], [it[:2] for it in toml_strings(text)], text)
    for text in ["", "k", "]", "}}", "k = ]", "[[", "= = =", "k = 1.5", "k = [[[", "{,}"]:
        asserts.equals(env, [], toml_strings(text), text)
    return unittest.end(env)

escapes_test = unittest.make(_escapes_impl)

def _references_impl(ctx):
    env = unittest.begin(ctx)
    for schema in [
        "{\"$ref\": \"../b/c.json#/x\"}",
        "{\"items\": {\"$ref\" : \"..\\/b\\/c.json\"}}",
        "items: {$ref: ../b/c.json}\n",
        "\"$ref\" = '../b/c.json#'",
    ]:
        asserts.equals(env, ["b/c.json"], references("a/s.json", schema), schema)
    for schema in ["{\"$ref\": \"#/x\"}", "{\"$ref\": \"https://example.com/s\"}", "$ref: ../../x", "$ref"]:
        asserts.equals(env, [], references("a/s.json", schema), schema)
    return unittest.end(env)

references_test = unittest.make(_references_impl)

def _tables_impl(ctx):
    env = unittest.begin(ctx)
    for text in [
        "[[a]]\nx = \"1\"\ny = \"2\"\n[[a]]\ny = \"3\"\nx = [\"4\"]\n",
        "a = [{ x = \"1\", y = \"2\" }, { y = \"3\", x = [\"4\"] }]\n",
    ]:
        tables = {}
        for _, said, table in toml_strings(text):
            tables.setdefault(table, []).append(said)
        asserts.equals(env, [["1", "2"], ["3", "4"]], tables.values(), text)
    return unittest.end(env)

tables_test = unittest.make(_tables_impl)

def _globs_impl(ctx):
    env = unittest.begin(ctx)
    for glob, path, expected in [
        ("conf/*.yaml", "conf/a.yaml", True),
        ("conf/*.yaml", "other/a.yaml", False),
        ("conf/*.yaml", "conf/a.json", False),
        ("conf/**/a.yaml", "conf/a.yaml", True),
        ("**/a.yaml", "a.yaml", True),
        ("*.yaml", "conf/deep/a.yaml", True),
        ("/a.yaml", "a.yaml", True),
        ("a.yaml", "conf/a.yaml", True),
        ("a.yaml", "conf/ba.yaml", False),
        ("conf/", "conf/a.yaml", True),
        ("conf/{a,b}.yaml", "conf/a.yaml", True),
        ("**", "a.yaml", True),
    ]:
        asserts.equals(env, expected, may_match(glob, path), glob + " " + path)
    return unittest.end(env)

globs_test = unittest.make(_globs_impl)

def toml_test_suite(name):
    """Declares all tests of this file.

    Args:
        name (string): The name of the suite.
    """
    unittest.suite(name, one_meaning_test, escapes_test, references_test, tables_test, globs_test)
