/** Dispatches the slash commands of a conversation. */

import { sessionRows } from "../../archive/sessions.ts";
import { countOf } from "../../base/amounts.ts";
import { visibleLine } from "../../base/visible-text.ts";
import {
  type ConversationCommand,
  conversationCommand,
  type ConversationCommandName,
  conversationCommands,
} from "../../configuration/options/conversation-commands.ts";
import type { CommandOutcome } from "../../protocol/commands.ts";
import type { Entry } from "../../protocol/facts.ts";
import { slashCall } from "../../runtime/messages/expand-message.ts";
import { formatCost, formatUsage } from "../../view/cost.ts";
import { nestSessions, sessionLines, usualRows } from "../sessions/table.ts";
import { attach, say } from "./attaching.ts";
import { runningTerminals } from "./background.ts";
import { editMessage } from "./edit-message.ts";
import { fileCommandLines } from "./file-commands.ts";
import { quit } from "./interrupt-or-leave.ts";
import { forkSession, newSession, resumeSession } from "./other-session.ts";
import { goOn, queueCommand, tellProblem } from "./queue-commands.ts";
import { mode, model, reasoning, rename } from "./setting-commands.ts";
import type { Talk } from "./talk.ts";

/** The effect of a command: a message to send, or another way to start a turn. */
type CommandEffect = string | (() => Promise<CommandOutcome>);

type SlashCommandRunner = (
  talk: Talk,
  rest: string,
) => Promise<CommandEffect | undefined | void> | CommandEffect | undefined | void;

/** The prompt comes first: what only a command needs is loaded with its first use. */
const later =
  <Name extends string>(
    load: () => Promise<Record<Name, SlashCommandRunner>>,
    name: Name,
  ): SlashCommandRunner =>
  async (talk, rest) =>
    (await load())[name](talk, rest);

const ofAddons = () => import("./addon-commands.ts");
const ofChanges = () => import("./change-commands.ts");
const ofContext = () => import("./context-commands.ts");

const runs: Readonly<Record<ConversationCommandName, SlashCommandRunner>> = {
  help,
  mode,
  model,
  reasoning,
  queue: queueCommand,
  attach,
  "go-on": goOn,
  edit: editMessage,
  new: newSession,
  resume: resumeSession,
  fork: forkSession,
  diff: later(ofChanges, "showDiff"),
  undo: later(ofChanges, "undo"),
  redo: later(ofChanges, "redo"),
  keep: later(ofChanges, "keep"),
  checkpoints: later(ofChanges, "showCheckpoints"),
  rename,
  sessions,
  skills: later(ofAddons, "skills"),
  agents: later(ofAddons, "agents"),
  mcp: later(ofAddons, "mcp"),
  hooks: later(ofAddons, "hooks"),
  trust: later(() => import("../trust/command.ts"), "trust"),
  init: async () => (await import("./init-command.ts")).initRequest,
  vim: ({ terminal }) => {
    const isOn = terminal.toggleVi();
    if (isOn === undefined)
      return terminal.note("vi's keys need a screen: this conversation is printed line by line.");
    return terminal.note(isOn ? "vi's keys are on: Esc for commands, i to write." : "vi's keys are off.");
  },
  permissions: later(() => import("./permissions-command.ts"), "permissions"),
  context: later(ofContext, "showContext"),
  compact: later(ofContext, "compact"),
  btw: later(() => import("./aside-command.ts"), "aside"),
  goal: later(() => import("./goal-command.ts"), "goal"),
  verbose: later(() => import("./verbose-command.ts"), "verbose"),
  status,
  copy: later(() => import("./copy-command.ts"), "copy"),
  export: later(() => import("./export-command.ts"), "exportSession"),
  quit,
};

/** `/word` alone on its line; a path such as `/etc/hosts` or a multi-line text is for the model. */
export const isSlashCommand = (message: string): boolean => slashCall(message)?.isAlone === true;

