import { expect, test } from "vitest";
import { identityOf } from "../../base/process-identity.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { give, of, parentSession } from "../../testing/parent.ts";
import { testSession } from "../../testing/session.ts";

const scripts = {
  Ask: (round: number) => (round === 1 ? [give({ task: "Look" })] : [{ say: "Told." }]),
  Look: () => [{ say: "Found." }],
};

test("opening a parent removes the subagent sessions that a crash left without a task, and no others", async () => {
  const store = openMemoryStore();
  const { ask, session, workspace } = await parentSession(scripts, { store });
  await ask("Ask it.");
  const [known] = await store.children(session.id);
  await session.close();
  const make = async (id: string) => {
    await store.create({ id, workspace: workspace.root, createdAt: 1, parent: session.id });
    return id;
  };
  await make("made");
  for (const resume of [await make("named"), await make("asked")]) {
    const child = await testSession(scriptedModel([[{ say: "Yes." }]]), { store, workspace, resume });
    await child.session.command({ type: "rename", title: "Look" });
    if (resume === "asked") await child.ask("Are you there?");
    await child.session.close();
  }
  const dead = { ...identityOf(process.ppid), started: "1" };
  await store.claim(session.id, { owner: { program: "a killed one", process: dead } });
  const again = await testSession(scriptedModel([]), { store, workspace, resume: session.id });
  await again.session.close();
  const kept = (await store.children(session.id)).map(({ id }) => id);
  expect(kept.toSorted()).toEqual([known?.id ?? "", "asked"].toSorted());
});

test("a subagent session that opens after the time limit is removed", async () => {
  const store = openMemoryStore();
  const opening = Promise.withResolvers<void>();
  const create = store.create.bind(store);
  store.create = async (info) => {
    await create(info);
    if (info.parent !== undefined) await opening.promise;
  };
  const { ask, facts, session } = await parentSession(scripts, { store, subagents: { timeMs: 50 } });
  await ask("Ask it.");
  expect(of(facts(), "result")).toMatchObject([{ outcome: "timeout" }]);
  opening.resolve();
  await expect.poll(() => store.children(session.id)).toEqual([]);
});
