/** Tests `explain`, `inspect command` and `policy` as whole commands in a throw-away home. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anyCharacter } from "../../base/testing/any-character.ts";
import { fixedPlace, judgeByWords } from "../../runtime/inspecting/judged-command.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { runCli } from "../main.ts";
import { testSettings } from "../testing/runtime.ts";
import { printJudged } from "./judged-lines.ts";

let home = "";
let work = "";
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "toolwright-explain-")));
  work = join(home, "work");
  await mkdir(work);
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function run(argv: string[], input?: string | Buffer) {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const terminal = testTerminal({ env, cwd: work });
  if (input !== undefined) terminal.input.end(input);
  const code = await runCli(argv, terminal);
  return { code, out: terminal.printed(), err: terminal.reported() };
}

const explained = async (argv: string[], input?: string) => {
  const ran = await run(["explain", "--output", "json", ...argv], input);
  expect(ran).toMatchObject({ code: 0, err: "" });
  return JSON.parse(ran.out);
};

test("explain shows the verdict, each part with its reason, the files touched and each layer's verdict", async () => {
  const { code, out, err } = await run(["explain", "ls; rm -rf ~"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("It is denied · risk: critical");
  expect(out).toMatch(
    /Understood as:\n {2}none {6}ls +\(files\.yaml:\d+\)\n {2}critical {2}rm -rf .*it deletes a whole home directory/u,
  );
  expect(out).toContain(`It touches:\n  deletes  ${home}\n`);
  expect(out).toContain("What each layer says:\n  working zone  deny ");
});

test("the report of a command on trial says that its changes are decided on", () => {
  const terminal = testTerminal({ env: {}, cwd: work });
  const sandbox = { isOn: true, overlays: { works: true } } as const;
  printJudged(
    { terminal, settings: testSettings() },
    judgeByWords("nobody-knows-this x > y", { place: fixedPlace, mode: "auto", sandbox }),
  );
  expect(terminal.printed()).toContain(
    "It runs without a question, and what it changed is decided on before it is kept · risk: high\n",
  );
});

test("explain names the rows of the configuration that it used", async () => {
  const path = join(home, ".config", "toolwright", "config.json");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify({ programs: [{ programs: "tidy-notes", does: "reads" }] }));
  const { out } = await run(["explain", "tidy-notes a.md"]);
  expect(out).toContain("It runs without a question · risk: none");
  expect(out).toContain(`programs.0 of ${path}`);
  await mkdir(join(work, ".toolwright"));
  const rows = [{ programs: "tidy-notes", does: "critical it starts a deployment" }];
  await writeFile(join(work, ".toolwright", "config.json"), JSON.stringify({ programs: rows }));
  expect((await run(["explain", "tidy-notes a.md"])).out).toContain("it starts a deployment");
});

test("explain says what a rule for the tool that reads files forbids a command", async () => {
  const deny = JSON.stringify({ tool: "read_file", path: "notes/**", decision: "deny" });
  await mkdir(join(home, ".config", "toolwright"), { recursive: true });
  await writeFile(join(home, ".config", "toolwright", "config.json"), `{ "rules": [${deny}] }`);
  expect(await explained(["cat notes/x"])).toMatchObject({ verdict: "deny" });
  expect(await explained(["cat other/x"])).toMatchObject({ verdict: "allow" });
});

test("explain uses the real configuration and the current directory", async () => {
  await mkdir(join(home, ".config", "toolwright"), { recursive: true });
  const rules = [{ tool: "bash", command: "git push *", decision: "deny" }];
  await writeFile(
    join(home, ".config", "toolwright", "config.json"),
    JSON.stringify({ rules, mode: "auto" }),
  );
  const judged = await explained(["git push origin main"]);
  expect(judged).toMatchObject({ verdict: "deny", workspace: work, directory: work, home });
  expect(judged.trace[0]).toEqual({
    layer: "rules (user)",
    verdict: "deny",
    because: 'the rule "deny run_command git push *" says so',
  });
});

test("the command is one quoted argument, the words after --, or standard input", async () => {
  expect((await explained(["ls | wc"])).command).toBe("ls | wc");
  expect((await explained(["--", "rm", "-rf", "my dir", "it's"])).command).toBe("rm -rf 'my dir' 'it'\\''s'");
  expect((await explained(["-"], "ls\ncat a\n")).command).toBe("ls\ncat a");
  for (const argv of [[], ["rm", "-rf", "x"], ["ls", "a"]]) {
    const ran = await run(["explain", ...argv]);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(/^toolwright: [^\n]*toolwright explain[^\n]*\n$/u);
  }
  expect(await run(["explain", "-"], " \n")).toMatchObject({ code: 2, out: "" });
});

test("invisible characters are made visible", async () => {
  const hidden = "echo \u202Eevil\u200B\u001B[2J";
  for (const argv of [
    ["explain", hidden],
    ["inspect", "command"],
  ]) {
    const { out } = await run(argv, hidden);
    expect(out).toContain("echo ⟨U+202E⟩evil⟨U+200B⟩␛[2J");
    for (const hiding of ["\u202E", "\u200B", "\u001B"]) expect(out).not.toContain(hiding);
  }
});

const lines = (out: string) =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("inspect command reports on each line in order, with the same directories on every machine", async () => {
  const cases = [
    { id: "a", cmd: "rm -rf ~" },
    { id: 2, cmd: "cat src/a.ts" },
    { id: "c", cmd: "npm install x", mode: "auto" },
    { id: "d", cmd: "touch /srv/w/a", workspace: "/srv/w", cwd: "/srv/w/sub", home: "/srv/home" },
    { id: "e", cmd: "git commit -m x", mode: "plan" },
  ];
  const { code, out, err } = await run(
    ["inspect", "command", "--jsonl"],
    cases.map((each) => JSON.stringify(each)).join("\n"),
  );
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const reports = lines(out);
  expect(reports.map(({ id, severity, verdict }) => [id, severity, verdict])).toEqual([
    ["a", "critical", "deny"],
    [2, "none", "allow"],
    ["c", "medium", "allow"],
    ["d", "none", "allow"],
    ["e", "none", "deny"],
  ]);
  expect(Object.keys(reports[0])).toEqual(["id", "severity", "verdict", "because", "parts"]);
  expect(reports[0].parts).toEqual([
    { words: expect.any(String), severity: "critical", because: expect.stringContaining("/home/dev") },
  ]);
});

test("with --sandbox off only read-only commands run without a question", async () => {
  const input = ["ls", "npm test"].map((cmd, id) => JSON.stringify({ id, cmd })).join("\n");
  const { out } = await run(["inspect", "commands", "--jsonl", "--sandbox", "off"], input);
  expect(lines(out).map(({ verdict }) => verdict)).toEqual(["allow", "ask"]);
});

test("an invalid line is reported and skipped", async () => {
  const input = [
    "nonsense",
    "[]",
    '{"id":1}',
    '{"id":{},"cmd":"ls"}',
    '{"id":1,"cmd":"ls","cwd":"x"}',
    '{"id":1,"cmd":"ls","mode":"x"}',
    '{"id":1,"cmd":"ls"}',
  ];
  const { code, out, err } = await run(["inspect", "command", "--jsonl"], input.join("\n"));
  expect(code).toBe(1);
  expect(lines(out)).toHaveLength(1);
  expect(err.split("\n").filter((line) => line !== "")).toEqual([
    "toolwright: Line 1 cannot be inspected: it is not JSON.",
    "toolwright: Line 2 cannot be inspected: it is not an object.",
    'toolwright: Line 3 cannot be inspected: "cmd" must be a text.',
    'toolwright: Line 4 cannot be inspected: "id" must be a text or a number.',
    'toolwright: Line 5 cannot be inspected: "cwd" must be an absolute path.',
    'toolwright: Line 6 cannot be inspected: "mode" must be one of ask, accept-edits, plan, auto, deny, staged, trusted.',
  ]);
});

test("a line ends at a line feed only, whatever else its texts hold", async () => {
  const odd = "a\u2028b\u2029c\u0085d";
  const cases = [
    { id: "1", cmd: `echo ${odd}`, text: `${odd} is said.` },
    { id: "2", cmd: "ls", text: "yes" },
  ];
  const input = cases.map((one) => JSON.stringify(one)).join("\r\n");
  expect(input).toContain("\u2028");
  for (const what of ["command", "calls"]) {
    const { code, out, err } = await run(["inspect", what, "--jsonl"], input);
    expect([code, err, lines(out).map(({ id }) => id)], what).toEqual([0, "", ["1", "2"]]);
  }
});

test("every command gets exactly one line of report", async () => {
  const texts = fc.sample(fc.string({ unit: anyCharacter, maxLength: 60 }), { numRuns: 200, seed: 7 });
  const input = texts.map((cmd, id) => JSON.stringify({ id, cmd })).join("\n");
  const { code, out } = await run(["inspect", "command", "--jsonl"], input);
  expect(code).toBe(0);
  expect(lines(out).map(({ id }) => id)).toEqual(texts.map((_, id) => id));
});

test.each([
  [["inspect"], "Choose one: toolwright inspect calls"],
  [["inspect", "command", "ls"], "read from standard input"],
  [["inspect", "command", "--wire", "ollama"], "--wire is for toolwright inspect calls only"],
  [["inspect", "calls", "--sandbox", "on"], "--sandbox is for toolwright inspect command only"],
  [["doctor", "--sandbox", "on"], "--sandbox is for toolwright inspect only"],
  [["policy"], "Choose one: toolwright policy simulate"],
  [["policy", "simulate", "x"], 'takes no further arguments, and "x" is one'],
  [["policy", "grants", "--rules", "x"], "--rules is for toolwright policy simulate only"],
  [["policy", "forget", "zero"], "Which grant should be revoked?"],
  [["policy", "simulate", "--rules", "no-such-file"], "There is no file no-such-file"],
])("%j is a usage error that says what would be right", async (argv, words) => {
  const ran = await run(argv, "");
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toContain(words);
});

test("policy simulate reports that there are no sessions, and the line of a mistake in a rule file", async () => {
  expect((await run(["policy", "simulate"])).out).toContain("There is nothing to simulate");
  await writeFile(join(work, "rules.json"), '{\n"rules": [{ "tool": "*", "decision": "maybe" }] }');
  const ran = await run(["policy", "simulate", "--rules", join(work, "rules.json")]);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain('rules.json:2: "rules.0.decision" must be one of allow, ask, deny');
  await writeFile(join(work, "rules.json"), "{}");
  expect((await run(["policy", "simulate", "--rules", join(work, "rules.json")])).err).toContain(
    "nothing to try",
  );
});

test("policy simulate decides stored sessions again and shows what another rule set changes", async () => {
  await run(["--offline-model", "-p", "run git push origin main"]);
  await run(["--offline-model", "-p", "run ls"]);
  const present = JSON.parse((await run(["policy", "simulate", "--output", "json"])).out);
  expect(present).toMatchObject({ sessions: 2, calls: 2, compared: ["recorded", "present"], changes: [] });
  expect(present.suggestion).toEqual({
    rule: { tool: "run_command", command: "git push *", upTo: "medium", decision: "allow" },
    saves: 1,
  });
  const rules = [{ tool: "shell", command: "git push *", decision: "allow" }];
  await writeFile(join(work, "rules.json"), JSON.stringify({ rules }));
  const ran = await run(["policy", "simulate", "--rules", join(work, "rules.json")]);
  expect(ran.out).toContain("2 calls in 2 sessions, decided again");
  expect(ran.out).toMatch(
    /1 call comes out differently:\n {2}1 × {2}asked → allowed {2}Run git push origin main/u,
  );
  expect(ran.out).toContain("No question was asked that a rule could save.");
});

test("policy grants and forget report that nothing is permanently allowed", async () => {
  expect((await run(["policy", "grants"])).out).toBe(`Nothing is permanently allowed in ${work}.\n`);
  expect(await run(["policy", "forget", "1"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("no grant 1"),
  });
  expect((await run(["policy", "forget", "all"])).out).toBe("There was nothing to forget.\n");
  expect(JSON.parse((await run(["policy", "grants", "--output", "json"])).out)).toEqual({
    workspace: work,
    grants: [],
  });
});

test("an empty command is refused, and a huge one does not push the verdict out of sight", async () => {
  for (const argv of [[""], [" \n "]]) {
    const { code, out, err } = await run(["explain", ...argv]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("The command is empty");
  }
  const { code, out } = await run(["explain", "-"], "echo a\n".repeat(50_000));
  expect(code).toBe(0);
  expect(out.split("\n").findIndex((line) => line.startsWith("It "))).toBeLessThan(110);
  expect(out).toContain("characters in all)");
});

test("explain names the row of data by which a program is known", async () => {
  const { out } = await run(["explain", "eslint src"], "");
  expect(out).toMatch(/none {2}eslint src {2}\(builds\.yaml:\d+\)/u);
  const { out: unknown } = await run(["explain", "frobnicate src"], "");
  expect(unknown).not.toContain(".yaml");
});
