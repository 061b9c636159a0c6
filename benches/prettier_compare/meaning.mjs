// Compares the meaning of files before and after formatting, by parsers that Fixpoint does not use.
// Usage: meaning.mjs BEFORE AFTER. Prints one line of JSON per file that both folders contain:
// {"file", "result": "same" | "changed" | "unparsed", "detail"}.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { filesBelow } from "./files.mjs";
import { script } from "./script.mjs";
import { data, graphql, markdown, style } from "./text.mjs";

const MEANINGS = {
  ".css": style,
  ".scss": style,
  ".less": style,
  ".graphql": graphql,
  ".json": data,
  ".yaml": data,
  ".yml": data,
  ".md": markdown,
  ".js": script,
  ".jsx": script,
  ".mjs": script,
  ".cjs": script,
  ".ts": script,
  ".mts": script,
  ".cts": script,
  ".tsx": script,
};

const [before, after] = process.argv.slice(2);
for (const file of await filesBelow(before)) {
  const name = path.relative(before, file);
  const meaning = MEANINGS[path.extname(file)];
  if (meaning === undefined) {
    continue;
  }
  const read = (folder) => readFile(path.join(folder, name), "utf8");
  const [old, now] = await Promise.all([read(before), read(after)]);
  console.log(
    JSON.stringify({ file: name, ...compare(meaning, name, old, now) }),
  );
}

function compare(meaning, name, old, now) {
  if (old === now) {
    return { result: "same" };
  }
  let expected;
  try {
    expected = meaning(old, name);
  } catch (error) {
    return { result: "unparsed", detail: error.message };
  }
  let found;
  try {
    found = meaning(now, name);
  } catch (error) {
    return { result: "changed", detail: `no longer parses: ${error.message}` };
  }
  if (expected === found) {
    return { result: "same" };
  }
  let at = 0;
  while (expected[at] === found[at]) {
    at += 1;
  }
  const around = (text) => text.slice(Math.max(0, at - 60), at + 60);
  return {
    result: "changed",
    detail: `${around(expected)} => ${around(found)}`,
  };
}
