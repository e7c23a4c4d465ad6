/** Applies a section's hunks to one file's content. */

import { type Expected, refuse } from "../../base/expected.ts";
import { decodeText, encodeText } from "../../base/text.ts";
import { editableText, isAscii } from "../edit/editable.ts";
import { newPlaceholder, placeholderAdvice, placeholdersIn } from "../edit/placeholders.ts";
import { type PatchedText, applyHunks } from "./apply-hunks.ts";
import { fileText } from "./file-text.ts";
import { newLines, oldLines, type PatchLine, type Section } from "./patch.ts";

type Hunks = Section["hunks"];

/** `note`: describes hunks that did not fit exactly, for people and the model, with a leading space. */
type PatchedBytes = { bytes: Uint8Array; note: string };

/** Without hunks, any content is allowed, even binary. The problem is whole sentences. */
export function applyToFile(hunks: Hunks, path: string, bytes: Uint8Array): Expected<PatchedBytes> {
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
export function newFileBytes(lines: readonly PatchLine[], path: string): Expected<Uint8Array> {
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
