// The regular files below a folder, in a stable order.
import { readdir } from "node:fs/promises";
import path from "node:path";

export async function filesBelow(folder) {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}
