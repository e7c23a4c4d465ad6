import { expect, test } from "vitest";
import { forkSession, sessionRows } from "../../archive/sessions.ts";
import {
  give,
  of,
  parentSession,
  promptOf,
  readFileCall,
  requestOf,
  resultIn,
} from "../../testing/parent.ts";
import { fetchBounds } from "../../tools/bounds.ts";
import type { Pricing } from "../models/pricing.ts";
import { subagentBounds } from "./bounds.ts";

test("a delegated task runs in its own session, whose report is the result of the call", async () => {
  const context = await parentSession(
    {
      Find: (round) =>
        round === 1
          ? [give({ task: "Look for the colour.", context: "It is in a.txt." })]
          : [{ say: "It is green." }],
      Look: (round) => (round === 1 ? [readFileCall("a.txt")] : [{ say: "a.txt:1 says green." }]),
    },
    { files: { "a.txt": "green\n" } },
  );
  await context.ask("Find the colour.");
  const { facts, store, session, model } = context;
  const [started] = of(facts(), "child-started");
  const child = started?.session ?? "";
  expect(resultIn(context)).toMatchObject({
    outcome: "ok",
    words: "a.txt:1 says green.",
    metadata: { session: child },
  });
  expect(of(facts(), "call-start")).toMatchObject([
    { does: "read", title: "Subagent: Look for the colour." },
  ]);
  expect(await store.children(session.id)).toMatchObject([
    { id: child, parent: session.id, title: "Look for the colour." },
  ]);
  const asked = promptOf(model, "Look");
  expect(asked && requestOf(asked)).toBe(
    "Look for the colour.\n\n# What you have to know\n\nIt is in a.txt.",
  );
  expect(asked?.system).toContain("You are a subagent");
  expect(asked?.tools.map(({ name }) => name)).toEqual([
    "read_file",
    "list_files",
    "search_workspace",
    "read_result",
  ]);
  expect(of(facts(), "child-ended")).toMatchObject([{ session: child, outcome: "ok" }]);
});

test("read-only tasks run in parallel up to the limit, and the others wait for a free place", async () => {
  const most = subagentBounds.together.most;
  const gate = Promise.withResolvers<void>();
  let [working, peak] = [0, 0];
  const { ask, facts } = await parentSession({
    Ask: (round) =>
      round === 1
        ? Array.from({ length: most + 2 }, (_, at) => give({ task: `Task ${at}` }))
        : [{ say: "All told." }],
    Task: (round) => {
      if (round > 1) return [{ say: "Found." }];
      working += 1;
      peak = Math.max(peak, working);
      if (working === most) setImmediate(gate.resolve);
      const over = gate.promise.then(() => (working -= 1));
      return [{ wait: over }, { say: "Found." }];
    },
  });
  await ask("Ask all.");
  expect(peak).toBe(most);
  expect(of(facts(), "result").map(({ outcome }) => outcome)).toEqual(
    Array.from({ length: most + 2 }, () => "ok"),
  );
  expect(of(facts(), "turn-end")).toMatchObject([{ stopped: "done", text: "All told." }]);
});

test("a subagent's usage counts towards its parent's turn, limits and cost", async () => {
  const usage = { inputTokens: 1000, outputTokens: 100 };
  const pricing: Pricing = () => 0.25;
  const context = await parentSession(
    {
      Ask: (round) => [...(round === 1 ? [give({ task: "Look" })] : [{ say: "Told." }]), { usage }],
      Look: () => [{ say: "Found." }, { usage }],
    },
    { pricing },
  );
  await context.ask("Ask it.");
  const { state } = context.session;
  expect(state).toMatchObject({ cost: 0.75, usage: { inputTokens: 3000, outputTokens: 300 }, unpriced: 0 });
  expect(state.turns[0]).toMatchObject({ cost: 0.75, answers: 2, usage: { inputTokens: 3000 } });
  const rows = await sessionRows(context.store, await context.store.list());
  const told = rows.map(({ id, cost, usage: sum }) => [id, [cost.dollars, sum.inputTokens]] as const);
  const { id } = context.session;
  expect(new Map(told).get(id)).toEqual([0.75, 3000]);
  expect(told.filter(([other]) => other !== id).map(([, taken]) => taken)).toEqual([[0.25, 1000]]);
});

test("a long subagent report is truncated, and its full text is stored", async () => {
  const report = "word ".repeat(20_000).trimEnd();
  const context = await parentSession({
    Ask: (round) => (round === 1 ? [give({ task: "Look" })] : [{ say: "Told." }]),
    Look: () => [{ say: report }],
  });
  await context.ask("Ask it.");
  const { words, full } = resultIn(context);
  expect(words.length).toBeLessThan(fetchBounds.shown.most + 500);
  expect(full && new TextDecoder().decode(await context.store.getBlob(full.blob))).toBe(report);
});

test("a fork of a subagent's session has no parent", async () => {
  const context = await parentSession({
    Ask: (round) => (round === 1 ? [give({ task: "Look" })] : [{ say: "Told." }]),
    Look: () => [{ say: "Found." }],
  });
  await context.ask("Ask it.");
  const [child] = await context.store.children(context.session.id);
  const forked = await forkSession(context.store, child?.id ?? "");
  const copy = forked.ok ? forked.value.id : "";
  expect(await context.store.get(copy)).not.toHaveProperty("parent");
  expect((await context.store.read(copy, 0))[0]).not.toHaveProperty("parent");
});
