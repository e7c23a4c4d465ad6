/** Computes the result of a patch: every new content is known before any file changes. */

import { type Expected, refuse } from "../../base/expected.ts";
import { type Change, fileImage, isSameImage } from "../../base/safe-fs/image.ts";
import { decodeText, encodeText } from "../../base/text.ts";
import { editableText, isAscii } from "../edit/editable.ts";
import { newPlaceholder, placeholderAdvice, placeholdersIn } from "../edit/placeholders.ts";
import type { ToolContext } from "../tool.ts";
import { type PatchedText, applyHunks } from "./apply-hunks.ts";
import { type PatchContent, type PatchFiles, deskOf, type FileSlot } from "./desk.ts";
import { fileText } from "./file-text.ts";
import { type Section, newLines, oldLines, type PatchLine } from "./patch.ts";

/** `done`: one phrase per file. */
type PatchPlan = { changes: Change[]; done: string[] };

/** The problem names the file and the hunk. */
export async function planPatch(
  sections: readonly Section[],
  context: ToolContext,
): Promise<Expected<PatchPlan>> {
  const desk = deskOf(context);
  const done: string[] = [];
  for (const section of sections) {
    const words = await perform(section, desk);
    if (!words.ok)
      return refuse(`${words.problem}${words.problem.endsWith("\n") ? "" : " "}Nothing was changed.`);
    done.push(words.value);
  }
  const changes = changesOf(desk.slots.values());
  if (!changes.ok) return changes;
  const blocked = await fileInTheWay(changes.value, context);
  if (blocked !== undefined) return refuse(`${blocked} Nothing was changed.`);
  if (changes.value.length === 0) return refuse("The patch would change nothing.");
  return { ok: true, value: { changes: changes.value, done } };
}

/** The problem is whole sentences. */
async function perform(section: Section, desk: PatchFiles): Promise<Expected<string>> {
  const found = await desk.slotFor(section);
  if (!found.ok) return found;
  const slot = found.value;
  const now = slot.arrived ?? slot.own;
  if (section.does === "add" || (now === null && isNewFile(section))) return create(section, slot);
  if (now === null) return refuse(`There is no file ${slot.path}.`);
  if (section.does === "delete") return remove(section, slot);
  const source = sourceOf(section, slot, now);
  const made = applyToFile(section.hunks, slot.path, source.bytes);
  if (!made.ok) return made;
  const content = { bytes: made.value.bytes, mode: modeFor(section, source.mode) };
  if (section.to !== undefined)
    return carry(section, slot, { content, desk, to: section.to, note: made.value.note });
  if (slot.arrived) slot.arrived = content;
  else slot.own = content;
  return { ok: true, value: `updated ${slot.path}${made.value.note}` };
}

/** Content that arrived at the source of a move came after it: files may swap places. */
function sourceOf({ does, to }: Section, slot: FileSlot, now: PatchContent): PatchContent {
  if (does === "copy") return slot.first ?? now;
  return to === undefined ? now : (slot.own ?? now);
}

/** A diff without git's header creates a file by having no old lines. */
function isNewFile({ does, to, hunks }: Section): boolean {
  const [only] = hunks;
  return (
    does === "update" && to === undefined && hunks.length === 1 && only?.oldStart === 0 && onlyAdds(hunks)
  );
}

const onlyAdds = (hunks: Section["hunks"]): boolean =>
  hunks.every(({ lines }) => lines.every(({ kind }) => kind === "added"));

function create(section: Section, slot: FileSlot): Expected<string> {
  if (!onlyAdds(section.hunks))
    return refuse(
      `${slot.path} is to be a new file, but the patch removes lines from it or names lines that stay.`,
    );
  if (slot.arrived) return refuse(`The patch makes ${slot.path} twice.`);
  const made = newFileBytes(
    section.hunks.flatMap((hunk) => hunk.lines),
    slot.path,
  );
  if (!made.ok) return made;
  slot.arrived = { bytes: made.value, mode: section.runs === true ? 0o755 : undefined, isNew: true };
  return { ok: true, value: `created ${slot.path}` };
}

function remove(section: Section, slot: FileSlot): Expected<string> {
  const content = slot.own ?? slot.arrived;
  if (!content) return refuse(`There is no file ${slot.path}.`);
  if (slot.link !== undefined) return refuse(`${throughLink(slot)}, which patches do not delete.`);
  if (slot.own && slot.arrived?.isNew)
    return refuse(`The patch makes ${slot.path} and deletes it: to replace it, delete it first.`);
  if (section.hunks.length > 0) {
    const left = applyToFile(section.hunks, slot.path, content.bytes);
    if (!left.ok) return left;
    if (left.value.bytes.length > 0)
      return refuse(
        `The patch deletes ${slot.path} but does not name all of its lines: it is not the file that was meant.`,
      );
  }
  if (slot.own) slot.own = null;
  else slot.arrived = undefined;
  return { ok: true, value: `deleted ${slot.path}` };
}

const throughLink = ({ link, path }: FileSlot): string => `${link} leads to ${path} by a symbolic link`;

type ContentMove = { content: PatchContent; desk: PatchFiles; to: string; note: string };

async function carry(
  section: Section,
  slot: FileSlot,
  { content, desk, to, note }: ContentMove,
): Promise<Expected<string>> {
  const found = await desk.slotAt(to);
  if (!found.ok) return found;
  const target = found.value;
  const linked = [slot, target].find(({ link }) => link !== undefined);
  if (linked) return refuse(`${throughLink(linked)}, which patches do not move.`);
  if (target.arrived) return refuse(`The patch makes ${target.path} twice.`);
  if (section.does !== "copy") {
    if (slot.own) slot.own = null;
    else slot.arrived = undefined;
  }
  target.arrived = content;
  return {
    ok: true,
    value: `${section.does === "copy" ? "copied" : "moved"} ${slot.path} to ${target.path}${note}`,
  };
}

