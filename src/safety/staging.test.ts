import { expect, test } from "vitest";
import type { Risk } from "../protocol/facts.ts";
import { undoCoverage, containmentOf } from "./containment.ts";
import { evaluatePolicy, type Policy, type SandboxState, type Subject } from "./evaluate-policy.ts";
import { judgeCommand } from "./judge.ts";
import type { Judgement } from "./judgement.ts";
import { around, commandOf, judgement, level, off, part, policy } from "./testing/judgements.ts";

const change: Subject = { tool: "write_file", does: "change", paths: ["src/a.ts"] };
const rated = (risk: Risk, over: Partial<Judgement> = {}): Subject =>
  commandOf(judgement([part("doing it", { finding: [risk, `it is ${risk}`] })], over));
const verdict = (subject: Subject, over: Partial<Policy> = {}): string =>
  evaluatePolicy(subject, policy(over)).verdict;
const works: SandboxState = { isOn: true, overlays: { works: true } };
const flat: SandboxState = { isOn: true, overlays: { works: false, because: "the kernel is too old" } };

test("B9: a staged change is allowed in every mode but plan, and denied in protected places", () => {
  const shown = { ...change, stages: true };
  for (const mode of ["ask", "accept-edits", "auto", "deny", "staged"] as const)
    expect(verdict(shown, { mode })).toBe("allow");
  expect(verdict(shown, { mode: "plan" })).toBe("deny");
  expect(verdict({ ...shown, paths: [".git/config"] })).toBe("deny");
  expect(verdict({ ...shown, paths: [".env"] })).toBe("ask");
});

test("a staged command below critical runs in the profile build without approval", () => {
  for (const risk of ["none", "medium", "high"] as const) {
    const decided = evaluatePolicy({ ...rated(risk), stages: true }, policy({ sandbox: works }));
    expect(decided).toMatchObject({ verdict: "allow", sandbox: { profile: "build" } });
    expect(decided.sandbox?.undo).toBeUndefined();
  }
  expect(verdict({ ...rated("critical"), stages: true }, { sandbox: works })).toBe("ask-always");
});

test("a staged command that reads a secret asks: its changes are held, but the model is shown what it reads", () => {
  const judgement = judgeCommand("cat .env", { ...around, directory: around.workspace });
  const reading = {
    tool: "run_command",
    does: "execute",
    paths: [],
    command: "cat .env",
    judgement,
  } as const;
  const { verdict: said } = evaluatePolicy(
    { ...reading, stages: true },
    policy({ sandbox: works, mode: "staged" }),
  );
  expect(said).toBe("ask");
});

test("a command that cannot be staged is denied with the reason, even if a rule allows it", () => {
  const cases: [Subject, SandboxState, string][] = [
    [rated("none"), off, "the sandbox is off (bubblewrap is missing)"],
    [rated("none"), { isOn: false }, "the sandbox is off"],
    [rated("none"), flat, "the kernel is too old"],
    [rated("none", { usesNetwork: true }), works, "it reaches beyond the workspace"],
    [rated("none", { usesService: true }), works, "it reaches beyond the workspace"],
    [rated("none", { uncontainable: "it becomes another user" }), works, "it becomes another user"],
    [{ ...rated("none"), lasting: true }, works, "what runs on a terminal changes files at once"],
  ];
  const rules = [level("user", { tool: "*", decision: "allow" })];
  for (const [subject, sandbox, why] of cases) {
    const { verdict: said, because } = evaluatePolicy(
      { ...subject, stages: true },
      policy({ sandbox, rules }),
    );
    expect([said, because]).toEqual(["deny", `it cannot be staged: ${why}`]);
  }
  expect(verdict({ ...rated("none", { onlyReads: true }), stages: true }, { sandbox: off })).toBe("allow");
});

test("B13: without a user to ask, a token is the approval, unless a rule, the mode or the file requires asking", () => {
  const applies = { ...change, applies: true };
  expect(verdict(applies)).toBe("ask");
  expect(verdict(applies, { interactive: false })).toBe("allow");
  expect(verdict(applies, { interactive: "later" })).toBe("allow");
  expect(verdict(change, { interactive: false })).toBe("deny");
  expect(verdict({ ...applies, paths: [".env"] }, { interactive: false })).toBe("deny");
  expect(verdict({ ...applies, readOnly: ["src/a.ts"] }, { interactive: false })).toBe("deny");
  expect(verdict({ ...applies, paths: [".git/config"] }, { interactive: false })).toBe("deny");
  expect(verdict(applies, { interactive: false, mode: "deny" })).toBe("deny");
  expect(verdict(applies, { interactive: false, mode: "plan" })).toBe("deny");
  const rules = [level("user", { tool: "*", path: "src/**", decision: "ask" })];
  expect(verdict(applies, { interactive: false, rules })).toBe("deny");
});

test("a change of a read-only file asks in every mode, and approving it covers only that file", () => {
  const sealed = { ...change, readOnly: ["src/a.ts"] };
  for (const mode of ["ask", "accept-edits", "auto"] as const) expect(verdict(sealed, { mode })).toBe("ask");
  const because = (...readOnly: string[]) =>
    evaluatePolicy({ ...sealed, readOnly }, policy({ mode: "auto" })).because;
  expect(because("src/a.ts")).toBe("src/a.ts is read-only");
  expect(because("src/a.ts", "src/b.ts")).toBe("src/a.ts, src/b.ts are read-only");
  const { offer } = evaluatePolicy(sealed, policy({ mode: "auto" }));
  const grants = offer?.covers ? [offer.covers] : [];
  expect(verdict(sealed, { mode: "auto", grants })).toBe("allow");
  expect(verdict({ ...sealed, paths: ["src/b.ts"], readOnly: ["src/b.ts"] }, { mode: "auto", grants })).toBe(
    "ask",
  );
});

test("A40: a decision states what undo will cover of the command", () => {
  const coverage = (subject: Subject, sandbox: SandboxState): unknown =>
    undoCoverage(subject, containmentOf(subject, around, sandbox.isOn), sandbox);
  expect(coverage(rated("none"), works)).toBe("workspace");
  expect(coverage(rated("high"), works)).toBe("workspace");
  expect(coverage(rated("none"), flat)).toBe("partly");
  expect(coverage(rated("none"), off)).toBe("partly");
  expect(coverage(rated("none", { usesService: true }), works)).toBe("partly");
  expect(coverage(rated("none", { uncontainable: "it is about processes" }), works)).toBe("partly");
  const moving = commandOf(judgement([part("git mv old new")], { onlyGit: true }));
  expect(coverage(moving, works)).toBe("partly");
  expect(coverage({ ...rated("none"), lasting: true }, works)).toBe("nothing");
  expect(coverage(rated("none", { onlyReads: true }), works)).toBeUndefined();
  expect(evaluatePolicy(rated("high"), policy({ sandbox: off })).sandbox).toMatchObject({ undo: "partly" });
});
