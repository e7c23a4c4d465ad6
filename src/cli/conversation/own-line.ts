/** Lines that are no messages: `!command` is run by the person, `#text` is remembered in AGENTS.md. */

import { headAndTail } from "../../base/cut-text.ts";
import { filePart, nameInLine } from "../../protocol/file-part.ts";
import type { OwnCommandEnd } from "../../tui/own-command.ts";
import { visibleLine } from "../../view/visible.ts";
import { remember } from "./remember.ts";
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
