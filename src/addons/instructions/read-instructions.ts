/**
 * Reads instruction files and their imports: each content once, never a secret, and no links out of the allowed
 * directories.
 */

import { homedir } from "node:os";
import { basename, dirname, join, relative, isAbsolute, resolve } from "node:path";
import { sizeInWords } from "../../base/amounts.ts";
import { isFile, isWithin } from "../../base/paths.ts";
import { byteLength } from "../../base/text.ts";
import { type AddedText, cutWords, fewOf, readAdded, type TextReading } from "../added-text.ts";
import type { AddonDirectories } from "../part.ts";
import type { ScopedInstructions } from "./applying.ts";
import { instructionBounds } from "./bounds.ts";
import { applyingIn, directoriesAbove, filesOf, globalFiles, isThere } from "./places.ts";

const limits = instructionBounds;

export type InstructionFile = { path: string; text: string };
/** `looked`: every path that was read or tried, absolute. `problems`: one line each, for people. */
export type ReadInstructions = { files: InstructionFile[]; looked: string[]; problems: string[] };

type GatheredInstructions = ReadInstructions & { seen: Set<string>; context: AddonDirectories; left: number };

const gathering = (context: AddonDirectories): GatheredInstructions => ({
  files: [],
  looked: [],
  problems: [],
  seen: new Set(),
  context,
  left: limits.all.most,
});

/** The global file, then those of the directories, from the outermost to the workspace. */
export async function readInstructions(context: AddonDirectories): Promise<ReadInstructions> {
  const all = gathering(context);
  const own = globalFiles(context).find(isThere);
  if (own !== undefined) await take(own, all, { within: undefined, beside: dirname(own) });
  for (const directory of directoriesAbove(context)) await takeFilesOf(directory, all);
  if (applyingIn(context.workspace).length > 0) await takeAlways(all);
  return instructionsRead(all);
}

async function takeAlways(all: GatheredInstructions): Promise<void> {
  const { readApplying } = await import("./applying.ts");
  const { files, problems } = await readApplying(all.context);
  all.problems.push(...problems);
  for (const { path, text, always } of files) {
    const absolute = join(all.context.workspace, path);
    all.looked.push(absolute);
    if (always) keep({ path: absolute, real: absolute, text, cut: false }, all);
  }
  const offered = files.filter(({ description }) => description !== undefined);
  for (const [folder, some] of Map.groupBy(offered, (file) => file.folder)) {
    const path = join(all.context.workspace, folder);
    keep({ path, real: path, text: offerWords(some), cut: false }, all);
  }
}

/** As with skills, the model sees only descriptions and reads the text when it needs it. */
const offerWords = (offered: readonly Pick<ScopedInstructions, "path" | "description">[]): string =>
  [
    "Read one of these files before you do what its description fits:",
    ...offered.map(({ path, description }) => `- ${path}: ${description}`),
  ].join("\n");

/** Instructions that apply by pattern to these files, which were read or changed. */
export async function readForFiles(
  paths: readonly string[],
  context: AddonDirectories,
): Promise<InstructionFile[]> {
  if (applyingIn(context.workspace).length === 0) return [];
  const { applyingTo, readApplying } = await import("./applying.ts");
  const { files } = await readApplying(context);
  return (await applyingTo(files, paths)).map(({ path, text }) => ({ path, text }));
}

/**
 * The instructions of a directory below the workspace, once something in it was read. `known`: texts that the model
 * already has.
 */
export async function readNested(
  directory: string,
  context: AddonDirectories,
  known: readonly InstructionFile[],
): Promise<ReadInstructions> {
  const all = gathering(context);
  for (const { text } of known) all.seen.add(text.trim());
  await takeFilesOf(directory, all);
  return instructionsRead(all);
}

const instructionsRead = ({ files, looked, problems }: GatheredInstructions): ReadInstructions => ({
  files,
  looked,
  problems: fewOf(problems),
});

async function takeFilesOf(directory: string, all: GatheredInstructions): Promise<void> {
  const { workspace } = all.context;
  const isInside = isWithin(workspace, directory);
  for (const name of filesOf(directory)) {
    const reading = isInside ? { within: workspace } : { within: directory, ownOnly: true };
    await take(join(directory, name), all, { ...reading, beside: isInside ? workspace : directory });
  }
}

