/** Rules that are easy to get wrong: quoted speech, truncated heads, thoughts that close, lost opening tags. */

import { describe, expect, test } from "vitest";
import { allDialects } from "./index.ts";
import { markersOf } from "./markers.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";
import { tool } from "./testing/reading.ts";

const call = `<tool_call>${pingJson}</tool_call>`;
const read = (text: string) => outcome(text, { tools: few });

describe("N10: a call in quoted speech is text, even after other words", () => {
  test.each([
    `She wrote: "Then send ${call} and wait", and left.`,
    `She wrote: “Then send ${call} and wait”.`,
    `She wrote: "Send ${call}${call}" twice.`,
  ])("%s", (text) => {
    expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
  });

  test.each([`I look for "foo" and "bar". ${call}`, `He said "stop\n${call}`, `A 5" disk. ${call}`])(
    "a call after quoted speech is a call: %s",
    (text) => {
      expect(read(text).calls).toEqual([ping]);
    },
  );
});

const both = `<function_calls>\n<invoke name="ping">\n</invoke>\n</function_calls>`;
const nested = "<tool_call>\n<function=ping>\n</function>\n</tool_call>";
const chained =
  "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>";

describe("N2, N10, N20: everything inside a call that is only shown is text too, on its later lines as well", () => {
  test.each(["'", '"', "“", "(", "=", "+", "\\", "「", "（", "＂", "`", "\n> "])("after %j", (before) => {
    for (const block of [nested, both, chained]) {
      const text = `It is${before}${block} there.`;
      expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
      expect(read(`${text}\n${nested}`)).toMatchObject({ text, calls: [ping] });
    }
  });

  test("unmarked JSON inside a shown call is text, even for a model taught its dialect", () => {
    const known = allDialects.find(({ name }) => name === "hermes");
    const text = `x = (<tool_call>\n${pingJson}\n</tool_call>`;
    expect(outcome(text, { tools: few, known })).toMatchObject({ text, calls: [] });
  });
});

describe("a mark that is only mentioned leaves no trace: the next line's call is a call", () => {
  const marks = allDialects.flatMap((dialect) => [
    ...dialect.openers.map(({ mark }) => mark),
    ...(dialect.layout ?? []),
    ...markersOf(dialect),
  ]);
  const mentions = [...new Set(marks.filter((mark) => mark.length > 3 && !/[`\n]/.test(mark)))];
  test.each(mentions)("%s", (mark) => {
    for (const mention of [`See \`${mark}\`.`, `See "${mark}" x`, `> ${mark} it is`, `So (${mark}) and`])
      expect(read(`${mention}\n${call}`)).toMatchObject({ text: mention, calls: [ping] });
  });
});

describe("N1: a call in a fence or quotation inside a list item is text", () => {
  test.each([`- \`\`\`xml\n  ${call}\n  \`\`\``, `1. Write:\n2. ~~~\n   ${call}\n   ~~~`, `- > ${call}`])(
    "%s",
    (text) => {
      expect(read(text)).toMatchObject({ text, calls: [] });
      expect(read(`${text}\n- And now:\n${call}`)).toMatchObject({ calls: [ping] });
    },
  );
});

describe("N11: a call that ends after the tool's name is truncated", () => {
  const heads = [
    "[TOOL_CALLS]roll",
    "[TOOL_CALLS]roll[ARGS]",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.roll:0",
    "<tool_call>ping\n",
    "<function=ping>",
  ];
  test.each(heads)("%s", (head) => {
    for (const reason of ["stop", "length"] as const)
      expect(outcome(`Ok.\n${head}`, { tools: few, reason })).toMatchObject({
        text: "Ok.",
        calls: [],
        faults: ["truncated"],
      });
  });

  test("a head with a name that no tool has is text, and so is a head in a sentence (N4)", () => {
    for (const text of ["Ok.\n[TOOL_CALLS]shed", "The end of it is <function=ping>"])
      expect(read(text)).toMatchObject({ text, calls: [], faults: [] });
  });

  test("missing brackets are not supplied if a required argument is missing", () => {
    for (const text of ['<tool_call>{"name": "roll", "arguments": {', "[TOOL_CALLS]roll[ARGS]{"])
      expect(read(text)).toMatchObject({ calls: [], faults: ["truncated"] });
    expect(read(`<tool_call>${rollJson.slice(0, -2)} `).calls).toEqual([roll]);
  });
});

