import { expect, test } from "vitest";
import { longcat } from "./json-in-marks.ts";
import { longcatXml } from "./pairs-in-tags.ts";
import { few, outcome, ping, pingJson, roll, rollJson } from "./testing/outcome.ts";

const read = (text: string, known = false) =>
  outcome(text, { tools: few, known: known ? longcat : undefined });
const block = (body: string): string => `<longcat_tool_call>\n${body}\n</longcat_tool_call>`;

test("a call is one JSON object in LongCat's own tags, and several calls are several blocks", () => {
  expect(longcat.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(block(rollJson));
  expect(read(`On it.${block(rollJson)}\n${block(pingJson)}`)).toMatchObject({
    text: "On it.",
    calls: [roll, ping],
  });
  expect(read(`<longcat_tool_call>${rollJson}</longcat_tool_call>`).calls).toEqual([roll]);
});

test("LongCat's reasoning is separated, and N5: a call in closed reasoning never runs", () => {
  const text = `<longcat_think>\nMaybe ${block(rollJson)}\n</longcat_think>\nNo.`;
  expect(read(text)).toMatchObject({ text: "No.", calls: [], reasoning: expect.stringContaining("Maybe") });
  expect(read(`Maybe.\n</longcat_think>\n${block(rollJson)}`)).toMatchObject({
    reasoning: "Maybe.",
    calls: [roll],
  });
});

test("a damaged block is read: a doubled or missing tag, a fence, a leaked stop token", () => {
  expect(read(`<longcat_tool_call>\n${block(rollJson)}\n</longcat_tool_call>`).calls).toEqual([roll]);
  expect(read(`<longcat_tool_call>${rollJson}\nI wait.`)).toMatchObject({ text: "I wait.", calls: [roll] });
  expect(read(block(`\`\`\`json\n${rollJson}\n\`\`\``)).calls).toEqual([roll]);
  expect(read(`${block(rollJson)}</longcat_s>`)).toMatchObject({ text: "", calls: [roll] });
});

test("N4: the tag in a sentence is text", () => {
  const text = "Calls go into <longcat_tool_call> tags.";
  expect(read(text, true)).toMatchObject({ text, calls: [] });
});

test("later models write the name and key-value tags, with or without line breaks", () => {
  const text =
    "<longcat_tool_call>roll\n<longcat_arg_key>sides</longcat_arg_key>\n<longcat_arg_value>6</longcat_arg_value>\n</longcat_tool_call>";
  expect(longcatXml.writeCalls([{ id: "1", name: "roll", input: { sides: 6 } }])).toBe(text);
  expect(read(`On it.${text}\n${block(pingJson)}`)).toMatchObject({ text: "On it.", calls: [roll, ping] });
  expect(read(text.replaceAll("\n", "")).calls).toEqual([roll]);
  expect(read("<longcat_tool_call>ping</longcat_tool_call>").calls).toEqual([ping]);
  expect(read(text.slice(0, -40)).faults).toEqual(["truncated"]);
});
