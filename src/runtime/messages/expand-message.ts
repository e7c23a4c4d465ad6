/** Expands a person's message, from any surface: a command file or skill called by name, and the files it mentions. */

import { access } from "node:fs/promises";
import { join } from "node:path";
import { type Expected, refuse } from "../../base/expected.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import {
  conversationCommand,
  conversationCommands,
  onlyInConversation,
} from "../../configuration/options/conversation-commands.ts";
import { didYouMean } from "../../configuration/options/nearest.ts";
import type { ContentPart, TextPart } from "../../protocol/messages.ts";
import type { FileObjection } from "../reading.ts";
import type { AttachmentPlace, AttachmentOptions } from "./attachments.ts";
import type { ExpandedCommand, FileCommand, FileCommands } from "./file-commands.ts";

type MeaningContext = {
  commands: FileCommands;
  /** Absolute, with symbolic links resolved. */
  workspace: string;
  /** What objects to reading a file that the message names. */
  objection?: FileObjection;
};

/** `hint`: advice for when the command does not exist. */
export type MeaningOptions = AttachmentOptions & { hint?: string; signal?: AbortSignal };

/** `called`: the command or skill whose text replaces what was written. `unmet`: mentions of no file. */
type MessageMeaning = { content: ContentPart[]; called?: FileCommand; unmet: string[] };

/**
 * Only the first text is a person's words: parts with a file name are attachments. If there is a problem (one line),
 * the message is not sent.
 */
export async function meantBy(
  content: readonly ContentPart[],
  { commands, workspace, objection }: MeaningContext,
  how: MeaningOptions = {},
): Promise<Expected<MessageMeaning>> {
  const at = content.findIndex((part) => part.type === "text" && part.file === undefined);
  const said = content[at];
  if (said?.type !== "text") return { ok: true, value: { content: [...content], unmet: [] } };
  const called = await calledBy(said.text, { commands, workspace }, how);
  if (called && "problem" in called) return refuse(called.problem);
  const words: TextPart = called ? { ...said, text: called.text, typed: said.text } : said;
  const files = await mentionedIn(words.text, withoutUndefined({ workspace, objection }), {
    ...how,
    ...(called ? reachOf(called.command, how) : {}),
    already: content,
  });
  if (!files.ok) return files;
  const { content: attached, unmet } = files.value;
  const all = [...content.slice(0, at), words, ...attached, ...content.slice(at + 1)];
  return { ok: true, value: { content: all, unmet, called: called?.command } };
}

/** A cheap check whether expansion could change the message at all. */
export const mayMeanMore = (content: readonly ContentPart[]): boolean =>
  content.some((part) => part.type === "text" && (mayName.test(part.text) || /^\s*\//u.test(part.text)));

const mayName = /@|\.(?:png|jpe?g|gif|webp)/iu;

/** Only text a person wrote may name dropped images; a command from the workspace must not reach files outside it. */
const reachOf = ({ from }: FileCommand, { onlyInside = false }: AttachmentOptions): AttachmentOptions => ({
  onlyInside: onlyInside || from === "workspace",
});

/** Imported late: file reading takes 5 ms to load, and most messages do not need it. */
async function mentionedIn(
  text: string,
  place: AttachmentPlace,
  options: AttachmentOptions,
): Promise<Expected<{ content: ContentPart[]; unmet: string[] }>> {
  if (!mayName.test(text)) return { ok: true, value: { content: [], unmet: [] } };
  const { expandMentions } = await import("./attachments.ts");
  const { content, problems, unmet } = await expandMentions(text, place, options);
  const [problem] = problems;
  return problem === undefined ? { ok: true, value: { content: content.slice(1), unmet } } : refuse(problem);
}

/** `isAlone`: a single line, which can only be meant as a command; with more lines, the first may just begin a text. */
type SlashCall = { name: string; rest: string; isAlone: boolean };

/**
 * `/name` and the rest; undefined if this is not a call, as with the path `/etc/hosts`. Names may contain any
 * characters.
 */
export function slashCall(message: string): SlashCall | undefined {
  const written = message.trim();
  const found = /^\/([^\s/]*)(?:\s+([\s\S]*))?$/u.exec(written);
  return found
    ? { name: found[1] ?? "", rest: (found[2] ?? "").trim(), isAlone: !/[\r\n]/u.test(written) }
    : undefined;
}

async function calledBy(
  text: string,
  { commands, workspace }: MeaningContext,
  { hint = leaveOut, signal }: MeaningOptions,
): Promise<ExpandedCommand | { problem: string } | undefined> {
  const call = slashCall(text);
  if (!call) return undefined;
  const own = conversationCommand(call.name);
  if (own && !call.isAlone) return undefined;
  const expanded = call.name === "" ? undefined : await commands.expand(call.name, call.rest, signal);
  if (own) return { problem: [onlyInConversation(own), ...problemIn(expanded)].join(" ") };
  if (expanded || !call.isAlone) return expanded;
  const nearest = nearestTo(call.name, (await commands.list()).commands);
  if (!isPlain.test(call.name) && (nearest === "" || (await isFile(call.name, workspace)))) return undefined;
  return { problem: noSuchCommand(call.name, nearest, hint) };
}

/** Only a command looks like this; a word with other characters (`/readme.md`) may be a path. */
const isPlain = /^[\p{L}\p{M}\p{N}_:-]*$/u;

async function isFile(name: string, workspace: string): Promise<boolean> {
  const there = await Promise.allSettled([access(`/${name}`), access(join(workspace, name))]);
  return there.some(({ status }) => status === "fulfilled");
}

/** Problems such as a file of the same name. */
const problemIn = (expanded: ExpandedCommand | { problem: string } | undefined): string[] =>
  expanded && "problem" in expanded ? [expanded.problem] : [];

const leaveOut = "to say it to the model, begin with another word.";

function noSuchCommand(name: string, nearest: string, hint: string): string {
  const shown = name.length > 100 ? `${name.slice(0, 99).toWellFormed()}…` : name;
  return `There is no command /${shown}${nearest}: ${hint}`;
}

/** Suggestions in parentheses: a similar spelling, else the commands that share the word before a dot. */
function nearestTo(name: string, ofFiles: readonly FileCommand[]): string {
  const known = [...conversationCommands, ...ofFiles].map((one) => `/${one.name}`);
  const near = didYouMean(`/${name}`, known);
  const [first = "", ...others] = `/${name}`.split(".");
  if (near !== "" || others.length === 0) return near;
  const alike = known.filter((one) => one.toLowerCase().startsWith(`${first}.`.toLowerCase())).slice(0, 5);
  return alike.length === 0 ? "" : ` (there is ${alike.join(", ")})`;
}
