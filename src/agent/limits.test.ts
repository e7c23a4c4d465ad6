/** Tests a turn's limits, rounds, calls, dollars, tokens and time, and who may raise them (D11, A11). */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dialect } from "../dialects/dialect.ts";
import { hermes } from "../dialects/hermes.ts";
import { yipsAgent } from "../dialects/yips.ts";
import type { Entry, FactOf, LimitName } from "../protocol/facts.ts";
import { ModelError } from "../protocol/model-events.ts";
import type { Model } from "../providers/provider.ts";
import { scriptedModel, type ModelScript, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { taughtModel } from "../providers/taught-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { endOf, sessionForTest } from "../testing/scripted-session.ts";
import type { TestSessionOptions } from "../testing/session.ts";
import { go } from "../testing/turns.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../testing/workspace.ts";

const look = (path: string): ScriptedAnswer[number] => ({ call: "read_file", with: { path } });
/** A model that reads another file in each round, so that nothing is repeated. */
const wanders: ModelScript = (_, round) => [look(`file-${round}.txt`)];
const usage = { usage: { inputTokens: 900, outputTokens: 100 } };

/** Of all tests, which only read in it. */
let workspace: TemporaryWorkspace;
beforeAll(async () => {
  const files = Array.from({ length: 320 }, (_, at) => [`file-${at}.txt`, `${at}\n`]);
  workspace = await temporaryWorkspace(Object.fromEntries(files));
});
afterAll(() => workspace.remove());

async function start(script: ModelScript, options: TestSessionOptions = {}) {
  const model = scriptedModel(script);
  const opened = await sessionForTest(model, { workspace, ...options });
  const send = async () => {
    await opened.session.command(go);
    await opened.session.idle();
  };
  const answer = async (said: "stop" | "extend", most?: number) => {
    const outcome = await opened.session.command({
      type: "answer-limit",
      answer: said,
      by: "test",
      ...(most === undefined ? {} : { most }),
    });
    await opened.session.idle();
    return outcome;
  };
  return { ...opened, model, send, answer };
}

const askedIn = (facts: readonly Entry[]): (FactOf<"limit-asked"> & Entry)[] =>
  facts.flatMap((fact) => (fact.type === "limit-asked" ? [fact] : []));
const answeredIn = (facts: readonly Entry[]) =>
  facts.flatMap((fact) => (fact.type === "limit-answered" ? [fact] : []));

test("D11: at the limit of rounds a person is asked and offered half as many again, and yes continues the turn", async () => {
  const { send, answer, facts, model, session } = await start(wanders, {
    limits: { maxRounds: 5, onLimit: "ask" },
  });
  await send();
  expect(model.prompts).toHaveLength(5);
  expect(session.state.limitAsked).toMatchObject({ limit: "rounds", used: 5, most: 5, offer: 8 });
  expect(session.state.status).toBe("running");
  expect(await answer("extend")).toEqual({ ok: true });
  expect(model.prompts).toHaveLength(8);
  expect(askedIn(facts()).map(({ used, most, offer }) => [used, most, offer])).toEqual([
    [5, 5, 8],
    [8, 8, 12],
  ]);
  expect(await answer("stop")).toEqual({ ok: true });
  expect(endOf(facts())).toMatchObject({ stopped: "limit", because: "the limit of 8 rounds was reached" });
});

test("D11: a person may allow more than was offered, but not a figure that is used up", async () => {
  const { send, answer, model } = await start(wanders, { limits: { maxRounds: 5, onLimit: "ask" } });
  await send();
  expect(await answer("extend", 5)).toMatchObject({ ok: false });
  expect(await answer("extend", 20)).toEqual({ ok: true });
  expect(model.prompts).toHaveLength(20);
});

test("a turn that waits at a limit survives a restart and can be answered from another process", async () => {
  const store = openMemoryStore();
  const limits = { maxRounds: 5, onLimit: "ask" } as const;
  const first = await start(wanders, { store, limits });
  await first.send();
  await first.session.close();
  const second = await start(
    (_, round) => (round > 2 ? [{ say: "Done." }] : [look(`file-${100 + round}.txt`)]),
    { store, limits, resume: first.session.id },
  );
  expect(second.session.state.limitAsked).toMatchObject({ limit: "rounds", offer: 8 });
  await second.session.command({ type: "go-on" });
  await second.session.idle();
  expect(second.model.prompts).toHaveLength(0);
  await second.answer("extend");
  expect(second.model.prompts).toHaveLength(3);
  expect(endOf(second.facts())).toMatchObject({ stopped: "done", text: "Done." });
});

test("without a person a turn stops at its limit instead of asking", async () => {
  const { send, facts } = await start(wanders, {
    interactive: false,
    limits: { maxRounds: 5, onLimit: "ask" },
  });
  await send();
  expect(askedIn(facts())).toEqual([]);
  expect(endOf(facts())).toMatchObject({ stopped: "limit", because: "the limit of 5 rounds was reached" });
});

test("D11: a turn that extends itself goes on until it is done, and each extension is recorded", async () => {
  const wandersLong: ModelScript = (prompt, round) =>
    round < 70 ? wanders(prompt, round) : [{ say: "Done." }];
  const { send, facts } = await start(wandersLong, {
    interactive: false,
    limits: { maxRounds: 25, onLimit: "extend" },
  });
  await send();
  expect(answeredIn(facts()).map(({ most, by, answer }) => [most, by, answer])).toEqual([
    [38, "toolwright", "extend"],
    [57, "toolwright", "extend"],
    [86, "toolwright", "extend"],
  ]);
  expect(endOf(facts())).toMatchObject({ stopped: "done" });
});

const batch = (round: number, size: number, path: (at: number) => string): ScriptedAnswer =>
  Array.from({ length: size }, (_, at) => look(path(round * size + at)));

test("by default nothing limits the rounds and calls of a turn that makes progress", async () => {
  const script: ModelScript = (_, round) =>
    round <= 72 ? batch(round - 1, 5, (at) => `file-${at % 320}.txt`) : [{ say: "Done." }];
  const { send, facts, model } = await start(script, { interactive: false });
  await send();
  expect(model.prompts).toHaveLength(73);
  expect(facts().filter(({ type }) => type === "call")).toHaveLength(360);
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "Done." });
});

