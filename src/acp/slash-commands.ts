/** The session's own commands, `/name` in a prompt: what the protocol has no method for. */

import type { AvailableCommand } from "@agentclientprotocol/sdk";
import { type Expected, refuse } from "../base/expected.ts";
import { type ChangeSelection, readAskedLine } from "../configuration/options/change-selection.ts";
import {
  type ConversationCommandName,
  conversationCommands,
} from "../configuration/options/conversation-commands.ts";
import type { SessionHost } from "../hosting/session-host.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { fillingName } from "../view/context-words.ts";

type SlashContext = { host: SessionHost; session: string };
type OwnCommand = (rest: string, context: SlashContext) => Promise<string>;

/** Of a conversation's commands those that make sense in an editor; each returns what it has to say, as Markdown. */
const ownCommands = {
  "go-on": async (_, { host, session }) => outcomeWords(await host.command(session, { type: "go-on" }), ""),
  diff: showDiff,
  undo: takesBack("undo"),
  redo: takesBack("redo"),
  keep: takesBack("keep"),
  rename: async (title, { host, session }) =>
    outcomeWords(await host.command(session, { type: "rename", title }), `The session is called ${title}.`),
  context: showContext,
  compact: async (_, { host, session }) => outcomeWords(await host.command(session, { type: "compact" }), ""),
} as const satisfies Partial<Record<ConversationCommandName, OwnCommand>>;

type OwnCommandName = keyof typeof ownCommands;

const isOwn = (name: string): name is OwnCommandName => Object.hasOwn(ownCommands, name);

/** Also those that files of the person and the workspace define. */
export async function availableCommands({ host, session }: SlashContext): Promise<AvailableCommand[]> {
  const own = conversationCommands.flatMap(({ name, usage, help }): AvailableCommand[] =>
    isOwn(name) ? [commandFor(name, help, usage.slice(name.length + 2))] : [],
  );
  const files = await host.slashCommands({ session });
  const named = files.ok ? files.value.commands : [];
  return [
    ...own,
    ...named.map(({ name, description, argumentHint = "" }) => commandFor(name, description, argumentHint)),
  ];
}

const commandFor = (name: string, description: string, hint: string): AvailableCommand => ({
  name,
  description,
  ...(hint === "" ? {} : { input: { hint } }),
});

/** What the command had to say, "" for nothing; undefined if the prompt calls none of ours and is for the model. */
export async function runOwnCommand(
  content: readonly ContentPart[],
  context: SlashContext,
): Promise<string | undefined> {
  const [first] = content;
  if (first?.type !== "text" || content.length > 1) return undefined;
  const { name = "", rest = "" } =
    /^\/(?<name>[\w-]+)(?:\s+(?<rest>[^]*))?$/u.exec(first.text.trim())?.groups ?? {};
  return isOwn(name) ? ownCommands[name](rest, context) : undefined;
}

const outcomeWords = (outcome: CommandOutcome, done: string): string => (outcome.ok ? done : outcome.problem);

function takesBack(type: "undo" | "redo" | "keep"): OwnCommand {
  return async (rest, { host, session }) => {
    const which = readSelection(type, rest);
    if (!which.ok) return which.problem;
    const command: Command = { type, ...which.value };
    const outcome = await host.command(session, command);
    if (outcome.ok) return type === "keep" ? "Kept for good." : "";
    const conflicts = (outcome.conflicts ?? []).map(({ path, because, choices }) => {
      const ways = choices.map((way) => `\`--conflict ${way}\``).join(", ");
      return `- ${path}: ${because}${ways === "" ? "" : ` (${ways})`}`;
    });
    return [outcome.problem, ...conflicts].join("\n");
  };
}

type Selection = Omit<ChangeSelection, "turn" | "paths"> & { turn?: number; paths?: string[] };

function readSelection(command: "diff" | "undo" | "redo" | "keep", rest: string): Expected<Selection> {
  const read = readAskedLine(command, rest);
  if (!read.ok) return read;
  const { turn, paths, ...others } = read.value;
  if (turn !== undefined && !/^\d+$/u.test(turn))
    return refuse("Name the request by its number: the first of a session is 1.");
  return {
    ok: true,
    value: {
      ...others,
      ...(turn === undefined ? {} : { turn: Number(turn) }),
      ...(paths.length === 0 ? {} : { paths }),
    },
  };
}

/** Longer diffs would bury the conversation. */
const mostDiff = 20_000;

async function showDiff(rest: string, { host, session }: SlashContext): Promise<string> {
  const which = readSelection("diff", rest);
  if (!which.ok) return which.problem;
  const { turn, paths } = which.value;
  const review = await host.review(session, turn);
  if (!review.ok) return review.problem;
  const files = review.value.files.filter(({ path }) => paths?.includes(path) ?? true);
  const diff = files.map((file) => file.diff || `${file.path}: ${file.problem ?? file.status}\n`).join("");
  const left = diff.length - mostDiff;
  const fence = "`".repeat(Math.max(3, ...[...diff.matchAll(/`+/gu)].map(([ticks]) => ticks.length + 1)));
  const more = left > 0 ? `\n… ${left} characters more: name a file.` : "";
  return `What request ${review.value.turn} changed:\n\n${fence}diff\n${diff.slice(0, mostDiff)}\n${fence}${more}`;
}

async function showContext(_: string, { host, session }: SlashContext): Promise<string> {
  const report = await host.context(session);
  if (!report.ok) return report.problem;
  const { model, tokens, window, isAssumed, parts } = report.value;
  const rows = parts
    .filter((part) => part.tokens > 0)
    .map((part) => `- ${fillingName(part.of)}: ${part.tokens}`);
  return [`${tokens} of ${window}${isAssumed ? " (assumed)" : ""} tokens of ${model}:`, "", ...rows].join(
    "\n",
  );
}
