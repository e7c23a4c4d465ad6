/** How a core begins: by attaching to the gateway that runs, else as a child. */

import type { Expected } from "../../../../src/base/expected.ts";
import { type CoreCommand, type CoreEndpoint, startCore } from "./core-process.ts";
import { type NodeProgram, nodeProgram } from "./node-program.ts";
import { runningCore } from "./running-core.ts";

export type CoreChoice = Omit<CoreCommand, "node"> & {
  /** Whether a gateway that runs already is used. */
  attach: boolean;
  /** The Node that the user named. */
  namedNode: string | undefined;
  ownNode: { path: string; version: string };
};

export async function beginCore(choice: CoreChoice): Promise<Expected<CoreEndpoint>> {
  const running = choice.attach ? await runningCore(choice.env) : undefined;
  if (running) return { ok: true, value: running };
  const node: Expected<NodeProgram> = await nodeProgram({ named: choice.namedNode, own: choice.ownNode });
  if (!node.ok) return node;
  return startCore({ ...choice, node: node.value });
}
