/** /queue and /go-on: the messages that wait for the running turn. */

import { visibleLine } from "../../base/visible-text.ts";
import type { CommandOutcome } from "../../protocol/commands.ts";
import { typedIn } from "../../protocol/messages.ts";
import type { QueuedMessage } from "../../protocol/session-state.ts";
import { shownText } from "../../view/shown-text.ts";
import { say } from "./attaching.ts";
import type { Talk } from "./talk.ts";

/** Characters shown of each message in the list. */
const mostWords = 100;

/** Lists the queue, drops one or all of its messages, or queues one for after the turn. */
export async function queueCommand(talk: Talk, rest: string): Promise<void> {
  if (rest === "") return talk.terminal.note(...queueLines(talk));
  const dropped = /^drop(?:\s+(\S+))?$/iu.exec(rest);
  if (dropped) return drop(talk, dropped[1] ?? "");
  const { session, terminal } = talk;
  if (session.state.status === "idle" && !session.isWorking)
    return terminal.note("Nothing is running: say it without /queue.");
  tellProblem(talk, await say(talk, rest, "next"));
}

function queueLines({ session }: Talk): string[] {
  const { queue } = session.state;
  if (queue.length === 0)
    return ["Nothing waits. While a request runs, Alt+Enter or /queue TEXT lets a message wait for its end."];
  return [
    ...queue.map((message, at) => `${String(at + 1).padStart(3)}. ${shortly(message)}`),
    "/queue drop N removes one, /queue drop all removes all.",
  ];
}

function shortly({ content, when }: QueuedMessage): string {
  const words = content.flatMap((part) => (part.type === "text" ? [shownText(part)] : [])).join(" ");
  const characters = Array.from(visibleLine(words.slice(0, 4 * mostWords).trim()));
  const shown = characters.slice(0, mostWords).join("");
  const cut = characters.length > mostWords ? "…" : "";
  return `${shown}${cut} (${when === "steer" ? "told at the next step" : "after this request"})`;
}

async function drop(talk: Talk, which: string): Promise<void> {
  const { queue } = talk.session.state;
  const chosen = which.toLowerCase() === "all" ? [...queue] : queue.slice(Number(which) - 1, Number(which));
  if (queue.length === 0) return talk.terminal.note("Nothing waits.");
  if ((!/^[1-9]\d{0,5}$/u.test(which) && which.toLowerCase() !== "all") || chosen.length === 0)
    return talk.terminal.note(
      `Which one? /queue drop 1${queue.length > 1 ? ` … ${queue.length}` : ""}, or all.`,
    );
  for (const { id } of chosen) tellProblem(talk, await talk.session.command({ type: "withdraw", id }));
  await showNew(talk);
}

/** Withdraws the last one, to be edited: what was typed; what goes with it is attached again. */
export async function takeBack({ session, attached }: Talk): Promise<string | undefined> {
  const last = session.state.queue.at(-1);
  if (last === undefined || last.by !== undefined) return undefined;
  const { ok } = await session.command({ type: "withdraw", id: last.id });
  if (!ok) return undefined; // it was taken at that moment
  attached.unshift(...last.content.filter((part) => part.type !== "text" || part.file !== undefined));
  return typedIn(last.content, "\n");
}

/** Starts a turn with all queued messages. */
export function goOn(talk: Talk): (() => Promise<CommandOutcome>) | undefined {
  const { session, terminal } = talk;
  if (session.state.status === "idle" && session.state.queue.length === 0) {
    terminal.note("There is nothing to continue: nothing is queued, and the last request is over.");
    return undefined;
  }
  return () => session.command({ type: "go-on" });
}

/** Prints facts stored outside a turn; during a turn its watcher prints them. */
export async function showNew(talk: Talk): Promise<void> {
  if (talk.busy) return;
  for await (const entry of talk.session.log.read(talk.seen)) {
    if (!talk.seenBefore.delete(entry.seq)) talk.terminal.show(entry);
    talk.seen = entry.seq;
  }
}

export function tellProblem({ terminal, style }: Talk, outcome: CommandOutcome): void {
  if (!outcome.ok) terminal.note(style.yellow(`! ${visibleLine(outcome.problem)}`));
}

/** Whether this was said already and waits: it is not said again, but goes as it waits, with what is attached to it. */
export const isWaiting = ({ session, attached }: Talk, message: string): boolean =>
  attached.length === 0 &&
  session.state.queue.some(({ content }) => typedIn(content, "\n").trim() === message.trim());

/** Reminds of queued messages after an interruption or when an earlier run stopped. */
export function tellWaiting({ session, terminal, style }: Talk): void {
  const { queue, status } = session.state;
  if (status === "running" || queue.length === 0 || session.isWorking) return;
  const [what, it] =
    queue.length === 1 ? ["1 message waits", "it"] : [`${queue.length} messages wait`, "them"];
  terminal.note(
    style.yellow(`${what} (/queue). Your next one takes ${it} along; /go-on sends ${it} now.`),
    "",
  );
}
