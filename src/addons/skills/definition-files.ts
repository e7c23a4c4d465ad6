/** Reads definitions from all folders that may hold them, one file each: the first of a name wins. */

import { brokenLink, cutWords, fewOf, readAdded } from "../added-text.ts";
import { addedTextBounds } from "../bounds.ts";
import type { AddonDirectories } from "../part.ts";
import { skillBounds } from "./bounds.ts";
import { callableName } from "./callable-name.ts";
import { type HeadAndBody, readHead } from "./front-matter.ts";
import { type FileIn, filesIn, type Folder } from "./places.ts";

const limits = skillBounds;

/** `wrong`: parts of the file that could not be read, in sentences for people. */
export type DefinitionFile = FileIn & HeadAndBody & { wrong: string[] };
/** `name` is the name it is called by. */
type DefinitionSource = { name: string; path: string; from: "user" | "workspace" };
/** `leftOut`: callable names of definitions that exist but cannot be used, and why. */
export type FoundDefinitions<T> = { found: T[]; problems: string[]; leftOut: Map<string, string> };
type DefinitionResult<T> = T | string | undefined;
type Make<T> = (file: DefinitionFile) => DefinitionResult<T> | Promise<DefinitionResult<T>>;

/**
 * In folder order, by name within each, so that the user's own win over the workspace's. `make` returns the definition,
 * undefined for a file that is none (no problem), or text that says why it is invalid.
 */
export async function definitionsIn<T extends DefinitionSource>(
  folders: readonly Folder[],
  place: Pick<AddonDirectories, "workspace" | "withheld">,
  make: Make<T>,
): Promise<FoundDefinitions<T>> {
  const gathering = gatherDefinitions<T>("file");
  for (const folder of folders)
    for (const file of await filesIn(folder))
      await gathering.add(file, () => definitionIn(file, place, make));
  return gathering.found();
}

/** `why`: the reason it is not offered, which people are told; `told`: other notices for them. */
type DefinitionReading<T> = { made?: T | undefined; why?: string | undefined; told?: string[] };

/** The first of a name wins, and no more are read than can be listed. `kind`: what they are called in messages. */
export function gatherDefinitions<T extends { name: string }>(kind: "file" | "skill") {
  const byName = new Map<string, T>();
  const problems: string[] = [];
  const leftOut = new Map<string, string>();
  const most = limits.listed.most;
  const beyond: string[] = [];
  return {
    async add(
      { name, path }: { name: string; path: string },
      read: () => Promise<DefinitionReading<T>>,
    ): Promise<void> {
      if (byName.size >= most) {
        beyond.push(path);
        leftOut.set(callableName(name), `The ${kind} ${path} is not offered: ${most} others come before it.`);
        return;
      }
      const { made, why, told = [] } = await read();
      problems.push(...told, ...(why === undefined ? [] : [why]));
      if (why !== undefined) leftOut.set(callableName(name), why);
      if (made && !byName.has(made.name)) byName.set(made.name, made);
    },
    found(): FoundDefinitions<T> {
      const [first] = beyond;
      if (first !== undefined)
        problems.push(
          `There are more than ${most} ${kind}s like ${first}: ${beyond.length} are not offered.`,
        );
      return { found: [...byName.values()], problems: fewOf(problems), leftOut };
    },
  };
}

async function definitionIn<T>(
  file: FileIn,
  { workspace, withheld }: Pick<AddonDirectories, "workspace" | "withheld">,
  make: Make<T>,
): Promise<DefinitionReading<T>> {
  const { path } = file;
  const within = file.from === "workspace" ? { within: workspace } : {};
  const text = await readAdded(path, { ...within, withheld, most: addedTextBounds.file.most });
  const unread = text ? (text.ok ? undefined : text.problem) : await brokenLink(path);
  if (!text?.ok) return { why: unread };
  const head = await headOf(file, text.value.text);
  const wrong = [
    ...(text.value.cut ? [cutWords(path, addedTextBounds.file.most)] : []),
    ...(head.problem === undefined ? [] : [`${path}: ${head.problem}.`]),
  ];
  const made = await make({ ...file, ...head, wrong });
  if (made === undefined) return {};
  if (typeof made !== "string") return { made, told: wrong };
  return { why: `${path} is not offered: ${made}.` };
}

/** Other formats have no front matter: `make` parses the whole text. */
const headOf = async ({ suffix }: FileIn, text: string): Promise<HeadAndBody> =>
  suffix === ".toml" ? { head: {}, body: text } : readHead(text);

/** On one line and within the length limit, without control and invisible characters. */
export function descriptionLine(words: string): string {
  const line = words
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u2069]/gu, "")
    .trim();
  const most = limits.described.most;
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** The first line with text, without heading marks. */
export const firstLine = (body: string): string =>
  (/^[ \t#>*-]*([^\s#>*-].*)$/mu.exec(body)?.[1] ?? "").slice(0, 200).trim();
