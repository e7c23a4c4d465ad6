import { symlinkSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { findSandbox, type Sandbox } from "../src/safety/sandbox/sandbox.ts";
import { scale } from "../src/testing/scale.ts";
import { testSession } from "../src/testing/session.ts";
import { wholeTree } from "./support/whole-tree.ts";

/** TOOLWRIGHT_RUNS multiplies them. */
const numRuns = 8 * scale;

const files = { a: "ta", b: "tb", "d/x": "tx", "d/e/z": "tz", "f/y": "ty", ".h": "th" };

const place = fc.constantFrom(
  "a",
  "b",
  "c",
  "d",
  "d/x",
  "d/e",
  "d/e/z",
  "f",
  "f/y",
  "L",
  "d/L",
  ".h",
  "s p",
  "é",
);
const quoted = place.map((path) => `'${path}'`);
const word = fc.stringMatching(/^t[a-z]{1,6}$/);
const mode = fc.constantFrom("600", "644", "755", "700", "4755", "u-w");

const one = (of: (path: string) => string) => quoted.map(of);
const two = (of: (from: string, to: string) => string) =>
  fc.tuple(quoted, quoted).map(([from, to]) => of(from, to));
const written = (of: (path: string, text: string) => string) =>
  fc.tuple(quoted, word).map(([path, text]) => of(path, text));

const command = fc.oneof(
  written((path, text) => `echo ${text} >${path}`),
  written((path, text) => `echo ${text} >>${path}`),
  written((path, text) => `rm -rf ${path}; mkdir -p ${path}; echo ${text} >${path}/new`),
  one((path) => `rm -rf ${path}`),
  one((path) => `mkdir -p ${path}`),
  one((path) => `sed -i s/t/T/ ${path}`),
  one((path) => `truncate -s 1 ${path}`),
  one((path) => `cp -a ${path} /tmp/k; rm -rf ${path}; cp -a /tmp/k ${path}`),
  two((from, to) => `mv ${from} ${to}`),
  two((from, to) => `mv -T ${from} ${to}`),
  two((from, to) => `cp -rT ${from} ${to}`),
  two((from, to) => `ln -sfn ${from} ${to}`),
  two((from, to) => `mv ${from} swap && mv ${to} ${from} && mv swap ${to}`),
  fc.tuple(mode, quoted).map(([bits, path]) => `chmod ${bits} ${path}`),
  fc.constant("tar cf /tmp/t.tar . && rm -rf d f && tar xf /tmp/t.tar"),
);

const line = fc.array(command, { minLength: 1, maxLength: 4 }).map((all) => `${all.join("; ")}; true`);
const call = fc.oneof(
  { weight: 4, arbitrary: line.map((words) => ({ call: "run_command", with: { command: words } })) },
  fc.tuple(place, word).map(([path, content]) => ({ call: "write_file", with: { path, content } })),
);
const turns = fc.array(fc.array(call, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

async function theWayBackAndForth(
  wanted: readonly ScriptedAnswer[],
  sandbox: () => Promise<Sandbox>,
): Promise<void> {
  const script: ScriptedAnswer[] = [];
  const opened = await testSession(scriptedModel(script), { sandbox, mode: "auto", files });
  const { session, workspace } = opened;
  try {
    symlinkSync("a", join(workspace.root, "L"));
    const trees = [wholeTree(workspace.root)];
    for (const calls of wanted) {
      script.push(...calls.map((each) => [each]), [{ say: "Done." }]);
      await opened.ask("go");
      trees.push(wholeTree(workspace.root));
    }
    const numbers = wanted.map((_, at) => at + 1);
    for (const turn of numbers.toReversed()) {
      await session.command({ type: "undo", turn });
      expect(wholeTree(workspace.root), `undo of ${turn}`).toEqual(trees[turn - 1]);
    }
    for (const turn of numbers) {
      await session.command({ type: "redo", turn });
      expect(wholeTree(workspace.root), `redo of ${turn}`).toEqual(trees[turn]);
    }
  } finally {
    await opened.close();
  }
}

test("A40: after random commands and tool calls, undo restores every earlier tree, and redo every later one", async () => {
  await fc.assert(
    fc.asyncProperty(turns, (wanted) => theWayBackAndForth(wanted, findSandbox)),
    { numRuns, endOnFailure: true },
  );
});

test("A40: undo and redo restore the same trees when commands run without a layer", async () => {
  const sandbox = () => Promise.resolve<Sandbox>({ kind: "none", because: "it is not wanted here" });
  await fc.assert(
    fc.asyncProperty(turns, (wanted) => theWayBackAndForth(wanted, sandbox)),
    { numRuns, endOnFailure: true },
  );
});