test("a model that repeats itself without end in one answer gets 300 of its calls", async () => {
  const { send, facts } = await start([batch(0, 320, (at) => `file-${at}.txt`), [{ say: "Done." }]]);
  await send();
  const results = facts().flatMap((fact) => (fact.type === "result" ? [fact.outcome] : []));
  const counts = ["ok", "cancelled"].map((each) => results.filter((outcome) => outcome === each).length);
  expect(counts).toEqual([300, 20]);
  const titles = facts().flatMap((fact) => (fact.type === "result" && fact.title ? [fact.title] : []));
  expect(titles).toEqual(Array.from({ length: 20 }, (_, at) => `Read file-${300 + at}.txt`));
});

test("a limit of calls does not extend itself, but a person may raise it", async () => {
  const many = (_: unknown, round: number) => batch(round - 1, 4, (at) => `file-${at}.txt`);
  const alone = await start(many, { limits: { maxCalls: 8, onLimit: "extend" } });
  await alone.send();
  expect(endOf(alone.facts())).toMatchObject({ because: "the limit of 8 calls was reached" });
  const asked = await start(many, { limits: { maxCalls: 8, onLimit: "ask" } });
  await asked.send();
  expect(asked.session.state.limitAsked).toMatchObject({ limit: "calls", used: 8, most: 8, offer: 12 });
  await asked.answer("extend");
  expect(asked.session.state.limitAsked).toMatchObject({ limit: "calls", used: 12, offer: 18 });
  const results = asked.facts().flatMap((fact) => (fact.type === "result" ? [fact.outcome] : []));
  expect(new Set(results)).toEqual(new Set(["ok"]));
});

test("an answer with more calls than are left has the rest cancelled, and the next offer exceeds its count", async () => {
  const { send, facts, session } = await start([batch(0, 20, (at) => `file-${at}.txt`)], {
    limits: { maxCalls: 5, onLimit: "ask" },
  });
  await send();
  const outcomes = facts().flatMap((fact) => (fact.type === "result" ? [fact.outcome] : []));
  expect(outcomes.filter((outcome) => outcome === "cancelled")).toHaveLength(15);
  expect(session.state.limitAsked).toMatchObject({ limit: "calls", used: 20, most: 5, offer: 27 });
});

test.each<[LimitName, TestSessionOptions["limits"], string]>([
  ["tokens", { maxTokens: 3_000 }, "the limit of 3,000 tokens was reached (used: 3,000 tokens)"],
  ["cost", { maxCost: 0.9 }, "the limit of $0.9 was reached (used: $0.9)"],
  ["time", { maxMs: 120_000 }, "the limit of 2 min was reached (used: 2 min)"],
])(
  "a budget of %s ends the turn; a person can raise it, but it never extends itself",
  async (limit, limits, because) => {
    let clock = 0;
    const now = () => clock;
    const pricing: TestSessionOptions["pricing"] = () => 0.3;
    const spends: ModelScript = (_, round) => {
      clock += 40_001;
      return [look(`file-${round}.txt`), usage];
    };
    const stopped = await start(spends, {
      now,
      pricing,
      interactive: false,
      limits: { ...limits, onLimit: "extend" },
    });
    await stopped.send();
    expect(stopped.model.prompts).toHaveLength(3);
    expect(endOf(stopped.facts())).toMatchObject({ stopped: "limit", because });
    clock = 0;
    const asked = await start(spends, { now, pricing, limits: { ...limits, onLimit: "extend" } });
    await asked.send();
    expect(asked.session.state.limitAsked).toMatchObject({ limit });
    clock += 1_000_000; // the person takes a while to answer
    await asked.answer("extend");
    expect(asked.model.prompts).toHaveLength(5);
    expect(asked.session.state.limitAsked).toMatchObject({ limit });
  },
);

