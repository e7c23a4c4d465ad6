import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { askUser } from "./ask-user.ts";
import type { ToolQuestion, QuestionReply } from "./tool.ts";

function asking(input: JsonObject): ToolQuestion | string {
  const prepared = askUser.prepare(input);
  if (!prepared.ok) return prepared.problem;
  return prepared.value.asks ?? "asks nothing";
}

function told(input: JsonObject, reply: QuestionReply): string {
  const asks = asking(input);
  if (typeof asks === "string") return asks;
  return asks
    .answered(reply)
    .content.flatMap((part) => (part.type === "text" ? part.text : []))
    .join();
}

test("a question may have choices, as strings or with details, under the argument names models use", () => {
  expect(
    asking({ prompt: "Which?", options: ["red", { label: "blue", description: "as the sky" }] }),
  ).toMatchObject({
    question: "Which?",
    choices: [{ label: "red" }, { label: "blue", detail: "as the sky" }],
  });
  expect(asking({ question: "Why?" })).toMatchObject({ question: "Why?", choices: [] });
  const prepared = askUser.prepare({ question: `${"Why ".repeat(40)}?\nReally?` });
  expect(prepared.ok && prepared.value.title.length).toBe(85);
});

test("several choices may be selected only where more than one is offered", () => {
  expect(asking({ question: "x", choices: ["a", "b"], several: true })).toMatchObject({ several: true });
  expect(asking({ question: "x", choices: ["a"], several: true })).not.toHaveProperty("several");
  expect(asking({ question: "x", several: true })).not.toHaveProperty("several");
});

test.each<[JsonObject, string]>([
  [{}, `"question" is required`],
  [{ question: "" }, `"question" must have at least 1 characters`],
  [{ question: "x".repeat(4001) }, `"question" must have at most 4000 characters`],
  [{ question: "x", choices: Array.from({ length: 13 }, () => "a") }, `"choices" must have at most 12 items`],
  [{ question: "x", choices: [{ detail: "a" }] }, `"choices[0].label" is required`],
])("an invalid question is refused with the problem: %j", (input, problem) => {
  expect(asking(input)).toContain(problem);
});

test("a reply that none of our surfaces would send is still understood", () => {
  const input = { question: "x", choices: ["a", "b"] };
  expect(told(input, { answer: "given", by: "me", chosen: [7], text: " c " })).toBe("The user answered: c");
  expect(told(input, { answer: "given", by: "me" })).toBe("The user gave an empty answer.");
});

test("a question that timed out is not reported as one the user declined to answer", () => {
  const input = { question: "x", choices: ["a", "b"] };
  expect(told(input, { answer: "declined", by: "me" })).toContain(
    "The user does not want to answer this. Do",
  );
  expect(told(input, { answer: "declined", by: "me", text: " Not now. " })).toContain(
    'The user does not want to answer this. They said: "Not now.". Do not ask it again',
  );
  const late = told(input, { answer: "declined", by: "timeout" });
  expect(late).toContain("Nobody answered this.");
  expect(late).not.toContain("The user");
});
