// Formats every file below a folder with prettier's default options, in place. Removes files that prettier
// rejects, or that still change in a second run. Usage: format.mjs FOLDER
import { readFile, rm, writeFile } from "node:fs/promises";
import prettier from "prettier";
import { filesBelow } from "./files.mjs";

const [folder] = process.argv.slice(2);
for (const file of await filesBelow(folder)) {
  const text = await readFile(file, "utf8");
  try {
    const once = await prettier.format(text, { filepath: file });
    const twice = await prettier.format(once, { filepath: file });
    if (once !== twice) {
      throw new Error("not idempotent");
    }
    await writeFile(file, once);
  } catch {
    await rm(file);
  }
}
