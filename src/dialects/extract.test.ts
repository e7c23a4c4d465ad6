import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { anyCharacter } from "../base/testing/any-character.ts";
import type { ToolCall, ToolDescription } from "../protocol/messages.ts";
import { ModelError, type EndReason, type ModelEvent } from "../protocol/model-events.ts";
import { scale } from "../testing/scale.ts";
import type { Dialect } from "./dialect.ts";
import { extract } from "./extract.ts";
import { hermes } from "./hermes.ts";
import { allDialects } from "./index.ts";
import { extractorFor, readAnswer } from "./testing/reading.ts";

const ping = '<tool_call>\n{"name": "ping", "arguments": {"n": 1}}\n</tool_call>';
const pinged = { name: "ping", input: { n: 1 } };

test("plain text streams immediately and unchanged", () => {
  const extractor = extractorFor({ known: hermes });
  expect(extractor.push("Is 1 < 2, or <b>")).toEqual([{ type: "text-delta", text: "Is 1 < 2, or <b>" }]);
  expect(extractor.push(" so?\n")).toEqual([{ type: "text-delta", text: " so?" }]);
  expect(extractor.end("stop")).toEqual([{ type: "text-delta", text: "\n" }]);
});

test("only text that may still become an opener is held back", () => {
  const extractor = extractorFor({ known: hermes });
  expect(extractor.push("See <tool_c")).toEqual([{ type: "text-delta", text: "See" }]);
  expect(extractor.push("at> there")).toEqual([{ type: "text-delta", text: " <tool_cat> there" }]);
  expect(extractor.push(" <tool")).toEqual([]);
  expect(extractor.end("stop")).toEqual([{ type: "text-delta", text: " <tool" }]);
});

test.each([{ name: "any", known: undefined }, ...allDialects.map((known) => ({ name: known.name, known }))])(
  "within a line, no text is held back because a tool's name begins like it ($name)",
  ({ known }) => {
    for (const { name } of tools)
      for (const end of [name.slice(0, 1), name.slice(0, 2), name])
        expect(extractorFor({ known, tools }).push(`Once ${end}`)).toEqual([
          { type: "text-delta", text: `Once ${end}` },
        ]);
  },
);

test("a call is shown while it streams and reported only once it has definitely ended", () => {
  const extractor = extractorFor({ known: hermes, newId: () => "call_1" });
  expect(extractor.push('Now. <tool_call>{"name": "say", "arg')).toEqual([
    { type: "text-delta", text: "Now." },
    { type: "call-start", id: "call_1", name: "say" },
  ]);
  expect(extractor.push('uments": {"text": "a\n')).toEqual([
    { type: "call-delta", id: "call_1", json: '{"text": "a\\n' },
  ]);
  expect(extractor.push('b"}}')).toEqual([{ type: "call-delta", id: "call_1", json: 'b"}' }]);
  expect(extractor.push("\n</tool_call")).toEqual([]);
  const [end] = extractor.push(">");
  expect(end).toMatchObject({
    type: "call-end",
    call: { id: "call_1", input: { text: "a\nb" }, source: "hermes" },
  });
});

test("the call deltas join to the JSON of the arguments", () => {
  const hostile = {
    path: 'a"b\\',
    content: 'x </tool_call> \n\t\u2028 {"a": [1]} ```',
    deep: { list: [1, { b: "}" }] },
  };
  const text = hermes.writeCalls([{ id: "1", name: "write", input: hostile }]);
  fc.assert(
    fc.property(cuts, (places) => {
      const events = play(text, places);
      expect(JSON.parse(shown(events))).toEqual(hostile);
    }),
  );
});

