/** The sentences of the extension that can be translated, read from its sources. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Sentence → sentence, as a translator begins. */
export async function sourceStrings(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const sources = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts")).toSorted();
  const texts = await Promise.all(sources.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(texts.flatMap(stringsIn).map((text) => [text, text]));
}

const stringsIn = (text: string): string[] =>
  [...text.matchAll(/\bl10n\.t\(\s*("(?:[^"\\]|\\.)*")/gu)].map(([, literal = '""']) => JSON.parse(literal));
