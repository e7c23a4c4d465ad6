/** The core as a child process: started with a gateway of its own, and ended with us. */

import { spawn, type ChildProcessByStdio } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import type { Expected } from "../../../../src/base/expected.ts";
import { isObject, parseJson } from "../../../../src/base/json.ts";
import type { GatewayAddress } from "../common/relay/editor-end.ts";
import type { NodeProgram } from "./node-program.ts";

export type CoreCommand = {
  node: NodeProgram;
  /** The built command line: `bin.cjs`. */
  program: string;
  /** Options before those that we need. */
  options: readonly string[];
  folder: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
};

/** A gateway that we may use. */
export type CoreEndpoint = {
  address: GatewayAddress;
  /** Resolves with the reason when it is no longer there. */
  ended: Promise<string>;
  stop: () => void;
};

/** Time for its first line, in milliseconds. */
const startMs = 30_000;

export async function startCore(command: CoreCommand): Promise<Expected<CoreEndpoint>> {
  const child = spawned(command);
  const heard = { problem: "" };
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(endWords(code, signal)));
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
      heard.problem = line;
      command.log(line);
    }
  });
  const stop = (): void => void child.kill("SIGTERM");
  const line = await Promise.race([firstLine(child.stdout), ended.then(() => undefined), after(startMs)]);
  const address = line === undefined ? undefined : await addressIn(line);
  if (address) return { ok: true, value: { address, ended, stop } };
  stop();
  const why = heard.problem === "" ? await Promise.race([ended, after(1_000)]) : heard.problem;
  return { ok: false, problem: `Toolwright did not start: ${why ?? "it said nothing in time"}` };
}

type CoreChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** Until `toolwright acp` is there, the core is a gateway on any free port. */
function spawned({ node, program, options, folder, env }: CoreCommand): CoreChild {
  const words = [program, "serve", ...options, "--port", "0", "--output", "json", "--cwd", folder];
  return spawn(node.path, words, {
    cwd: folder,
    env: { ...env, ...node.env },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}

function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
  });
}

async function addressIn(line: string): Promise<GatewayAddress | undefined> {
  const parsed = parseJson(line);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { url, tokenFile } = parsed.value;
  if (typeof url !== "string" || typeof tokenFile !== "string") return undefined;
  const token = await readFile(tokenFile, "utf8").catch(() => undefined);
  return token === undefined ? undefined : { url, token: token.trim() };
}

const endWords = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
