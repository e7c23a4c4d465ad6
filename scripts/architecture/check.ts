/** Runs all architecture rules on one tree, and maintains the table of rooms in its ARCHITECTURE.md. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkCalls } from "./calls.ts";
import { checkDeclaredNames } from "./declared-names.ts";
import { checkExports } from "./exports.ts";
import { checkForm } from "./form.ts";
import { checkCycles, checkPackages, checkRooms } from "./imports.ts";
import { checkNames } from "./names.ts";
import type { Problem } from "./problem.ts";
import { roomOf, rooms, roomsTable } from "./rooms.ts";
import { checkSizes } from "./sizes.ts";
import { readSourceTree, type SourceFile } from "./source-tree.ts";

const document = "ARCHITECTURE.md";
const markers = /(<!-- rooms: .* -->\n)[^]*?(\n<!-- end of rooms -->)/u;

export async function checkArchitecture(root: string): Promise<{ problems: Problem[]; files: number }> {
  const files = await readSourceTree(root);
  const rules = [
    checkRooms,
    checkPackages,
    checkCycles,
    checkSizes,
    checkNames,
    checkForm,
    checkExports,
    checkCalls,
    checkDeclaredNames,
  ];
  const problems = [...rules.flatMap((rule) => rule(files)), ...(await checkTable(root, files))];
  return { problems, files: files.length };
}

/** Writes the table of rooms between its markers. */
export async function writeTable(root: string): Promise<void> {
  const text = await readFile(join(root, document), "utf8");
  await writeFile(join(root, document), withTable(text, await readSourceTree(root)));
}

async function checkTable(root: string, files: readonly SourceFile[]): Promise<Problem[]> {
  const text = await readFile(join(root, document), "utf8").catch(() => "");
  if (!markers.test(text))
    return [{ path: document, line: 1, words: "it has no place for the table of rooms" }];
  if (withTable(text, files) === text) return [];
  return [{ path: document, line: 1, words: "its table of rooms is stale: run npm run docs" }];
}

function withTable(text: string, files: readonly SourceFile[]): string {
  const existing = rooms.filter((room) => files.some(({ path, isTest }) => !isTest && roomOf(path) === room));
  return text.replace(markers, (_all, open: string, close: string) => open + roomsTable(existing) + close);
}
