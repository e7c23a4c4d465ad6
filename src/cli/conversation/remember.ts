/** `#text` in a conversation: appends the text to the workspace's AGENTS.md, which every request is told. */

import { mib } from "../../base/bound.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { insideWorkspace } from "../../base/paths.ts";
import { bytesOfImage, fileImage, type Image } from "../../base/safe-fs/image.ts";
import { decodeText, encodeText } from "../../base/text.ts";
import { visibleLine } from "../../view/visible.ts";
import type { Talk } from "./talk.ts";

const file = "AGENTS.md";
/** Beyond this it is no file that a person writes. */
const mostBytes = mib;

export async function remember({ runtime, session, terminal, style }: Talk, memo: string): Promise<void> {
  const written = await append(session.files, runtime.workspace, memo);
  if (!written.ok) return terminal.note(style.yellow(`! ${visibleLine(written.problem)}`));
  const { path, isNew } = written.value;
  terminal.note(
    `${isNew ? "Created" : "Added to"} ${visibleLine(path)}: - ${visibleLine(memo)}`,
    style.dim(
      `It holds from the next request on. To take it back, delete that line${isNew ? ", or the file" : ""}.`,
    ),
  );
}

type Files = Talk["session"]["files"];

/** A link to another file of the workspace is followed; one that leads out is not. */
async function append(
  files: Files,
  workspace: string,
  memo: string,
): Promise<Expected<{ path: string; isNew: boolean }>> {
  const place = await insideWorkspace(workspace, file);
  if (!place.ok) return place;
  const path = place.value.relative;
  const found = await files.image(path, { maxBytes: mostBytes });
  if (!found.ok) return unwritten(found.problem);
  const before = found.value;
  const read = before === null ? noText : await textIn(before);
  if (read?.kind !== "text") return refuse(`${path} is no text file: nothing was written.`);
  const after = fileImage(encodeText(withMemo(read, memo), read));
  const put = await files.put({ path, before, after });
  return put.ok ? { ok: true, value: { path, isNew: before === null } } : unwritten(put.problem);
}

const unwritten = ({ message }: { message: string }): Expected<never> =>
  refuse(`${message}: nothing was written.`);

const noText = decodeText(new Uint8Array());

const textIn = async (image: Image) =>
  image.kind === "file" ? decodeText(await bytesOfImage(image)) : undefined;

/** A list item below the last one, or below an empty line. */
function withMemo({ text, eol }: { text: string; eol: string }, memo: string): string {
  const end = eol === "\r\n" ? eol : "\n";
  const written = text.trimEnd();
  const [last = ""] = written.split(/\r?\n/u).slice(-1);
  const gap = written === "" ? "" : /^\s*[-*] /u.test(last) ? end : end + end;
  return `${written}${gap}- ${memo}${end}`;
}
