/** The dialect lab against scripted servers, over real HTTP: models that fail in each known way. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig, type Config } from "../../configuration/config.ts";
import { parseArguments } from "../../configuration/options/arguments.ts";
import { defaultDialect, fallbackDialects } from "../../dialects/index.ts";
import type { DialectRecord } from "../../protocol/dialect-record.ts";
import { ModelError } from "../../protocol/model-events.ts";
import type { Model } from "../../providers/provider.ts";
import { atALoss, asText, inWays, natively, probedModel, type Speaker } from "../../testing/probed-models.ts";
import { serveModel, type ServeOptions } from "../../testing/scripted-server.ts";
import { memoryIn, openChosenModel } from "../models/models.ts";
import { openStore } from "../runtime.ts";
import { openProbe, type Probe, type ProbeEvent, type ProbePace } from "./probe.ts";
import { probeTasks } from "./tasks.ts";

const all = probeTasks.length;
/** Tasks that want a call; the others are right without one. */
const withCalls = probeTasks.filter(({ right }) => "calls" in right).length;
const hermes = defaultDialect;
/** The whole answer by schema, which Ollama can hold a model to. */
const schema = "json-answer+schema";
const fence = fallbackDialects.at(-1) ?? hermes;
const taught: Speaker = (calls, asked) =>
  asked.dialect ? asText(asked.dialect)(calls, asked) : atALoss(calls, asked);

test("a model that can do everything does every task right in every dialect, and native tools are used", async () => {
  const { probe } = await start(
    probedModel(inWays({ native: natively, "json-answer": taught, hermes: taught, [fence.name]: taught })),
  );
  expect(probe.dialects).toEqual(["native", "hermes", schema, fence.name]);
  const { finished } = await run(probe);
  expect(finished.map(({ dialect, right, unreadable }) => [dialect, right, unreadable])).toEqual([
    ["native", all, 0],
    ["hermes", all, 0],
    [schema, all, 0],
    [fence.name, all, 0],
  ]);
  expect(finished[0]).toMatchObject({
    tasks: all,
    inputTokens: 100 * withCalls,
    outputTokens: 10 * withCalls,
  });
  expect(finished[0]?.medianMs).toBeGreaterThanOrEqual(0);
  expect(await probe.keep(finished)).toBe("native");
});

test("a model that only speaks hermes is measured so, uses hermes from then on, and the notice says so", async () => {
  const { probe, next } = await start(probedModel(inWays({ hermes: taught })));
  const { finished } = await run(probe);
  expect(finished.map(({ dialect, right }) => [dialect, right])).toEqual([
    ["native", all - withCalls],
    ["hermes", all],
    [schema, all - withCalls],
    [fence.name, all - withCalls],
  ]);
  expect((await next()).notice).toBeUndefined();
  expect(await probe.keep(finished)).toBe("hermes");
  expect((await next()).notice).toMatch(
    new RegExp(
      `^When it was measured on .*${all} of ${all} tasks right with hermes and ${all - withCalls} with native`,
    ),
  );
  expect((await next(["--dialect", "native"])).notice).toBeUndefined();
});

test("a model that only answers in fenced JSON is used with fences", async () => {
  const { probe } = await start(probedModel(inWays({ [fence.name]: asText(fence) })));
  const { finished } = await run(probe);
  expect(await probe.keep(finished)).toBe(fence.name);
});

test("calls that a native model prints as text are still read", async () => {
  const { probe } = await start(probedModel(inWays({ native: asText(hermes) })), {}, ["--dialect", "native"]);
  const { finished } = await run(probe);
  expect(finished[0]).toMatchObject({ dialect: "native", right: all });
});

test("a model whose server fails with 500 on native calls counts as unreadable natively and is used with hermes", async () => {
  const failing: Speaker = () => [
    {
      fail: new ModelError("server", "error parsing tool call: raw='{', err=unexpected end", { status: 500 }),
    },
  ];
  const { probe } = await start(probedModel(inWays({ native: failing, hermes: taught })), {
    capabilities: ["tools"],
  });
  const { finished } = await run(probe);
  expect(finished[0]).toMatchObject({ dialect: "native", unreadable: withCalls, right: all - withCalls });
  expect(await probe.keep(finished)).toBe("hermes");
});

test("calls in broken JSON are counted as unreadable", async () => {
  const broken: Speaker = (calls) =>
    calls.map(({ name }) => ({
      say: `<tool_call>\n{"name": "${name}", "arguments": {"a": }}\n</tool_call>\n`,
    }));
  const { probe } = await start(probedModel(inWays({ hermes: broken })), {}, ["--dialect", "hermes"]);
  const { finished, problems } = await run(probe);
  expect(finished).toMatchObject([{ dialect: "hermes", unreadable: withCalls + 1, right: all - withCalls }]);
  expect(problems[0]).toContain("its call could not be read");
});

