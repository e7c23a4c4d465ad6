/** Runs a program on a pseudo-terminal. The native package is optional and loaded on first use. */

import { statSync, writeSync } from "node:fs";
import { constants } from "node:os";
import type { IPty, spawn } from "@lydell/node-pty";
import { mib } from "../bound.ts";
import { withheldDescriptors, withhold } from "../descriptors.ts";
import { type Expected, errorMessage, refuse } from "../expected.ts";

export type PtyEnd = {
  exit?: number;
  signal?: string;
};

export type PtyRequest = {
  /** The program and its arguments; no shell interprets them. */
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  columns: number;
  rows: number;
  onOutput(bytes: Uint8Array): void;
  /** Called once, after the last output. */
  onEnd(end: PtyEnd): void;
};

/** Identifies a terminal's device file, whatever path a process opened it by. */
export type DeviceFile = { dev: number; ino: number };

export type Pty = {
  pid: number;
  /** Sends in order, as fast as the program reads. False: too much is queued already, and the text was not accepted. */
  write(text: string): boolean;
  /** The program is told; nothing happens if it has ended. */
  resize(columns: number, rows: number): void;
  /** Bytes queued for the program. */
  waiting(): number;
  /** The device file of the program's side. */
  device: DeviceFile | undefined;
  /** The descriptor of our side while it is open. */
  descriptor(): number | undefined;
};

export type OpenPty = (request: PtyRequest) => Promise<Expected<Pty>>;

export const openPty: OpenPty = async (request) => {
  const native = await load();
  if (!native.ok) return native;
  const { command, env } = withoutInherited(request);
  const [program, ...parameters] = command;
  if (program === undefined) return refuse("There is no program to start.");
  try {
    const { cwd, columns: cols, rows } = request;
    const options = { name: env["TERM"] ?? "xterm", cwd, env: { ...env }, cols, rows, encoding: null };
    const pty = native.value.spawn(program, parameters, options);
    // Without a second listener the package throws the errors it receives, for example that the terminal is gone.
    callMethod(pty, "on", ["error", () => {}]);
    pty.onData((bytes: unknown) => {
      if (bytes instanceof Uint8Array) request.onOutput(bytes);
      else if (typeof bytes === "string") request.onOutput(Buffer.from(bytes));
    });
    const number: unknown = Reflect.get(pty, "fd");
    const release = typeof number === "number" ? withhold(number) : undefined;
    pty.onExit(({ exitCode, signal }) => {
      release?.();
      request.onEnd(endOf(exitCode, signal));
    });
    return { ok: true, value: ptyOf(pty) };
  } catch (error) {
    return refuse(`It could not be started: ${errorMessage(error)}`);
  }
};

type Native = { spawn: typeof spawn };

let loaded: Promise<Expected<Native>> | undefined;

function load(): Promise<Expected<Native>> {
  loaded ??= import("@lydell/node-pty").then(
    (module): Expected<Native> => ({ ok: true, value: module }),
    (): Expected<Native> =>
      refuse(
        `There are no terminals here: the optional package @lydell/node-pty is not installed or does not work on ${process.platform} ${process.arch}.`,
      ),
  );
  return loaded;
}

function ptyOf(pty: IPty): Pty {
  const name: unknown = Reflect.get(pty, "ptsName");
  const descriptor = (): number | undefined => {
    const socket: unknown = Reflect.get(pty, "_socket");
    const number: unknown = Reflect.get(pty, "fd");
    if (typeof socket !== "object" || socket === null || typeof number !== "number") return undefined;
    // A closed number may belong to another file by now.
    return Reflect.get(socket, "destroyed") === false ? number : undefined;
  };
  return {
    pid: pty.pid,
    ...writerTo(descriptor, (text) => pty.write(text)),
    resize: (columns, rows) => {
      if (descriptor() !== undefined) pty.resize(columns, rows);
    },
    device: typeof name === "string" ? deviceAt(name) : undefined,
    descriptor,
  };
}

function deviceAt(path: string): DeviceFile | undefined {
  try {
    const { dev, ino } = statSync(path);
    return { dev, ino };
  } catch {
    return undefined;
  }
}

/** Typed text that a terminal's program has not read, in bytes. */
const mostWaiting = mib;
const retryMs = 5;

/**
 * The package's own write retries for ever in a busy loop while the program does not read, which would block this whole
 * process.
 */
function writerTo(
  descriptor: () => number | undefined,
  plainly: (text: string) => void,
): Pick<Pty, "write" | "waiting"> {
  let queue: Uint8Array = new Uint8Array();
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    const target = descriptor();
    if (target === undefined) queue = new Uint8Array();
    else queue = sendSome(target, queue);
    if (queue.length > 0) timer = setTimeout(send, retryMs).unref();
  };
  return {
    waiting: () => queue.length,
    write: (text) => {
      if (process.platform === "win32") {
        plainly(text);
        return true;
      }
      const bytes = Buffer.from(text);
      if (queue.length > 0 && queue.length + bytes.length > mostWaiting) return false;
      queue = queue.length === 0 ? bytes : Buffer.concat([queue, bytes]);
      if (timer === undefined) send();
      return true;
    },
  };
}

/** Returns the bytes that the terminal has not accepted; none if the terminal is gone. */
function sendSome(target: number, bytes: Uint8Array): Uint8Array {
  try {
    for (let rest = bytes; ; rest = rest.subarray(writeSync(target, rest))) {
      if (rest.length === 0) return rest;
      bytes = rest;
    }
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EAGAIN" ? bytes : new Uint8Array();
  }
}

/** Closes inherited descriptors in the program: the other terminals, and those that this process was started with. */
function withoutInherited({ command, env }: PtyRequest): Pick<PtyRequest, "command" | "env"> {
  const { numbers } = withheldDescriptors();
  if (numbers.length === 0 || command.length === 0) return { command, env };
  const close = `exec ${numbers.map((number) => `${number}>&-`).join(" ")}`;
  // A shell that runs a script drops PS1.
  const prompt = env["PS1"] === undefined ? "" : '; export PS1="$KEPT_PS1"; unset KEPT_PS1';
  return {
    // Other shells have no descriptors above 9.
    command: [
      "/usr/bin/env",
      "bash",
      "--noprofile",
      "--norc",
      "-c",
      `${close}${prompt}; exec "$@"`,
      "bash",
      ...command,
    ],
    env: { ...env, ...(prompt === "" ? {} : { KEPT_PS1: env["PS1"] ?? "" }) },
  };
}

function endOf(exit: number, signal: number | undefined): PtyEnd {
  if (!signal) return { exit };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return { signal: name ?? String(signal) };
}

function callMethod(target: object, name: string, given: readonly unknown[]): void {
  const method: unknown = Reflect.get(target, name);
  if (typeof method === "function") Reflect.apply(method, target, given);
}
