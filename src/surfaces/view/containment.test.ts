import { expect, test } from "vitest";
import { containmentWords } from "./containment.ts";

test("a command that is given something is said to have that, and nothing else", () => {
  expect(
    containmentWords({ profile: "install", isOn: true, outside: ["registry.example:443", "/srv/x"] }),
  ).toBe(
    "runs contained: it changes the workspace, and of all else it is given registry.example:443, /srv/x only",
  );
  expect(containmentWords({ profile: "install", isOn: true, outside: ["x\u001b[31m\u202e"] })).not.toMatch(
    /[\u001b\u202e]/u,
  );
});
