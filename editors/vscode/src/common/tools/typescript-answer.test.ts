import { expect, test } from "vitest";
import { typescriptProblems } from "./typescript-answer.ts";

const at = { start: { line: 3, offset: 5 }, end: { line: 3, offset: 9 } };

test("errors and warnings are problems with their places; suggestions and oddities are none", () => {
  const body = [
    { ...at, text: "No such name.", code: 2304, category: "error" },
    { ...at, text: "Could be const.", code: 80001, category: "suggestion" },
    { text: "Nowhere.", category: "error" },
    null,
  ];
  expect(typescriptProblems({ type: "response", body })).toEqual([
    { severity: "error", line: 3, column: 5, message: "No such name.", source: "ts", code: "2304" },
  ]);
});

test("a server that was interrupted has said nothing", () => {
  expect(typescriptProblems({ type: "cancelled", reason: "server" })).toBeUndefined();
  expect(typescriptProblems(undefined)).toBeUndefined();
});
