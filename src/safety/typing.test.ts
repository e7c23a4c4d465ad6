import { expect, test } from "vitest";
import type { SandboxRecord } from "../protocol/facts.ts";
import { evaluatePolicy, type Policy, type Subject } from "./evaluate-policy.ts";
import { judgeCommand } from "./judge.ts";
import { around, off, policy } from "./testing/judgements.ts";

const inside: SandboxRecord = { profile: "build", isOn: true };
const approved: SandboxRecord = { profile: "open", isOn: true };
const outside: SandboxRecord = { profile: "build", isOn: false, because: "it is about processes outside" };

/** Typed input: a command if a shell receives it, otherwise input for the program. */
const typed = (runsIn: SandboxRecord, command?: string, into = "bash"): Subject => ({
  tool: "terminal",
  does: "execute",
  paths: [],
  lasting: true,
  runsIn,
  into,
  ...(command === undefined
    ? {}
    : { command, judgement: judgeCommand(command, { ...around, directory: around.workspace }) }),
});

const starting = (command: string): Subject => ({
  tool: "terminal",
  does: "execute",
  paths: [],
  lasting: true,
  command,
  judgement: judgeCommand(command, { ...around, directory: around.workspace }),
});

const verdict = (subject: Subject, over: Partial<Policy> = {}): string =>
  evaluatePolicy(subject, policy(over)).verdict;

test("a typed command runs in the terminal's sandbox state, whatever profile it would need itself", () => {
  for (const command of ["ls", "npm test", "ps aux", "curl localhost:3000"]) {
    expect(evaluatePolicy(typed(inside, command), policy())).toMatchObject({
      verdict: "allow",
      sandbox: { ...inside, undo: "nothing" },
    });
    for (const runsIn of [approved, outside]) {
      const decided = evaluatePolicy(typed(runsIn, command), policy({ mode: "auto" }));
      expect([decided.verdict, decided.sandbox]).toEqual(["ask", { ...runsIn, undo: "nothing" }]);
      expect(decided.because).toContain("the terminal runs outside the sandbox");
    }
  }
});

test("what must fail without a network is denied in a contained terminal, with what to do instead", () => {
  const because =
    "the terminal's sandbox has no network. Run this as a command by itself, or start it in a terminal of its own";
  const install: SandboxRecord = { profile: "install", isOn: true };
  for (const command of ["npm install left-pad", "git push"]) {
    expect(evaluatePolicy(typed(inside, command), policy()), command).toMatchObject({
      verdict: "deny",
      because,
    });
    expect(verdict(typed(approved, command)), command).toBe("ask");
  }
  expect(verdict(typed(install, "npm install left-pad"))).toBe("ask");
});

test("input for a program needs no approval inside the sandbox, and asks outside", () => {
  expect(verdict(typed(inside, undefined, "vim"))).toBe("allow");
  for (const runsIn of [approved, outside])
    expect(evaluatePolicy(typed(runsIn, undefined, "vim"), policy({ mode: "auto" }))).toMatchObject({
      verdict: "ask",
      because: expect.stringContaining("the terminal runs outside the sandbox"),
      offer: { scopes: ["once", "turn"] },
    });
});

test("input for a program started by git asks, because that program can change the repository", () => {
  const git: SandboxRecord = { profile: "git", isOn: true };
  expect(verdict(typed(git, undefined, "git"))).toBe("allow");
  expect(evaluatePolicy(typed(git, undefined, "vim"), policy({ mode: "auto" }))).toMatchObject({
    verdict: "ask",
    because: "vim was started by git, and can change the repository itself",
  });
});

test("a program on a terminal is not treated as read-only, because it takes further input", () => {
  for (const command of ["bash", "top", "ps aux; python3", "less notes.txt"])
    expect(verdict(starting(command), { sandbox: off })).toBe("ask");
  for (const command of ["top", "ps aux; python3"]) expect(verdict(starting(command))).toBe("ask");
  for (const command of ["bash", "less notes.txt"]) {
    expect(evaluatePolicy(starting(command), policy())).toMatchObject({
      verdict: "allow",
      sandbox: { profile: "build" },
    });
    expect(verdict(starting(command), { mode: "plan" })).toBe("deny");
  }
});

test("typing and starting in a terminal are denied in staged mode", () => {
  const cases = [typed(inside), typed(outside), typed(inside, "ls"), starting("ls")];
  for (const subject of cases) expect(verdict({ ...subject, stages: true }, { mode: "staged" })).toBe("deny");
});
