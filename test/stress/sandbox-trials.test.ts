/** Issue 20: what was found to work is not tried at each start, and is tried again when it was wrong. */

import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProcess } from "../../src/base/process.ts";
import { openTree } from "../../src/base/safe-fs/open-tree.ts";
import { containIn } from "../../src/runtime/containing.ts";
import { findSandbox, type Sandbox } from "../../src/safety/sandbox/sandbox.ts";
import { makePlace, people, type Place, plainEnv, removePlace } from "../support/sandbox-place.ts";

type Found = Exclude<Sandbox, { kind: "none" }>;

/** With a bubblewrap that notes each of its starts, and does not work while the file `broken` is there. */
function wrapped(): { place: Place; log: string; broken: string; start: () => Promise<Found> } {
  const [person] = people;
  if (!person) throw new Error("nobody");
  const place = makePlace(person);
  onTestFinished(() => removePlace(place));
  const at = (name: string): string => join(place.outside, name);
  const [program, log, broken] = [at("bwrap"), at("log"), at("broken")];
  const script = [
    "#!/bin/sh",
    `echo started >>${log}`,
    `[ -e ${broken} ] && { echo "bwrap: not now"; exit 1; }`,
    'exec /usr/bin/bwrap "$@"',
  ];
  writeFileSync(log, "");
  writeFileSync(program, `${script.join("\n")}\n`);
  chmodSync(program, 0o755);
  const start = async (): Promise<Found> => {
    const sandbox = await findSandbox({ programs: [program], stateDir: place.stateDir });
    if (sandbox.kind !== "bubblewrap") throw new Error("no bubblewrap");
    return sandbox;
  };
  return { place, log, broken, start };
}

/** As a session runs it; returns its output, or why it was not run. */
async function run(sandbox: Found, { workspace, stateDir, home }: Place, line: string): Promise<string> {
  const tree = openTree(workspace);
  if (!tree.ok) throw new Error(tree.problem);
  onTestFinished(() => tree.value.close());
  const setup = { workspace, stateDir, home, files: tree.value, sandbox: async () => sandbox };
  const contain = containIn(
    { ...setup, remembered: new Map(), afterwards: new Set(), signal: new AbortController().signal },
    { profile: "open", isOn: true, undo: "workspace" },
    { shown: { needs: [], named: [] }, changed: [], stages: false },
  );
  const command = ["/bin/sh", "-c", line];
  const contained = await contain({ command, directory: workspace, env: plainEnv(home) });
  if (!contained.ok) return contained.problem;
  const { finished, whyFailed, ...about } = contained.value;
  const { exit, output } = await runProcess({ ...about, cwd: "/" });
  await (await finished()).settled?.();
  const text = Buffer.from(output.bytes).toString();
  if (exit !== 0) whyFailed?.(text);
  return text;
}

test("the next start tries nothing, and commands run as they did", async () => {
  const { place, log, start } = wrapped();
  const first = await start();
  expect(await first.overlays(place)).toEqual({ works: true });
  expect(readFileSync(log, "utf8")).not.toBe("");
  writeFileSync(log, "");
  const next = await start();
  expect(await next.overlays(place)).toEqual({ works: true });
  expect(await next.openToSockets(place.stateDir)).toEqual(await first.openToSockets(place.stateDir));
  expect(readFileSync(log, "utf8")).toBe("");
  expect(next).toMatchObject({ version: first.version, lacks: first.lacks });
  expect(await run(next, place, "cat a.txt")).toBe("first\n");
});

test("what no longer works is forgotten with the first command that meets it, and found again when it does", async () => {
  const { place, broken, start } = wrapped();
  await (await start()).overlays(place);
  const trials = join(place.stateDir, "sandbox", "trials.json");
  const next = await start();
  writeFileSync(broken, "");
  expect(await run(next, place, "cat a.txt")).toContain("bwrap: not now");
  expect(existsSync(trials)).toBe(false);
  expect(await run(next, place, "cat a.txt")).toContain("The command was not run: ");
  rmSync(broken);
  expect(await run(await start(), place, "cat a.txt")).toBe("first\n");
  expect(existsSync(trials)).toBe(true);
});
