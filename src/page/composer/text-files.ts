/** Text files for a message: refuses files that are not text and truncates long ones, reporting both. */

import { figureOf } from "../../base/bound.ts";
import { fileBounds } from "../../base/bounds.ts";
import { attempt, type Expected, refuse } from "../../base/expected.ts";
import { filePart, nameInLine } from "../../protocol/file-part.ts";
import type { TextPart } from "../../protocol/messages.ts";

const { text: longest } = fileBounds;

export async function textFileOf(file: Blob & { name: string }): Promise<Expected<TextPart>> {
  const name = nameInLine(file.name);
  const buffer = await file
    .slice(0, longest.most)
    .arrayBuffer()
    .catch(() => undefined);
  if (buffer === undefined)
    return refuse(`${name} cannot be read. Of a folder, add the files; name it to the model as @${name}/.`);
  const bytes = new Uint8Array(buffer);
  const text = decodedText(bytes, isCut(file));
  if (text === undefined)
    return refuse(
      `${name} is neither text nor a picture. Save it in the workspace, and ask the model to look at it there.`,
    );
  const cut = isCut(file) ? `. Only its first ${figureOf(longest)} are attached; the rest was left out` : "";
  const about = `Attached file ${name}, ${file.size === 0 ? "empty" : `${file.size} bytes`}${cut}`;
  return { ok: true, value: filePart({ name, about, text }) };
}

export const isCut = ({ size }: Blob): boolean => size > longest.most;

/** The notice for the sender. */
export const cutWords = ({ name }: { name: string }): string =>
  `Only the first ${figureOf(longest)} of ${nameInLine(name)} are sent.`;

/** Decodes UTF-8 without NUL. If the file was truncated, drops an incomplete character at its end. */
function decodedText(bytes: Uint8Array, isCutShort: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  return attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCutShort }));
}
