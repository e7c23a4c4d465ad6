import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isJsonObject, parseJson, type Json, type JsonObject } from "../../base/json.ts";
import { inspectCalls, readCase, type CallReport } from "./inspect-calls.ts";

const fixtures = join(import.meta.dirname, "../../../test/fixtures");

/** Cases in which our result differs from the expected one but is defensible, with our reason. */
const otherwise: Readonly<Record<string, string>> = {
  "p-hermes-27": "tags around prose are shown as text, so that nothing the model said is lost",
};

type Case = { id: string; value: JsonObject; expected: JsonObject; isArguable: boolean };

function casesIn(file: string): Case[] {
  return readFileSync(join(fixtures, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const parsed = parseJson(line);
      if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`${file} has a line that is no case.`);
      const { expect: expected, arguable, ...value } = parsed.value;
      return {
        id: typeof value["id"] === "string" ? value["id"] : "",
        value,
        expected: expected !== undefined && isJsonObject(expected) ? expected : {},
        isArguable: arguable === true,
      };
    });
}

async function inspect(value: Json, chunk: number | undefined): Promise<CallReport> {
  const read = readCase(value);
  if (!read.ok) throw new Error(read.problem);
  return (await inspectCalls(read.value, chunk)).report;
}

const folded = (text: unknown): string =>
  (typeof text === "string" ? text : "").replaceAll(/\s+/g, " ").trim();

/** What is compared: text and reasoning with white space folded, calls exactly, ids only where they are given. */
function comparable(report: CallReport, expected: JsonObject): { got: unknown; wanted: unknown } {
  const calls = Array.isArray(expected["calls"]) ? expected["calls"].filter((one) => isJsonObject(one)) : [];
  const got = {
    text: folded(report.text),
    reasoning: folded(report.reasoning),
    errors: report.errors.toSorted(),
    calls: report.calls.map((call, at) => {
      const wanted = calls[at];
      const { name, arguments: input } = call;
      return wanted && "id" in wanted ? call : { name, arguments: input };
    }),
  };
  const wanted = {
    text: folded(expected["text"]),
    reasoning: folded(expected["reasoning"]),
    errors: Array.isArray(expected["errors"]) ? expected["errors"].map(String).toSorted() : [],
    calls: calls.map((call) => Object.fromEntries(Object.entries(call).filter(([key]) => key !== "kind"))),
  };
  return { got, wanted };
}

describe.each([
  ["calls.jsonl", 1],
  ["calls-roundtrip.jsonl", 0.99],
  ["more-calls.jsonl", 1],
])("%s", (file, share) => {
  const cases = casesIn(file);
  const reports = new Map<Case, Promise<CallReport>>();
  const atOnce = (one: Case): Promise<CallReport> => {
    const report = reports.get(one) ?? inspect(one.value, undefined);
    reports.set(one, report);
    return report;
  };

  test.each(["at once", "in pieces of one to seven characters"])(
    "every case that is not arguable is read exactly, %s",
    async (how) => {
      const wrong: unknown[] = [];
      for (const [at, one] of cases.entries()) {
        if (one.isArguable) continue;
        const report = how === "at once" ? await atOnce(one) : await inspect(one.value, 1 + (at % 7));
        const { got, wanted } = comparable(report, one.expected);
        const isRight = JSON.stringify(sorted(got)) === JSON.stringify(sorted(wanted));
        if (!isRight) wrong.push({ id: one.id, got, wanted });
      }
      expect(wrong.slice(0, Math.floor(cases.length * (1 - share)) === 0 ? undefined : 0)).toEqual([]);
      expect(wrong.length).toBeLessThanOrEqual(cases.length * (1 - share));
    },
  );

  test("no unexpected call is read, even in arguable cases, and every difference has a reason", async () => {
    for (const one of cases) {
      const report = await atOnce(one);
      const { got, wanted } = comparable(report, one.expected);
      if (JSON.stringify(sorted(got)) === JSON.stringify(sorted(wanted))) continue;
      const expected = JSON.stringify(sorted(one.expected["calls"]));
      for (const { name, arguments: input } of report.calls)
        expect(expected, one.id).toContain(JSON.stringify(sorted({ name, arguments: input })).slice(1, -1));
      const isRefused = report.errors.length > 0;
      expect(isRefused || one.id in otherwise, one.id).toBe(true);
    }
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, sorted(one)]),
  );
}

test.each<[string, Json, string]>([
  ["a list", [], "it is not a JSON object"],
  ["neither text nor wire", { id: "a" }, 'there is neither "text" nor "wire"'],
  [
    "an unknown wire",
    { wire: "morse", chunks: [] },
    expect.stringMatching(/^there is no wire "morse": those there are: .*ollama/u),
  ],
  ["an unknown dialect", { text: "", mode: "taught:latin" }, 'there is no dialect "latin"'],
  ["invalid tools", { text: "", tools: "all" }, '"tools" must be a list'],
  ["an invalid schema", { text: "", tools: [{ name: "a", schema: 1 }] }, "the schema of a must be an object"],
])("a case with %s is refused with its reason", (_, value, problem) => {
  expect(readCase(value)).toEqual({ ok: false, problem });
});

test("decisions list in text order how each mark was read and what became of each call", async () => {
  const read = readCase({
    text: 'Not `<tool_call>` but:\n<tool_call>{"name": "ping", "arguments": {"n": "1"}}</tool_call>',
    tools: [{ name: "ping", schema: { type: "object", properties: { n: { type: "integer" } } } }],
  });
  if (!read.ok) throw new Error(read.problem);
  const { report, decisions } = await inspectCalls(read.value);
  expect(report.calls).toMatchObject([{ name: "ping", arguments: { n: 1 } }]);
  expect(decisions[0]).toMatch(/^at 5: "<tool_call>" is text: it stands in code/);
  expect(decisions.at(-1)).toMatch(/^ping \(call_1, read as hermes\) is a call, repaired: /);
  expect(decisions.some((words) => words.endsWith("opens a call (hermes)"))).toBe(true);
});

test("N12: an error event in the stream is reported as a stream error, whatever its text, and no call is read", async () => {
  const lines = [
    '{"model":"m","message":{"role":"assistant","content":"Wait"},"done":false}\n',
    '{"error":"error parsing tool call: raw=\'{\', err=unexpected end of JSON input"}\n',
  ];
  const read = readCase({ id: "a", wire: "ollama-chat", chunks: lines, tools: [] });
  if (!read.ok) throw new Error(read.problem);
  expect((await inspectCalls(read.value)).report).toMatchObject({
    text: "Wait",
    calls: [],
    errors: ["stream_error"],
  });
});