function modeFor({ runs }: Section, mode: number | undefined): number | undefined {
  if (runs === undefined || mode === undefined) return mode;
  const isProgram = (mode & 0o100) !== 0;
  if (runs === isProgram) return mode;
  return runs ? 0o755 : 0o644;
}

function changesOf(slots: Iterable<FileSlot>): Expected<Change[]> {
  const changes: Change[] = [];
  for (const { path, before, own, arrived } of slots) {
    if (arrived && own)
      return refuse(
        `There is a file ${path} already: the patch would replace it unseen. Update it, or delete it in the same patch. Nothing was changed.`,
      );
    const after = arrived ?? own;
    const image = after === null ? null : fileImage(after.bytes, after.mode);
    if (!isSameImage(before, image)) changes.push({ path, before, after: image });
  }
  return { ok: true, value: changes };
}

/** A new file may need a directory where there is, or will be, a file. */
async function fileInTheWay(changes: readonly Change[], context: ToolContext): Promise<string | undefined> {
  const afterwards = new Map(changes.map(({ path, after }) => [path, after]));
  const looked = new Set<string>();
  for (const { path, before, after } of changes) {
    for (const folder of before === null && after !== null ? foldersOf(path) : []) {
      if (looked.has(folder)) continue;
      looked.add(folder);
      const status = afterwards.has(folder) ? undefined : await context.files.look(folder);
      const isFile =
        afterwards.get(folder) ?? (status?.ok && status.value !== null && status.value.kind !== "directory");
      if (isFile) return `There can be no file ${path}: ${folder} is a file.`;
    }
  }
  return undefined;
}

function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

type Hunks = Section["hunks"];

/** `note`: describes hunks that did not fit exactly, for people and the model, with a leading space. */
type PatchedBytes = { bytes: Uint8Array; note: string };

/** Without hunks, any content is allowed, even binary. The problem is whole sentences. */
function applyToFile(hunks: Hunks, path: string, bytes: Uint8Array): Expected<PatchedBytes> {
  if (hunks.length === 0) return { ok: true, value: { bytes, note: "" } };
  const decoded = decodeText(bytes);
  const editable = editableText(bytes);
  if (!editable.ok) return refuse(`${path} ${editable.problem.replace(/ Nothing was changed\.$/, "")}`);
  const { text, isAsciiOnly } = editable.value;
  if (isAsciiOnly && !hunks.every(({ lines }) => lines.every((line) => isAscii(line.text))))
    return refuse(
      `${path} is text that is not UTF-8: only lines of plain ASCII can be named and added there.`,
    );
  const bom = decoded.kind === "text" && decoded.bom;
  const applied = applyHunks(fileText(text, bom), hunks);
  if (!applied.ok) return refuse(`The patch does not fit ${path}, ${asSentence(applied.problem)}`);
  const left = placeholderIn(hunks, { path, before: text, after: applied.value.text });
  if (left !== undefined) return refuse(leftOut(path, left));
  const made = isAsciiOnly
    ? editable.value.encode(applied.value.text)
    : encodeText(applied.value.text, { bom: applied.value.bom });
  return { ok: true, value: { bytes: made, note: noteOf(applied.value) } };
}

const asSentence = (problem: string): string => (problem.endsWith("\n") ? problem : `${problem}.`);

/** The full text of a new file. */
function newFileBytes(lines: readonly PatchLine[], path: string): Expected<Uint8Array> {
  const left = newPlaceholder(textOf(lines), { path, had: [] });
  if (left !== undefined) return refuse(leftOut(path, left));
  return {
    ok: true,
    value: encodeText(lines.map(({ text, ending }) => text + ending).join(""), { bom: false }),
  };
}

const textOf = (lines: readonly PatchLine[]): string => lines.map(({ text }) => text).join("\n");

/** Looks in the hunks first; only the full text tells whether a line is inside a string or quoted code. */
function placeholderIn(
  hunks: Hunks,
  { path, before, after }: { path: string; before: string; after: string },
): string | undefined {
  const suspects = hunks.flatMap((hunk) => {
    const old = textOf(oldLines(hunk));
    return newPlaceholder(textOf(newLines(hunk)), { path, had: [old], replaces: old }) ?? [];
  });
  if (suspects.length === 0) return undefined;
  const known = new Set(before.split("\n").map((line) => line.trim()));
  const left = new Set(placeholdersIn(after, path, "likely"));
  return suspects.find((line) => left.has(line) && !known.has(line));
}

const leftOut = (path: string, line: string): string =>
  `In ${path}, the line "${line}" stands for text that was left out. ${placeholderAdvice}`;

const mostNotes = 5;

function noteOf({ tolerances }: PatchedText): string {
  const notes = tolerances.map(
    ({ hunk, line, tolerance }) =>
      `hunk ${hunk} fits line ${line} but for ${differing[tolerance] ?? tolerance}`,
  );
  const left = notes.length - mostNotes;
  const shown = left > 0 ? [...notes.slice(0, mostNotes), `and ${left} more`] : notes;
  return notes.length > 0 ? ` (${shown.join("; ")})` : "";
}

const differing: Readonly<Record<string, string>> = {
  "trailing-space": "white space at the ends of lines",
  indentation: "its indentation",
  "look-alikes": "quotes, dashes or spaces that look alike",
  nearest: "some lines around the change",
};
