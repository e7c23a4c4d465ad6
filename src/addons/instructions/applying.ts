/**
 * Reads instructions that apply only to some files (`.github/instructions/*.instructions.md`), by glob patterns in
 * their front matter.
 */

import { join } from "node:path";
import type { Expected } from "../../base/expected.ts";
import { type PathMatcher, pathMatcher } from "../../base/glob.ts";
import { readAdded } from "../added-text.ts";
import type { AddonDirectories } from "../part.ts";
import { descriptionLine } from "../skills/definition-files.ts";
import { type Head, listIn, readHead, textIn } from "../skills/front-matter.ts";
import { filesIn } from "../skills/places.ts";
import { type ApplyingFolder, applyingFolders } from "./places.ts";

/**
 * `always`: applies to everything; otherwise it applies to files that match a pattern, or when the model finds that its
 * `description` fits.
 */
export type ScopedInstructions = {
  folder: string;
  path: string;
  text: string;
  always: boolean;
  patterns: readonly string[];
  description?: string;
};
/** `problems`: one line each. */
export type ReadApplying = { files: ScopedInstructions[]; problems: string[] };

/** Paths in the result are relative to the workspace. */
export async function readApplying(
  place: Pick<AddonDirectories, "workspace" | "withheld">,
): Promise<ReadApplying> {
  const read: ReadApplying = { files: [], problems: [] };
  for (const folder of applyingFolders) await readFolder(folder, place, read);
  return read;
}

async function readFolder(
  folder: ApplyingFolder,
  { workspace, withheld }: Pick<AddonDirectories, "workspace" | "withheld">,
  read: ReadApplying,
): Promise<void> {
  const { path: at, suffix } = folder;
  for (const { path, name } of await filesIn({ path: join(workspace, at), from: "workspace", suffix })) {
    const found = await readAdded(path, { within: workspace, withheld });
    if (!found) continue;
    if (!found.ok) {
      read.problems.push(found.problem);
      continue;
    }
    const { head, body, problem } = await readHead(found.value.text);
    const shown = `${at}/${name.replaceAll(":", "/")}${suffix}`;
    if (problem !== undefined) read.problems.push(`${shown}: ${problem}.`);
    const told = whenTold(head, folder);
    if (told && body.trim() !== "") read.files.push({ folder: at, path: shown, text: body.trim(), ...told });
  }
}

/** Undefined: only read on request, which is how the format defines it. */
function whenTold(
  head: Head,
  { patterns: name, always: said, unsaid }: ApplyingFolder,
): Pick<ScopedInstructions, "always" | "patterns" | "description"> | undefined {
  const patterns = listIn(head, name) ?? [];
  const when = said === undefined ? undefined : textIn(head, said);
  const always =
    patterns.some((pattern) => /^\*\*?(?:\/\*)?$/u.test(pattern)) ||
    /^(?:true|yes|always|always_on)$/iu.test(when ?? "") ||
    (patterns.length === 0 && when === undefined && unsaid === "always");
  if (always || patterns.length > 0) return { always, patterns };
  const description = descriptionLine(textIn(head, "description") ?? "");
  return description === "" ? undefined : { always, patterns, description };
}

/** The files that apply to any of these paths, which are relative to the workspace. */
export async function applyingTo(
  files: readonly ScopedInstructions[],
  paths: readonly string[],
): Promise<ScopedInstructions[]> {
  const some = files.filter(({ always }) => !always);
  if (some.length === 0 || paths.length === 0) return [];
  return some.filter(({ patterns }) =>
    patterns.some((pattern) => {
      const matches = matcherOf(pattern);
      return matches.ok && paths.some(matches.value);
    }),
  );
}

/** A pattern without a slash applies in any folder; one that cannot be used matches nothing. */
const matcherOf = (pattern: string): Expected<PathMatcher> =>
  pathMatcher(pattern.includes("/") ? pattern.replace(/^\.?\//u, "") : `**/${pattern}`);