test("a model that never calls is right only where no call is wanted", async () => {
  const { probe } = await start(probedModel(atALoss));
  const { finished, problems } = await run(probe);
  expect(finished.map(({ right }) => right)).toEqual([all, all, all, all].map(() => all - withCalls));
  expect(problems[0]).toBe('it made no call, not 1; it said "I am sorry, I cannot use tools."');
  expect(await probe.keep(finished)).toBe("native");
});

test("a model without native tools is measured in its family's dialect, hermes and fences", async () => {
  const options = { capabilities: ["completion"], template: "<tool_call>\n<function=f>\n<parameter=p>" };
  const { probe, next } = await start(probedModel(taught), options);
  expect(probe.dialects).toEqual(["qwen-xml", schema, "hermes", fence.name]);
  const { finished } = await run(probe);
  expect(finished.map(({ right }) => right)).toEqual([all, all, all, all]);
  expect(await probe.keep(finished)).toBe("qwen-xml");
  expect((await next()).notice).toMatch(
    /no native tools here.*chat template.*measured: \d+ of \d+ tasks right/,
  );
});

test("a model that stalls is given up in each dialect once it times out", async () => {
  const stalls: Speaker = () => [{ wait: new Promise(() => undefined) }];
  const { probe } = await start(probedModel(stalls), {}, [], { limitMs: 40 });
  const { finished, gaveUp } = await run(probe);
  expect(finished.map(({ right, tasks }) => [right, tasks])).toEqual([0, 0, 0, 0].map(() => [0, all]));
  expect(gaveUp).toEqual([0, 0, 0, 0].map(() => "it did not answer within 0.04 s"));
});

test("a server that refuses one dialect only is measured in the others", async () => {
  const refuses: Speaker = () => [
    { fail: new ModelError("bad-request", "This model does not support tools.") },
  ];
  const { probe } = await start(probedModel(inWays({ native: refuses, hermes: taught })));
  const { finished, gaveUp } = await run(probe);
  expect(gaveUp).toEqual([expect.stringContaining("does not support tools")]);
  expect(finished.map(({ right }) => right)).toEqual([0, all, all - withCalls, all - withCalls]);
});

test("a form that the server refuses is given up at its first task", async () => {
  const picky: Speaker = (calls, asked) =>
    asked.way === "json-answer" && asked.isHeld
      ? [{ fail: new ModelError("bad-request", "unknown field format", { status: 400 }) }]
      : taught(calls, asked);
  const { probe } = await start(probedModel(picky), { capabilities: ["completion"] });
  const { finished, gaveUp } = await run(probe);
  expect(gaveUp).toEqual([expect.stringContaining("unknown field format")]);
  expect(finished.map(({ dialect, right, tasks }) => [dialect, right, tasks])).toEqual([
    ["hermes", all, all],
    [schema, 0, all],
    [fence.name, all, all],
  ]);
  expect(await probe.keep(finished)).toBe("hermes");
});

test("a server that disappears midway ends the probe immediately, and nothing is stored", async () => {
  const retry = { sleep: async () => undefined, random: () => 0 };
  const started = await start(probedModel(natively), {}, [], { retry });
  const events: ProbeEvent[] = [];
  const going = (async () => {
    for await (const event of started.probe.run(new AbortController().signal)) {
      events.push(event);
      if (events.length === 3) await started.close();
    }
  })();
  await expect(going).rejects.toThrow(ModelError);
  expect(events).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ measured: { tasks: 3, right: 3 } });
  expect(await started.stored()).toEqual([]);
});

test("a server that hangs up each time is asked again for three seconds, and then the probe fails", async () => {
  const waits: number[] = [];
  const retry = { sleep: async (ms: number) => void waits.push(ms), random: () => 0 };
  const faults = Array.from({ length: 10 }, () => "hang-up" as const);
  const { probe, stored } = await start(probedModel(natively), { faults }, [], { retry });
  await expect(run(probe)).rejects.toThrow(ModelError);
  expect(waits).toEqual([250, 500, 1_000]); // the next would end after 3.75 s
  expect(await stored()).toEqual([]);
});

test("an answer that breaks off midway counts as one failed task", async () => {
  let asked = 0;
  const slips: Speaker = (calls, how) => {
    asked += 1;
    return asked === 2
      ? [{ say: "Well" }, { fail: new ModelError("server", "Broken.") }]
      : natively(calls, how);
  };
  const { probe } = await start(probedModel(slips), {}, ["--dialect", "native"]);
  const { finished, problems } = await run(probe);
  expect(finished).toMatchObject([{ dialect: "native", tasks: all, right: all - 1 }]);
  expect(problems).toEqual([expect.stringContaining("Broken.")]);
});

