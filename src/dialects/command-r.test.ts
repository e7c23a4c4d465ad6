import { expect, test } from "vitest";
import { commandR } from "./command-r.ts";
import type { WrittenCall } from "./dialect.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";

const one = '{"tool_name": "roll", "parameters": {"sides": 6}}';
const two = '{"tool_name": "ping", "parameters": {}}';
const action = (list: string): string => `Action: \`\`\`json\n[\n    ${list}\n]\n\`\`\``;
const read = (text: string, known?: typeof commandR) => outcome(text, { tools: few, known });

test("a list of calls is written in a fence after Action", () => {
  const calls: WrittenCall[] = [
    { id: "1", name: "roll", input: { sides: 6 } },
    { id: "2", name: "ping", input: {} },
  ];
  expect(commandR.writeCalls(calls)).toBe(`Action: \`\`\`json\n[\n    ${one},\n    ${two}\n]\`\`\``);
  for (const known of [undefined, commandR])
    expect(read(action(`${one},\n    ${two}`), known)).toMatchObject({ text: "", calls: [roll, ping] });
  expect(read(`${action(one)}<|END_OF_TURN_TOKEN|>`)).toMatchObject({ text: "", calls: [roll] });
});

test("N15: from an unknown model, only a whole answer of calls to offered tools is read as calls", () => {
  for (const text of [
    `It writes:\n${action(one)}`,
    `${action(one)}\nThat is what it writes.`,
    action('{"tool_name": "nuke", "parameters": {}}'),
    'Action: ```json\n[{"tool": "roll", "parameters": {"sides": 6}}]\n```',
    "Action: read the list below.",
  ])
    expect(read(text)).toMatchObject({ text, calls: [] });
});

test("a known Command R may write text before and after the action, and omit the fence", () => {
  expect(read(`I plan.\n${action(one)}\nThen I wait.`, commandR)).toMatchObject({
    text: "I plan.\nThen I wait.",
    calls: [roll],
  });
  expect(read(`Action:\n[${one}]`, commandR).calls).toEqual([roll]);
});

test("the directly-answer pseudo-tool is no call", () => {
  for (const name of ["directly-answer", "directly_answer"])
    for (const known of [undefined, commandR])
      expect(read(action(`{"tool_name": "${name}", "parameters": {}}`), known)).toMatchObject({
        text: "",
        calls: [],
        faults: [],
      });
});

test("back-ticks inside strings do not end the fence; a truncated call is refused", () => {
  expect(
    read('Action: ```json\n[{"tool_name": "say", "parameters": {"text": "a ```\\n``` b"}}]\n```').calls,
  ).toEqual([["say", { text: "a ```\n``` b" }]]);
  expect(read('Action: ```json\n[{"tool_name": "say", "parameters": {"text": "c').faults).toEqual([
    "truncated",
  ]);
});

test("the fence may stand on the line below its word", () => {
  const text = 'Action:\n```json\n[{"tool_name": "roll", "parameters": {"sides": 6}}]\n```';
  expect(outcome(text, { tools: few })).toMatchObject({ text: "", calls: [roll], faults: [] });
});

test("the list may be one object", () => {
  const text = 'Action:\n```json\n{"tool_name": "ping", "parameters": {}}\n```';
  expect(outcome(text, { tools: few })).toMatchObject({ text: "", calls: [ping], faults: [] });
});
