import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import type { OpenPty } from "../../base/terminal/pty.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { terminal } from "../terminal.ts";
import { runTool, testContext, wordsOf } from "../testing/context.ts";
import { Terminals } from "./terminals.ts";
import { mostEnded } from "./terminals.ts";

async function session({ open }: { open?: OpenPty } = {}) {
  const workspace = await temporaryWorkspace({});
  const context = testContext(workspace.root);
  context.terminals = new Terminals(open);
  onTestFinished(async () => {
    await context.terminals.close();
    await workspace.remove();
  });
  const call = async (input: JsonObject) => {
    const produced = await runTool(terminal, input, context);
    const { outcome, words } = wordsOf(produced);
    return { outcome, lines: words.split("\n"), produced };
  };
  return { call, context };
}

test("a missing optional package makes start fail with that message, and the sandbox is still left", async () => {
  const { call, context } = await session({
    open: async () => ({ ok: false, problem: "There are no terminals here." }),
  });
  let left = 0;
  context.contain = async ({ command, env }) => ({
    ok: true,
    value: { command, env, finished: async () => (left++, { warnings: [], changes: [] }) },
  });
  expect(await call({ action: "start" })).toMatchObject({
    outcome: "failed",
    lines: ["There are no terminals here."],
  });
  expect(left).toBe(1);
});

test("the outcome of a contained program is reported once when it has ended", async () => {
  const { call, context } = await session();
  let left = 0;
  context.contain = async ({ command, env, lasting }) => ({
    ok: true,
    value: {
      command,
      env,
      finished: async () => (left++, { warnings: [`lasting: ${lasting}`], changes: [], uncovered: ["x"] }),
    },
  });
  const { lines, produced } = await call({ action: "start", command: "true" });
  expect([lines.at(-2), produced.uncovered, left]).toEqual(["[lasting: true]", ["x"], 1]);
  const again = await call({ action: "read" });
  expect([again.lines.length, again.produced.uncovered, left]).toEqual([2, undefined, 1]);
});

test("of many ended terminals only the newest stay readable", async () => {
  const { call, context } = await session();
  const started = mostEnded + 3;
  for (let index = 0; index < started; index += 1)
    await call({ action: "start", name: `t${index}`, command: "true" });
  const names = context.terminals.all().map(({ name }) => name);
  expect(names).toHaveLength(mostEnded + 1); // the last one ran when it was counted
  expect([names[0], names.at(-1)]).toEqual(["t2", `t${started - 1}`]);
  expect(await call({ action: "read", name: "t0" })).toMatchObject({ outcome: "failed" });
});
