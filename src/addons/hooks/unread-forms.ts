/** Finds hooks in formats we do not read, and warns people, because one of them may be a guard. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileBounds } from "../../base/bounds.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { hookBounds } from "./bounds.ts";

/** One line per file, for people. */
export function unreadForms(workspace: string): string[] {
  const files = [".cursor/hooks.json", ".gemini/settings.json", ...jsonIn(workspace, ".github/hooks")];
  return files.filter((path) => hasHooks(join(workspace, path))).map(unreadWords);
}

const unreadWords = (path: string): string =>
  `${path}: its hooks are written in a form that is not read here; none of them runs. Write those that you need here, too, into .claude/settings.json or .toolwright/config.jsonc.`;

function jsonIn(workspace: string, folder: string): string[] {
  try {
    const names = readdirSync(join(workspace, folder)).filter((name) => name.endsWith(".json"));
    return names
      .toSorted()
      .slice(0, hookBounds.listed.most)
      .map((name) => `${folder}/${name}`);
  } catch {
    return []; // missing or not readable
  }
}

function hasHooks(path: string): boolean {
  const read = readSmallFile(path, fileBounds.configuration.most);
  const json = read.ok && read.value ? parseJson(new TextDecoder().decode(read.value)) : undefined;
  const hooks = json?.ok && isObject(json.value) ? json.value["hooks"] : undefined;
  return isObject(hooks) && Object.values(hooks).some((listed) => Array.isArray(listed) && listed.length > 0);
}
