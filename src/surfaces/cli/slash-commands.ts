/** The commands that a person gives Toolwright itself, inside a conversation. */
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Entry } from "../../protocol/facts.ts";
import { didYouMean } from "../../runtime/nearest.ts";
import { visibleLine } from "../view/visible.ts";
import { runningTerminals } from "./background.ts";
import { keep, redo, showCheckpoints, showDiff, undo } from "./change-commands.ts";
import { compact, showContext } from "./context-commands.ts";
import { editMessage } from "./edit-message.ts";
import { goOn, queueCommand } from "./queue-commands.ts";
import { exitCodes } from "./room.ts";
import { mode, model, rename } from "./setting-commands.ts";
import { sessionLines, usualRows, widthOf } from "./session-table.ts";
import type { Talk } from "./talk.ts";

/** What follows from a command: a message to send, or another way to begin a turn. */
export type Next = string | (() => Promise<CommandOutcome>);

type SlashCommand = {
  name: string;
  usage: string;
  help: string;
  /** It may run while a turn does. */
  beside?: true;
  run(talk: Talk, rest: string): Promise<Next | undefined | void> | Next | undefined | void;
};

const commands: readonly SlashCommand[] = [
  { name: "help", usage: "/help", help: "Show this.", beside: true, run: help },
  {
    name: "mode",
    usage: "/mode [MODE]",
    help: "Show the modes, or set one from here on.",
    beside: true,
    run: mode,
  },
  {
    name: "model",
    usage: "/model [MODEL]",
    help: "List the models, or go on with another.",
    beside: true,
    run: model,
  },
  {
    name: "queue",
    usage: "/queue [TEXT]",
    help: "Show what waits; TEXT waits too; drop N takes back.",
    beside: true,
    run: queueCommand,
  },
  { name: "go-on", usage: "/go-on", help: "Go on with what waits or was left open.", run: goOn },
  {
    name: "edit",
    usage: "/edit [REQUEST]",
    help: "Change an earlier message and go on from there.",
    run: editMessage,
  },
  {
    name: "diff",
    usage: "/diff [TURN] [PATH…]",
    help: "Show what a request changed: the newest that did.",
    run: showDiff,
  },
  {
    name: "undo",
    usage: "/undo [TURN] [PATH…]",
    help: "Take it back; --hunk 2 only that hunk of one file.",
    run: undo,
  },
  {
    name: "redo",
    usage: "/redo [TURN] [PATH…]",
    help: "Bring back what was taken back last.",
    run: redo,
  },
  {
    name: "keep",
    usage: "/keep [TURN] [PATH…]",
    help: "Keep it for good: it cannot be undone any more.",
    run: keep,
  },
  {
    name: "checkpoints",
    usage: "/checkpoints",
    help: "List the requests that changed files.",
    run: showCheckpoints,
  },
  {
    name: "rename",
    usage: "/rename TITLE",
    help: "Give the session a name.",
    beside: true,
    run: rename,
  },
  {
    name: "sessions",
    usage: "/sessions",
    help: "List the sessions of this workspace.",
    beside: true,
    run: sessions,
  },
  {
    name: "context",
    usage: "/context",
    help: "Show what fills the context.",
    beside: true,
    run: showContext,
  },
  { name: "compact", usage: "/compact", help: "Sum up the conversation for the model now.", run: compact },
  {
    name: "status",
    usage: "/status",
    help: "Show the session, its settings and what it used.",
    beside: true,
    run: status,
  },
  { name: "quit", usage: "/quit", help: "Leave; the session is kept.", run: quit },
];

/** `/word`, alone on its line: a path such as `/etc/hosts` or a text of several lines is for the model. */
export function isSlashCommand(message: string): boolean {
  return /^\/[\w-]*(?:[ \t][^\n]*)?$/u.test(message.trim());
}

