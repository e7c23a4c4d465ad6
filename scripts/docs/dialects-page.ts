/** Updates the list of dialects in docs/dialects.md from `src/dialects`; the prose is written by hand. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { allDialects } from "../../src/dialects/index.ts";

const markers =
  /(<!-- dialects: written by npm run docs from src\/dialects -->\n)[^]*?(\n<!-- end of dialects -->)/u;

/** Returns the page with a fresh list. Throws if the markers are missing. */
export async function dialectsPage(root: string, text: string): Promise<string> {
  if (!markers.test(text)) throw new Error("docs/dialects.md has no place for the list of dialects");
  const folder = join(root, "src/dialects");
  const paths = (await readdir(folder)).filter((path) => /(?<!\.test)\.ts$/u.test(path));
  const sources = await Promise.all(paths.map((path) => readFile(join(folder, path), "utf8")));
  const sections = allDialects
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"))
    .map((dialect) => section(sources, dialect));
  return text.replace(
    markers,
    (_all, open: string, close: string) => `${open}${sections.join("\n\n")}${close}`,
  );
}

function section(sources: readonly string[], dialect: Dialect): string {
  const opening = commentOf(sources, dialect)
    .replaceAll(/\s*\n\s*\*?\s*/g, " ")
    .replace(/^\* /, "");
  const example = dialect.writeCalls([
    { id: "call00001", name: "read_page", input: { path: "a.md", lines: 20 } },
  ]);
  const fence = "`".repeat(Math.max(3, ...[...example.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return [
    `### ${dialect.name}`,
    opening.replaceAll(/\s*\((?:[A-Z]\d+|FORMATS)[^)]*\)/g, ""),
    `${fence}text\n${example}\n${fence}`,
    rules(dialect).join(" "),
  ].join("\n\n");
}

/** The comment of a dialect: before its declaration, or at the beginning of its file. */
function commentOf(sources: readonly string[], { name }: Dialect): string {
  for (const source of sources) {
    const parts = source.split(/^(?=export const )/mu);
    const at = parts.findIndex((part) => part.includes(`name: "${name}",`));
    const before = /\n\/\*\*((?:(?!\*\/)[^])*)\*\/\n$/u.exec(parts[at - 1] ?? "") ?? opening.exec(source);
    if (at >= 0 && before) return (before[1] ?? "").trim();
  }
  throw new Error(`src/dialects does not say what ${name} is`);
}

const opening = /^\/\*\*([^]*?)\*\//u;

const counted = {
  token: "Its marks are special tokens: a call counts wherever it may stand.",
  tagged: "Its marks are tags that no prose uses: a call counts wherever it may stand.",
  whole:
    "It has no marks: it counts only as the whole message, or at the end of the message of a model that was taught a dialect, and only for tools on offer.",
  taught: "It looks like ordinary text: it counts only for the model that was taught it.",
} as const;

function rules(dialect: Dialect): string[] {
  const isHeld = dialect.tier !== "whole" && dialect.leftovers !== undefined;
  const results = (dialect.results ?? []).map(code);
  return [
    counted[dialect.tier],
    ...(isHeld
      ? [
          "Its values are raw, so its calls wait for the end of the message, and a closing tag left over cancels them.",
        ]
      : []),
    ...(dialect.endsThoughts ? ["Its opening ends an open thought."] : []),
    ...(results.length > 0 ? [`An invented result ends the message: ${results.join(", ")}.`] : []),
  ];
}

const code = (text: string): string => `\`${text.trim().replaceAll("\n", "\\n")}\``;
