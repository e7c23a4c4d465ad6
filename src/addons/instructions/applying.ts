/** Instructions for files of a kind (`.github/instructions/*.instructions.md`): their head says which, by patterns. */

import { join } from "node:path";
import { readAdded } from "../added-text.ts";
import { described } from "../skills/definition-files.ts";
import { type Head, listIn, readHead, textIn } from "../skills/front-matter.ts";
import { filesIn } from "../skills/places.ts";
import { type ApplyingFolder, applyingFolders } from "./places.ts";

/**
 * `always`: for whatever the model does; else for files that one of the patterns matches, or where the model finds that
 * its `description` fits.
 */
export type Applying = {
  folder: string;
  path: string;
  text: string;
  always: boolean;
  patterns: readonly string[];
  description?: string;
};
/** `problems`: a line each. */
export type ReadApplying = { files: Applying[]; problems: string[] };

/** `path`: relative to the workspace. */
export async function readApplying(workspace: string): Promise<ReadApplying> {
  const read: ReadApplying = { files: [], problems: [] };
  for (const folder of applyingFolders) await readFolder(folder, workspace, read);
  return read;
}

async function readFolder(folder: ApplyingFolder, workspace: string, read: ReadApplying): Promise<void> {
  const { path: at, suffix } = folder;
  for (const { path, name } of await filesIn({ path: join(workspace, at), from: "workspace", suffix })) {
    const found = await readAdded(path, { within: workspace });
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

/** Undefined: read by nobody unasked, as its writer knows it. */
function whenTold(
  head: Head,
  { patterns: name, always: said, unsaid }: ApplyingFolder,
): Pick<Applying, "always" | "patterns" | "description"> | undefined {
  const patterns = listIn(head, name) ?? [];
  const when = said === undefined ? undefined : textIn(head, said);
  const always =
    patterns.some((pattern) => /^\*\*?(?:\/\*)?$/u.test(pattern)) ||
    /^(?:true|yes|always|always_on)$/iu.test(when ?? "") ||
    (patterns.length === 0 && when === undefined && unsaid === "always");
  if (always || patterns.length > 0) return { always, patterns };
  const description = described(textIn(head, "description") ?? "");
  return description === "" ? undefined : { always, patterns, description };
}

/** Those for one of these files, whose paths are relative to the workspace. */
export async function applyingTo(files: readonly Applying[], paths: readonly string[]): Promise<Applying[]> {
  const some = files.filter(({ always }) => !always);
  if (some.length === 0 || paths.length === 0) return [];
  const { default: picomatch } = await import("picomatch");
  return some.filter(({ patterns }) =>
    patterns.some((pattern) => {
      const matches = matcherOf(pattern, picomatch);
      return paths.some(matches);
    }),
  );
}

/** A pattern without a slash is for files of any folder; one that cannot be read matches nothing. */
function matcherOf(
  pattern: string,
  make: (glob: string, options: { dot: boolean }) => (path: string) => boolean,
): (path: string) => boolean {
  try {
    return make(pattern.includes("/") ? pattern.replace(/^\.?\//u, "") : `**/${pattern}`, { dot: true });
  } catch {
    return () => false;
  }
}
