import * as fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { teach } from "../dialects/grammar/lesson.ts";
import { dialects } from "../dialects/index.ts";
import type { CallCounts } from "../protocol/dialect-record.ts";
import type { Message } from "../protocol/messages.ts";
import { ModelError, type ModelEvent } from "../protocol/model-events.ts";
import type { Model, Prompt } from "./provider.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from "./scripted-model.ts";
import { switching } from "./switching-model.ts";
import { chosenWay, waysOf, type ModelWays } from "./ways.ts";

const broken: ScriptedAnswer = [{ say: '<tool_call>\n{"name": "ping", "arguments": {"n": }}\n</tool_call>' }];
const good: ScriptedAnswer = [{ say: '<tool_call>\n{"name": "ping", "arguments": {"n": 1}}\n</tool_call>' }];
const native: ScriptedAnswer = [{ call: "ping", with: { n: 1 } }];
const words: ScriptedAnswer = [{ say: "Done." }];
const fenced: ScriptedAnswer = [{ say: '```json\n{"name": "ping", "arguments": {"n": 1}}\n```' }];
const cut: ScriptedAnswer = [{ say: '<tool_call>\n{"name": "ping", "argu' }, { end: "length" }];
const mixed: ScriptedAnswer = [
  ...broken,
  { say: '\n<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>' },
];
const lost = (fault: ModelError["fault"] = "malformed_by_provider"): ScriptedAnswer => [
  { fail: new ModelError("server", "error parsing tool call: raw='{\"n\":'", { status: 500, fault }) },
];

const dialectFor = (model: string, tools: boolean) => (bare: Model) =>
  waysOf(bare, { model, capabilities: { tools } });
const anyModel = dialectFor("m", true);
const withoutTools = dialectFor("m", false);

test("after two unreadable answers in a row the next way is used, with one notice", async () => {
  const { model, bare, ask } = start([broken, broken, good]);
  expect(notices(await ask())).toEqual([]);
  expect(model.notice).toBeUndefined();
  const told = notices(await ask());
  expect(told).toEqual([
    "The calls of two answers in a row could not be read (native tools), so from here on another way is used: it is taught to write its calls as text (hermes).",
  ]);
  expect(model.notice).toBe(told[0]);
  expect(callsOf(await ask())).toEqual(['ping {"n":1}']);
  expect(waysAsked(bare)).toEqual(["native", "native", "hermes"]);
});

test("after a switch the history is written in the new dialect", async () => {
  const { bare, ask } = start([broken, broken, good]);
  const call = { id: "1", name: "ping", input: { n: 7 }, source: "native" };
  const history: Message[] = [
    { role: "user", content: [{ type: "text", text: "go" }] },
    { role: "assistant", content: [{ type: "call", call }] },
    { role: "tool", callId: "1", name: "ping", content: [{ type: "text", text: "pong" }], isError: false },
  ];
  for (let times = 0; times < 3; times += 1) await ask({ messages: history });
  expect(bare.prompts[1]?.messages).toEqual(history);
  const written = JSON.stringify(bare.prompts[2]?.messages);
  expect(written).toContain('<tool_call>\\n{\\"name\\":\\"ping\\",\\"arguments\\":{\\"n\\":7}}');
  expect(written).not.toContain('"role":"tool"');
});

test.each([
  ["a call that was read, natively", native],
  ["a call that was read out of text", good],
  ["a call that was read beside one that was not", mixed],
])("%s resets the failure count", async (_, answer) => {
  const { bare, ask } = start([broken, answer, broken, words]);
  for (let times = 0; times < 4; times += 1) expect(notices(await ask())).toEqual([]);
  expect(waysAsked(bare)).toEqual(["native", "native", "native", "native"]);
});

test("plain text and answers cut by the length limit neither count as failures nor reset the count", async () => {
  const { bare, ask } = start([broken, words, cut, broken, good]);
  for (let times = 0; times < 5; times += 1) await ask();
  expect(waysAsked(bare)).toEqual(["native", "native", "native", "native", "hermes"]);
});

