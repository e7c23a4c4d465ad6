/** The core as a child process: `toolwright acp`, whose gateway we ask for. It ends with us, by the end of its input. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type Expected, refuse } from "../../../../src/base/expected.ts";
import { isObject, parseJson } from "../../../../src/base/json.ts";
import type { GatewayAddress } from "../common/relay/editor-end.ts";
import { t } from "../common/translate.ts";
import type { NodeProgram } from "./node-program.ts";

export type CoreCommand = {
  node: NodeProgram;
  /** The built command line: `bin.cjs`. */
  program: string;
  options: readonly string[];
  folder: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
};

/** A gateway that we may use. */
export type CoreEndpoint = {
  address: GatewayAddress;
  /** Whether it is a child of ours, begun as the settings say, or a gateway that runs by itself. */
  isOurs: boolean;
  /** Resolves with the reason when it is no longer there. */
  ended: Promise<string>;
  stop: () => void;
};

/** Time for its answer, in milliseconds. */
const startMs = 30_000;
/** Time for its end, in milliseconds. */
const endMs = 5_000;

export async function startCore(command: CoreCommand): Promise<Expected<CoreEndpoint>> {
  const child = spawned(command);
  const ended = endOf(child);
  const complaints = complaintsOf(child, command.log);
  const stop = (): void => {
    child.stdin.end();
    setTimeout(() => child.kill(), endMs).unref();
  };
  const address = await Promise.race([gatewayOf(child), ended.then(() => undefined), after(startMs)]);
  if (address?.ok) return { ok: true, value: { address: address.value, isOurs: true, ended, stop } };
  stop();
  const why = address?.problem ?? complaints.at(-1) ?? (await Promise.race([ended, after(endMs)]));
  return { ok: false, problem: t("Toolwright did not start: {0}", why ?? t("it did not answer in time")) };
}

type CoreChild = ChildProcessByStdio<Writable, Readable, Readable>;

function spawned({ node, program, options, folder, env }: CoreCommand): CoreChild {
  return spawn(node.path, [program, "acp", ...options, "--cwd", folder], {
    cwd: folder,
    env: { ...env, ...node.env },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}

function endOf(child: CoreChild): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, signal) =>
      resolve(
        signal === null ? t("it ended with exit code {0}", code ?? "?") : t("it was ended by {0}", signal),
      ),
    );
  });
}

/** What it says on standard error, line by line; the list grows until the core has begun. */
function complaintsOf({ stderr }: CoreChild, log: (line: string) => void): string[] {
  const lines: string[] = [];
  createInterface({ input: stderr }).on("line", (line) => {
    if (line.trim() === "") return;
    log(line);
    lines.splice(0, lines.length, line);
  });
  return lines;
}

/** In this order, each after the reply to the one before. */
const requests = [
  { id: 0, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } },
  { id: 1, method: "_toolwright/gateway", params: {} },
];

/** The problem is the core's own words; undefined if it answers with anything else. */
function gatewayOf({ stdin, stdout }: CoreChild): Promise<Expected<GatewayAddress> | undefined> {
  const waiting = [...requests];
  const ask = (): void => {
    const next = waiting.shift();
    if (next) stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...next })}\n`);
  };
  stdin.on("error", () => undefined); // a core that is gone tells so by its end
  ask();
  return new Promise((resolve) => {
    createInterface({ input: stdout }).on("line", (line) => {
      const parsed = parseJson(line);
      if (!parsed.ok || !isObject(parsed.value) || !("id" in parsed.value)) return;
      const { result, error } = parsed.value;
      if (error !== undefined || waiting.length === 0) resolve(refusalIn(error) ?? addressIn(result));
      else ask();
    });
  });
}

function refusalIn(error: unknown): Expected<never> | undefined {
  return isObject(error) && typeof error["message"] === "string" ? refuse(error["message"]) : undefined;
}

function addressIn(result: unknown): Expected<GatewayAddress> | undefined {
  if (!isObject(result)) return undefined;
  const { url, token } = result;
  const isAddress = typeof url === "string" && typeof token === "string";
  return isAddress ? { ok: true, value: { url, token } } : undefined;
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
