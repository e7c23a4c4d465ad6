/** Tests what a person is asked, how far an approval reaches, and that nothing unapproved is carried out. */

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Change, fileImage } from "../base/safe-fs/image.ts";
import type { Entry } from "../protocol/facts.ts";
import { pendingApprovals } from "../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { endOf, resultsOf, scriptedSession, typesOf } from "../testing/scripted-session.ts";
import { testSession } from "../testing/session.ts";
import { writes } from "../testing/turns.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { defineTool, ok } from "../tools/tool.ts";

const wordsOf = (fact: { content: readonly { type: string }[] } | undefined) => JSON.stringify(fact?.content);

test("D8: an invalid call asks for no approval, and a denied tool does not report a schema error", async () => {
  const rules = [{ name: "user", rules: [{ tool: "write_file", decision: "deny" as const }] }];
  const { ask, facts } = await scriptedSession(
    [
      [
        { call: "write_file", with: {} },
        { call: "edit_file", with: {} },
      ],
      [{ say: "ok" }],
    ],
    { rules },
  );
  await ask("go");
  expect(typesOf(facts())).not.toContain("approval-asked");
  expect(resultsOf(facts()).map((fact) => fact.outcome)).toEqual(["denied", "invalid"]);
});

test("a refused change is not made, and the model is told that the user said no", async () => {
  const { ask, workspace, facts, model } = await scriptedSession([
    [{ call: "write_file", with: { path: "a.txt", content: "x" } }],
    [{ say: "Ok." }],
  ]);
  await ask("go", "deny");
  expect(await workspace.files()).toEqual([]);
  expect(resultsOf(facts())[0]?.outcome).toBe("denied");
  expect(JSON.stringify(model.prompts[1]?.messages)).toContain("The user said no.");
});

test("two edits of one file in one answer are asked about one after the other, each with its actual diff", async () => {
  const { ask, workspace, facts } = await scriptedSession(
    [
      [
        { call: "edit_file", with: { path: "a.txt", old: "one", new: "1" } },
        { call: "edit_file", with: { path: "a.txt", old: "two", new: "2" } },
      ],
      [{ say: "ok" }],
    ],
    { files: { "a.txt": "one\ntwo\n" } },
  );
  await ask("go");
  expect(await workspace.read("a.txt")).toBe("1\n2\n");
  const previews = facts().flatMap((fact) => (fact.type === "approval-asked" ? [fact.preview] : []));
  expect(previews).toHaveLength(2);
  expect(previews[1]).toContain(" 1\n-two\n+2");
});

/** A tool of this name that asks; `found`: work to await before the question is known; `why`: it would fail. */
const slow = (name: string, does: "change" | "execute", found: () => Promise<unknown>, why?: string) =>
  defineTool({
    name,
    does,
    summary: "Asks.",
    input: {},
    title: () => name,
    whyNot: async () => {
      await found();
      return why;
    },
    run: async () => ({ ...ok("done"), changes: does === "change" ? [change(name)] : [] }),
  });

const change = (path: string): Change => ({
  path,
  before: null,
  after: fileImage(new TextEncoder().encode("x")),
});

const askedIn = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) => (fact.type === "approval-asked" ? [fact.title] : []));

test("approvals are asked in the order of the calls, however long each one takes to prepare", async () => {
  const gate = Promise.withResolvers<void>();
  const later = async (): Promise<void> => {
    await gate.promise;
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  };
  const tools = [slow("first", "execute", later), slow("second", "execute", async () => gate.resolve())];
  const calls = tools.map(({ name }) => ({ call: name, with: {} }));
  const { ask, facts } = await scriptedSession([calls, [{ say: "ok" }]], { tools });
  await ask("go");
  expect(askedIn(facts())).toEqual(["first", "second"]);
});

test("nobody is asked about a call that would fail, and the model is told why", async () => {
  const tools = [slow("first", "execute", async () => {}, "There is nothing to do.")];
  const { ask, facts } = await scriptedSession([[{ call: "first", with: {} }], [{ say: "ok" }]], { tools });
  await ask("go");
  expect(askedIn(facts())).toEqual([]);
  expect(resultsOf(facts())).toMatchObject([
    { outcome: "failed", content: [{ type: "text", text: "There is nothing to do." }] },
  ]);
});

