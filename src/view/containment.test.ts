import { expect, test } from "vitest";
import type { SandboxRecord } from "../protocol/facts.ts";
import { containmentWords, undoWords } from "./containment.ts";

test("a command that is given something is said to have that, and nothing else", () => {
  expect(
    containmentWords({ profile: "install", isOn: true, outside: ["registry.example:443", "/srv/x"] }),
  ).toBe(
    "runs contained: it changes the workspace, and of all else it is given registry.example:443, /srv/x only",
  );
  const hostile = containmentWords({ profile: "install", isOn: true, outside: ["x\u001b[31m\u202e"] });
  expect(["\u001b", "\u202e"].filter((mark) => hostile.includes(mark))).toEqual([]);
});

test("what undo does not bring back is said of places that a command is given", () => {
  const given: SandboxRecord = {
    profile: "build",
    isOn: true,
    undo: "workspace",
    outside: ["a.example:443", "/srv/x"],
  };
  expect(undoWords(given)).toBe(
    "Undo covers what it changes in the workspace, but not what lies in node_modules and the like. It does not cover /srv/x.",
  );
  expect(undoWords({ ...given, outside: ["a.example:443"] })).not.toContain("a.example");
  expect(undoWords({ profile: "read", isOn: true })).toBeUndefined();
});
