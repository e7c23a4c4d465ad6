/** Applies one or more edits of a file, each to the result of those before it; all of them or none. */

import { type Expected, refuse } from "../../base/expected.ts";
import { editableText, isAscii } from "./editable.ts";
import { hasStrayLineEnd } from "./escapes.ts";
import { rungOf, type Tolerance } from "./ladder.ts";
import { newPlaceholder, placeholderAdvice } from "./placeholders.ts";
import { type ReplacedText, type Replacement, replaceText } from "./replace.ts";

/** `done`: a summary for the model of what changed where; `bytes`: the whole new file. */
type EditResult = { bytes: Uint8Array; done: string };

/** `bytes: null`: the file does not exist. The problem is a sentence that names the file. */
export function editFileBytes(
  { relative, bytes }: { relative: string; bytes: Uint8Array | null },
  edits: readonly Replacement[],
): Expected<EditResult> {
  const isFilled = bytes !== null && bytes.length > 0;
  const [first, ...others] = edits;
  if (!isFilled && first?.old === "") return fillEmptyFile(relative, { bytes, first, others });
  if (bytes === null) return refuse(`There is no file ${relative}.`);
  const file = editableText(bytes);
  if (!file.ok) return refuse(`${relative} ${file.problem}`);
  const { text, isAsciiOnly, encode } = file.value;
  const replaced = replaceAll(text, edits, { path: relative, isAsciiOnly });
  if (!replaced.ok) return refuse(replaced.problem.toWellFormed());
  const after = encode(replaced.value.text);
  if (Buffer.compare(bytes, after) === 0) return refuse(`In ${relative}: the edit would change nothing.`);
  return { ok: true, value: { bytes: after, done: inWords(relative, replaced.value.made) } };
}

/** An empty `old` names no place, so it is allowed only in an empty or missing file. */
function fillEmptyFile(
  relative: string,
  { bytes, first, others }: { bytes: Uint8Array | null; first: Replacement; others: readonly Replacement[] },
): Expected<EditResult> {
  const after = new TextEncoder().encode(first.new);
  if (bytes !== null && first.new === "" && others.length === 0)
    return refuse(`${relative} is empty already; nothing would change.`);
  const done = bytes === null ? `Created ${relative}.` : `Filled ${relative}, which was empty.`;
  if (others.length === 0) return { ok: true, value: { bytes: after, done } };
  const rest = replaceAll(first.new, others, { path: relative, isAsciiOnly: false, before: 1 });
  return rest.ok ? { ok: true, value: { bytes: new TextEncoder().encode(rest.value.text), done } } : rest;
}

/** `before`: the number of edits before these. */
type EditLocation = { path: string; isAsciiOnly: boolean; before?: number };

function replaceAll(
  text: string,
  edits: readonly Replacement[],
  where: EditLocation,
): Expected<{ text: string; made: ReplacedText[] }> {
  const made: ReplacedText[] = [];
  let now = text;
  const count = edits.length + (where.before ?? 0);
  for (const [at, edit] of edits.entries()) {
    const number = at + 1 + (where.before ?? 0);
    const place = count === 1 ? `In ${where.path}: ` : `In ${where.path}, edit ${number} of ${count}: `;
    const problem = whyNot(edit, { ...where, now });
    const replaced: Expected<ReplacedText> =
      problem !== undefined
        ? refuse(problem)
        : count > 1 && isIdle(edit, now)
          ? { ok: true, value: { text: now, places: 0, line: 0, tolerances: [] } }
          : replaceText(now, edit);
    if (!replaced.ok) return refuse(place + replaced.problem + (count === 1 ? "" : noneWasMade));
    now = replaced.value.text;
    made.push(replaced.value);
  }
  return { ok: true, value: { text: now, made } };
}

/** A passage that some models repeat as it is, beside those that they change: like a hunk of context only. */
const isIdle = ({ old, new: fresh }: Replacement, now: string): boolean => old === fresh && now.includes(old);

const noneWasMade = "\nNone of the edits was made.";

function whyNot(
  edit: Replacement,
  { path, isAsciiOnly, now }: EditLocation & { now: string },
): string | undefined {
  if (edit.old === "" && now !== "")
    return "`old` is empty, but the file is not: copy the text to replace into `old`. Nothing was changed.";
  if (isAsciiOnly && !isAscii(edit.old + edit.new))
    return "The file is not UTF-8: only passages of plain ASCII can be edited in it, with replacements of plain ASCII. Nothing was changed.";
  if (hasStrayLineEnd(edit.new) && !hasStrayLineEnd(edit.old) && now.includes(edit.old))
    return "`new` has line ends written out as \\n, outside of any quotes, where `old` has none; nothing was changed. Send it with real line ends.";
  const placeholder = newPlaceholder(edit.new, { path, had: [edit.old, now], replaces: edit.old });
  return placeholder === undefined
    ? undefined
    : `\`new\` leaves something out (\`${placeholder}\`), which would be lost; nothing was changed. ${placeholderAdvice}`;
}

function inWords(relative: string, made: readonly ReplacedText[]): string {
  const [only] = made;
  if (made.length === 1 && only)
    return `Edited ${relative} ${placesOf(only)}.${differences(only.tolerances, "")}`;
  const places = made.map((one, at) => `${at + 1} ${placesOf(one)}`).join(", ");
  const notes = made.map(({ tolerances }, at) => differences(tolerances, `In edit ${at + 1} `));
  return `Made ${made.length} edits in ${relative}: ${places}.${notes.join("")}`;
}

function placesOf({ places, line }: ReplacedText): string {
  if (places === 0) return "nowhere, since its `old` and `new` are the same";
  return places === 1 ? `at line ${line}` : `at ${places} places`;
}

/** Reported so that the model copies more exactly next time. */
function differences(tolerances: readonly Tolerance[], where: string): string {
  return tolerances
    .map((tolerance) => rungOf(tolerance)?.said ?? "")
    .filter((said) => said !== "")
    .map((said) => ` ${where === "" ? said.slice(0, 1).toUpperCase() + said.slice(1) : where + said}.`)
    .join("");
}