test("calls of an unknown tool do not switch the dialect", async () => {
  const wrong: ScriptedAnswer = [
    { say: '<tool_call>\n{"name": "nothing_known", "arguments": {}}\n</tool_call>' },
  ];
  const { bare, ask } = start([wrong, wrong, wrong], withoutTools);
  for (let times = 0; times < 3; times += 1) await ask();
  expect(waysAsked(bare)).toEqual(["hermes", "hermes", "hermes"]);
});

test.each(["malformed_by_provider", "empty_tool_use"] as const)(
  "if the server cannot read its model's calls (%s), the prompt is repeated as text at once, with a notice",
  async (fault) => {
    const { bare, ask } = start([lost(fault), fenced, native]);
    const events = await ask();
    expect(notices(events)).toEqual([
      expect.stringMatching(
        /^The server could not read the model's own calls \(error parsing.*asked again.*json-fence/,
      ),
    ]);
    expect(callsOf(events)).toEqual(['ping {"n":1}']);
    // One failure does not switch: the next request is native.
    expect(callsOf(await ask())).toEqual(['ping {"n":1}']);
    expect(waysAsked(bare)).toEqual(["native", "json-fence", "native"]);
  },
);

test("after two such server failures in a row, all later requests use text calls", async () => {
  const { bare, ask, model } = start([lost(), fenced, lost(), fenced, fenced]);
  await ask();
  expect(notices(await ask())).toEqual([expect.stringContaining("from here on another way is used")]);
  await ask();
  expect(waysAsked(bare)).toEqual(["native", "json-fence", "native", "json-fence", "json-fence"]);
  expect(model.notice).toContain("json-fence");
});

test("if the server refuses tools for the model, all later requests use text calls, with a notice", async () => {
  const refused = new ModelError(
    "bad-request",
    "The provider refused the request (400): m does not support tools.",
    {
      status: 400,
    },
  );
  const { bare, ask, model, counts } = start([[{ fail: refused }], good, words]);
  const events = await ask();
  expect(notices(events)).toEqual([
    "The server takes no tools for this model (The provider refused the request (400): m does not support tools): it is taught to write its calls as text (hermes).",
  ]);
  expect(model.notice).toBe(notices(events)[0]);
  await ask();
  expect(waysAsked(bare)).toEqual(["native", "hermes", "hermes"]);
  expect(counts[0]).toEqual(["native", { calls: 0, repairs: 0, refusals: 1 }]);
});

test("a failure over calls mid-stream is thrown, and the next request uses text calls", async () => {
  const [failure] = lost();
  const { bare, ask } = start([[{ say: "I will. " }, ...(failure ? [failure] : [])], fenced]);
  const first = await ask();
  expect(first.map(({ type }) => type)).toContain("text-delta");
  expect(notices(first)).toHaveLength(1);
  expect(bare.prompts).toHaveLength(1);
  expect(lastFailure).toMatchObject({ kind: "server", midStream: true, fault: "malformed_by_provider" });
  expect(callsOf(await ask())).toEqual(['ping {"n":1}']);
  expect(waysAsked(bare)).toEqual(["native", "json-fence"]);
});

test("the ways are native, the family's dialect, hermes, json-fence; at the last, three failures end the turn", async () => {
  const { bare, ask } = start(() => broken, dialectFor("qwen3-coder:30b", true));
  const told: string[] = [];
  for (let times = 0; times < 9; times += 1) told.push(...notices(await ask()));
  expect(waysAsked(bare).join(" ")).toBe(
    "native native qwen-xml qwen-xml hermes hermes json-fence json-fence json-fence",
  );
  expect(told).toHaveLength(3);
  expect(lastFailure).toMatchObject({
    kind: "malformed",
    inFull:
      "The model's calls could not be read 3 times in a row (native tools, qwen-xml, hermes, json-fence). Ask for less at a time, or see with `toolwright probe` which way suits it, or choose another model.",
  });
  lastFailure = undefined;
  await ask();
  expect(lastFailure).toBeUndefined();
});