test("calls get distinct ids", () => {
  const events = play(`${ping}\n${ping}`, []);
  const ids = told(events).map(({ id }) => id);
  expect(ids[0]).toMatch(/^call_[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(2);
});

test.each([
  ["N1: a fenced block", `How:\n\`\`\`xml\n${ping}\n\`\`\`\nDone.`],
  ["N1: a fence of tildes, indented in a list", `- So:\n    ~~~\n    ${ping}\n    ~~~`],
  ["N1: a longer fence around a shorter one", `\`\`\`\`\n\`\`\`\n${ping}\n\`\`\`\`\nok`],
  ["N1: a fence that never closes", `Log:\n\`\`\`\n${ping}`],
  ["N1: indented code after a blank line", `So:\n\n    ${ping.replaceAll("\n", "\n    ")}\n\nok`],
  ["N2: inline code", "It waits for `" + ping.replaceAll("\n", "") + "` here."],
  ["N2: inline code in double back-ticks", "Use `` ` " + ping.replaceAll("\n", "") + "`` here."],
  ["N10: a block quote", `You wrote:\n> ${ping.replaceAll("\n", "")}\nDid you?`],
  ["N16: an HTML comment", `<!-- ${ping} -->\nSee above.`],
  ["N20: quoted speech", `He said "${ping.replaceAll("\n", "")}" to me.`],
  ["N20: program text", `const call =${ping.replaceAll("\n", "")};`],
  ["N4: the tag named in a sentence", "Everything after <tool_call> must be one JSON object."],
  ["N4: the tag with an empty object", "Write <tool_call>{}</tool_call>."],
])("%s only shows a call and stays text", (_, text) => {
  const events = play(text, []);
  expect({ text: said(events), calls: told(events) }).toEqual({ text, calls: [] });
});

test("a stray back-tick or an odd apostrophe does not swallow a later call", () => {
  const events = play(`It's the \` key, if t<0 && wind>5.\n${ping}`, []);
  expect(told(events)).toMatchObject([pinged]);
  expect(said(events)).toBe("It's the ` key, if t<0 && wind>5.");
});

test("a call after a fenced example in the same message is a call", () => {
  const events = play(`Format:\n\`\`\`xml\n${ping}\n\`\`\`\nFor real:\n${ping}`, []);
  expect(told(events)).toMatchObject([pinged]);
});

test("reasoning is separated from text, and the white space around it is layout", () => {
  const events = play(`<think>\nPing it.\n</think>\n\nI ping.\n${ping}`, []);
  expect({ text: said(events), thought: thought(events) }).toEqual({ text: "I ping.", thought: "Ping it." });
  expect(events.filter(({ type }) => type === "reasoning-end")).toHaveLength(1);
});

test("N5: a call inside closed reasoning never runs", () => {
  const events = play(`<think>Maybe ${ping}? No.</think>I would rather not.`, []);
  expect(told(events)).toEqual([]);
  expect({ text: said(events), thought: thought(events) }).toEqual({
    text: "I would rather not.",
    thought: `Maybe ${ping}? No.`,
  });
});

test("N5: an answer that is nothing but a call in closed reasoning is told so, unless the answer hit the length limit", () => {
  const text = `<think>${ping}</think>`;
  expect(told(play(text, []))).toMatchObject([{ input: {}, fault: "call_in_reasoning" }]);
  expect(told(play(text, [], "length"))).toEqual([]);
});

test("what stands before a closing tag of reasoning was the reasoning, once, and only before any call", () => {
  const types = (text: string, known: Dialect = hermes) =>
    readAnswer(text, { known, tools }).events.map(({ type }) => type);
  expect(types("Hm.</think>Yes.")).toEqual(["text-delta", "text-was-reasoning", "text-delta"]);
  expect(types("</think>Yes.")).toEqual(["text-delta"]);
  expect(types("<think>Hm.</think>Yes.</think>No.")).not.toContain("text-was-reasoning");
  expect(types(`${ping}Yes.</think>No.`)).not.toContain("text-was-reasoning");
  const bare = 'Hm.\n</think>\n{"name": "ping", "arguments": {"n": 1}}';
  expect(readAnswer(bare, { tools }).calls).toMatchObject([pinged]);
});

test("a call in reasoning that never closes is a call, unless the answer hit the length limit", () => {
  const text = `<think>I ping it.\n${ping}`;
  expect(told(play(text, []))).toMatchObject([pinged]);
  expect(thought(play(text, []))).toBe("I ping it.");
  const cutOff = play(text, [], "length");
  expect({ calls: told(cutOff), thought: thought(cutOff) }).toEqual({
    calls: [],
    thought: `I ping it.\n${ping}`,
  });
});

test("a reasoning tag in a sentence is text, and a closing tag of reasoning opened in the prompt is dropped", () => {
  expect(said(play("The tag <think> opens it.", []))).toBe("The tag <think> opens it.");
  expect(said(play("So I answer.</think>Yes.", []))).toBe("So I answer.Yes.");
});

test("N9, N18: an invented result or next turn ends the message", () => {
  const results = play(`${ping}\n<tool_response>\npong\n</tool_response>\n${ping}`, []);
  expect({ text: said(results), calls: told(results).length }).toEqual({ text: "", calls: 1 });
  const turn = play(
    `A four.<|im_end|>\n<|im_start|>user\nagain<|im_end|>\n<|im_start|>assistant\n${ping}`,
    [],
  );
  expect({ text: said(turn), calls: told(turn) }).toEqual({ text: "A four.", calls: [] });
  const unclosed = play('<tool_call>{"name": "ping", "arguments": {"n": 1}}<|im_end|>', []);
  expect(told(unclosed)).toMatchObject([pinged]);
});

test("N11: an unclosed call never runs after a length stop, even when its JSON is whole", () => {
  const events = play('<tool_call>\n{"name": "ping", "arguments": {"n": 1}}', [], "length");
  expect(told(events)).toMatchObject([
    { name: "ping", input: {}, problem: expect.stringMatching(/^truncated/) },
  ]);
});

test("N12: when the stream fails, finished calls and held text are passed on, and the error propagates", async () => {
  const failure = new ModelError("network", "The connection broke off.", { midStream: true });
  async function* events(): AsyncGenerator<ModelEvent> {
    yield { type: "answer-start", model: "m" };
    yield { type: "text-delta", text: `${ping} then <tool` };
    throw failure;
  }
  const seen: ModelEvent[] = [];
  const reading = (async () => {
    for await (const event of extract(events(), { dialects: [hermes], known: hermes, tools }))
      seen.push(event);
  })();
  await expect(reading).rejects.toBe(failure);
  expect(told(seen)).toHaveLength(1);
  expect(said(seen)).toBe("then <tool");
});

test("when the stream fails inside a thought, what was withheld of it is told, and the thought is ended", () => {
  const extractor = extractorFor({ known: hermes });
  expect(extractor.push("<think>\nHm, <tool")).toEqual([{ type: "reasoning-delta", text: "Hm," }]);
  expect(extractor.flush()).toEqual([{ type: "reasoning-delta", text: " <tool" }, { type: "reasoning-end" }]);
  expect(extractor.push("more")).toEqual([]);
});

test("answer-end follows usage and says tool-calls if there were calls, unless the length limit was hit", async () => {
  const usage = { type: "usage", usage: { inputTokens: 1, outputTokens: 2 } };
  expect(await ends(`${ping} <tool`, "stop")).toEqual([usage, { type: "answer-end", reason: "tool-calls" }]);
  expect(await ends("Hi", "tool-calls")).toEqual([usage, { type: "answer-end", reason: "stop" }]);
  expect(await ends(`${ping}\n<tool_call>{"na`, "length")).toEqual([
    usage,
    { type: "answer-end", reason: "length" },
  ]);
});

test("without offered tools everything is text", async () => {
  const events = await collect(
    extract(answerEvents(ping, "stop"), { dialects: [hermes], known: hermes, tools: [] }),
  );
  expect(events).toEqual(await collect(answerEvents(ping, "stop")));
});

test("a call of a tool that was not offered is passed on", async () => {
  const events = await collect(answer('<tool_call>{"name": "launch", "arguments": {}}</tool_call>', "stop"));
  expect(told(events)).toMatchObject([{ name: "launch", input: {} }]);
});

test("of a thousand calls in one answer, only thirty-three are reported", () => {
  expect(told(play(`${ping}\n`.repeat(1000), []))).toHaveLength(33);
});

test("the events do not depend on how the text is chunked", () => {
  const piece = fc.constantFrom(
    "Hello ",
    "\n",
    "\n\n",
    "    ",
    "`",
    "```",
    "~~~\n",
    "> ",
    "<!-- ",
    " -->",
    '"',
    "<",
    "<tool_call>",
    "</tool_call>",
    "</tool_calls>",
    "<think>",
    "</think>",
    "<tool_response>",
    "<|im_end|>",
    "{",
    "}",
    "[",
    ",",
    ":",
    "\\",
    "日本",
    "😀",
    '{"name": "ping", "arguments": {"n": 1}}',
    '{"name": "say", "text": "</tool_call>"}',
    ping,
    '{"name": "w", "arguments": {"c": "a </tool_call> <tool_call> b',
    '"}}',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 14 }),
      cuts,
      fc.constantFrom("stop", "length"),
      (pieces, places, reason) => {
        const text = pieces.join("");
        expect(merged(play(text, places, reason))).toEqual(merged(play(text, [], reason)));
      },
    ),
    { numRuns: 250 * scale },
  );
});

