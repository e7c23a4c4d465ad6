import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { runCommand } from "./run-command.ts";
import { runTool, testContext, wordsOf } from "./testing/context.ts";

let workspace: TemporaryWorkspace;
beforeEach(async () => void (workspace = await temporaryWorkspace({ "sub/x": "x" })));
afterEach(() => workspace.remove());

const run = async (input: JsonObject): Promise<unknown> =>
  wordsOf(await runTool(runCommand, input, testContext(workspace.root)));

test("A33: a result is the command, its output and its exit code", async () => {
  expect(await run({ command: "echo out; echo err >&2" })).toEqual({
    outcome: "ok",
    words: "Command: echo out; echo err >&2\nout\nerr\nExit code: 0",
  });
  expect(await run({ cmd: "exit 7" })).toEqual({ outcome: "failed", words: "Command: exit 7\nExit code: 7" });
  expect(await run({ command: "kill -9 $$" })).toEqual({
    outcome: "failed",
    words: "Command: kill -9 $$\nEnded by signal SIGKILL",
  });
});

test("the command and a zero exit code, already visible in the call's line, go to the model only", async () => {
  const shown = async (command: string) => {
    const { content } = await runTool(runCommand, { command }, testContext(workspace.root));
    return content.flatMap((part) => (part.type === "text" && part.for === undefined ? [part.text] : []));
  };
  expect(await shown("echo out")).toEqual(["out"]);
  expect(await shown("echo out; exit 7")).toEqual(["out", "Exit code: 7"]);
});

test("the call declares its command for approval", () => {
  expect(runCommand.prepare({ command: "rm -rf x", cwd: "sub" })).toMatchObject({
    ok: true,
    value: { title: "Run rm -rf x", command: "rm -rf x", paths: ["sub"] },
  });
});

test("commands run in bash, without the user's start-up files", async () => {
  expect(
    await run({ command: "shopt -q login_shell || echo plain; [[ $- == *i* ]] || echo $BASH" }),
  ).toMatchObject({
    words: expect.stringMatching(/plain\n.*bash\nExit code: 0$/),
  });
});

const ok = (words: string): unknown => ({ outcome: "ok", words: `Command: pwd\n${words}\nExit code: 0` });

test("A30: the working directory is the workspace, one inside it, or the root for one outside", async () => {
  const where = async (cwd: string): Promise<unknown> => run({ command: "pwd", cwd });
  const { root } = workspace;
  const note = "[The directory asked for is outside the workspace; it ran in the workspace's root.]";
  expect(await run({ command: "pwd" })).toEqual(ok(root));
  expect(await where("sub")).toEqual(ok(join(root, "sub")));
  expect(await where(join(root, "sub"))).toEqual(ok(join(root, "sub")));
  expect(await where("/etc")).toEqual(ok(`${note}\n${root}`));
  expect(await where("../..")).toEqual(ok(`${note}\n${root}`));
  expect(await where("none")).toEqual({
    outcome: "failed",
    words: "There is no directory none to run it in.",
  });
  expect(await where("sub/x")).toEqual({
    outcome: "failed",
    words: "There is no directory sub/x to run it in.",
  });
});

test("A33: long output is shown as head and tail, and all of it is kept", async () => {
  const context = testContext(workspace.root);
  const produced = await runTool(runCommand, { command: "seq 1 1000" }, context);
  const shown = wordsOf(produced).words.split("\n");
  expect([shown[1], shown[16], shown[17], shown.at(-2), shown.length]).toEqual([
    "1",
    "[900 lines truncated]",
    "916",
    "1000",
    103,
  ]);
  const all = Array.from({ length: 1000 }, (_, i) => `${i + 1}\n`).join("");
  expect(produced.full).toEqual({ blob: [...context.kept.keys()][0], bytes: all.length, omitted: 900 });
  expect(Buffer.from(context.kept.get(produced.full?.blob ?? "") ?? []).toString()).toBe(all);
});

