import { expect, test } from "vitest";
import { changedBy, shownTo } from "./containment.ts";
import { judgement, part, touchedPaths } from "./testing/judgements.ts";

const touched = [
  ...touchedPaths("read", "/home/dev/.ssh/config"),
  ...touchedPaths("write", "/home/dev/.npmrc"),
  ...touchedPaths("delete", "/home/dev/.netrc"),
];
const rated = (severity: "none" | "medium") =>
  judgement([part("doing it", { finding: [severity, "x"] })], { touched, needs: [".docker"] });

test("a command is shown the secrets that it reads only after a person has approved reading them", () => {
  const changed = ["/home/dev/.npmrc", "/home/dev/.netrc"];
  expect(shownTo(rated("none"), {})).toEqual({ needs: [".docker"], named: changed });
  expect(shownTo(rated("medium"), {})).toEqual({
    needs: [".docker"],
    named: ["/home/dev/.ssh/config", ...changed],
  });
});

test("what is tried, or not understood, is shown no secret", () => {
  expect(shownTo(rated("medium"), { trial: true })).toEqual({ needs: [], named: [] });
  expect(shownTo(undefined, {})).toEqual({ needs: [], named: [] });
});

test("a command changes what it plainly writes or deletes, and nothing if it is not understood", () => {
  expect(changedBy(rated("none"))).toEqual(["/home/dev/.npmrc", "/home/dev/.netrc"]);
  expect(changedBy(undefined)).toEqual([]);
});