test("the events of a call that ends at an invented turn do not depend on the chunking", () => {
  // Regression: the arguments before the marker were shown only if they arrived in an earlier chunk.
  const text = `<tool_call>{"name": "w", "arguments": {"c": "a </tool_call> <tool_call> b"<|im_end|>`;
  for (let place = 1; place < text.length; place += 1)
    expect(merged(play(text, [place], "stop"))).toEqual(merged(play(text, [], "stop")));
});

test("whatever the input, nothing is thrown, and every started call is ended", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), cuts, (noise, places) => {
      const events = play(`<tool_call>{"name": "a", "arguments": {"x": ${noise}`, places);
      const started = events.flatMap((event) => (event.type === "call-start" ? [event.id] : []));
      expect(told(events).map(({ id }) => id)).toEqual(started);
    }),
  );
});

test.each([
  ["prose", (n: number) => "word ".repeat(n)],
  ["a storm of near-openers", (n: number) => "<tool_cal ".repeat(n)],
  ["a storm of openers", (n: number) => "<tool_call>".repeat(n)],
  ["openers before white space", (n: number) => `<tool_call>${" ".repeat(60)}x`.repeat(n / 16)],
  [
    "a storm of closers in a string",
    (n: number) => `<tool_call>{"name": "a", "c": "${"</tool_call>".repeat(n)}`,
  ],
  ["openers in an open object", (n: number) => `<tool_call>{"name": "a", ${"<tool_call>{".repeat(n)}`],
  ["nested braces", (n: number) => `<tool_call>{"a":${"{".repeat(n)}`],
  ["open reasoning full of openers", (n: number) => `<think>${'<tool_call>{"a": '.repeat(n)}`],
  ["an open fence", (n: number) => "```\n" + "<tool_call>\n".repeat(n)],
  ["back-ticks", (n: number) => "`<".repeat(n)],
  ["one long string", (n: number) => `<tool_call>{"name": "a", "c": "${"x".repeat(8 * n)}"}</tool_call>`],
])("the work grows linearly with the text: %s", (_, make) => {
  const looked = (n: number): number => {
    const extractor = extractorFor({ known: hermes });
    for (const character of make(n)) extractor.push(character);
    extractor.end("stop");
    return extractor.looked;
  };
  const [small, large] = [looked(400), looked(1600)];
  expect(large).toBeLessThan(4.5 * small);
});

