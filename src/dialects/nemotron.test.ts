import { expect, test } from "vitest";
import type { WrittenCall } from "./dialect.ts";
import { nemotron } from "./json-in-marks.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";

const read = (text: string, prefix?: string) => outcome(text, { tools: few, prefix });

test("a list of calls is written in TOOLCALL tags and read from them", () => {
  const calls: WrittenCall[] = [
    { id: "1", name: "roll", input: { sides: 6 } },
    { id: "2", name: "ping", input: {} },
  ];
  expect(nemotron.writeCalls(calls)).toBe(`<TOOLCALL>[${rollJson}, ${pingJson}]</TOOLCALL>`);
  expect(read(`Ok.\n\n<TOOLCALL>[${rollJson}, ${pingJson}]</TOOLCALL>\n<SPECIAL_12>\n`)).toMatchObject({
    text: "Ok.",
    calls: [roll, ping],
  });
});

test("a single object instead of a list, and arguments encoded as a string, are read", () => {
  expect(read(`<TOOLCALL>${rollJson}</TOOLCALL>`).calls).toEqual([roll]);
  expect(read('<TOOLCALL>[{"name": "roll", "arguments": "{\\"sides\\": 6}"}]</TOOLCALL>').calls).toEqual([
    roll,
  ]);
});

test("brackets doubled by the model's template are read as single ones", () => {
  expect(read('<TOOLCALL>[{{"name": "roll", "arguments": {{"sides": 6}}}}]</TOOLCALL>').calls).toEqual([
    roll,
  ]);
});

test("an empty list is no call and no text", () => {
  expect(read("<TOOLCALL>[]</TOOLCALL>Done.")).toMatchObject({ text: "Done.", calls: [], faults: [] });
});

test("a call in reasoning opened by the prompt runs only if the reasoning never ends", () => {
  const call = `<TOOLCALL>[${rollJson}]</TOOLCALL>`;
  expect(read(`Hm.\n${call}`, "<think>\n\n")).toMatchObject({ reasoning: "Hm.", calls: [roll] });
  expect(read(`Hm.\n</think>\n${call}`, "<think>\n\n")).toMatchObject({ reasoning: "Hm.", calls: [roll] });
  expect(read(`Hm, ${call}? No.\n</think>\nNo.`, "<think>\n\n")).toMatchObject({ text: "No.", calls: [] });
});

test("a missing end is supplied at the end of the answer; a truncated call is refused", () => {
  expect(read(`<TOOLCALL>[${rollJson}]`).calls).toEqual([roll]);
  expect(read('<TOOLCALL>[{"name": "roll", "arguments": {"sides": ')).toMatchObject({
    calls: [],
    faults: ["truncated"],
  });
});

test("N9: a result that the model writes itself ends the message", () => {
  expect(read(`<TOOLCALL>[${rollJson}]</TOOLCALL>\n<TOOL_RESPONSE>[4]</TOOL_RESPONSE>`)).toMatchObject({
    text: "",
    calls: [roll],
    faults: ["fabricated_result"],
  });
  expect(
    nemotron.writeResults([
      { id: "1", name: "roll", content: [{ type: "text", text: "4" }], isError: false },
    ]),
  ).toBe('<TOOL_RESPONSE>[{"name": "roll", "content": "4"}]</TOOL_RESPONSE>');
});

test("N4: the tag in a sentence is text", () => {
  const text = "It puts calls between <TOOLCALL> and </TOOLCALL>.";
  expect(read(text)).toMatchObject({ text, calls: [] });
});
