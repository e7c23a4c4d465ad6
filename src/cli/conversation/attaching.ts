/** Sends a person's message with its attachments: mentioned files, dropped pictures, and files from /attach. */

import type { Expected } from "../../base/expected.ts";
import { visibleLine } from "../../base/visible-text.ts";
import { commands } from "../../configuration/options/commands.ts";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Delivery } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { meantBy, slashCall } from "../../runtime/messages/expand-message.ts";
import { toldWhenSlow } from "../slow.ts";
import type { Talk } from "./talk.ts";

/** Loaded lazily: the module takes 5 ms, and most messages do not need it. */
const attachments = () => import("../../runtime/messages/attachments.ts");

/**
 * Sends the typed text with the parts it refers to, and names those to the person. If the message is refused, pending
 * attachments stay pending.
 */
export async function say(talk: Talk, text: string, when?: Delivery): Promise<CommandOutcome> {
  const attached = talk.attached.splice(0);
  const content: ContentPart[] = [{ type: "text", text }, ...attached];
  const send = { type: "send" as const, content, when };
  const outcome = await talk.session.command(send, (said, signal) => reading(talk, said, signal));
  if (!outcome.ok) talk.attached.unshift(...attached);
  return outcome;
}

async function reading(
  talk: Talk,
  said: readonly ContentPart[],
  signal: AbortSignal,
): Promise<Expected<ContentPart[]>> {
  const { terminal, style, runtime } = talk;
  const { fileCommands, workspace, objection } = runtime;
  const context = { commands: fileCommands, workspace, objection };
  const how = { dropped: true, hint: hintFor(said), signal };
  const meant = await toldWhenSlow(
    () => meantBy(said, context, how),
    () => terminal.note(style.dim(`${waitingWords(said)} Ctrl-C gives it up.`)),
    talk.context.clock,
  );
  if (!meant.ok) return meant;
  const { content, called, unmet } = meant.value;
  if (called) terminal.note(style.dim(`/${visibleLine(called.name)}: ${visibleLine(called.path)}`));
  if (called?.unheeded !== undefined) terminal.note(style.yellow(`! ${visibleLine(called.unheeded)}`));
  const missed = unmet.filter(looksLikePath);
  if (missed.length > 0) terminal.note(style.dim(unmetWords(missed)));
  const names = namesOf(content);
  if (names.length > 0) terminal.note(style.dim(`Sent along: ${names.join(", ")}`));
  return { ok: true, value: content };
}

/** `@Override` is a word; what has a slash or the ending of a file is meant as a path. */
const looksLikePath = (mention: string): boolean => /\/|[^.]\.[\p{L}\p{N}]{1,10}$/u.test(mention);

const mostUnmet = 5;

/** The mentions of no file: a name was misspelt, and the request goes on without it. */
export function unmetWords(unmet: readonly string[]): string {
  const names = unmet.slice(0, mostUnmet).map((path) => `@${visibleLine(path)}`);
  const more = unmet.length > mostUnmet ? [`${unmet.length - mostUnmet} more`] : [];
  return `No such file in the workspace: ${[...names, ...more].join(", ")}. The words are sent without it.`;
}

/** Some of our subcommands are conversation commands in other agents. */
function hintFor([first]: readonly ContentPart[]): string {
  const name = first?.type === "text" ? slashCall(first.text)?.name.toLowerCase() : undefined;
  const inShell = commands.some((command) => command.name === name);
  return inShell ? `it is \`toolwright ${name}\` in a shell; /help lists those here.` : "/help lists them.";
}

/** Says what is slow while sending: files on a network, or a tool server generating its prompt. */
export function waitingWords(said: readonly ContentPart[]): string {
  const [first] = said;
  const call = first?.type === "text" ? slashCall(first.text) : undefined;
  return call
    ? `Waiting for what /${visibleLine(call.name)} stands for …`
    : "Waiting for the files that your message names …";
}

const namesOf = (parts: readonly ContentPart[]): string[] =>
  parts.flatMap((part) => (part.type === "text" && part.file !== undefined ? [visibleLine(part.file)] : []));

/**
 * `/attach FILE` attaches to the next message; without an argument it lists the attachments, `/attach drop` removes
 * them.
 */
export async function attach(talk: Talk, rest: string): Promise<void> {
  const { terminal, style, attached } = talk;
  if (rest === "drop") attached.length = 0;
  else if (rest !== "") {
    const path = rest.replace(/^(["'])(.*)\1$/u, "$2");
    const { workspace, objection } = talk.runtime;
    const { attachPath, attachOnce } = await attachments();
    const file = await attachPath(path, { workspace, objection });
    if (!file.ok) return terminal.note(style.yellow(`! ${visibleLine(file.problem)}`));
    attachOnce(attached, file.value);
  }
  const names = namesOf(attached);
  terminal.note(
    names.length === 0
      ? "No file is attached. /attach FILE attaches one to your next message; @path in a message does, too."
      : `Attached to your next message: ${names.join(", ")}. /attach drop removes ${names.length === 1 ? "it" : "them"}.`,
  );
}