test("a call of more than 8 MiB is refused while it comes, and nothing behind it is read", () => {
  const extractor = extractorFor({ known: hermes });
  extractor.push(`${ping}<tool_call>{"name": "say", "arguments": {"text": "`);
  const [end] = extractor.push("x".repeat(8 * 1024 * 1024)).filter(({ type }) => type === "call-end");
  expect(end).toMatchObject({
    call: {
      problem: "The call is longer than 8.0 MiB. Nothing was run. Send it again in smaller parts.",
      fault: "malformed_arguments",
    },
  });
  expect(extractor.push(`"}}</tool_call>\n${ping}`)).toEqual([]);
  expect(extractor.end("stop")).toEqual([]);
  expect(extractor.calls).toBe(2);
});

test("a megabyte of unescaped quotation marks is read", () => {
  const body = `{"name": "a", "arguments": {"c": "${'say "hi", '.repeat(100_000)}"}}`;
  const [call] = told(play(`<tool_call>${body}</tool_call>`, []));
  expect(call?.problem ?? call?.input["c"]).toBe('say "hi", '.repeat(100_000));
});

const tools: ToolDescription[] = [{ name: "ping", description: "Pings.", schema: { type: "object" } }];
const cuts = fc.array(fc.nat(400), { maxLength: 12 });