test("N5: only calls in reserved tokens end reasoning that is closed later", () => {
  const ends = allDialects.filter((dialect) => dialect.endsThoughts).map(({ name }) => name);
  expect(ends.toSorted()).toEqual(["deepseek-dsml", "deepseek-v4", "deepseek-v4.1", "kimi-k2"]);
  const block = '<|tools_prefix|>[{"ping": {}}]<|tools_suffix|>';
  expect(read(`<think>Maybe ${block}</think>No.`)).toMatchObject({ text: "No.", calls: [] });
  expect(read(`<think>Now.${block}`)).toMatchObject({ calls: [ping], reasoning: "Now." });
});

describe("N5: reasoning may begin in the middle of a line", () => {
  test("a call in it does not run if the reasoning closes", () => {
    expect(read(`Sure. <think>Maybe ${call}</think>No.`)).toMatchObject({
      text: "Sure.\n No.",
      reasoning: `Maybe ${call}`,
      calls: [],
    });
    expect(read(`Sure. <think>Maybe ${call} not.`).calls).toEqual([ping]);
    const cut = `Sure. <think>Maybe ${call} not.`;
    expect(outcome(cut, { tools: few, reason: "length" })).toMatchObject({ text: cut, calls: [] });
  });

  test("the tag named in a sentence does not stop a later call", () => {
    const text = "Some write <think> first.";
    expect(read(`${text}\n${call}`)).toMatchObject({ text, reasoning: "", calls: [ping] });
  });
});

test.each(["think", "thought", "reasoning"])("N5: <%s> is reasoning for any model", (tag) => {
  expect(read(`<${tag}>\nMaybe ${call}\n</${tag}>\nNo.`)).toMatchObject({
    text: "No.",
    reasoning: `Maybe ${call}`,
    calls: [],
  });
});

test.each([
  [
    "opened by the prompt and again by the model",
    "<think>sum first</think>42",
    "<think>\n",
    "42",
    "sum first",
  ],
  ["opened twice by the model", "<think>\n<think>\nsum</think>42", "", "42", "sum"],
  ["a second one within a line", "<think>a</think>One. <think>b</think>Two.", "", "One.\n Two.", "a\nb"],
  ["the first one within a line", "One.<think>maybe</think>Two.", "", "One.\nTwo.", "maybe"],
  ["marked by a token alone", "<|channel>hm<channel|>Yes.", "", "Yes.", "hm"],
])("a thought %s", (_, answer, prefix, text, reasoning) => {
  expect(outcome(answer, { tools: few, prefix })).toMatchObject({ text, reasoning, calls: [] });
});

test("a thought within a line that has no end, or is only mentioned, is text, and a call behind it runs", () => {
  for (const text of [
    "One.<think>maybe.",
    "Write <think>, then think.",
    "Put (<think> here.",
    "As `<think>` does:",
  ])
    expect(read(`${text}\n${call}`)).toMatchObject({ text, reasoning: "", calls: [ping] });
});

test("a closing </reasoning> tag in a sentence turns no text into reasoning", () => {
  const text = "A page has <reasoning>why</reasoning> in it.";
  expect(read(text)).toMatchObject({ text, reasoning: "" });
});

describe("bare JSON before a closing tag whose opening tag was lost", () => {
  test("is a call as the whole message", () => {
    expect(read(`${rollJson}\n</tool_call>`)).toMatchObject({ text: "", calls: [roll] });
  });

  test("is a call at the end of an answer only for a model taught the dialect (N7)", () => {
    const text = `I roll.\n${rollJson}\n</tool_call>`;
    const known = allDialects.find(({ name }) => name === "hermes");
    expect(outcome(text, { tools: few, known })).toMatchObject({ text: "I roll.", calls: [roll] });
    expect(read(text)).toMatchObject({ text, calls: [] });
  });

  test("is text with words after it", () => {
    const text = `${rollJson}\n</tool_call>\nis what it sent.`;
    expect(read(text)).toMatchObject({ text, calls: [] });
  });
});

test.each(
  [
    "qwen-xml",
    "seed-oss",
    "glm",
    "hunyuan-3",
    "deepseek-v3",
    "deepseek-v3.1",
    "deepseek-dsml",
    "kimi-k2",
  ].concat(["hermes", "mistral", "solar", "anthropic-xml", "llama-function-tag"]),
)("names may be in any script: %s", (name) => {
  const known = allDialects.find((dialect) => dialect.name === name);
  const tools = [tool("读_файл", { путь: "string", größe: "integer" }, ["путь"])];
  const calls = [{ id: "call00001", name: "读_файл", input: { путь: "a.md", größe: 5 } }];
  const text = known?.writeCalls(calls) ?? "";
  for (const taught of [known, undefined])
    expect(outcome(text, { tools, known: taught }).calls).toEqual([["读_файл", { путь: "a.md", größe: 5 }]]);
});