/** A name that is not ours may be a command file. Output ends with an empty line, as a turn does. */
export async function runSlashCommand(talk: Talk, line: string): Promise<CommandEffect | undefined> {
  const found = findCommand(line);
  if (!found) return () => say(talk, line);
  const { name } = found.command;
  const next = await talk.terminal.during(`/${name}`, async () => runs[name](talk, found.rest));
  if (talk.leaving === undefined && next === undefined) talk.terminal.note("");
  return next ?? undefined;
}

/** The same during a turn, for commands that do not disturb it. */
export async function runBeside(talk: Talk, line: string): Promise<void> {
  const found = findCommand(line);
  if (!found) return tellProblem(talk, await say(talk, line, "next"));
  const { command, rest } = found;
  if (command.beside)
    await talk.terminal.during(`/${command.name}`, async () => runs[command.name](talk, rest));
  else talk.terminal.note(`/${command.name} has to wait until the request is done; Ctrl-C interrupts it.`);
}

/** The same at a question; false if the line is not one of our commands but an answer. */
export async function commandAtQuestion(talk: Talk, line: string): Promise<boolean> {
  if (!isSlashCommand(line) || !findCommand(line)) return false;
  const before = talk.session.state.seq;
  await runBeside(talk, line.trim());
  for await (const entry of talk.session.log.read(before)) {
    if (!ofCommands.has(entry.type)) continue;
    talk.terminal.show(entry);
    talk.seenBefore.add(entry.seq);
  }
  return true;
}

/** Facts that our own commands store while a question is open. Others are printed only after the answer. */
const ofCommands: ReadonlySet<Entry["type"]> = new Set([
  "mode-set",
  "model-set",
  "reasoning-set",
  "session-renamed",
  "message-queued",
  "message-withdrawn",
  "goal-set",
  "grant-revoked",
]);

function findCommand(line: string): { command: ConversationCommand; rest: string } | undefined {
  const { name = "", rest = "" } = slashCall(line) ?? {};
  const command = conversationCommand(name);
  return command && { command, rest };
}

async function help(talk: Talk): Promise<void> {
  const { terminal } = talk;
  const width = Math.max(...conversationCommands.map(({ usage }) => usage.length));
  terminal.note(
    ...conversationCommands.map(({ usage, help: words }) => `  ${usage.padEnd(width)}  ${words}`),
    ...(await fileCommandLines(talk)),
    "!COMMAND runs in your own shell; the model gets its output (!!COMMAND: not).",
    "#TEXT is remembered in AGENTS.md.",
    "Tab completes commands and @paths. Lines pasted together are one message.",
    "While a request runs, Enter sends a message at its next step, Alt+Enter when it is done.",
    "Ctrl-C interrupts the request; pressed again within 2 s, it exits.",
  );
}

/** The sessions of this workspace, as `toolwright sessions` lists them. */
async function sessions({ runtime, terminal, session }: Talk): Promise<void> {
  const all = await runtime.store.list();
  const here = all.filter(({ workspace }) => workspace === runtime.workspace);
  const shown = await sessionRows(runtime.store, nestSessions(here).slice(0, usualRows));
  const view = { now: Date.now(), current: session.id, workspaces: false, columns: terminal.columns };
  const left = all.length - shown.length;
  terminal.note(
    ...sessionLines(shown, view),
    "In a shell, toolwright --resume ID opens one; the end of its ID is enough.",
    ...(left > 0 ? [`… and ${left} more, here and elsewhere: toolwright sessions --all lists them.`] : []),
  );
}

function status({ session, runtime, terminal }: Talk): void {
  const { usage, turns, seq, cost, unpriced, goal: condition } = session.state;
  const running = runningTerminals(session);
  terminal.note(
    `session    ${session.id} (${countOf(turns.length, "request")}, ${countOf(seq, "fact")})`,
    `model      ${visibleLine(session.model.name)}`,
    `workspace  ${visibleLine(runtime.workspace)}`,
    `mode       ${session.mode}`,
    `reasoning  ${session.reasoning}`,
    ...(condition === undefined ? [] : [`goal       ${visibleLine(condition)}`]),
    ...(running.length === 0 ? [] : [`terminals  ${running.join(", ")}`]),
    `used       ${formatUsage(usage)}`,
    `cost       ${formatCost({ dollars: cost, unknown: unpriced })}`,
  );
}