function play(text: string, places: readonly number[], reason: EndReason = "stop"): ModelEvent[] {
  const extractor = extractorFor({ known: hermes });
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  const events = [...ends, text.length].flatMap((end, index) =>
    extractor.push(text.slice(ends[index - 1] ?? 0, end)),
  );
  return [...events, ...extractor.end(reason)];
}

async function* answerEvents(text: string, reason: EndReason): AsyncGenerator<ModelEvent> {
  yield { type: "answer-start", model: "m" };
  yield { type: "text-delta", text };
  yield { type: "usage", usage: { inputTokens: 1, outputTokens: 2 } };
  yield { type: "answer-end", reason };
}

const answer = (text: string, reason: EndReason) =>
  extract(answerEvents(text, reason), { dialects: [hermes], known: hermes, tools });
const ends = async (text: string, reason: EndReason) => (await collect(answer(text, reason))).slice(-2);
const told = (events: readonly ModelEvent[]): ToolCall[] =>
  events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));
const said = (events: readonly ModelEvent[]): string => texts(events, "text-delta");
const thought = (events: readonly ModelEvent[]): string => texts(events, "reasoning-delta");
const shown = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "call-delta" ? event.json : "")).join("");
const texts = (events: readonly ModelEvent[], type: ModelEvent["type"]): string =>
  events.map((event) => (event.type === type && "text" in event ? event.text : "")).join("");

/** Neighbouring deltas joined and ids replaced by their order: what must not depend on the chunking. */
function merged(events: readonly ModelEvent[]): unknown[] {
  const ids = new Map<string, string>();
  const order = (id: string): string => ids.get(id) ?? (ids.set(id, `call ${ids.size}`), `call ${ids.size}`);
  const out: Record<string, unknown>[] = [];
  for (const event of events) {
    const plain: Record<string, unknown> =
      event.type === "call-end"
        ? { ...event, call: { ...event.call, id: order(event.call.id) } }
        : "id" in event
          ? { ...event, id: order(event.id) }
          : { ...event };
    const last = out.at(-1);
    const field = "text" in plain ? "text" : "json";
    if (
      last &&
      last["type"] === plain["type"] &&
      last["id"] === plain["id"] &&
      field in plain &&
      field in last
    )
      last[field] = `${String(last[field])}${String(plain[field])}`;
    else out.push(plain);
  }
  return out;
}

test("N9: a heading that looks like a result's is text unless a call precedes it", () => {
  const heading = "First.\n## Return of functions.\nThey return a number.";
  expect(readAnswer(heading, { tools }).text).toBe(heading);
  const invented = `<|tool_call_begin|>functions.ping:0<|tool_call_argument_begin|>{}<|tool_call_end|>\n## Return of functions.ping:0\npong`;
  expect(readAnswer(invented, { tools })).toMatchObject({ text: "", notices: ["fabricated_result"] });
});

test.each(['{"__proto__": {"x": 1}}', '{"a": [{"__proto__": 1}]}'])(
  "N17: the key __proto__ is an error also where a tool takes anything: %s",
  async (json) => {
    const anything = [{ name: "any", description: "", schema: { type: "object" } }];
    const text = `<tool_call>{"name": "any", "arguments": ${json}}</tool_call>`;
    const native: ToolCall = { id: "1", name: "any", input: JSON.parse(json), source: "native" };
    for (const event of [
      { type: "text-delta", text } as const,
      { type: "call-end", call: native } as const,
    ]) {
      async function* events(): AsyncGenerator<ModelEvent> {
        yield event;
        yield { type: "answer-end", reason: "stop" };
      }
      const all = await collect(extract(events(), { tools: anything, dialects: allDialects }));
      expect(all.find(({ type }) => type === "call-end")).toMatchObject({
        call: { name: "any", input: {}, fault: "invalid_arguments" },
      });
    }
  },
);