test("a dialect chosen by the user is never switched, and its failure advises to leave the choice to Toolwright", async () => {
  const { bare, ask, model } = start(
    () => broken,
    (inner) => chosenWay(inner, hermes),
  );
  expect(model.notice).toBe("--dialect says so: it is taught to write its calls as text (hermes).");
  for (let times = 0; times < 3; times += 1) await ask();
  expect(waysAsked(bare)).toEqual(["hermes", "hermes", "hermes"]);
  expect(lastFailure?.advice).toContain("Let the dialect be `auto`, so that other ways are tried");
});

test("native tools chosen by the user are never replaced, but calls printed as text are parsed", async () => {
  const { bare, ask, model } = start([good, lost(), native], (inner) => chosenWay(inner, "native"));
  expect(callsOf(await ask())).toEqual(['ping {"n":1}']);
  await ask();
  expect(lastFailure).toMatchObject({
    fault: "malformed_by_provider",
    inFull: expect.stringMatching(
      /^error parsing .* Let the dialect be `auto`, so that other ways are tried\.$/,
    ),
  });
  await ask();
  expect(waysAsked(bare)).toEqual(["native", "native", "native"]);
  expect(model.notice).toBeUndefined();
});

test("a model without native tools has a notice that says so, after the server's own notice", async () => {
  expect(start([], withoutTools).model.notice).toBe(
    "This model has no native tools here: it is taught to write its calls as text (hermes).",
  );
  expect(start([], dialectFor("qwen3-coder", false)).model.notice).toContain(
    "and models of its name write calls that way: it is taught to write its calls as text (qwen-xml).",
  );
  const bare = scriptedModel([], { notice: "Slow today." });
  expect(switching(bare, withoutTools(bare)).notice).toMatch(/^Slow today\. This model has no native tools/);
  expect(switching(bare, anyModel(bare)).notice).toBe("Slow today.");
});

test("calls, repairs and refusals are counted per dialect, and an answer without a call is not counted", async () => {
  const { counts, ask } = start([words, native, broken, mixed, lost(), fenced]);
  for (let times = 0; times < 5; times += 1) await ask();
  expect(counts).toEqual([
    ["native", { calls: 1, repairs: 0, refusals: 0 }],
    ["native", { calls: 0, repairs: 0, refusals: 1 }],
    ["native", { calls: 1, repairs: 0, refusals: 1 }],
    ["native", { calls: 0, repairs: 0, refusals: 1 }],
    ["json-fence", { calls: 1, repairs: 0, refusals: 0 }],
  ]);
});

test("a failure that comes again in text was not a matter of calls: it is thrown and forgotten", async () => {
  const { bare, ask, counts } = start([lost(), lost(), lost(), fenced, native]);
  await ask();
  expect(lastFailure?.message).toContain("error parsing");
  for (let times = 0; times < 2; times += 1) expect(callsOf(await ask())).toEqual(['ping {"n":1}']);
  expect(waysAsked(bare)).toEqual(["native", "json-fence", "native", "json-fence", "native"]);
  expect(counts).toEqual([
    ["native", { calls: 0, repairs: 0, refusals: 1 }],
    ["json-fence", { calls: 1, repairs: 0, refusals: 0 }],
    ["native", { calls: 1, repairs: 0, refusals: 0 }],
  ]);
});

test("without tools nothing is counted or switched, and other failures are passed on", async () => {
  const { bare, ask, counts } = start([
    broken,
    broken,
    broken,
    [{ fail: new ModelError("auth", "No key.") }],
  ]);
  for (const more of [{ tools: [] }, { toolChoice: "none" as const }, { tools: [] }])
    expect(callsOf(await ask(more))).toEqual([]);
  await ask();
  expect(lastFailure?.message).toBe("No key.");
  expect(counts).toEqual([]);
  expect(bare.prompts).toHaveLength(4);
});