test("a budget that was never set does not stop a turn", async () => {
  let clock = 0;
  const { send, facts } = await start(
    (_, round) => {
      clock += 10_000_000;
      return round < 20 ? [look(`file-${round}.txt`), usage] : [{ say: "Done." }];
    },
    { now: () => clock },
  );
  await send();
  expect(endOf(facts())).toMatchObject({ stopped: "done" });
});

test("D11: a limit can be raised only to a finite figure above what was used", async () => {
  const { send, answer, session } = await start(wanders, { limits: { maxRounds: 3, onLimit: "ask" } });
  await send();
  for (const most of [3, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(await answer("extend", most)).toMatchObject({ ok: false });
    expect(session.state.limitAsked).toMatchObject({ used: 3 });
  }
  expect(await answer("extend", 4)).toEqual({ ok: true });
  expect(session.state.limitAsked).toMatchObject({ used: 4, most: 4 });
});

test("a finished turn is not stopped by a limit that it has just reached", async () => {
  const { send, facts } = await start([[look("file-1.txt")], [{ say: "Done." }, usage]], {
    limits: { maxRounds: 2, maxTokens: 100, onLimit: "ask" },
  });
  await send();
  expect(endOf(facts())).toMatchObject({ stopped: "done", text: "Done." });
});

test("a dollar limit for a model of unknown price causes one warning, and the turn goes on", async () => {
  const script: ModelScript = (_, round) =>
    round < 4 ? [look(`file-${round}.txt`), usage] : [{ say: "Done." }, usage];
  const { send, facts } = await start(script, { limits: { maxCost: 0.01 } });
  await send();
  const warnings = facts().flatMap((fact) => (fact.type === "warning" ? [fact.code] : []));
  expect(warnings).toEqual(["cost-unknown"]);
  expect(endOf(facts())).toMatchObject({ stopped: "done" });
});

test("B10: a dialect that puts all calls into one envelope gets six rounds unless configured otherwise", async () => {
  const roundsOf = async (dialect: Dialect, limits: TestSessionOptions["limits"]) => {
    const bare = scriptedModel((_, round) => [
      {
        say: dialect.writeCalls([
          { id: `${round}`, name: "read_file", input: { path: `file-${round}.txt` } },
        ]),
      },
    ]);
    const opened = await sessionForTest(taughtModel(bare, dialect), { workspace, limits });
    await opened.ask("go");
    return bare.prompts.length;
  };
  expect(await roundsOf(yipsAgent, undefined)).toBe(6);
  expect(await roundsOf(yipsAgent, { maxRounds: 9 })).toBe(9);
  expect(await roundsOf(hermes, { maxRounds: 25 })).toBe(25);
});

test("time in which no process worked on the turn does not count against its limit", async () => {
  const store = openMemoryStore();
  const limits = { maxMs: 60_000 };
  const day = 86_400_000;
  const never = new Promise<void>(() => undefined);
  const first = await start([[look("file-1.txt")], [{ wait: never }]], {
    store,
    limits,
    now: () => 10_000,
  });
  await first.session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await first.session.log.until(({ type }) => type === "result", new AbortController().signal, 0);
  const left = first.facts().at(-1)?.at ?? 0;
  const second = await start([[{ say: "Looked." }]], {
    store,
    limits,
    resume: first.session.id,
    now: () => left + 2 * day,
  });
  expect(second.facts().find(({ type }) => type === "turn-resumed")).toMatchObject({ idleMs: 2 * day });
  await second.session.command({ type: "go-on" });
  await second.session.idle();
  expect(endOf(second.facts())).toMatchObject({ stopped: "done", text: "Looked." });
});

test("an answer that breaks off is asked for again only as long as the time for that lasts", async () => {
  const broken = new ModelError("network", "The connection was lost.", { midStream: true });
  let time = 0;
  const model = scriptedModel((_, round) => {
    time = round * 600;
    return [{ say: "I begin" }, { fail: broken }];
  });
  const { ask, facts } = await sessionForTest(model, { now: () => time, limits: { retryMs: 2_000 } });
  await ask("go");
  expect(facts().filter((fact) => fact.type === "answer-end")).toHaveLength(5);
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "failed" });
});

test("a notice before the answer is no part of it: what fails then has not broken off", async () => {
  let asked = 0;
  const model: Model = {
    name: "test/notices",
    async *ask() {
      asked += 1;
      yield { type: "notice", code: "dialect-changed", detail: "It is asked in another way." };
      throw new ModelError("server", "The provider failed (500).", { status: 500 });
    },
  };
  const { ask, facts } = await sessionForTest(model);
  await ask("go");
  expect(asked).toBe(1);
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "failed" });
});
