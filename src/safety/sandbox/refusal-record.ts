/** What was observed of one command: where it is recorded, and how the record is read. */

import { existsSync, readFileSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../base/crypto.ts";
import { attempt } from "../../base/expected.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import type { SandboxRefusal } from "../../protocol/facts.ts";
import type { Lifeline } from "./lifeline.ts";
import type { SandboxMount } from "./mounts.ts";
import { namesMount } from "./name-server.ts";
import { namesIn, observerWords, recordIn } from "./observer.ts";
import type { CheckedRequest } from "./request.ts";
import { ownDirectory } from "./runs.ts";

export type Observing = {
  /** For the launcher's part that observes. */
  words: readonly string[];
  /** Where names are asked for. */
  mount: SandboxMount;
  /** What was refused; undefined if the kernel let nobody look. Removes the record. */
  end(): readonly SandboxRefusal[] | undefined;
};

/** Undefined where there is nothing to observe, or nobody who could. */
export function observe(
  { profile, stateDir }: CheckedRequest,
  lifeline: Lifeline | undefined,
): Observing | undefined {
  if (profile === "open" || !lifeline || !("perl" in lifeline.by)) return undefined;
  const directory = join(ownDirectory(stateDir), `observed-${randomHex(6)}`);
  makeDirectorySync(directory, 0o700);
  return {
    words: observerWords(lifeline.by.machine, directory),
    mount: namesMount(namesIn(directory)),
    end() {
      const text = attempt(() => readFileSync(recordIn(directory), "latin1"));
      removeRecord(directory);
      return text === undefined ? undefined : refusalsIn(text);
    },
  };
}

/** Step by step: a removal of whatever is there takes a millisecond. */
function removeRecord(directory: string): void {
  try {
    for (const path of [recordIn(directory), namesIn(directory)]) if (existsSync(path)) unlinkSync(path);
    rmdirSync(directory);
  } catch {
    // The next start removes it.
  }
}

const mostRefusals = 50;

/**
 * A line is "+" or "-", a letter, the name in hexadecimal digits and a port: no name can be taken for another line. What
 * is not such a line, as the last one of a program that was killed, is passed over.
 */
export function refusalsIn(text: string): SandboxRefusal[] {
  const found = new Map<string, SandboxRefusal>();
  for (const line of text.split("\n").slice(0, -1)) {
    const [, sign, fact = "", kind = "", hex = "", port = ""] =
      /^([+-]) (([hnpsw]) ((?:[0-9a-f]{2})+) (\d{1,5}))$/.exec(line) ?? [];
    if (sign === "-") found.delete(fact);
    if (sign === "+") found.set(fact, refusalOf(kind, Buffer.from(hex, "hex").toString(), Number(port)));
  }
  const all = [...found.values()];
  const reached = new Set(
    all.flatMap((one) => (one.wanted === "host" && one.port !== undefined ? [one.host] : [])),
  );
  return all
    .filter((one) => one.wanted !== "host" || one.port !== undefined || !reached.has(one.host))
    .slice(0, mostRefusals);
}

function refusalOf(kind: string, name: string, port: number): SandboxRefusal {
  if (kind === "w") return { wanted: "write", path: name };
  if (kind === "p") return { wanted: "process", ...processOf(name) };
  if (kind === "s") return { wanted: "service", at: plainAddress(name) };
  return { wanted: "host", host: plainAddress(name), ...(port > 0 ? { port } : {}) };
}

/** A number, and the program's name. */
function processOf(words: string): { pid: number; name?: string } {
  const [, pid = "", name = ""] = /^(\d+) ?(.*)$/su.exec(words) ?? [];
  return { pid: Number(pid), ...(name === "" ? {} : { name }) };
}

/** An address of IPv6 in its short form. */
function plainAddress(name: string): string {
  const [, address, port = ""] = /^\[?([0-9a-f]*(?::[0-9a-f]*){7})(?:\](:\d+))?$/.exec(name) ?? [];
  if (address === undefined) return name;
  const url = `http://[${address}]`;
  const short = URL.canParse(url) ? new URL(url).hostname : `[${address}]`;
  return port === "" ? short.slice(1, -1) : `${short}${port}`;
}
