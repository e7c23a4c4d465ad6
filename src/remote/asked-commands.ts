/**
 * Tracks commands sent over a socket until each has its one outcome. A message carries an id, so it may be sent again
 * after the connection broke; any other command is sent once, and then reported as having an unknown outcome.
 */

import type { Command, CommandOutcome } from "../protocol/commands.ts";
import { remoteBounds } from "./bounds.ts";
import type { ClientFrame, ServerFrame } from "./frames.ts";
import { clientCodes, GatewayError } from "./gateway-error.ts";

export type CommandFrame = Extract<ClientFrame, { type: "command" }>;

type PendingCommand = {
  frame: CommandFrame;
  /** Sent on the present connection; `wasSent`: on an earlier one. */
  isSent: boolean;
  wasSent: boolean;
  timer: ReturnType<typeof setTimeout>;
  outcome: PromiseWithResolvers<CommandOutcome>;
};

export class AskedCommands {
  readonly #send: (frame: CommandFrame) => boolean;
  readonly #asked = new Map<string, PendingCommand>();

  /** `send` returns whether a connection accepted the frame. */
  constructor(send: (frame: CommandFrame) => boolean) {
    this.#send = send;
  }

  /** Waits for a connection, but only for a limited time. */
  ask(session: string, command: Command): Promise<CommandOutcome> {
    if (this.#asked.size >= remoteBounds.commands.most)
      return Promise.reject(notSent(`${this.#asked.size} commands wait for their outcome already.`));
    const id = randomName();
    const asked: PendingCommand = {
      frame: { type: "command", id, session, command },
      isSent: false,
      wasSent: false,
      outcome: Promise.withResolvers(),
      timer: this.#timer(id),
    };
    this.#asked.set(id, asked);
    this.#trySend(asked);
    return asked.outcome.promise;
  }

  /** A connection is open: sends the waiting commands. */
  opened(): void {
    for (const asked of this.#asked.values()) if (!asked.isSent) this.#trySend(asked);
  }

  told(id: string, outcome: CommandOutcome): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.outcome.resolve(outcome);
  }

  /** The gateway could not understand a frame, maybe a command's. */
  misunderstood({ id = "", ...problem }: Extract<ServerFrame, { type: "error" }>): void {
    const asked = this.#asked.get(id);
    if (asked) this.#reject(asked, new GatewayError(problem));
  }

  /** The connection is lost, and with it the outcomes of the commands sent on it. */
  lost(): void {
    for (const asked of this.#asked.values()) {
      if (!asked.isSent) continue;
      const { command } = asked.frame;
      if (command.type !== "send" || command.id === undefined) this.#reject(asked, unknownOutcome());
      else Object.assign(asked, { isSent: false, wasSent: true, timer: this.#timer(asked.frame.id) });
    }
  }

  /** There will be no further connection. */
  end(because: string): void {
    this.lost();
    for (const asked of this.#asked.values()) this.#giveUp(asked, because);
  }

  /** Limits how long a command waits for a connection. */
  #timer(id: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      const asked = this.#asked.get(id);
      if (asked) this.#giveUp(asked, "The gateway could not be reached in time.");
    }, remoteBounds.unsentTime.most);
  }

  #giveUp(asked: PendingCommand, because: string): void {
    this.#reject(asked, asked.wasSent ? unknownOutcome() : notSent(because));
  }

  #trySend(asked: PendingCommand): void {
    asked.isSent = this.#send(asked.frame);
    if (asked.isSent) clearTimeout(asked.timer);
  }

  #reject(asked: PendingCommand, problem: GatewayError): void {
    clearTimeout(asked.timer);
    this.#asked.delete(asked.frame.id);
    asked.outcome.reject(problem);
  }
}

/** A message with an id may be sent again. */
export const withId = (command: Command): Command =>
  command.type === "send" ? { id: randomName(), ...command } : command;

/** A page loaded without TLS from another computer has no `randomUUID`. */
const randomName = (): string =>
  [...globalThis.crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

export const unknownOutcome = (cause?: unknown): GatewayError =>
  new GatewayError({
    code: clientCodes.outcomeUnknown,
    message:
      "The connection broke before the gateway said what came of the command: it was carried out, or it was not. The facts of the session tell.",
    cause,
  });

const notSent = (because: string): GatewayError =>
  new GatewayError({ code: clientCodes.notSent, message: `${because} The command was not sent.` });
