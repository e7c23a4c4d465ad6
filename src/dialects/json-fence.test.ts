import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { jsonFence } from "./json-fence.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";
import { readAnswer, tool } from "./testing/reading.ts";

const tools = [...few, tool("write_file", { path: "string", content: "string" }, ["path", "content"])];
const read = (text: string) => outcome(text, { tools, known: jsonFence });
const fence = (body: string, language = "json") => `\`\`\`${language}\n${body}\n\`\`\``;

test("fenced calls are read at the beginning of any line", () => {
  const text = `I roll.\n${fence(rollJson)}\nAnd then:\n\n${fence(`[${pingJson}, ${rollJson}]`)}\nDone.`;
  expect(read(text)).toEqual({
    text: "I roll.\nAnd then:\nDone.",
    reasoning: "",
    calls: [roll, ping, roll],
    ids: ["own_1", "own_2", "own_3"],
    sources: ["json-fence"],
    faults: [],
  });
  expect(read(`- first\n  ${fence(pingJson).replaceAll("\n", "\n  ")}`)).toMatchObject({
    text: "- first",
    calls: [ping],
  });
});

test("several calls are written to history as several fences", () => {
  const calls: WrittenCall[] = [
    { id: "1", name: "ping", input: {} },
    { id: "2", name: "roll", input: { sides: 6 } },
  ];
  const text = `${fence('{"name":"ping","arguments":{}}')}\n${fence('{"name":"roll","arguments":{"sides":6}}')}`;
  expect(jsonFence.writeCalls(calls)).toBe(text);
});

test.each(["", "tool_call", "JSON", "jsonc"])("the fence may have another language: %j", (language) => {
  expect(read(`${fence(rollJson, language)}\nok`)).toMatchObject({ text: "ok", calls: [roll] });
});

test("N15: from a model not taught the dialect, a fence among words is text", () => {
  const text = `I roll.\n${fence(rollJson)}`;
  expect(outcome(text, { tools })).toMatchObject({ text, calls: [] });
});

test.each([
  ["a name that no tool has (N6)", `Config:\n${fence('{"name": "x", "arguments": {}}')}\nok`],
  ["other JSON", `Config:\n${fence('{"sides": 6}')}\nok`],
  ["a definition (N8)", `${fence('{"name": "ping", "description": "Pings.", "parameters": {}}')}\nok`],
  ["an inline fence", `Inline \`\`\`json ${pingJson} \`\`\` ok`],
  ["a fence in a fence (N1)", `~~~~md\n${fence(pingJson)}\n~~~~\nok`],
  ["a quoted fence (N10)", `> \`\`\`json\n> ${pingJson}\n> \`\`\`\nok`],
])("%s stays text, and a call may follow", (_, text) => {
  expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
  expect(read(`${text}\n${fence(rollJson)}`)).toMatchObject({ text, calls: [roll] });
});

test("1.F: back-ticks inside strings do not end the fence, even after a raw line break", () => {
  const content = "# A\n```js\ncode\n```\n";
  for (const written of [JSON.stringify(content), `"${content}"`])
    expect(
      read(`${fence(`{"name": "write_file", "arguments": {"path": "a", "content": ${written}}}`)}\nok`),
    ).toMatchObject({
      text: "ok",
      calls: [["write_file", { path: "a", content }]],
    });
});

test("the fence may stay open or be followed by a leaked stop token or an invented result", () => {
  expect(read(`\`\`\`json\n${rollJson}`)).toMatchObject({ text: "", calls: [roll], faults: [] });
  expect(read(`${fence(rollJson)}<|im_end|>`)).toMatchObject({ text: "", calls: [roll], faults: [] });
  expect(read(`\`\`\`json\n${rollJson}\n<tool_response>4`)).toMatchObject({
    calls: [roll],
    faults: ["fabricated_result"],
  });
});

test("damage is repaired where possible: a guess is marked, a truncated call is refused", () => {
  const [call] = readAnswer(
    fence('{"name": "write_file", "arguments": {"path": "a", "content": "say "hi", ok"}}'),
    {
      tools,
      known: jsonFence,
    },
  ).calls;
  expect(call).toMatchObject({ input: { path: "a", content: 'say "hi", ok' }, repairs: [{ guess: true }] });
  expect(read(`${fence('{"name": "roll", "arguments": {"sides": 6,},}')} ok`)).toMatchObject({
    text: "ok",
    calls: [roll],
  });
  for (const reason of ["stop", "length"] as const) {
    const text = '```json\n{"name": "write_file", "arguments": {"path": "a", "content": "rm -rf /srv/ol';
    expect(outcome(text, { tools, known: jsonFence, reason })).toMatchObject({
      text: "",
      calls: [],
      faults: ["truncated"],
    });
  }
  expect(read(fence('{"name": "roll", "arguments": {"sides" 6}}')).faults).toEqual(["malformed_arguments"]);
});

test("a bracket that is missing before the fence ends is supplied, if nothing required is missing", () => {
  const text = '```json\n{"name": "roll", "arguments": {"sides": 6}\n```';
  expect(outcome(text, { tools: few, known: jsonFence })).toMatchObject({ calls: [roll], faults: [] });
  expect(outcome(text.replace('"sides": 6', ""), { tools: few, known: jsonFence }).calls).toEqual([]);
});
