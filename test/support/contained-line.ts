/** Starts a line in the sandbox as a session does, in this process. */

import { join } from "node:path";
import { childEnvironment, runProcess } from "../../src/base/process.ts";
import { openTree } from "../../src/base/safe-fs/open-tree.ts";
import type { Profile } from "../../src/protocol/facts.ts";
import { containIn } from "../../src/runtime/containing.ts";
import { findSandbox } from "../../src/safety/sandbox/sandbox.ts";

export type ContainedLine = {
  ended: Promise<void>;
  stop: () => Promise<void>;
  output: () => string;
  warnings: () => readonly string[];
  /** The files that it changed in its overlay. */
  changes: () => readonly string[];
};

/** Resolves when the contained command has said "ready", or has ended. */
export async function startContained(
  { workspace, stateDir }: { workspace: string; stateDir: string },
  line: string,
  { profile = "build", isOverlaid = false }: { profile?: Profile; isOverlaid?: boolean } = {},
): Promise<ContainedLine> {
  const tree = openTree(workspace);
  if (!tree.ok) throw new Error(tree.problem);
  const files = tree.value;
  const setup = { workspace, stateDir, home: join(workspace, ".."), sandbox: findSandbox, files };
  const stop = new AbortController();
  const contain = containIn(
    { ...setup, remembered: new Map(), afterwards: new Set(), signal: stop.signal },
    { profile, isOn: true, undo: isOverlaid ? "workspace" : "nothing" },
    { shown: { needs: [], named: [] }, changed: [], stages: false },
  );
  const env = childEnvironment(process.env);
  const command = ["bash", "--noprofile", "--norc", "-c", line];
  const found = await contain({ command, directory: workspace, env });
  if (!found.ok) throw new Error(found.problem);
  const { finished, ...about } = found.value;
  let output = "";
  let [warnings, changes]: [readonly string[], readonly string[]] = [[], []];
  const ready = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    await runProcess({
      ...about,
      cwd: "/",
      wallMs: 600_000,
      signal: stop.signal,
      onOutput: (text) => {
        output += text;
        if (output.includes("ready")) ready.resolve();
      },
    });
    const ended = await finished();
    warnings = [...ended.warnings, ...((await ended.keep?.()) ?? [])];
    changes = ended.changes.map(({ path }) => path);
    await ended.settled?.();
    files.close();
    ready.resolve();
  };
  const ended = run();
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  await ready.promise;
  return { ended, stop: end, output: () => output, warnings: () => warnings, changes: () => changes };
}