test("an interruption ends the probe immediately, even while the model is answering", async () => {
  const stop = new AbortController();
  const asked = Promise.withResolvers<void>();
  const stalls: Speaker = () => {
    asked.resolve();
    return [{ wait: new Promise(() => undefined) }];
  };
  const { probe } = await start(probedModel(stalls));
  const running = run(probe, stop.signal);
  await asked.promise;
  stop.abort(new Error("interrupted"));
  await expect(running).rejects.toThrow("interrupted");
});

test("measuring one dialect keeps the records of the others and resets its own counts", async () => {
  const { probe, settings } = await start(probedModel(taught), {}, ["--dialect", "hermes"]);
  const store = await openStore(settings);
  if (!store.ok) throw new Error(store.problem);
  onTestFinished(() => store.value.close());
  await store.value.addCounts(probe.key, "native", { calls: 1, repairs: 0, refusals: 0 });
  await store.value.addCounts(probe.key, "hermes", { calls: 0, repairs: 0, refusals: 9 });
  const { finished } = await run(probe);
  expect(finished.map(({ dialect }) => dialect)).toEqual(["hermes"]);
  // Native tools were not measured: nothing is known to be better.
  expect(await probe.keep(finished)).toBe("native");
  expect(await store.value.dialectsOf(probe.key)).toEqual([
    {
      dialect: "hermes",
      counts: { calls: 0, repairs: 0, refusals: 0 },
      measured: expect.objectContaining({ right: all }),
    },
    { dialect: "native", counts: { calls: 1, repairs: 0, refusals: 0 } },
  ]);
});

test("a model with another chat template has a record of its own", async () => {
  const model = probedModel(inWays({ hermes: taught }));
  const { probe, settings } = await start(model, { template: "one" }, ["--dialect", "hermes"]);
  await probe.keep((await run(probe)).finished);
  const other = await serveModel(model, { template: "two" });
  onTestFinished(() => other.close());
  const again = await openProbe(settings, { OLLAMA_HOST: other.url });
  if (!again.ok) throw new Error(again.problem);
  onTestFinished(() => again.value.close());
  expect(again.value.key.template).not.toBe(probe.key.template);
  expect(probe.key.template).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ["an unknown dialect", ["--dialect", "klingon"], "There is no dialect"],
  ["a model that nobody has", ["--model", "nobody/nothing"], "nobody"],
])("%s is refused before the model is asked", async (_, flags, words) => {
  expect(await openProbe(await settingsFor(flags), {})).toMatchObject({
    ok: false,
    problem: expect.stringContaining(words),
  });
});

async function start(model: Model, options: ServeOptions = {}, flags: string[] = [], pace: ProbePace = {}) {
  const served = await serveModel(model, options);
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (!isClosed) await served.close();
    isClosed = true;
  };
  onTestFinished(close);
  const env = { OLLAMA_HOST: served.url };
  const settings = await settingsFor(["--model", `ollama/${model.name}`, ...flags]);
  const opened = await openProbe(settings, env, pace);
  if (!opened.ok) throw new Error(opened.problem);
  const probe = opened.value;
  onTestFinished(() => probe.close());
  /** The model as the next session opens it. */
  const next = async (more: string[] = []): Promise<Model> => {
    const dialect = more[1] ?? settings.dialect;
    const found = await openChosenModel({ ...settings, dialect }, env, memoryIn(openStore(settings)));
    if (!found.ok) throw new Error(found.problem);
    return found.value;
  };
  const stored = async (): Promise<DialectRecord[]> => {
    const store = await openStore(settings);
    if (!store.ok) throw new Error(store.problem);
    const records = await store.value.dialectsOf(probe.key);
    await store.value.close();
    return records;
  };
  return { probe, next, stored, settings, close };
}

async function settingsFor(flags: string[]): Promise<Config> {
  const stateDir = await mkdtemp(join(tmpdir(), "toolwright-state-"));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const parsed = parseArguments(["probe", ...flags, "--state-dir", stateDir], {});
  if (!parsed.ok) throw new Error(parsed.problem);
  const config = await loadConfig({ arguments: parsed.value, env: { HOME: "/nowhere" }, cwd: "/elsewhere" });
  if (!config.ok) throw new Error(config.problem);
  return config.value;
}

async function run(probe: Probe, signal: AbortSignal = new AbortController().signal) {
  const finished: Extract<ProbeEvent, { type: "dialect-done" }>["measured"][] = [];
  const gaveUp: string[] = [];
  const problems: string[] = [];
  for await (const event of probe.run(signal)) {
    if (event.type === "task-done") problems.push(...(event.problem === undefined ? [] : [event.problem]));
    else {
      finished.push(event.measured);
      if (event.gaveUp !== undefined) gaveUp.push(event.gaveUp);
    }
  }
  return { finished, gaveUp, problems };
}
