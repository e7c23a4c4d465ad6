import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import type { ToolDescription } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { asText } from "../providers/taught-model.ts";
import { scale } from "../testing/scale.ts";
import { checkCall } from "../tools/arguments/check-call.ts";
import { constraintOf } from "./constraint/constraint.ts";
import { jsonAnswer } from "./json-answer.ts";
import { readGbnf } from "./testing/gbnf.ts";
import { extractorFor, readAnswer, toldCalls, tool } from "./testing/reading.ts";

const tools = [tool("read_file", { path: "string" }, ["path"]), tool("ping", {})];
const read = (text: string, reason: "stop" | "length" = "stop") =>
  readAnswer(text, { known: jsonAnswer, tools, chunk: 3, reason });

test("the text is told as it comes, and each call as soon as it is complete", () => {
  const extractor = extractorFor({ known: jsonAnswer, tools });
  const step = (text: string): string[] => extractor.push(text).flatMap(inWords);
  expect(step('{"say": "I rea')).toEqual(["I rea"]);
  expect(step("d two ")).toEqual(["d two"]);
  expect(step('files.\\nNow", "calls": [')).toEqual([" files.", "\nNow"]);
  expect(step('{"name": "read_file", "arguments": {"path": "a"}}').at(-1)).toBe('read_file {"path":"a"}');
  expect(
    step(', {"name": "read_file", "arguments": {"path": "b"').filter((one) => one.includes("{")),
  ).toEqual([]);
  expect(step("}}").at(-1)).toBe('read_file {"path":"b"}');
  expect(step("]}")).toEqual([]);
  expect(extractor.end("stop").flatMap(inWords)).toEqual([]);
});

function inWords(event: ModelEvent): string[] {
  if (event.type === "text-delta") return [event.text];
  return event.type === "call-end" ? [`${event.call.name} ${JSON.stringify(event.call.input)}`] : [];
}

test("escapes of the text are undone, also across pieces", () => {
  const said = '„Grüße“ "so" \\ / \t\n🚀 \u0001';
  const text = jsonAnswer.writeAnswer?.(said, []) ?? "";
  expect(read(text).text).toBe(said.trim());
  const escaped = text.replaceAll(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  expect(read(escaped).text).toBe(said.trim());
});

test("an answer without calls is text; one without text has calls only; the calls may come first", () => {
  expect(read('{"say": "Done.", "calls": []}')).toMatchObject({ text: "Done.", calls: [] });
  expect(toldCalls(read('{"say": "", "calls": [{"name": "ping", "arguments": {}}]}'))).toEqual([
    ["ping", {}],
  ]);
  expect(toldCalls(read('{"calls": [{"name": "ping", "arguments": {}}]}'))).toEqual([["ping", {}]]);
  expect(read('{\n  "say" : "Hi.",\n  "calls" : [ ]\n}\n').text).toBe("Hi.");
});

test("an answer in a fence counts as well, other fences are text", () => {
  const fenced = '```json\n{"say": "I ping.", "calls": [{"name": "ping", "arguments": {}}]}\n```\n';
  expect(toldCalls(read(fenced))).toEqual([["ping", {}]]);
  expect(read(fenced).text).toBe("I ping.");
  const other = '```json\n{"sum": 1}\n```\n\n```js\nlet a;\n```';
  expect(read(other)).toMatchObject({ text: other, calls: [] });
});

test("what was cut off does not run", () => {
  const cut = read('{"say": "I will", "calls": [{"name": "read_file", "arguments": {"path": "a', "length");
  expect(cut.text).toBe("I will");
  expect(toldCalls(cut)).toEqual([["read_file", "truncated"]]);
  expect(read('{"say": "I wi', "length")).toMatchObject({ text: "I wi", calls: [] });
});

test("plain text, other JSON and a mention are text", () => {
  for (const text of [
    "Just words.",
    '{"saying": "x"}',
    '{"say": 1}',
    'I write {"say": "x", "calls": []} then.',
  ])
    expect(read(text)).toMatchObject({ text, calls: [] });
});

test("in the history an answer is one object of its text and its calls", () => {
  const call = { id: "1", name: "ping", input: {}, source: "json-answer" };
  const { messages } = asText(
    {
      system: "",
      tools,
      messages: [
        { role: "user", content: [{ type: "text", text: "Go." }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I ping." },
            { type: "call", call },
          ],
        },
        {
          role: "tool",
          callId: "1",
          name: "ping",
          content: [{ type: "text", text: "pong" }],
          isError: false,
        },
        { role: "assistant", content: [{ type: "text", text: "It answers." }] },
      ],
    },
    jsonAnswer,
  );
  expect(messages.flatMap(({ role, content }) => (role === "assistant" ? content : []))).toEqual([
    { type: "text", text: '{"say":"I ping.","calls":[{"name":"ping","arguments":{}}]}' },
    { type: "text", text: '{"say":"It answers.","calls":[]}' },
  ]);
});

test("its schema allows the offered tools with their arguments, and as many calls as are wanted", () => {
  const constraint = constraintOf(jsonAnswer, "schema", {
    tools,
    toolChoice: { name: "ping" },
    oneCall: true,
  });
  expect(constraint).toEqual({
    type: "schema",
    schema: {
      type: "object",
      properties: {
        say: { const: "" },
        calls: {
          type: "array",
          items: {
            anyOf: [
              {
                type: "object",
                properties: {
                  name: { const: "ping" },
                  arguments: { type: "object", properties: {}, required: [], additionalProperties: false },
                },
                required: ["name", "arguments"],
                additionalProperties: false,
              },
            ],
          },
          minItems: 1,
          maxItems: 1,
        },
      },
      required: ["say", "calls"],
      additionalProperties: false,
    },
  });
});

test("as a grammar it holds the arguments to their bounds, and every call that it lets through is valid", () => {
  const point: ToolDescription = {
    name: "add_point",
    description: "",
    schema: {
      type: "object",
      properties: { latitude: { type: "number", minimum: -90, maximum: 90 }, near: { $ref: "#/$defs/near" } },
      required: ["latitude"],
      $defs: { near: { type: "integer", exclusiveMinimum: 0, multipleOf: 5 } },
    },
  };
  const offered = [point, ...tools];
  const constraint = constraintOf(jsonAnswer, "grammar", { tools: offered, toolChoice: "required" });
  const gbnf = readGbnf(constraint?.type === "grammar" ? constraint.grammar : "");
  const called = (name: string, input: JsonObject): string =>
    jsonAnswer.writeAnswer?.("", [{ id: "1", name, input }]) ?? "";
  const [inside, outside] = [{ latitude: -89.5, near: 15 }, { latitude: 180 }];
  expect(
    [called("add_point", inside), called("add_point", outside), called("ping", {}), called("pong", {})].map(
      gbnf.accepts,
    ),
  ).toEqual([true, false, true, false]);
  expect(gbnf.accepts('{"say": "", "calls": []}')).toBe(false);
  const numbers = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
  fc.assert(
    fc.property(numbers, (stream) => {
      const text = gbnf.derive(() => stream.next().value ?? 0, 300);
      const { calls } = readAnswer(text, { known: jsonAnswer, tools: offered });
      const wrong = calls.filter((call) => !checkCall(call, { tools: offered }).ok);
      expect([text, calls.length > 0, wrong]).toEqual([text, true, []]);
    }),
    { numRuns: 100 * scale },
  );
});
