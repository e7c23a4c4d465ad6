import { describe, expect, test } from "vitest";
import { scale } from "../../testing/scale.ts";
import type { WrittenCall } from "../dialect.ts";
import { teach } from "../grammar/lesson.ts";
import { allDialects } from "../index.ts";
import { readAnswer, tool } from "../testing/reading.ts";
import { askTemplate } from "./ask-template.ts";
import { renderTemplate } from "./render.ts";

/** A template in the usual style: `call` writes one call, `result` a result in a turn of the given role. */
const template = (calls: string, result: string, role = "user"): string => `
{%- for message in messages %}
{%- if message.role == "tool" %}
{{- "<s>${role}\\n" }}{{ ${result} }}{{ "<e>\\n" }}
{%- else %}
{{- "<s>" + message.role + "\\n" + message.content }}
{%- if message.tool_calls %}${calls}{% endif %}
{{- "<e>\\n" }}
{%- endif %}
{%- endfor %}`;
const eachCall = (call: string): string => `{% for call in message.tool_calls %}{{ ${call} }}{% endfor %}`;
const json = `'{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}'`;

const plainResult = `"<answer>" + message.content + "</answer>"`;
const tools = [tool("roll", { sides: "integer", note: "string" }, ["sides"]), tool("ping", {})];
const calls: WrittenCall[] = [
  { id: "1", name: "roll", input: { sides: 6, note: "a\n<end>b" } },
  { id: "2", name: "ping", input: {} },
];
const result = { id: "1", name: "roll", content: [{ type: "text" as const, text: "4" }], isError: false };
const read = async (source: string) => (await askTemplate(source))?.dialect;

describe("a template that writes calls as a known dialect does", () => {
  test("chooses that dialect, whatever its marks are called in the template", async () => {
    const marks = `{% set a = "tool_" ~ "call" %}`;
    const call = `"<" + a + ">\\n" + ${json} + "\\n</" + a + ">"`;
    const answer = await askTemplate(
      marks + template(eachCall(call), `"<tool_response>\\n" + message.content + "\\n</tool_response>"`),
    );
    expect(answer?.dialect?.name).toBe("hermes");
    expect(answer?.because).toContain("rendered");
  });

  test("of several that write the same call, the one that writes the same result", async () => {
    const call = `"<tool" + "_call>" + ${json} + "</tool" + "_call>"`;
    expect((await read(template(eachCall(call), `"<|function_" + "output|>" + message.content`)))?.name).toBe(
      "bielik",
    );
  });

  test("also if the template wants the arguments as text", async () => {
    const call = `"[TOOL" + "_CALLS]" + call.function.name + "[AR" + "GS]" + call.function.arguments.strip()`;
    expect((await read(template(eachCall(call), plainResult)))?.name).toBe("mistral");
  });
});

describe("a simple form of a template's own becomes a dialect", () => {
  test.each([
    [
      "an object between marks, once for each call",
      eachCall(`"<act>" + ${json} + "</act>\\n"`),
      '<act>{"name": "roll", "arguments": {"sides": 6, "note": "a\\n<end>b"}}</act>\n<act>{"name": "ping", "arguments": {}}</act>',
    ],
    [
      "a list in one pair of marks",
      `{{ "<acts>[" }}{% for call in message.tool_calls %}{{ ${json} }}{% if not loop.last %}{{ ", " }}{% endif %}{% endfor %}{{ "]</acts>" }}`,
      '<acts>[{"name": "roll", "arguments": {"sides": 6, "note": "a\\n<end>b"}}, {"name": "ping", "arguments": {}}]</acts>',
    ],
    [
      "a name before the arguments",
      eachCall(
        `"<|act|>" + call.function.name + "<|with|>" + (call.function.arguments | tojson) + "<|done|>"`,
      ),
      '<|act|>roll<|with|>{"sides": 6, "note": "a\\n<end>b"}<|done|>\n<|act|>ping<|with|>{}<|done|>',
    ],
    [
      "a mark without an end",
      eachCall(`"[ACT]" + ${json}`),
      '[ACT]{"name": "roll", "arguments": {"sides": 6, "note": "a\\n<end>b"}}\n[ACT]{"name": "ping", "arguments": {}}',
    ],
  ])("%s", async (_, form, written) => {
    const own = await read(template(form, plainResult));
    const how = { known: own, tools, dialects: own ? [own, ...allDialects] : [] };
    expect(own?.writeCalls(calls)).toBe(written);
    expect(own?.writeResults([result, { ...result, isError: true }])).toBe(
      "<answer>4</answer>\n<answer>Error: 4</answer>",
    );
    for (const chunk of [1, 7, written.length]) {
      const answer = readAnswer(`Doing it.\n${written}`, { ...how, chunk });
      expect(answer.calls.map(({ name, input, problem }) => ({ name, input, problem }))).toEqual(
        calls.map(({ name, input }) => ({ name, input, problem: undefined })),
      );
      expect(answer.text).toBe("Doing it.");
    }
    expect(
      readAnswer(written.slice(0, -12), { ...how, reason: "length" }).calls.filter(
        ({ problem }) => problem === undefined,
      ).length,
    ).toBeLessThan(2);
    expect(readAnswer(`Write:\n\n~~~\n${written}\n~~~\n\nso.`, how).calls).toEqual([]);
    expect(own && teach(own, tools)).toContain("as <answer>;");
  });

  test("a template that shows one call at a time teaches one, and results in a turn of their own are tagged", async () => {
    const form = `{% if message.tool_calls | length > 1 %}{{ raise_exception("one") }}{% endif %}${eachCall(`"<act>" + ${json} + "</act>"`)}`;
    const own = await read(template(form, plainResult, "tool"));
    expect(own?.lesson.rules.join(" ")).toContain("Only one call in an answer");
    expect(own?.writeResults([result])).toContain('<tool_response name="roll">');
  });
});

