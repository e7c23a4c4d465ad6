/** The Node that the core runs on: VS Code's own if it is new enough, else one that is installed. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Expected } from "../../../../src/base/expected.ts";
import { t } from "../common/translate.ts";

/** The core needs what came with this version. */
const oldestNode = 24;

/** A program and the variables that make it a Node. */
export type NodeProgram = { path: string; env: Readonly<Record<string, string>> };

type NodePlace = {
  /** The Node that a user has named. */
  named: string | undefined;
  /** What runs us: VS Code's Node, or VS Code itself, which can be one. */
  own: { path: string; version: string };
};

export async function nodeProgram({ named, own }: NodePlace): Promise<Expected<NodeProgram>> {
  if (named !== undefined) return checked(named, "toolwright.node");
  if (majorOf(own.version) >= oldestNode)
    return { ok: true, value: { path: own.path, env: { ELECTRON_RUN_AS_NODE: "1" } } };
  const installed = await checked("node", "PATH");
  return installed.ok
    ? installed
    : {
        ok: false,
        problem: t(
          "Toolwright needs Node {0} or newer. This VS Code has Node {1}, and {2} Install Node {0}, or name it in the setting toolwright.node.",
          oldestNode,
          own.version,
          installed.problem,
        ),
      };
}

async function checked(path: string, from: string): Promise<Expected<NodeProgram>> {
  const version = await versionOf(path);
  if (version === undefined) return { ok: false, problem: t("{0} ({1}) cannot be run.", path, from) };
  if (majorOf(version) >= oldestNode) return { ok: true, value: { path, env: {} } };
  return {
    ok: false,
    problem: t("{0} ({1}) is Node {2}; {3} or newer is needed.", path, from, version, oldestNode),
  };
}

const run = promisify(execFile);

async function versionOf(path: string): Promise<string | undefined> {
  const told = await run(path, ["--version"], { timeout: 10_000 }).catch(() => undefined);
  return /^v(\d+\S*)/u.exec(told?.stdout ?? "")?.[1];
}

const majorOf = (version: string): number => Number.parseInt(version.replace(/^v/u, ""), 10);
