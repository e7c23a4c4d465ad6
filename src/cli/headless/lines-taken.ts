/** The lines of `--input stream-json` under way: carried out in order, and held back while the session has no room. */

import { refuse } from "../../base/expected.ts";
import type { Command } from "../../protocol/commands.ts";
import { awaitsPerson } from "../../protocol/session-state.ts";
import { messageBounds } from "../../runtime/messages/bounds.ts";
import { meantBy } from "../../runtime/messages/expand-message.ts";
import type { MessageReader } from "../../runtime/messages/take-message.ts";
import { cliBounds } from "../bounds.ts";
import { readCommand } from "./input-command.ts";
import type { ReadLine } from "./input-lines.ts";
import type { HeadlessRun } from "./run-context.ts";

/** Commands that the session is carrying out, or has lined up. */
const mostUnderWay = 100;

const mostAhead = cliBounds.linesAhead.most;
/** What a line costs in memory besides its own bytes, about. */
const bytesBesides = 256;

type HeldLine = { number: number; size: number; command: Command };

/** An answer and an interruption overtake what is held back: what it waits for may depend on them. */
const overtakes = ({ type }: Command): boolean => type === "interrupt" || type.startsWith("answer-");

/** The lines under way. The session carries commands out in order, but an interruption at once. */
export class LinesTaken {
  readonly #run: HeadlessRun;
  readonly #underWay = new Set<Promise<void>>();
  #messagesUnderWay = 0;
  /** In order; nothing behind the first one may begin before it. */
  readonly #held: HeldLine[] = [];
  #heldBytes = 0;
  #change = Promise.withResolvers<void>();
  readonly #leave: () => void;
  /** Why the session cannot go on, such as a full disk: nobody may be waiting for it just then. */
  #failure: { error: unknown } | undefined;
  hasUnread = false;
  /** Something was done: a request, or an undo, say. */
  hasDone = false;

  constructor(run: HeadlessRun) {
    this.#run = run;
    const changed = (): void => this.#begin();
    const unlisten = run.session.log.listen(changed);
    run.stop.signal.addEventListener("abort", changed);
    this.#leave = () => {
      unlisten();
      run.stop.signal.removeEventListener("abort", changed);
    };
  }

  /** Resolves when the next line may be read. */
  async take({ number, size, read }: ReadLine): Promise<void> {
    const command = read.ok ? readCommand(read.value) : read;
    if (!command.ok) {
      this.hasUnread = true;
      this.#refuse(number, command);
      return;
    }
    if (overtakes(command.value)) this.#carry({ number, command: command.value });
    else await this.#hold({ number, size: size + bytesBesides, command: command.value });
    if (this.#failure) throw this.#failure.error;
  }

  /** Resolves when all is carried out for which there is room. */
  async done(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    if (this.#failure) throw this.#failure.error;
  }

  /** Begins what was held back, once the session is idle; false if there was nothing. */
  async goOn(): Promise<boolean> {
    this.#begin();
    const hasBegun = this.#underWay.size > 0;
    await this.done();
    return hasBegun;
  }

  /** Tells what was held back and cannot be done any more. */
  close(): void {
    this.#leave();
    for (const { number } of this.#held)
      this.#refuse(number, refuse("The run was stopped before there was room for it."));
  }

  async #hold(line: HeldLine): Promise<void> {
    const { session, stop } = this.#run;
    while (this.#heldBytes >= mostAhead && !stop.signal.aborted) {
      // Only by reading on can an answer come.
      if (awaitsPerson(session.state)) return this.#refuse(line.number, tooManyAhead);
      await this.#change.promise;
    }
    this.#held.push(line);
    this.#heldBytes += line.size;
    this.#begin();
  }

  /** Begins what there is room for. Asked at each event of a stream, mostly with nothing held back. */
  #begin(): void {
    if (this.#held.length === 0) return;
    for (let line = this.#held[0]; line && this.#hasRoom(line); line = this.#held[0]) {
      this.#held.shift();
      this.#heldBytes -= line.size;
      this.#carry(line);
    }
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  #hasRoom({ command }: HeldLine): boolean {
    const { session, stop } = this.#run;
    if (stop.signal.aborted || this.#underWay.size >= mostUnderWay) return false;
    if (command.type !== "send") return true;
    // An idle session takes its queue along with the message.
    const isIdle = !session.isWorking && session.state.status === "idle";
    const waiting = isIdle && this.#messagesUnderWay === 0 ? 0 : session.state.queue.length;
    return waiting + this.#messagesUnderWay < messageBounds.waitingMessages.most;
  }

  #carry({ number, command }: Omit<HeldLine, "size">): void {
    const messages = command.type === "send" ? 1 : 0;
    this.#messagesUnderWay += messages;
    const carried = this.#carryOut(command, number)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#messagesUnderWay -= messages;
        this.#underWay.delete(carried);
        this.#begin();
      });
    this.#underWay.add(carried);
  }

  async #carryOut(command: Command, line: number): Promise<void> {
    const { session } = this.#run;
    const outcome = await session.command(command, command.type === "send" ? this.#reader() : undefined);
    if (outcome.ok) this.hasDone = true;
    else this.#refuse(line, outcome);
    session.idle().then(
      () => this.#begin(),
      (error: unknown) => this.#fail(error),
    );
  }

  #refuse(line: number, { problem }: { problem: string }): void {
    this.#run.output.refused({ line, problem });
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#run.stop.abort();
  }

  /** As with -p: commands and files of the workspace may be named. */
  #reader(): MessageReader {
    const { fileCommands, workspace, objection } = this.#run.runtime;
    return async (content, signal) => {
      const context = { commands: fileCommands, workspace, objection };
      const meant = await meantBy(content, context, { onlyInside: true, signal });
      return meant.ok ? { ok: true, value: meant.value.content } : meant;
    };
  }
}

const tooManyAhead = refuse(
  "Too many lines wait behind a question. Answer the question first, then send it again.",
);
