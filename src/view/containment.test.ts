import { expect, test } from "vitest";
import { containmentWords } from "./containment.ts";

test("a command that is given something is said to have that, and nothing else", () => {
  expect(
    containmentWords({ profile: "install", isOn: true, outside: ["registry.example:443", "/srv/x"] }),
  ).toBe(
    "runs contained: it changes the workspace, and of all else it is given registry.example:443, /srv/x only",
  );
  const hostile = containmentWords({ profile: "install", isOn: true, outside: ["x\u001b[31m\u202e"] });
  expect(["\u001b", "\u202e"].filter((mark) => hostile.includes(mark))).toEqual([]);
});