test("whatever a model answers, no switch happens without two failures in a row, and at most two in all", async () => {
  const kinds = { broken, native, good, words, cut, mixed, lost: lost() };
  const answer = fc.constantFrom(...Object.entries(kinds));
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { maxLength: 12 }), async (answers) => {
      const { bare, ask } = start([
        ...answers.map(([, one]) => one),
        ...Array.from({ length: 30 }, () => words),
      ]);
      const told: string[] = [];
      while (bare.prompts.length < answers.length) told.push(...notices(await ask()));
      const judged = answers.map(([kind]) => kind).filter((kind) => kind !== "words" && kind !== "cut");
      const fails = (kind: string | undefined) => kind === "broken" || kind === "lost";
      const changes = told.filter((words) => words.includes("another way is used"));
      // A borrowed way that works does not reset the other's failures: after "lost" the next answer is requested as text.
      const calm = judged.every((kind, at) => !fails(kind) || (kind !== "lost" && !fails(judged[at - 1])));
      if (calm) expect(changes).toEqual([]);
      expect(changes.length).toBeLessThanOrEqual(2);
      const order = ["native", "hermes", "json-fence"];
      const path = waysAsked(bare).map((way) => order.indexOf(way));
      expect(path.every((at) => at >= 0)).toBe(true);
      if (!answers.some(([kind]) => kind === "lost"))
        expect(Math.max(0, ...path)).toBeLessThanOrEqual(changes.length);
    }),
  );
});

test("an abort does not count as a failure of the dialect", async () => {
  const stop = new AbortController();
  const { model, counts } = start([[{ wait: new Promise(() => undefined) }]]);
  const asked = collect(model.ask(prompt, stop.signal));
  stop.abort(new Error("interrupted"));
  await expect(asked).rejects.toThrow("interrupted");
  expect(counts).toEqual([]);
});

const hermes = dialects["hermes"] ?? fail("hermes");
let lastFailure: ModelError | undefined;

const prompt: Prompt = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
  tools: [
    {
      name: "ping",
      description: "Pings.",
      schema: { type: "object", properties: { n: { type: "number" } } },
    },
  ],
};

function start(script: Parameters<typeof scriptedModel>[0], ways: (bare: Model) => ModelWays = anyModel) {
  lastFailure = undefined;
  const bare = scriptedModel(script, { pieces: 7 });
  const counts: [string, CallCounts][] = [];
  const model = switching(bare, ways(bare), { counted: (...told) => counts.push(told) });
  /** Returns the events; a failure is stored in `lastFailure`. */
  const ask = async (more: Partial<Prompt> = {}): Promise<ModelEvent[]> => {
    const events: ModelEvent[] = [];
    try {
      for await (const event of model.ask({ ...prompt, ...more }, new AbortController().signal))
        events.push(event);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      lastFailure = error;
    }
    return events;
  };
  return { bare, model, counts, ask };
}

const notices = (events: readonly ModelEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "notice" && event.code === "dialect-changed" ? [event.detail] : [],
  );

const callsOf = (events: readonly ModelEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "call-end" ? [`${event.call.name} ${JSON.stringify(event.call.input)}`] : [],
  );

/** The way used for each prompt, recognised by the dialect lesson in it. */
const waysAsked = ({ prompts }: ScriptedModel): string[] =>
  prompts.map(({ system, tools }) => {
    if (tools.length > 0) return "native";
    const taught = Object.values(dialects).find((dialect) => system.endsWith(teach(dialect, prompt.tools)));
    return taught?.name ?? "nothing";
  });

function fail(name: string): never {
  throw new Error(`There is no ${name}.`);
}
