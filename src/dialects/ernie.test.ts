import { expect, test } from "vitest";
import { ernie } from "./json-in-marks.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";

const read = (text: string, prefix?: string) => outcome(text, { tools: few, known: ernie, prefix });
const block = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;

test("the reasoning ends first, then every call has a block of its own", () => {
  expect(ernie.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(block(rollJson));
  const text = `Six sides.\n</think>\n\n\n${block(rollJson)}\n\n${block(pingJson)}\n`;
  for (const prefix of [undefined, "<think>\n"])
    expect(read(text, prefix)).toMatchObject({
      reasoning: "Six sides.",
      text: "",
      calls: [roll, ping],
      sources: ["ernie"],
    });
});

test("the tags around the answer are dropped", () => {
  expect(read("Six.\n</think>\n\n\n<response>\nIt is a die.\n</response>\n")).toMatchObject({
    reasoning: "Six.",
    text: "It is a die.",
  });
  expect(read(`Six.\n</think>\n<response>\nOn it.\n</response>\n\n${block(rollJson)}`)).toMatchObject({
    text: "On it.",
    calls: [roll],
  });
  expect(read(`Six.\n</think>\n<response>\n${block(rollJson)}\n</response>`)).toMatchObject({
    text: "",
    calls: [roll],
  });
});

test("a response tag later in the answer, or from another model, is text", () => {
  const text = "Wrap it:\n<response>ok";
  expect(read(text).text).toBe(text);
  expect(outcome("<response>ok</response>", { tools: few }).text).toBe("<response>ok</response>");
});
