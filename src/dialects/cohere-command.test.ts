import { expect, test } from "vitest";
import { cohereCommand } from "./cohere-command.ts";
import type { WrittenCall } from "./dialect.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";

const one = '{"tool_call_id": "0", "tool_name": "roll", "parameters": {"sides": 6}}';
const two = '{"tool_call_id": "1", "tool_name": "ping", "parameters": {}}';
const action = (body: string): string => `<|START_ACTION|>${body}<|END_ACTION|>`;
const read = (text: string, prefix?: string) => outcome(text, { tools: few, prefix });

test("calls are a list with ids, tool names and parameters, and the ids are kept", () => {
  const calls: WrittenCall[] = [
    { id: "0", name: "roll", input: { sides: 6 } },
    { id: "1", name: "ping", input: {} },
  ];
  const text = action(`[\n    ${one},\n    ${two}\n]`);
  expect(cohereCommand.writeCalls(calls)).toBe(text);
  expect(read(`${text}<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>`)).toMatchObject({
    text: "",
    calls: [roll, ping],
    ids: ["0", "1"],
  });
  expect(read(action('[{"tool_call_id": 3, "tool_name": "ping", "parameters": {}}]')).ids).toEqual(["3"]);
  expect(read(action('[{"tool_name": "ping", "parameters": {}}]')).ids).toEqual(["own_1"]);
});

test("the plan is reasoning, whether its opening marker is in the answer, in the prompt or missing", () => {
  const text = `Dice.<|END_THINKING|>${action(`[${one}]`)}`;
  for (const [answer, prefix] of [
    [`<|START_THINKING|>${text}`, undefined],
    [text, "<|CHATBOT_TOKEN|><|START_THINKING|>"],
    [text, undefined],
  ] as const)
    expect(read(answer, prefix)).toMatchObject({ reasoning: "Dice.", text: "", calls: [roll] });
});

test("the markers around the answer are dropped, for both generations of the model", () => {
  for (const kind of ["RESPONSE", "TEXT"])
    expect(
      read(
        `<|START_THINKING|>Hm.<|END_THINKING|><|START_${kind}|>A die.<|END_${kind}|><|END_OF_TURN_TOKEN|>`,
      ),
    ).toMatchObject({
      reasoning: "Hm.",
      text: "A die.",
    });
});

test("a single object, a missing end and doubled markers are tolerated; a truncated call is refused", () => {
  expect(read(action(one)).calls).toEqual([roll]);
  expect(read(`<|START_ACTION|>[${one}]<|END_OF_TURN_TOKEN|>`).calls).toEqual([roll]);
  expect(read(`<|START_ACTION|>${action(`[${one}]`)}<|END_ACTION|>`)).toMatchObject({
    text: "",
    calls: [roll],
  });
  expect(
    read('<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "say", "parameters": {"text": "c'),
  ).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
});

test("N9: a result that the model writes itself ends the message", () => {
  expect(read(`${action(`[${one}]`)}<|START_TOOL_RESULT|>[]<|END_TOOL_RESULT|>`).faults).toEqual([
    "fabricated_result",
  ]);
});

test("the mark of the answer ends a plan that has no end", () => {
  for (const mark of ["RESPONSE", "TEXT"])
    expect(
      read(`Dice.<|START_${mark}|>I roll.<|END_${mark}|>${action(`[${one}]`)}`, "<|START_THINKING|>"),
    ).toMatchObject({ text: "I roll.", reasoning: "Dice.", calls: [roll] });
});
