/** Runs a server as a child process: its process group, bounded messages, and its last error output. */

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isObject } from "../../base/json.ts";
import { type ServerProgram, startServerProgram } from "../server-program.ts";
import { toolServerBounds, exitTimeMs } from "./bounds.ts";
import { FloodGate } from "./flood.ts";
import { FrameReader } from "./frames.ts";
import { refusal, unreadWords } from "./unread.ts";
import { plainWords } from "./words.ts";

/** `isMessage`: validates the shape of each message. */
export type StdioOptions = {
  isMessage(value: unknown): value is JSONRPCMessage;
  started?: (pid: number, marker: string) => (() => void) | undefined;
  /** Called when messages were skipped because there were too many. */
  floods?(): void;
};

type StdioProgram = Pick<Parameters<typeof startServerProgram>[0], "command" | "env" | "cwd" | "run">;

export class StdioConnection implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #start: StdioProgram;
  readonly #context: StdioOptions;
  readonly #frames = new FrameReader((line) => this.#isWanted(line));
  readonly #gate = new FloodGate();
  /** Ids of pending requests. */
  readonly #asked = new Set<number>();
  #program: ServerProgram | undefined;
  #how: string | undefined;
  #window: NodeJS.Timeout | undefined;

  constructor(program: StdioProgram, context: StdioOptions) {
    this.#start = program;
    this.#context = context;
  }

  /** How it ended, with its last output; undefined while it runs. */
  get end(): string | undefined {
    if (this.#how === undefined) return undefined;
    const complaints = this.#program?.complaints() ?? "";
    const words = plainWords(complaints.slice(-800), 800).split("\n").slice(-6).join("\n");
    return words === "" ? this.#how : `${this.#how}; its last words: ${words}`;
  }

  async start(): Promise<void> {
    const { started = () => undefined } = this.#context;
    const program = await startServerProgram({ ...this.#start, graceMs: exitTimeMs, started });
    this.#program = program;
    void this.#awaitEnd(program);
    program.output.once("end", () => this.#silenced());
    program.output.on("data", (bytes: Buffer) => this.#hear(bytes));
  }

  async #awaitEnd({ ended }: ServerProgram): Promise<void> {
    this.#how = await ended;
    clearTimeout(this.#window);
    this.onclose?.();
  }

  /** Standard output has closed, so no request could ever be answered, even if the process keeps running. */
  #silenced(): void {
    setTimeout(() => {
      if (this.#how !== undefined) return;
      this.#program?.complain("It closed its standard output.\n");
      void this.close();
    }, exitTimeMs).unref();
  }

  #hear(bytes: Buffer): void {
    for (const frame of this.#frames.read(bytes)) {
      if (this.#how !== undefined) return;
      if (frame.type === "noise") this.#program?.complain(`${frame.line}\n`);
      else if (frame.type === "message") this.#tell(frame.value);
      else if (frame.id === undefined) {
        this.#program?.complain(`${unreadWords[frame.type]}\n`);
        void this.close();
      } else this.#tell(refusal(frame.id, frame.type));
    }
  }

  #tell(value: unknown): void {
    const { id, method } = isObject(value) ? value : {};
    if (typeof id === "number" && method === undefined) this.#asked.delete(id);
    if (this.#context.isMessage(value)) return this.onmessage?.(value);
    this.#program?.complain("It sent a message that is none of the protocol.\n");
    // Otherwise its request would wait for a valid answer until the timeout.
    if (typeof id === "number" && method === undefined) this.onmessage?.(refusal(id, "unknown"));
  }

  /** A flooding server is read only for its answers, so that it cannot slow down anything else. */
  #isWanted(line: Buffer): boolean {
    this.#window ??= setTimeout(() => {
      this.#window = undefined;
      this.#gate.reset();
      this.#program?.output.resume();
    }, 1_000).unref();
    const isRead = this.#gate.lets(line, this.#asked);
    if (this.#gate.isTooMuch) this.#program?.output.pause();
    if (this.#gate.isFlood) this.#context.floods?.();
    return isRead;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#program?.input;
    if (!input?.writable || this.#how !== undefined) throw new Error(this.#how ?? "it is not running");
    // If the server does not read, the pipe fills up, and then our memory.
    if (input.writableLength > toolServerBounds.message.most)
      throw new Error("it does not read what it is sent");
    this.#noteAsked(message);
    input.write(`${JSON.stringify(message)}\n`);
  }

  #noteAsked(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message && typeof message.id === "number") this.#asked.add(message.id);
    const given = message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined;
    if (typeof given === "number") this.#asked.delete(given);
  }

  async close(): Promise<void> {
    await this.#program?.stop();
  }
}
