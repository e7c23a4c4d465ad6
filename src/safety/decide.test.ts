import { expect, test } from "vitest";
import type { Mode } from "../protocol/facts.ts";
import { decide, grantFor, type Policy, type Subject } from "./decide.ts";
import type { Rule } from "./rules.ts";

const read: Subject = { tool: "read_file", does: "read", paths: ["a.ts"] };
const change: Subject = { tool: "write_file", does: "change", paths: ["src/a.ts"] };
const command = (line: string): Subject => ({
  tool: "run_command",
  does: "execute",
  paths: [],
  command: line,
});

const policy = (over: Partial<Policy> = {}): Policy => ({
  mode: "ask",
  rules: [],
  granted: () => false,
  interactive: true,
  ...over,
});
const layer = (name: string, ...rules: Rule[]) => ({ name, rules });
const verdict = (subject: Subject, over: Partial<Policy> = {}) => decide(subject, policy(over)).verdict;

test.each<[Mode, string, string, string]>([
  ["ask", "allow", "ask", "ask"],
  ["accept-edits", "allow", "allow", "ask"],
  ["auto", "allow", "allow", "ask"],
  ["plan", "allow", "deny", "deny"],
  ["deny", "allow", "deny", "deny"],
])(
  "C3: the mode %s says %s to reads, %s to changes and %s to other commands",
  (mode, forRead, forChange, forCommand) => {
    expect(verdict(read, { mode })).toBe(forRead);
    expect(verdict(change, { mode })).toBe(forChange);
    expect(verdict(command("npm test"), { mode })).toBe(forCommand);
  },
);

test("a command that plainly only reads runs in every mode", () => {
  for (const mode of ["ask", "accept-edits", "auto", "plan", "deny"] as const)
    expect(verdict(command("ls src"), { mode })).toBe("allow");
});

test.each([
  ".git/hooks/pre-commit",
  ".GIT/config",
  ".git./config",
  ".git /config",
  ".git::$INDEX_ALLOCATION/config",
  "GIT~1/config",
  "sub/.git/config",
  ".husky/pre-commit",
  "node_modules/a/index.js",
  "a/../.git/config",
  ".g\u200bit/config",
  ".git\\config",
  "HUSKY~1/pre-commit",
  "NODE_M~1/a/index.js",
  ".hu\u017Fky/pre-commit",
])("C2: %j is protected from changes, whatever rule or mode allows it", (path) => {
  const allowAll = [layer("user", { tool: "*", decision: "allow" })];
  const decision = decide(
    { ...change, paths: [path] },
    policy({ mode: "auto", rules: allowAll, granted: () => true }),
  );
  expect(decision.verdict).toBe("deny");
  expect(decision.because).toContain("protected");
  expect(verdict({ ...read, paths: [path] })).toBe("allow");
});

test.each([".github/workflows/ci.yml", ".gitignore", "git/config", "src/node_modules.ts"])(
  "%j is not protected",
  (path) => {
    expect(verdict({ ...change, paths: [path] }, { mode: "auto" })).toBe("allow");
  },
);

test("C3: the first matching rule of a layer wins, and the stricter layer wins over the other", () => {
  const rules = [
    layer("user", { tool: "write_file", path: "src/**", decision: "allow" }, { tool: "*", decision: "deny" }),
  ];
  expect(verdict(change, { rules })).toBe("allow");
  expect(verdict({ ...change, paths: ["docs/a.md"] }, { rules })).toBe("deny");
  const tightened = [...rules, layer("workspace", { tool: "*", path: "src/a.ts", decision: "ask" })];
  expect(verdict(change, { rules: tightened })).toBe("ask");
});

test("C3: an allow must cover every path, a deny any", () => {
  const both = { ...change, paths: ["src/a.ts", "secret/key"] };
  expect(verdict(both, { rules: [layer("user", { tool: "*", path: "src/**", decision: "allow" })] })).toBe(
    "ask",
  );
  expect(verdict(both, { rules: [layer("user", { tool: "*", path: "secret/**", decision: "deny" })] })).toBe(
    "deny",
  );
});

test("C3: a refusal holds in any case, an allow only as it is written", () => {
  const loud = { ...change, paths: ["SRC/A.ts"] };
  expect(verdict(loud, { rules: [layer("user", { tool: "*", path: "src/**", decision: "deny" })] })).toBe(
    "deny",
  );
  expect(verdict(loud, { rules: [layer("user", { tool: "*", path: "src/**", decision: "allow" })] })).toBe(
    "ask",
  );
});

test("a wider yes to a command holds in its directory only, and a harmless one that leads out is not harmless", () => {
  const build = command("./build.sh");
  expect(grantFor(build)).toBe("the command ./build.sh");
  const granted = (name: string) => name === grantFor(build);
  expect(verdict(build, { granted })).toBe("allow");
  expect(verdict({ ...build, directory: "other" }, { granted })).toBe("ask");
  for (const mode of ["ask", "auto"] as const)
    expect(verdict({ ...command("cat link"), leadsOut: true }, { mode })).toBe("ask");
  expect(verdict({ ...command("cat link"), leadsOut: true }, { mode: "plan" })).toBe("deny");
});

test("an allowed command pattern never reaches over a shell operator", () => {
  const rules = [layer("user", { tool: "run_command", command: "npm test*", decision: "allow" })];
  expect(verdict(command("npm test -- --run"), { rules })).toBe("allow");
  for (const line of [
    "npm test; rm -rf .",
    "npm test && x",
    "npm test | sh",
    "npm test $(x)",
    "npm test\nrm x",
    "npm test > a",
  ])
    expect(verdict(command(line), { rules })).toBe("ask");
  const denied = [layer("user", { tool: "run_command", command: "*rm -rf*", decision: "deny" })];
  expect(verdict(command("ls;\nrm -rf ."), { rules: denied })).toBe("deny");
});

test("[T] C: without a person, ask means deny, and the reason says so", () => {
  const decision = decide(change, policy({ interactive: false }));
  expect(decision).toMatchObject({
    verdict: "deny",
    because: "it changes files, and there is nobody to ask",
  });
  expect(decision.trace.map((word) => word.layer)).toEqual(["mode ask", "no person"]);
});

test("a grant answers what the mode asks, but neither a rule that asks nor a denial", () => {
  const granted = (name: string) => name === grantFor(change);
  expect(verdict(change, { granted })).toBe("allow");
  expect(verdict(change, { granted, rules: [layer("user", { tool: "*", decision: "ask" })] })).toBe("ask");
  expect(verdict(change, { granted, mode: "plan" })).toBe("deny");
  expect(verdict(command("npm test"), { granted })).toBe("ask");
});

test("FORMATS 4.8: a call mended by a guess asks before it changes anything, whatever the mode or rule, and may read", () => {
  const allowAll = [layer("user", { tool: "*", decision: "allow" })];
  expect(verdict({ ...change, guessed: true }, { mode: "auto", rules: allowAll })).toBe("ask");
  expect(verdict({ ...command("ls"), guessed: true }, { mode: "auto" })).toBe("ask");
  expect(verdict({ ...read, guessed: true })).toBe("allow");
});