test("A33: escape sequences are removed from the result and from live output", async () => {
  const context = testContext(workspace.root);
  const produced = await runTool(
    runCommand,
    { command: String.raw`printf '\e[31mred\e[0m\e]633;D;0\a\n1%%\r99%%\n'` },
    context,
  );
  expect(wordsOf(produced).words.split("\n").slice(1)).toEqual(["red", "99%", "Exit code: 0"]);
  expect(context.shown.join("")).toBe("red\n1%\r99%\n");
});

test("A34: a command over its time limit is stopped and reported as timed out, with its output and advice", async () => {
  expect(await run({ command: "echo begun; sleep 60", timeoutSeconds: 1 })).toEqual({
    outcome: "timeout",
    words:
      "Command: echo begun; sleep 60\nbegun\nTimed out after 1 s; it was stopped. Run a smaller part of it, or set a longer timeoutSeconds.",
  });
});

test("A34: a background process does not keep the command from ending", async () => {
  expect(await run({ command: "sleep 60 & echo done" })).toEqual({
    outcome: "ok",
    words: "Command: sleep 60 & echo done\ndone\nExit code: 0",
  });
});

test("an interruption stops the command", async () => {
  const controller = new AbortController();
  const context = testContext(workspace.root, controller.signal);
  context.output = () => controller.abort();
  expect(wordsOf(await runTool(runCommand, { command: "echo begun; sleep 60" }, context))).toEqual({
    outcome: "failed",
    words:
      "Command: echo begun; sleep 60\nbegun\nIt was cancelled, and everything it had started was stopped.",
  });
});

test("a command that reads input gets none, and provider keys are not in its environment", async () => {
  process.env["TEST_ONLY_API_KEY"] = "secret";
  try {
    expect(await run({ command: "read -r x; echo [$x] [$TEST_ONLY_API_KEY]" })).toMatchObject({
      words: expect.stringContaining("\n[] []\n"),
    });
  } finally {
    delete process.env["TEST_ONLY_API_KEY"];
  }
});

test("empty commands, NUL characters and a missing directory are failures", async () => {
  expect(await run({ command: "  " })).toEqual({ outcome: "failed", words: "The command is empty." });
  expect(await run({ command: "echo a\0b" })).toEqual({
    outcome: "failed",
    words: "The command holds a NUL character.",
  });
  await mkdir(join(workspace.root, "gone"));
  await rm(join(workspace.root, "gone"), { recursive: true });
  expect(await run({ command: "pwd", cwd: "gone" })).toMatchObject({ outcome: "failed" });
});

test("output in any encoding is shown, invalid UTF-8 as replacement characters", async () => {
  expect(await run({ command: String.raw`printf 'caf\xe9 \xf0\x9f\x98\x80'` })).toMatchObject({
    words: expect.stringContaining("\ncaf\uFFFD 😀\nExit code: 0"),
  });
});

test("the sandbox's findings are passed on with the result, and staging is requested and reported", async () => {
  const context = testContext(workspace.root);
  const settled = async (): Promise<void> => {};
  const change = { path: "new", before: null, after: null };
  context.contain = async ({ command, env }) => ({
    ok: true,
    value: {
      command,
      env,
      finished: async () => ({ warnings: ["w"], changes: [change], uncovered: ["u"], settled }),
    },
  });
  const produced = await runTool(runCommand, { command: "true", stage: true }, context);
  expect(produced).toMatchObject({
    outcome: "ok",
    changes: [change],
    uncovered: ["u"],
    settled,
    stage: true,
  });
  expect(wordsOf(produced).words).toBe("Command: true\n[w]\nExit code: 0");
  expect("stage" in (await runTool(runCommand, { command: "true" }, context))).toBe(false);
  expect(runCommand.prepare({ command: "true", stage: true })).toMatchObject({ value: { stages: true } });
});
