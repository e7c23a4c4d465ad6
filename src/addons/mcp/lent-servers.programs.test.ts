/** An editor's tools in a whole session: lent while it runs, asked around each change, taken back. */

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { openParts } from "../../runtime/addons/session-addons.ts";
import type { OpenAddons } from "../../runtime/session-setup.ts";
import { testSession } from "../../testing/session.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { LentServers } from "./lent-servers.ts";
import { linesOf, temporaryPlace, testServer } from "./testing/servers.ts";

async function stage(script: readonly ScriptedAnswer[]) {
  const lent = new LentServers("0");
  const [place, workspace] = [await temporaryPlace(), await temporaryWorkspace({ "a.txt": "one\n" })];
  const trust = {
    allows: () => false,
    filesRun: async () => () => ({ files: [], whole: [], unfollowed: [] }),
    waiting: () => [],
  };
  const addons: OpenAddons = (session) =>
    openParts([lent.open], {
      ...session,
      workspace: workspace.root,
      home: place,
      configDir: place,
      stateDir: join(place, "state"),
      environment: { PATH: process.env["PATH"] ?? "" },
      withheld: () => undefined,
      trust,
    });
  const model = scriptedModel(script);
  const session = await testSession(model, { workspace, addons, mode: "accept-edits" });
  onTestFinished(async () => {
    await session.close();
    await workspace.remove();
  });
  const toolsOf = (round: number): string[] => model.prompts[round]?.tools.map(({ name }) => name) ?? [];
  return { lent, place, workspace, session, toolsOf };
}

const edit: ScriptedAnswer = [
  { call: "edit_file", with: { path: "a.txt", edits: [{ old: "one", new: "two" }] } },
];

test("what a change broke is told with its result, in the same round, by a tool that no model sees", async () => {
  const { lent, place, workspace, session, toolsOf } = await stage([edit, [{ say: "Changed." }]]);
  const log = join(place, "before");
  lent.lend({ workspace: workspace.root }, { editor: testServer("points", log) });
  await session.ask("change it");
  const result = session.facts().find(({ type }) => type === "result");
  expect(JSON.stringify(result)).toContain("Two problems in");
  expect((await linesOf(log)).at(-1)).toMatch(/^\{"change":"[^"]+","paths":\["a\.txt"\],"seen":\[\]\}$/u);
  expect(toolsOf(0).filter((name) => name.startsWith("mcp__"))).toEqual(["mcp__editor__echo"]);
});

test("a session has what is lent to it from its next step on, and no more once that is taken back", async () => {
  const answers = [[{ say: "One." }], [{ say: "Two." }], [{ say: "Three." }]];
  const { lent, session, toolsOf } = await stage(answers);
  const to = { session: session.session.id };
  await session.ask("first");
  lent.lend(to, { editor: testServer("good") });
  await session.ask("second");
  lent.lend(to, {});
  await session.ask("third");
  const had = [0, 1, 2].map((round) => toolsOf(round).includes("mcp__editor__echo"));
  expect(had).toEqual([false, true, false]);
});

test("an editor that has gone keeps no change from being made", async () => {
  const { lent, workspace, session } = await stage([edit, [{ say: "Changed." }]]);
  lent.lend(
    { workspace: workspace.root },
    { editor: { url: "http://127.0.0.1:9/mcp", headers: { authorization: "Bearer x" } } },
  );
  await session.ask("change it");
  expect(await workspace.read("a.txt")).toBe("two\n");
});

test("what is lent to a session goes before what is lent to its workspace, and the oldest is forgotten", () => {
  const lent = new LentServers("0");
  const [shared, own] = [testServer("good"), testServer("points")];
  lent.lend({ workspace: "/w" }, { editor: shared, other: shared });
  lent.lend({ session: "s" }, { editor: own });
  expect(lent.lentTo({ session: "s", workspace: "/w" })).toEqual({ editor: own, other: shared });
  for (let at = 0; at < 1_100; at += 1) lent.lend({ session: `later ${at}` }, { editor: own });
  expect(lent.lentTo({ session: "s", workspace: "/w" })).toEqual({});
});