/** An unknown command gets a hint. What is printed ends with an empty line, as a turn does. */
export async function runSlashCommand(talk: Talk, line: string): Promise<Next | undefined> {
  const found = findCommand(talk, line);
  const next = found ? await found.command.run(talk, found.rest) : undefined;
  if (talk.leaving === undefined && next === undefined) talk.printer.note("");
  return next ?? undefined;
}

/** The same while a turn runs, for those that do not disturb it. */
export async function runBeside(talk: Talk, line: string): Promise<void> {
  const found = findCommand(talk, line);
  if (!found) return;
  const { command, rest } = found;
  if (command.beside) await command.run(talk, rest);
  else talk.printer.note(`/${command.name} has to wait until the request is done; Ctrl-C interrupts it.`);
}

/** The same at a question; false where the line is none of our commands, but an answer. */
export async function commandAtQuestion(talk: Talk, line: string): Promise<boolean> {
  if (!isSlashCommand(line) || named(/^\/([\w-]*)/u.exec(line.trim())?.[1] ?? "") === undefined) return false;
  const before = talk.session.state.seq;
  await runBeside(talk, line.trim());
  for await (const entry of talk.session.log.read(before)) {
    if (!ofCommands.has(entry.type)) continue;
    talk.printer.show(entry);
    talk.seenBefore.add(entry.seq);
  }
  return true;
}

/** What our own commands store while a question is open; everything else waits until it is answered. */
const ofCommands: ReadonlySet<Entry["type"]> = new Set([
  "mode-set",
  "model-set",
  "session-renamed",
  "message-queued",
  "message-withdrawn",
]);

function named(written: string): SlashCommand | undefined {
  const name = written.toLowerCase();
  return commands.find((known) => known.name === (alias[name] ?? name));
}

function findCommand(talk: Talk, line: string): { command: SlashCommand; rest: string } | undefined {
  const [, written = "", rest = ""] = /^\/([\w-]*)\s*(.*)$/u.exec(line) ?? [];
  const command = named(written);
  if (command) return { command, rest: rest.trim() };
  const near = didYouMean(
    `/${written}`,
    commands.map((known) => `/${known.name}`),
  );
  talk.printer.note(`There is no command /${written}${near}: /help lists them.`);
  return undefined;
}

const alias: Readonly<Record<string, string>> = { back: "edit", exit: "quit" };

function help({ printer }: Talk): void {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  printer.note(
    ...commands.map(({ usage, help: words }) => `  ${usage.padEnd(width)}  ${words}`),
    "Lines that are pasted together are one message.",
    "While a request runs: Enter tells it at its next step, Alt+Enter waits for its end.",
    "Ctrl-C interrupts a request; pressed again within 2 s it leaves.",
  );
}

/** Of this workspace, as `toolwright sessions` lists them. */
async function sessions({ runtime, printer, session, room: { terminal } }: Talk): Promise<void> {
  const all = await runtime.store.list();
  const here = all.filter(({ workspace }) => workspace === runtime.workspace);
  const shown = here.slice(0, usualRows);
  const view = { now: Date.now(), current: session.id, workspaces: false, columns: widthOf(terminal) };
  const left = all.length - shown.length;
  printer.note(
    ...sessionLines(shown, view),
    ...(left > 0 ? [`… and ${left} more, here and elsewhere: toolwright sessions --all lists them.`] : []),
  );
}

function status({ session, runtime, printer }: Talk): void {
  const { usage, turns, seq } = session.state;
  const running = runningTerminals(session);
  printer.note(
    `session    ${session.id} (${seq} facts, ${turns.length} ${turns.length === 1 ? "request" : "requests"})`,
    `model      ${visibleLine(session.model.name)}`,
    `workspace  ${visibleLine(runtime.workspace)}`,
    `mode       ${session.mode}`,
    ...(running.length === 0 ? [] : [`terminals  ${running.join(", ")}`]),
    `tokens     ${usage.inputTokens} in (${usage.cacheReadTokens ?? 0} from cache), ${usage.outputTokens} out`,
  );
}

function quit(talk: Talk): void {
  talk.leaving = exitCodes.done;
}