/** `beside`: the directory that its imports may not leave, except for the user's own notes. */
type ImportScope = { within: string | undefined; ownOnly?: boolean; beside: string };

async function take(path: string, all: GatheredInstructions, taking: ImportScope): Promise<void> {
  all.looked.push(path);
  const reading: TextReading = {
    withheld: all.context.withheld,
    within: taking.within,
    ...(taking.ownOnly ? { ownOnly: true } : {}),
  };
  const read = await readAdded(path, reading);
  if (!read) return;
  if (!read.ok) return void all.problems.push(read.problem);
  if (keep(read.value, all)) await takeImports(read.value, all, taking);
}

/** False: empty, a duplicate, or over the total size limit. */
function keep({ path, real, text, cut }: Omit<AddedText, "stats">, all: GatheredInstructions): boolean {
  const words = text.trim();
  if (words === "" || all.seen.has(real) || all.seen.has(words)) return false;
  all.seen.add(real).add(words);
  if (byteLength(words) > all.left) {
    all.problems.push(
      `${path} was not read: all instruction files together are larger than ${sizeInWords(limits.all.most)}.`,
    );
    return false;
  }
  all.left -= byteLength(words);
  if (cut) all.problems.push(cutWords(path));
  all.files.push({ path: displayPath(path, all.context), text: words });
  return true;
}

async function takeImports(file: AddedText, all: GatheredInstructions, taking: ImportScope): Promise<void> {
  const { context } = all;
  for (const written of importsIn(file.text)) {
    const path = importedPath(written, file.path, context.home);
    if (path === undefined || !isFile(path) || all.looked.includes(path)) continue;
    const because = context.withheld(path);
    if (because !== undefined)
      all.problems.push(
        `${displayPath(file.path, context)} imports ${written}, but ${because}: it was not read.`,
      );
    else if (isWithin(taking.beside, path)) await take(path, all, { ...taking, within: taking.beside });
    else if (isUsersOwn(path, context)) await take(path, all, ownTaking(context));
    else
      all.problems.push(
        `${displayPath(file.path, context)} imports ${written}, which lies outside of ${taking.beside}: it was not read.`,
      );
  }
}

const ownTaking = ({ home }: AddonDirectories): ImportScope => {
  const beside = join(home, ".claude");
  return { within: undefined, ownOnly: true, beside };
};

/**
 * Files of a workspace may import the user's own notes, as other agents allow: only Markdown files directly in these
 * folders.
 */
function isUsersOwn(path: string, { home, configDir }: AddonDirectories): boolean {
  const folders = [join(home, ".claude"), configDir];
  return basename(path).endsWith(".md") && folders.includes(dirname(path));
}

/** Relative if it is inside the workspace. */
const displayPath = (path: string, { workspace }: AddonDirectories): string =>
  isWithin(workspace, path) ? relative(workspace, path) : path;

/** Paths as written, in order, without duplicates. */
function importsIn(text: string): string[] {
  const found = new Set<string>();
  for (const line of withoutCode(text).split("\n"))
    for (const [, path = ""] of line.matchAll(/(?:^|[\s(])@((?:\\ |[^\s`@])+)/gu))
      found.add(path.replaceAll("\\ ", " ").replace(/[.,;:!?)\]'"*]+$/u, ""));
  found.delete("");
  return [...found];
}

/** Absolute; undefined for another user's home (`~name`). */
function importedPath(written: string, from: string, home = homedir()): string | undefined {
  if (written === "~" || written.startsWith("~/")) return join(home, written.slice(1));
  if (written.startsWith("~") || written.includes("\0")) return undefined;
  return isAbsolute(written) ? resolve(written) : resolve(dirname(from), written);
}

/** Removes HTML comments, fenced blocks and inline code, in a single pass over the lines. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.replaceAll(/<!--(?:(?!-->)[^]){0,4000}-->/gu, " ").split("\n")) {
    const mark = /^[ \t]{0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
    } else kept.push(line.replaceAll(/(`+)[^`]+\1/gu, " "));
  }
  return kept.join("\n");
}
