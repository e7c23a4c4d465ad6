import { expect, test } from "vitest";
import { fencedJson } from "./fenced-json.ts";
import { hermes } from "./hermes.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";
import { extractorFor, readAnswer, tool } from "./testing/reading.ts";

const tools = [...few, tool("write_file", { path: "string", content: "string" }, ["path", "content"])];
const read = (text: string) => outcome(text, { tools });
const fence = (body: string, language = "json") => `\`\`\`${language}\n${body}\n\`\`\``;

test("a fenced call is a call if it is the whole message", () => {
  expect(fencedJson.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(
    fence('{"name":"roll","arguments":{"sides":6}}'),
  );
  for (const language of ["json", "JSON", "", "tool_call", "tool-call", "xml"])
    expect(read(`${fence(rollJson, language)}\n`)).toEqual({
      text: "",
      reasoning: "",
      calls: [roll],
      ids: ["own_1"],
      sources: ["fenced-json"],
      faults: [],
    });
});

test.each([
  ["a list", fence(`[${pingJson}, ${rollJson}]`)],
  ["separate lines", fence(`${pingJson}\n${rollJson}`)],
  ["several fences", `${fence(pingJson)}\n\n${fence(rollJson)}`],
])("several calls are read from %s", (_, text) => {
  expect(read(text)).toMatchObject({ text: "", calls: [ping, roll] });
});

test.each([
  `<tool_call>\n${rollJson}\n</tool_call>`,
  "<tool_call>\n<function=roll>\n<parameter=sides>\n6\n</parameter>\n</function>\n</tool_call>",
  '[TOOL_CALLS]roll[ARGS]{"sides": 6}',
  `functools[${rollJson}]`,
])("a fence may hold a call in the markers of another dialect: %s", (body) => {
  for (const language of ["xml", "", "json", "tool_call"])
    expect(read(fence(body, language))).toMatchObject({ text: "", calls: [roll], sources: ["fenced-json"] });
});

test("back-ticks inside the JSON do not end the fence, which may stay open or end on the same line", () => {
  const input = { path: "a.md", content: "# A\n```js\ncode\n```\n" };
  expect(read(fence(JSON.stringify({ name: "write_file", arguments: input }))).calls).toEqual([
    ["write_file", input],
  ]);
  expect(read(`\`\`\`json\n${rollJson}`).calls).toEqual([roll]);
  expect(read(`\`\`\`json ${rollJson} \`\`\``).calls).toEqual([roll]);
});

test("reasoning may precede the fence, and a leaked stop token may follow it", () => {
  expect(read(`<think>Six.</think>\n${fence(rollJson)}<|im_end|>`)).toMatchObject({
    text: "",
    reasoning: "Six.",
    calls: [roll],
  });
});

test.each([
  ["N1: a fence after words", `Look:\n\n${fence(rollJson)}`],
  ["N1: a fence before words", `${fence(rollJson)}\n\nThat is how it looks.`],
  [
    "N1: a marked call in a fence after words",
    `Hermes writes:\n\n${fence(`<tool_call>${rollJson}</tool_call>`, "xml")}`,
  ],
  ["N6: a name that no tool has", fence('{"name": "Rex", "arguments": {}}')],
  [
    "N6: a marked call of an unknown tool",
    fence('<tool_call>{"name": "Rex", "arguments": {}}</tool_call>', "xml"),
  ],
  ["N8: a definition", fence('{"name": "ping", "description": "Pings.", "parameters": {}}')],
  ["a fence with more than a call", fence(`<tool_call>${rollJson}</tool_call>\nis a call`, "xml")],
  ["a damaged marked call", fence('<tool_call>{"name": "roll", "arg', "xml")],
  ["a program", fence("roll(6)", "python")],
  ["a program that looks like JSON", fence(rollJson, "javascript")],
  ["a page", fence("<project>\n</project>", "xml")],
  ["an open fence", "```json"],
])("%s is text", (_, text) => {
  expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
});

test("N11: a call truncated inside the fence is refused", () => {
  const text = '```json\n{"name": "write_file", "arguments": {"path": "a", "content": "rm -rf /srv/ol';
  expect(outcome(text, { tools, reason: "length" })).toMatchObject({
    text: "",
    calls: [],
    faults: ["truncated"],
  });
});

test("from a model taught another dialect, a fence at the end of the answer is a call, as a guess", () => {
  const text = `I roll.\n${fence(rollJson)}`;
  expect(outcome(text, { tools, known: hermes })).toMatchObject({ text: "I roll.", calls: [roll] });
  expect(readAnswer(text, { tools, known: hermes }).calls[0]?.repairs).toMatchObject([{ code: "unmarked" }]);
  expect(readAnswer(text, { tools, known: fencedJson }).calls[0]?.repairs).toBeUndefined();
});

test("other fences stream without delay", () => {
  for (const text of ["```xml\n<project", '```json\n{"city"', "```ts\nconst", "```\nlog"]) {
    const extractor = extractorFor({ tools });
    const said = Array.from(text).flatMap((mark) => extractor.push(mark));
    expect(said.map((event) => (event.type === "text-delta" ? event.text : "")).join("")).toBe(text);
  }
});

test.each([
  ["any tag", `<response>\n${rollJson}\n</response>`],
  ["a tag on one line", `<tool>${rollJson}</tool>`],
  ["a tag around a list", `<functions>\n[${rollJson}]\n</functions>`],
  ["a tag without its end", `<response>\n${rollJson}`],
  ["a damaged call in a tag", `<action>{'name': 'roll', 'arguments': {'sides': 6,}}</action>`],
])("JSON in %s that no dialect has is a call if it is the whole message", (_, text) => {
  expect(read(text)).toMatchObject({ text: "", calls: [roll], faults: [] });
});

test("several tags, and tags in strings", () => {
  expect(read(`<a>${pingJson}</a>\n<b>${rollJson}</b>`).calls).toEqual([ping, roll]);
  const input = { path: "a", content: "x</response>\n<response> it's" };
  const text = `<response>${JSON.stringify({ name: "write_file", arguments: input })}</response>`;
  expect(read(text).calls).toEqual([["write_file", input]]);
});

test("with words before it, such a tag is a call only from a model that was taught a dialect, as a guess (N7)", () => {
  const text = `I roll.\n<response>\n${rollJson}\n</response>`;
  expect(read(text)).toMatchObject({ text, calls: [] });
  expect(outcome(text, { tools, known: hermes })).toMatchObject({ text: "I roll.", calls: [roll] });
  expect(readAnswer(text, { tools, known: hermes }).calls[0]?.repairs).toMatchObject([{ guess: true }]);
});

test.each([
  ["code", `<code>${rollJson}</code>`],
  ["preformatted text", `<pre>\n${rollJson}\n</pre>`],
  ["an example", `<example>\n${rollJson}\n</example>`],
  ["a script", `<script>${rollJson}</script>`],
  ["a quotation", `<blockquote>${rollJson}</blockquote>`],
  ["words behind the tag", `<response>${rollJson}</response>\nis what it sent.`],
  ["words in the tag", `<response>I send ${rollJson}</response>`],
  ["a quotation behind it", `<response>${rollJson}</response> "so it said"`],
  ["an unknown tool", '<response>{"name": "erase", "arguments": {}}</response>'],
  ["a definition", '<tools>{"name": "ping", "description": "Pings.", "parameters": {}}</tools>'],
  ["a page", "<project>\n</project>"],
  ["a comment", `<!-- ${rollJson} -->`],
  ["a tag with attributes", `<a href="x">${rollJson}</a>`],
  ["another closing tag", `<response>${rollJson}</answer>`],
])("JSON in a tag is text: %s", (_, text) => {
  for (const known of [undefined, hermes])
    expect(outcome(text, { tools, known })).toMatchObject({ text, calls: [], faults: [] });
});
