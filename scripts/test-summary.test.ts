import { expect, test } from "vitest";
import { summary } from "./tests/summary.ts";

const file = (...statuses: string[]) => ({
  name: "a.test.ts",
  status: statuses.includes("failed") ? "failed" : "passed",
  assertionResults: statuses.map((status) => ({
    fullName: "it works",
    status,
    failureMessages: status === "failed" ? ["It does not."] : [],
  })),
});

test("the summary adds up the tests of all reports", () => {
  const fast = {
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [file("passed", "failed"), file("passed")],
  };
  const long = { numPassedTests: 1, numFailedTests: 0, testResults: [file("passed")] };
  expect(summary([fast, long])).toEqual({ passed: 3, failed: 1, second: [] });
});

test("a file that could not be loaded counts as a failure", () => {
  const report = {
    numPassedTests: 1,
    numFailedTests: 0,
    testResults: [file("passed"), { ...file(), status: "failed" }],
  };
  expect(summary([report])).toEqual({ passed: 1, failed: 1, second: [] });
});

test("a test that failed first and then passed is named", () => {
  const tried = { fullName: "it works", status: "passed", failureMessages: ["Not yet."] };
  const report = {
    numPassedTests: 1,
    numFailedTests: 0,
    testResults: [{ name: "b.test.ts", status: "passed", assertionResults: [tried] }],
  };
  expect(summary([report])).toEqual({ passed: 1, failed: 0, second: ["b.test.ts: it works"] });
});

test("without reports the summary counts no tests", () => {
  expect(summary([])).toEqual({ passed: 0, failed: 0, second: [] });
});
