import { expect, test } from "vitest";
import { functionaryV32 } from "./functionary-v3.2.ts";
import { few, outcome, ping, roll } from "./testing/outcome.ts";
import { tool } from "./testing/reading.ts";

const python = tool("python", { code: "string" }, ["code"]);
const read = (text: string, more = {}) => outcome(text, { tools: few, known: functionaryV32, ...more });

test("the answer continues after the prompt's marker, whether the prompt is known or not", () => {
  const text = 'all\nRolling.>>>roll\n{"sides": 6}>>>ping\n{}';
  for (const prefix of ["<|end_header_id|>\n\n>>>", undefined])
    expect(read(text, { prefix })).toEqual({
      text: "Rolling.",
      reasoning: "",
      calls: [roll, ping],
      ids: ["own_1", "own_2"],
      sources: ["functionary-v3.2"],
      faults: [],
    });
});

test("an answer may be only a call, or repeat the prompt's marker", () => {
  expect(read('roll\n{"sides": 6}')).toMatchObject({ text: "", calls: [roll] });
  expect(read('>>>all\nRolling.\n>>>roll\n{"sides": 6}<|eot_id|>more')).toMatchObject({
    text: "Rolling.",
    calls: [roll],
  });
});

test("a name may be followed by a Windows line break", () => {
  expect(read('all\r\nRolling.\r\n>>>roll\r\n{"sides": 6}')).toMatchObject({
    text: "Rolling.",
    calls: [roll],
  });
});

test("an answer without a recognised part is text, with nothing of the prompt in it", () => {
  for (const text of ["Hello", "Hello\nthere", ">>> print(1)", "all right", ""])
    expect(read(text)).toMatchObject({ text, calls: [] });
});

test("raw code up to the next part goes to the tool that takes code, and a Python prompt does not end it", () => {
  const tools = [...few, python];
  expect(read('python\nprint(1)\n>>> x\n>>>roll\n{"sides": 6}', { tools }).calls).toEqual([
    ["python", { code: "print(1)\n>>> x" }],
    roll,
  ]);
  expect(read('python\n{"code": "print(1)"}', { tools }).calls).toEqual([["python", { code: "print(1)" }]]);
  expect(read("python\nprint(1", { tools, reason: "length" })).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
});

test("N6: a call of a tool that was not offered is text", () => {
  expect(read("all\nSee >>>nope\n{}")).toMatchObject({ text: "See >>>nope\n{}", calls: [] });
  expect(read("python\nprint(1)")).toMatchObject({ text: "python\nprint(1)", calls: [] });
});

test("N1: a part in a fence is text", () => {
  const shown = 'See:\n```\n>>>roll\n{"sides": 6}\n```\nDone.';
  expect(read(`all\n${shown}`)).toMatchObject({ text: shown, calls: [] });
});

test("N11: a call with a truncated value never runs", () => {
  expect(read('say\n{"text": "a')).toMatchObject({ calls: [], faults: ["truncated"] });
  expect(read('say\n{"text": "a"', { reason: "length" })).toMatchObject({ calls: [], faults: ["truncated"] });
});

test("N15: from a model not taught the dialect, a call is text", () => {
  const text = 'all\nRolling.>>>roll\n{"sides": 6}';
  expect(read(text, { known: undefined, prefix: ">>>" })).toMatchObject({ text, calls: [] });
});
