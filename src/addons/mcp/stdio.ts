/** Runs a server as a child process: its process group, bounded messages, and its last error output. */

import type { ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { inTime } from "../../base/async.ts";
import { kib } from "../../base/bound.ts";
import { processSilenceAfterExitMs } from "../../base/bounds.ts";
import { isObject } from "../../base/json.ts";
import { stopTree } from "../../base/process-tree.ts";
import { runVariable, spawnApart } from "../../base/start-process.ts";
import { toolServerBounds, exitTimeMs } from "./bounds.ts";
import { FloodGate } from "./flood.ts";
import { FrameReader } from "./frames.ts";
import { refusal, unreadWords } from "./unread.ts";
import { plainWords } from "./words.ts";

type ServerProgram = {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** The marker in the environment that identifies all of its descendants. */
  run: string;
};

/** `isMessage`: validates the shape of each message. */
type StdioOptions = {
  isMessage(value: unknown): value is JSONRPCMessage;
  started?(pid: number, marker: string): void;
  /** Called when messages were skipped because there were too many. */
  floods?(): void;
};

/** Standard error kept of a tool server, in bytes. */
const mostComplaints = 16 * kib;

export class StdioConnection implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: ServerProgram;
  readonly #context: StdioOptions;
  readonly #frames = new FrameReader((line) => this.#isWanted(line));
  readonly #gate = new FloodGate();
  /** Ids of pending requests. */
  readonly #asked = new Set<number>();
  #child: ChildProcess | undefined;
  #complaints = "";
  #how: string | undefined;
  #window: NodeJS.Timeout | undefined;
  #ended: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(program: ServerProgram, context: StdioOptions) {
    this.#program = program;
    this.#context = context;
  }

  /** How it ended, with its last output; undefined while it runs. */
  get end(): string | undefined {
    if (this.#how === undefined) return undefined;
    const words = plainWords(this.#complaints.slice(-800), 800).split("\n").slice(-6).join("\n");
    return words === "" ? this.#how : `${this.#how}; its last words: ${words}`;
  }

  async start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { command, args, env, cwd, run } = this.#program;
    const child = spawnApart([command, ...args], { cwd, env, run, hasInput: true });
    this.#child = child;
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    const over = (how: string): void => {
      if (this.#how !== undefined) return;
      this.#how = how;
      clearTimeout(this.#window);
      ended.resolve();
      reject(new Error(how));
      this.onclose?.();
    };
    child.once("error", (error) => over(`it could not be started: ${whyNotStarted(error, this.#program)}`));
    child.once("spawn", () => {
      if (child.pid !== undefined) this.#context.started?.(child.pid, this.#marker);
      resolve();
    });
    // Remaining output is read before it counts as ended; the time limit covers descendants that keep the pipe open.
    child.once("exit", (code, signal) => {
      const how =
        code === null ? `it was ended by ${signal ?? "a signal"}` : `it ended with exit code ${code}`;
      const late = setTimeout(() => over(how), processSilenceAfterExitMs);
      child.once("close", () => {
        clearTimeout(late);
        over(how);
      });
    });
    child.stdout?.once("end", () => this.#silenced());
    child.stdin?.on("error", () => {}); // the exit event is more informative
    child.stdout?.on("error", () => {});
    child.stdout?.on("data", (bytes: Buffer) => this.#hear(bytes));
    child.stderr?.on("error", () => {});
    child.stderr?.on("data", (bytes: Buffer) =>
      this.#complain(bytes.subarray(-mostComplaints).toString("utf8")),
    );
    return promise;
  }

  get #marker(): string {
    return `${runVariable}=${this.#program.run}`;
  }

  /** Standard output has closed, so no request could ever be answered, even if the process keeps running. */
  #silenced(): void {
    setTimeout(() => {
      if (this.#how !== undefined) return;
      this.#complain("It closed its standard output.\n");
      void this.close();
    }, exitTimeMs).unref();
  }

  #complain(words: string): void {
    this.#complaints = (this.#complaints + words).slice(-mostComplaints);
  }

  #hear(bytes: Buffer): void {
    for (const frame of this.#frames.read(bytes)) {
      if (this.#how !== undefined) return;
      if (frame.type === "noise") this.#complain(`${frame.line}\n`);
      else if (frame.type === "message") this.#tell(frame.value);
      else if (frame.id === undefined) {
        this.#complain(`${unreadWords[frame.type]}\n`);
        void this.close();
      } else this.#tell(refusal(frame.id, frame.type));
    }
  }

  #tell(value: unknown): void {
    const { id, method } = isObject(value) ? value : {};
    if (typeof id === "number" && method === undefined) this.#asked.delete(id);
    if (this.#context.isMessage(value)) return this.onmessage?.(value);
    this.#complain("It sent a message that is none of the protocol.\n");
    // Otherwise its request would wait for a valid answer until the timeout.
    if (typeof id === "number" && method === undefined) this.onmessage?.(refusal(id, "unknown"));
  }

  /** A flooding server is read only for its answers, so that it cannot slow down anything else. */
  #isWanted(line: Buffer): boolean {
    this.#window ??= setTimeout(() => {
      this.#window = undefined;
      this.#gate.reset();
      this.#child?.stdout?.resume();
    }, 1_000).unref();
    const isRead = this.#gate.lets(line, this.#asked);
    if (this.#gate.isTooMuch) this.#child?.stdout?.pause();
    if (this.#gate.isFlood) this.#context.floods?.();
    return isRead;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || this.#how !== undefined) throw new Error(this.#how ?? "it is not running");
    // If the server does not read, the pipe fills up, and then our memory.
    if (stdin.writableLength > toolServerBounds.message.most)
      throw new Error("it does not read what it is sent");
    this.#noteAsked(message);
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  #noteAsked(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message && typeof message.id === "number") this.#asked.add(message.id);
    const given = message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined;
    if (typeof given === "number") this.#asked.delete(given);
  }

  /** Closes standard input, which ends a well-behaved server; then terminates and finally kills all its processes. */
  close(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.stdin?.end();
    if (this.#ended) await inTime(this.#ended, { ms: exitTimeMs });
    await stopTree(child.pid, { marker: this.#marker });
    child.stdout?.destroy();
    child.stderr?.destroy();
    await this.#ended;
  }
}

function whyNotStarted(error: Error, { command, cwd }: ServerProgram): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT" && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return `there is no directory ${cwd}: check its \`cwd\``;
  if (code === "ENOENT")
    return `there is no program ${command}: check its \`command\`, and that it is installed`;
  if (code === "EACCES") return `${command} is no program that may be run`;
  return error.message;
}
