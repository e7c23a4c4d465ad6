import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { hunyuan } from "./hunyuan.ts";
import { jamba, minimaxM1 } from "./json-in-marks.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";

const both: WrittenCall[] = [
  { id: "1", name: "roll", input: { sides: 6 } },
  { id: "2", name: "ping", input: {} },
];
const read = (text: string, known?: typeof jamba) => outcome(text, { tools: few, known });

test("each family writes the tag as its template does, and every shape is read from any model", () => {
  const shapes = [
    [jamba, `<tool_calls>[\n${rollJson},\n${pingJson}\n]</tool_calls>`],
    [hunyuan, `<tool_calls>[${rollJson}, ${pingJson}]</tool_calls>`],
    [minimaxM1, `<tool_calls>\n${rollJson}\n${pingJson}\n</tool_calls>`],
  ] as const;
  for (const [dialect, text] of shapes) {
    expect(dialect.writeCalls(both)).toBe(text);
    expect(read(`On it.\n${text}`)).toMatchObject({ text: "On it.", calls: [roll, ping] });
    expect(read(text, dialect)).toMatchObject({ calls: [roll, ping], sources: [dialect.name] });
  }
});

test("damage is repaired or refused: a missing end, a wrong closing tag, a truncated value", () => {
  expect(read(`<tool_calls>[${rollJson}`).calls).toEqual([roll]);
  expect(read(`<tool_calls>\n${rollJson}\n</tool_call>\nDone.`)).toMatchObject({
    text: "Done.",
    calls: [roll],
  });
  expect(read(`<tool_calls>[${rollJson}, {"name": "say", "arguments": {"text": "cu`)).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
});

test("the leaked tokens of each family end its message", () => {
  for (const [dialect, token] of [
    [jamba, "<|eom|>"],
    [hunyuan, "<|eos|>"],
    [minimaxM1, "<end_of_sentence>"],
  ] as const)
    expect(read(`<tool_calls>[${rollJson}]</tool_calls>${token}\nAnd more.`, dialect)).toMatchObject({
      text: "",
      calls: [roll],
    });
});

test("N4: the tag in a sentence is text", () => {
  const text = "Calls stand between <tool_calls> and </tool_calls>.";
  expect(read(text, jamba)).toMatchObject({ text, calls: [] });
});

test("N5: a call in the reasoning of Hunyuan or MiniMax does not run", () => {
  const text = `<think>\nI could <tool_calls>[${rollJson}]</tool_calls>, but no.\n</think>\nNo.`;
  for (const dialect of [hunyuan, minimaxM1])
    expect(read(text, dialect)).toMatchObject({ text: "No.", calls: [] });
});

test("Hunyuan's answer tags are dropped: around calls for any model, around words for a known Hunyuan", () => {
  const thought = "<think>\nSix sides.\n</think>\n";
  expect(read(`${thought}<answer>\n<tool_calls>[${rollJson}]</tool_calls>\n</answer>`)).toMatchObject({
    text: "",
    reasoning: "Six sides.",
    calls: [roll],
  });
  expect(read(`${thought}<answer>\nIt is a die.\n</answer>`, hunyuan)).toMatchObject({
    text: "It is a die.",
  });
  expect(read("助手：It is a die.", hunyuan).text).toBe("It is a die.");
  expect(read("<answer>\n42\n</answer>").text).toBe("<answer>\n42\n</answer>");
});

test("MiniMax's results carry the tool's name and report failures", () => {
  const content = [{ type: "text" as const, text: "4" }];
  expect(
    minimaxM1.writeResults([
      { id: "1", name: "roll", content, isError: false },
      { id: "2", name: "ping", content: [{ type: "text", text: "no answer" }], isError: true },
    ]),
  ).toBe("tool name: roll\ntool result: 4\n\ntool name: ping\ntool error: no answer");
});