describe("anything else is not guessed", () => {
  test.each([
    [
      "prose around the call",
      eachCall(`"I call " + call.function.name + " with " + (call.function.arguments | tojson)`),
    ],
    [
      "tags that nobody knows around each argument",
      eachCall(
        `"<do what='" + call.function.name + "'><word>" + call.function.arguments.word + "</word></do>"`,
      ),
    ],
    [
      "keys that readers do not know",
      eachCall(
        `"<act>" + '{"verb": "' + call.function.name + '", "noun": ' + (call.function.arguments | tojson) + '}' + "</act>"`,
      ),
    ],
    ["more keys than a name and arguments", eachCall(`"<act>" + (call | tojson) + "</act>"`)],
  ])("%s", async (_, form) => {
    const answer = await askTemplate(template(form, plainResult));
    expect(answer?.dialect).toBeUndefined();
    expect(answer?.because).toContain("could not be derived");
  });

  test.each([
    ["a template that writes no calls", template("", plainResult)],
    ["one that does not know tools", "{% for m in messages %}{{ m.content }}{% endfor %}"],
    ["one that only names them", "{# tool_calls #}{{ messages | length }}"],
    ["broken syntax", "{% for call in tool_calls %}{{ call"],
    ["a filter that does not exist", "{{ tool_calls | nowhere }}"],
    ["nothing", ""],
  ])("%s", async (_, source) => {
    expect(await askTemplate(source)).toBeUndefined();
  });
});

describe("a hostile template ends in time and changes nothing", () => {
  const tried = scale > 1 ? 3_000 : 1_000;
  test.each([
    [
      "endless loops",
      "{% for a in range(100000000) %}{% for b in range(100000000) %}{% endfor %}{% endfor %}tool_calls",
    ],
    [
      "endless text",
      `{% set ns = namespace(t="tool_calls") %}{% for a in range(60) %}{% set ns.t = ns.t + ns.t %}{% endfor %}{{ ns.t }}`,
    ],
    ["a flood", `{% for a in range(1000000) %}{{ "tool_calls" }}{% endfor %}`],
    ["endless recursion", "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}tool_calls"],
    ["too long", `tool_calls${" ".repeat(300_000)}`],
    ["deep nesting", "{% if tool_calls %}".repeat(8_000)],
  ])("%s", async (_, source) => {
    const start = performance.now();
    const rendered = await renderTemplate(source, undefined, tried);
    expect(Object.keys(rendered ?? {})).toEqual([]);
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  test("an abort ends it at once", async () => {
    const stop = new AbortController();
    const rendering = renderTemplate(
      "{% for a in range(1000000000) %}{% endfor %}tool_calls",
      stop.signal,
      60_000,
    );
    stop.abort();
    expect(await rendering).toBeUndefined();
  });

  test("it reaches nothing of the computer", async () => {
    const source = `tool_calls{{ process }}{{ require }}{{ globalThis }}{{ messages.constructor }}{{ "x".constructor }}`;
    const { said = "" } = (await renderTemplate(source)) ?? {};
    expect(said).not.toMatch(/native code|\[object|function/);
  });
});