test("a call that breaks while its question is prepared keeps later calls from asking", async () => {
  const broken = slow("first", "execute", () => Promise.reject(new Error("It broke.")));
  const tools = [broken, slow("second", "execute", async () => {})];
  const calls = tools.map(({ name }) => ({ call: name, with: {} }));
  const { ask, facts } = await scriptedSession([calls, [{ say: "ok" }]], { tools });
  await ask("go").catch(() => undefined);
  expect(askedIn(facts())).toEqual([]);
});

test("a command asks for approval only after the changes written before it", async () => {
  const soon = async (): Promise<void> => undefined;
  const tools = [slow("one", "change", soon), slow("two", "change", soon), slow("command", "execute", soon)];
  const calls = tools.map(({ name }) => ({ call: name, with: {} }));
  const { ask, facts } = await scriptedSession([calls, [{ say: "ok" }]], { tools });
  await ask("go");
  expect(askedIn(facts())).toEqual(["one", "two", "command"]);
});

test("a turn that waits for approval continues in another process when the answer comes", async () => {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({ "a.txt": "one\n" });
  const script: ScriptedAnswer[] = [
    [
      { call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } },
      { call: "read_file", with: { path: "a.txt" } },
    ],
    [{ say: "Done." }],
  ];
  const first = await testSession(scriptedModel(script), { store, workspace });
  await first.session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await first.session.idle();
  const asked = pendingApprovals(first.session.state);
  expect(asked).toHaveLength(1);
  expect(resultsOf(first.facts())).toEqual([]);

  const second = await testSession(scriptedModel(script.slice(1)), {
    store,
    workspace,
    resume: first.session.id,
  });
  expect(second.session.state.status).toBe("running");
  const answer = {
    type: "answer-approval",
    callId: asked[0]?.callId ?? "",
    answer: "allow",
    scope: "once",
    by: "later",
  } as const;
  expect(await second.session.command(answer)).toEqual({ ok: true });
  await second.session.idle();
  expect(await workspace.read("a.txt")).toBe("two\n");
  expect(resultsOf(second.facts()).map((fact) => fact.outcome)).toEqual(["ok", "ok"]);
  expect(endOf(second.facts())).toMatchObject({ stopped: "done", text: "Done." });
  expect(await first.session.command({ type: "interrupt" }).catch((error: Error) => error.name)).toBe(
    "StaleEpoch",
  );
  await workspace.remove();
});

test("an approved change is not made when the file changed in the meantime", async () => {
  const store = openMemoryStore();
  const workspace = await temporaryWorkspace({ "a.txt": "one\n" });
  const first = await testSession(
    scriptedModel([[{ call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } }]]),
    { store, workspace },
  );
  await first.session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await first.session.idle();
  const callId = pendingApprovals(first.session.state)[0]?.callId ?? "";
  const { writeFile } = await import("node:fs/promises");
  await writeFile(`${workspace.root}/a.txt`, "one\nand somebody's work\n");
  const second = await testSession(scriptedModel([[{ say: "I see." }]]), {
    store,
    workspace,
    resume: first.session.id,
  });
  await second.session.command({
    type: "answer-approval",
    callId,
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await second.session.idle();
  expect(await workspace.read("a.txt")).toBe("one\nand somebody's work\n");
  expect(wordsOf(resultsOf(second.facts())[0])).toContain("changed after this change was shown");
  await workspace.remove();
});

test("a turn-wide approval covers the next change of its turn and ends with the turn", async () => {
  const { session, facts } = await scriptedSession([
    writes("1"),
    writes("2"),
    [{ say: "ok" }],
    writes("3"),
    [{ say: "ok" }],
  ]);
  const send = async () => {
    await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
    await session.idle();
  };
  await send();
  const [asked] = pendingApprovals(session.state);
  await session.command({
    type: "answer-approval",
    callId: asked?.callId ?? "",
    answer: "allow",
    scope: "turn",
    by: "test",
  });
  await session.idle();
  expect(typesOf(facts()).filter((type) => type === "approval-asked")).toHaveLength(1);
  expect(typesOf(facts()).at(-1)).toBe("turn-end");
  await send();
  expect(pendingApprovals(session.state)).toHaveLength(1);
});
