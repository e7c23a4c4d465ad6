/** Lines that are no messages: `!command` is run by the person, `#text` is remembered in AGENTS.md. */

import { mib } from "../../base/bound.ts";
import { headAndTail } from "../../base/cut-text.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { insideWorkspace } from "../../base/paths.ts";
import { bytesOfImage, fileImage, type Image } from "../../base/safe-fs/image.ts";
import { decodeText, encodeText } from "../../base/text.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { filePart, nameInLine } from "../../protocol/file-part.ts";
import type { OwnCommandEnd } from "../../tui/own-command.ts";
import type { Talk } from "./talk.ts";

/** False if the line is a message: it has several lines, or `#` begins a number or a script. */
export async function obeyOwnLine(talk: Talk, line: string): Promise<boolean> {
  const text = line.trim();
  if (text.includes("\n")) return false;
  const [, marks = "", command = ""] = /^(!!?)\s*(.*)$/u.exec(text) ?? [];
  if (marks !== "") await runOwn(talk, command, { told: marks === "!" });
  const [, memo] = /^#+(?![\d!])\s*(\S.*)$/u.exec(text) ?? [];
  if (memo !== undefined) await remember(talk, memo);
  return marks !== "" || memo !== undefined;
}

/** `told`: its output goes to the model with the next message. */
async function runOwn(talk: Talk, line: string, { told }: { told: boolean }): Promise<void> {
  const { terminal, style, runtime } = talk;
  if (line === "")
    return terminal.note(
      "!COMMAND runs it in your own shell, outside the sandbox, and shows the model what it prints; !!COMMAND does not show it.",
    );
  if (talk.busy)
    return terminal.note("!COMMAND has to wait until the request is done; Ctrl-C interrupts it.");
  if (!terminal.isAttended) return terminal.note("!COMMAND needs a terminal.");
  const ended = await terminal.run({ line, workspace: runtime.workspace });
  if (!ended.ok) return terminal.note(style.yellow(`! ${visibleLine(ended.problem)}`));
  if (told) talk.attached.push(partOf(line, ended.value));
  const goes = told ? "goes to the model with your next message; " : "";
  terminal.note(style.dim(`(${endWords(ended.value)}; ${goes}/undo does not cover it)`));
}

function partOf(line: string, end: OwnCommandEnd) {
  const command = nameInLine(line);
  const printed = end.shown === "" ? "It printed nothing." : "It printed:";
  return filePart({
    name: `output of ${command}`,
    about: `The user ran this command in their own shell: ${command} (${endWords(end)}). ${printed}`,
    text: headAndTail(end.shown).text,
  });
}

const endWords = ({ exit, signal }: OwnCommandEnd): string =>
  signal === undefined ? `exit code ${exit ?? 0}` : `ended by ${signal}`;

const file = "AGENTS.md";
/** Beyond this it is no file that a person writes. */
const mostBytes = mib;

/** `#text` in a conversation: appends the text to the workspace's AGENTS.md, which every request is told. */
async function remember({ runtime, session, terminal, style }: Talk, memo: string): Promise<void> {
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
