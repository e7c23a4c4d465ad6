/** Questions while nobody follows a session: they wait where the host was told so, and any program may answer. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, type ModelScript } from "../providers/scripted-model.ts";
import { followUntil, testHost, type TestHost, type TestHostOptions } from "../testing/host.ts";
import { text } from "../tools/tool.ts";

async function stage(script: ModelScript, options: TestHostOptions = {}): Promise<TestHost> {
  const made = await testHost(scriptedModel(script), { mode: "ask", whenAway: "wait", ...options });
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  return made;
}

async function begun({ host }: TestHost): Promise<string> {
  const made = await host.create({});
  if (!made.ok) throw new Error(made.problem);
  await host.command(made.value.id, { type: "send", content: text("Go.") });
  return made.value.id;
}

const write = { call: "write_file", with: { path: "a.txt", content: "new\n" } };
const over = [{ say: "Done." }];

test("an approval nobody is there for waits, over a restart too, until any program answers it", async () => {
  const first = await stage([[write]]);
  const id = await begun(first);
  await followUntil(first.host, id, ({ type }) => type === "approval-asked");
  await first.close();
  const second = await testHost(scriptedModel([over]), { mode: "ask", whenAway: "wait", root: first.root });
  onTestFinished(second.close);
  expect((await second.host.row(id))?.standing).toBe("waiting");
  const callId = "call_1";
  const answer = { type: "answer-approval", callId, answer: "allow", scope: "once", by: "a script" } as const;
  expect(await second.host.command(id, answer)).toEqual({ ok: true });
  const told = await followUntil(second.host, id, ({ type }) => type === "turn-end");
  expect(told.at(-1)).toMatchObject({ stopped: "done", changed: ["a.txt"] });
});

test("a question of the model waits while nobody is there", async () => {
  const asks = { call: "ask_user", with: { question: "Which?", choices: [{ label: "red" }] } };
  const made = await stage([[asks], over]);
  const id = await begun(made);
  const told = await followUntil(
    made.host,
    id,
    ({ type }) => type === "question-asked" || type === "turn-end",
  );
  expect(told.at(-1)).toMatchObject({ type: "question-asked" });
});

test("B13: what a program staged is still applied by its token while nobody is there", async () => {
  const made = await stage(
    (request, round) => {
      const token = /"?token"?:?\s*"?([\w-]{8,})/iu.exec(JSON.stringify(request))?.[1] ?? "none";
      if (round === 1) return [write];
      return round === 2 ? [{ call: "apply_file_change", with: { token } }] : over;
    },
    { mode: "staged" },
  );
  const id = await begun(made);
  const told = await followUntil(
    made.host,
    id,
    ({ type }) => type === "approval-asked" || type === "turn-end",
  );
  expect(told.at(-1)).toMatchObject({ type: "turn-end", stopped: "done", changed: ["a.txt"] });
});

test("with `deny` nothing waits: the work goes on without what was denied", async () => {
  const made = await stage([[write], over], { whenAway: "deny" });
  const id = await begun(made);
  const told = await followUntil(made.host, id, ({ type }) => type === "turn-end");
  expect(told).toContainEqual(expect.objectContaining({ type: "result", outcome: "denied" }));
});
