import { describe, expect, test } from "vitest";
import { few, outcome, ping, roll } from "./testing/outcome.ts";

const read = (text: string, more = {}) => outcome(text, { tools: few, ...more });

/** The tokens spelt with another bar and another gap. */
const spelt = (text: string, bar: string, gap: string): string =>
  text.replaceAll("｜", bar).replaceAll("▁", gap);

const begin = "<｜tool▁calls▁begin｜>";
const end = "<｜tool▁calls▁end｜>";
const rollFence =
  '<｜tool▁call▁begin｜>function<｜tool▁sep｜>roll\n```json\n{"sides": 6}\n```<｜tool▁call▁end｜>';
const pingFence = "<｜tool▁call▁begin｜>function<｜tool▁sep｜>ping\n```json\n{}\n```<｜tool▁call▁end｜>";
const rollPlain = '<｜tool▁call▁begin｜>roll<｜tool▁sep｜>{"sides": 6}<｜tool▁call▁end｜>';
const pingPlain = "<｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜>";

describe("deepseek-v3", () => {
  test("several calls are read after reasoning and text", () => {
    expect(read(`<think>Hm.</think>Now.${begin}${rollFence}\n${pingFence}${end}`)).toEqual({
      text: "Now.",
      reasoning: "Hm.",
      calls: [roll, ping],
      ids: ["own_1", "own_2"],
      sources: ["deepseek-v3"],
      faults: [],
    });
  });

  test.each([
    ["|", "_"],
    ["｜", "_"],
    ["｜", " "],
    ["|", "▁"],
    ["｜", "\\_"],
  ])("tokens spelt with %s and %j, as distilled models do, are read", (bar, gap) => {
    expect(read(`${spelt(begin + rollFence + pingFence + end, bar, gap)}Done.`)).toMatchObject({
      text: "Done.",
      calls: [roll, ping],
    });
  });

  test.each([
    ["the outer marks are missing", rollFence],
    ["the inner opener is missing", begin + rollFence.slice("<｜tool▁call▁begin｜>".length) + end],
    ["both openers are missing", rollFence.slice("<｜tool▁call▁begin｜>".length)],
    [
      "the outer opener is shortened",
      `<｜tool▁calls｜>${rollFence.slice("<｜tool▁call▁begin｜>".length)}${end}`,
    ],
    ["the spellings are mixed", `<｜tool_calls_begin｜>${rollFence}`],
    ["the closers are missing", begin + rollFence.replace("<｜tool▁call▁end｜>", "")],
    ["the fence is missing", begin + rollFence.replaceAll("```", "").replace("json", "") + end],
    ["only the fence's language is there", begin + rollFence.replaceAll("```", "") + end],
  ])("a call is read even if %s", (_, text) => {
    expect(read(text)).toMatchObject({ text: "", calls: [roll], faults: [] });
  });

  test("words after a call without its closing marks are text", () => {
    const open = begin + rollFence.replace("<｜tool▁call▁end｜>", "");
    expect(read(`${open}\nThat is all.`)).toMatchObject({ text: "That is all.", calls: [roll] });
  });

  test("N5: a call in closed reasoning is reasoning", () => {
    expect(read(`<think>Maybe ${begin}${rollFence}${end}</think>No.`)).toMatchObject({
      text: "No.",
      calls: [],
    });
    expect(
      read(`Hm.</think>\n\n${begin}${rollFence}${end}`, { prefix: "<｜Assistant｜><think>\n" }),
    ).toMatchObject({
      reasoning: "Hm.",
      calls: [roll],
    });
  });

  test("N11: a call with a truncated value never runs, and nothing is supplied at the length limit", () => {
    const cut = `${begin}<｜tool▁call▁begin｜>function<｜tool▁sep｜>say\n\`\`\`json\n{"text": "a`;
    expect(read(cut)).toMatchObject({ calls: [], faults: ["truncated"] });
    expect(read(`${cut}"}\n\`\`\``, { reason: "length" })).toMatchObject({
      calls: [],
      faults: ["truncated"],
    });
  });

  test("N4: tokens in a sentence are text", () => {
    const text =
      "It prints <｜tool▁calls▁begin｜> then <｜tool▁call▁begin｜>function<｜tool▁sep｜> and the name.";
    expect(read(text)).toMatchObject({ text, calls: [] });
  });

  test("N9, N18: an invented result or turn ends the message, in every spelling", () => {
    expect(read(`${begin}${rollFence}${end}<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>4`)).toMatchObject({
      text: "",
      calls: [roll],
      faults: ["fabricated_result"],
    });
    for (const turn of ["<｜end▁of▁sentence｜>", "<|end_of_sentence|>", "<｜User｜>", "<|Assistant|>"])
      expect(read(`Hello.${turn}More ${rollFence}`)).toMatchObject({ text: "Hello.", calls: [] });
  });
});

describe("deepseek-v3.1", () => {
  test("calls with bare JSON after the name are read, after reasoning opened in the prompt", () => {
    expect(read(`Hm.</think>Now.${begin}${rollPlain}${pingPlain}${end}`, { prefix: "<think>" })).toEqual({
      text: "Now.",
      reasoning: "Hm.",
      calls: [roll, ping],
      ids: ["own_1", "own_2"],
      sources: ["deepseek-v3.1"],
      faults: [],
    });
  });

  test.each([
    ["the outer marks are missing", rollPlain],
    ["the inner marks are missing", `${begin}roll<｜tool▁sep｜>{"sides": 6}${end}`],
    ["all closers are missing", `${begin}<｜tool▁call▁begin｜>roll<｜tool▁sep｜>{"sides": 6}`],
    [
      "the JSON stands in a fence",
      '<｜tool▁call▁begin｜>roll<｜tool▁sep｜>```json\n{"sides": 6}\n```<｜tool▁call▁end｜>',
    ],
  ])("a call is read even if %s", (_, text) => {
    expect(read(text)).toMatchObject({ text: "", calls: [roll], faults: [] });
  });

  test("N3: closers inside a value are data", () => {
    const text = `x<｜tool▁call▁end｜>${end} ${pingPlain}`;
    const call = `<｜tool▁call▁begin｜>say<｜tool▁sep｜>${JSON.stringify({ text })}<｜tool▁call▁end｜>`;
    expect(read(begin + call + end).calls).toEqual([["say", { text }]]);
  });
});

test("blanks around the name are no part of it", () => {
  const call = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>";
  const end = "<｜tool▁call▁end｜><｜tool▁calls▁end｜>";
  for (const text of [
    `${call}function <｜tool▁sep｜> roll \n\`\`\`json\n{"sides": 6}\n\`\`\`${end}`,
    `${call} roll <｜tool▁sep｜> {"sides": 6}${end}`,
  ])
    expect(outcome(text, { tools: few })).toMatchObject({ calls: [roll], text: "", faults: [] });
});
