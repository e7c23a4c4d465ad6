/** The commands that a person gives Toolwright itself, inside a conversation. */
import { modes } from "../../protocol/fact-words.ts";
import { didYouMean } from "../../runtime/nearest.ts";
import { visibleLine } from "../view/visible.ts";
import { runningTerminals } from "./background.ts";
import { keep, redo, showCheckpoints, showDiff, undo } from "./change-commands.ts";
import { exitCodes } from "./room.ts";
import { sessionLines } from "./session-table.ts";
import type { Talk } from "./talk.ts";

type SlashCommand = {
  name: string;
  usage: string;
  help: string;
  run(talk: Talk, rest: string): Promise<void> | void;
};

const commands: readonly SlashCommand[] = [
  { name: "help", usage: "/help", help: "Show this.", run: help },
  {
    name: "mode",
    usage: "/mode [MODE]",
    help: "Show the modes, or set one for the next request.",
    run: mode,
  },
  { name: "model", usage: "/model", help: "Show the model.", run: model },
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
  { name: "sessions", usage: "/sessions", help: "List the sessions kept here.", run: sessions },
  { name: "status", usage: "/status", help: "Show the session, its settings and what it used.", run: status },
  { name: "quit", usage: "/quit", help: "Leave; the session is kept.", run: quit },
];

/** `/word`, alone on its line: a path such as `/etc/hosts` or a text of several lines is for the model. */
export function isSlashCommand(message: string): boolean {
  return /^\/[\w-]*(?:[ \t][^\n]*)?$/u.test(message.trim());
}

/** An unknown command gets a hint. What is printed ends with an empty line, as a turn does. */
export async function runSlashCommand(talk: Talk, line: string): Promise<void> {
  await runCommand(talk, line);
  if (talk.leaving === undefined) talk.printer.note("");
}

async function runCommand(talk: Talk, line: string): Promise<void> {
  const [, name = "", rest = ""] = /^\/([\w-]*)\s*(.*)$/u.exec(line) ?? [];
  const command = commands.find((known) => known.name === name.toLowerCase());
  if (command) return command.run(talk, rest.trim());
  const near = didYouMean(
    `/${name}`,
    commands.map((known) => `/${known.name}`),
  );
  talk.printer.note(`There is no command /${name}${near}: /help lists them.`);
}

function help({ printer }: Talk): void {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  printer.note(
    ...commands.map(({ usage, help: words }) => `  ${usage.padEnd(width)}  ${words}`),
    "Lines that are pasted together are one message.",
    "Ctrl-C interrupts a request; pressed again within 2 s it leaves.",
  );
}

async function mode({ session, printer }: Talk, wanted: string): Promise<void> {
  if (wanted === "") return printer.note(`The mode is ${session.mode}. There are: ${modes.join(", ")}.`);
  const known = modes.find((name) => name === wanted);
  if (!known)
    return printer.note(
      `There is no mode "${wanted}"${didYouMean(wanted, modes)}. There are: ${modes.join(", ")}.`,
    );
  await session.command({ type: "set-mode", mode: known });
  printer.note(`The mode is ${known} from the next request on.`);
}

function model({ session, printer }: Talk): void {
  printer.note(
    `The model is ${visibleLine(session.model.name)}.`,
    "Another one: leave and run `toolwright --continue --model PROVIDER/MODEL`; `toolwright models` lists them.",
  );
}

async function sessions({ runtime, printer, session }: Talk): Promise<void> {
  printer.note(...sessionLines(await runtime.store.list(), { now: Date.now(), current: session.id }));
}

function status({ session, runtime, printer }: Talk): void {
  const { usage, turns, seq } = session.state;
  const running = runningTerminals(session);
  printer.note(
    `session    ${session.id} (${seq} facts, ${turns.length} requests)`,
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
