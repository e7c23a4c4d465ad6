/** Tests the parsing of answers to the model's questions, its plans and limits. */

import { expect, test } from "vitest";
import { parseLimitAnswer } from "./limit-question.ts";
import { parseChoice } from "./model-question.ts";
import { parsePlanAnswer, readPlanText } from "./plan-question.ts";

const asked = (several: boolean, ...labels: string[]) => ({
  type: "question-asked" as const,
  callId: "c",
  question: "Which?",
  choices: labels.map((label) => ({ label })),
  several,
});

test.each([
  ["2", { answer: "given", chosen: [1] }],
  ["LEFT", { answer: "given", chosen: [0] }],
  ["neither of them", { answer: "given", text: "neither of them" }],
  ["2 of them", { answer: "given", text: "2 of them" }],
  ["s", { answer: "declined" }],
  ["3", "There is no choice 3: they are numbered 1 to 2."],
  ["0", "There is no choice 0: they are numbered 1 to 2."],
  ["1,2", "Only one of them can be chosen."],
  ["", "Please say something, or s to leave it to the model."],
])("at a question with two choices %j is %j", (line, answer) => {
  expect(parseChoice(line, asked(false, "left", "right"))).toEqual(answer);
});

test("several choices are given by their numbers with any separator", () => {
  for (const line of ["1,3", "3 1", "1, 3.", "1+3", "1 1 3"])
    expect(parseChoice(line, asked(true, "a", "b", "c"))).toMatchObject({ answer: "given" });
  expect(parseChoice("3,1", asked(true, "a", "b", "c"))).toEqual({ answer: "given", chosen: [2, 0] });
});

test("without choices a number is a free-text answer", () => {
  expect(parseChoice("42", asked(false))).toEqual({ answer: "given", text: "42" });
});

test.each([
  ["y", "rounds", { answer: "extend" }],
  ["no", "rounds", { answer: "stop" }],
  ["40", "rounds", { answer: "extend", most: 40 }],
  ["40 rounds", "rounds", { answer: "extend", most: 40 }],
  ["$2.50", "cost", { answer: "extend", most: 2.5 }],
  ["3 usd", "cost", { answer: "extend", most: 3 }],
  ["200k", "tokens", { answer: "extend", most: 200_000 }],
  ["1,000,000", "tokens", { answer: "extend", most: 1_000_000 }],
  ["20", "time", { answer: "extend", most: 1_200_000 }],
  ["90 s", "time", { answer: "extend", most: 90_000 }],
  ["-5", "rounds", undefined],
  ["forty", "rounds", undefined],
  ["40 apples", "rounds", undefined],
  ["", "rounds", undefined],
] as const)("at a limit %j (of %s) is %j", (line, limit, answer) => {
  expect(parseLimitAnswer(line, limit)).toEqual(answer);
});

const steps = [{ title: "Read" }, { title: "Change", detail: "a" }, { title: "Test" }];

test.each([
  ["y", { type: "approve", mode: "ask" }],
  ["a", { type: "approve", mode: "accept-edits" }],
  ["auto", { type: "approve", mode: "auto" }],
  ["n", { type: "reject" }],
  ["no, too risky", { type: "reject", because: "too risky" }],
  ["e", { type: "edit" }],
  ["drop 1, 3", { type: "edited", steps: [steps[1]] }],
  ["2: Change less", { type: "edited", steps: [steps[0], { title: "Change less" }, steps[2]] }],
  ["add: Write docs", { type: "edited", steps: [...steps, { title: "Write docs" }] }],
  ["z", { type: "back" }],
  ["drop 4", { type: "unclear", hint: "  There is no step 4: they are numbered 1 to 3." }],
])("at a plan %j is %j", (line, said) => {
  expect(parsePlanAnswer(line, steps)).toEqual(said);
});

test("a typo does not reject a plan", () => {
  expect(parsePlanAnswer("yy", steps).type).toBe("unclear");
});

test("a plan edited as text has one step per line, and indented lines are its details", () => {
  const text = "# a remark\n1. Read\n\n2) Change\n   a\n    b\n- Test\nOne more\n";
  expect(readPlanText(text)).toEqual([
    { title: "Read" },
    { title: "Change", detail: "a\n b" },
    { title: "Test" },
    { title: "One more" },
  ]);
  expect(readPlanText("")).toEqual([]);
});
