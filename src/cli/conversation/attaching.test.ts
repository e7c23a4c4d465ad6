/** Tests files attached to a message, from the command line and in a conversation. */

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testPng } from "../../testing/pictures.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { runCli } from "../main.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";

async function place(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-attaching-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

async function run(root: string, ...argv: string[]) {
  const terminal = testTerminal({ env: { HOME: root }, cwd: root });
  const code = await runCli(["--offline-model", "-C", join(root, "work"), ...argv], terminal);
  return { code, printed: terminal.printed(), reported: terminal.reported() };
}

test("--attach sends each named file, resolved against the current directory", async () => {
  const root = await place();
  await writeFile(join(root, "a b.txt"), "text of a\n");
  await writeFile(join(root, "dot.png"), testPng());
  const flags = ["--attach", "a b.txt", "--attach=dot.png", "--output", "stream-json"];
  const { code, printed } = await run(root, "-p", "list", ...flags);
  expect(code).toBe(0);
  const said = printed.split("\n").find((line) => line.includes('"user-message"'));
  expect(said).toContain("text of a");
  expect(said).toContain('"image/png"');
  expect(said).toContain('"file":"');
});

test("a file that --attach names and the prompt mentions is sent once", async () => {
  const root = await place();
  await mkdir(join(root, "work"));
  await writeFile(join(root, "work", "a.txt"), "text of a\n");
  const { printed } = await run(
    root,
    "-p",
    "see @a.txt",
    "--attach",
    "work/a.txt",
    "--output",
    "stream-json",
  );
  const said = printed.split("\n").find((line) => line.includes('"user-message"')) ?? "";
  expect(said.split("text of a")).toHaveLength(2);
});

test.each([
  ["a file that is missing", ["-p", "list", "--attach", "none.txt"], "there is no such file"],
  ["a file that holds secrets", ["-p", "list", "--attach", ".env"], "holds secrets"],
  ["a mention that holds secrets", ["-p", "see @.env"], "holds secrets"],
  ["no prompt", ["--attach", "a"], "--attach needs a prompt"],
  ["a built-in command", ["-p", "/help"], "From a shell: `toolwright --help`."],
  ["an unknown command", ["-p", "/nosuch"], "There is no command /nosuch"],
])("%s is reported before anything is sent, and leaves no session behind", async (_, argv, words) => {
  const root = await place();
  await writeFile(join(root, ".env"), "KEY=1\n");
  await run(root, "-p", "list");
  await mkdir(join(root, "work", ".claude/commands"), { recursive: true });
  await writeFile(join(root, "work", ".claude/commands/help.md"), "Never.");
  await writeFile(join(root, "work", ".env"), "KEY=1\n");
  const before = (await run(root, "sessions")).printed;
  const { code, printed, reported } = await run(root, ...argv);
  expect((await run(root, "sessions")).printed).toBe(before);
  expect(code).toBe(2);
  expect(reported).toContain(words);
  expect(printed).toBe("");
});

test("a message sends @path, a dropped image and /attach files along, each once; with a missing file it is not sent", async () => {
  const model = scriptedModel([[{ say: "Seen." }], [{ say: "Seen again." }]]);
  const files = { "src/a.ts": "export const a = 1;\n", "b.txt": "text of b\n" };
  const runtime = await testRuntime(model, { files });
  onTestFinished(() => runtime.close());
  const picture = join(runtime.workspace, "my shot.png");
  await writeFile(picture, testPng());
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "");
  await terminal.until("> ");
  terminal.type(`Look at @"missing.ts"\r`);
  await terminal.until("there is no such file");
  await terminal.until("> ");
  terminal.type("/attach b.txt\r");
  await terminal.until("Attached to your next message: b.txt");
  await terminal.until("> ");
  terminal.type("/attach ./b.txt\r");
  await terminal.until("Attached to your next message: b.txt. /attach drop removes it.");
  await terminal.until("> ");
  terminal.type(`Look at @src/a.ts, @b.txt and '${picture}'\r`);
  await terminal.until("Sent along: src/a.ts, my shot.png, b.txt");
  await terminal.until("Seen.");
  await terminal.until("> ");
  terminal.type("And now?\r");
  await terminal.until("Seen again.");
  await terminal.until("> ");
  terminal.type("\u0004");
  expect(await over).toBe(0);
  const [first, second] = runtime.test.facts().filter(({ type }) => type === "user-message");
  const kinds =
    first?.type === "user-message"
      ? first.content.map((part) => ("file" in part ? part.file : part.type))
      : [];
  expect(kinds).toEqual(["text", "src/a.ts", "my shot.png", "image", "b.txt"]);
  expect(second).toMatchObject({ content: [{ type: "text", text: "And now?" }] });
});

test("a mention that looks like a path and names no file is told, and a decorator is not", async () => {
  const model = scriptedModel([[{ say: "Seen." }], [{ say: "Seen again." }]]);
  const runtime = await testRuntime(model);
  onTestFinished(() => runtime.close());
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "");
  await terminal.until("> ");
  terminal.type("see @nosuchfile.txt, @lib/none and @Override.\r");
  await terminal.until("Seen.");
  await terminal.until("> ");
  terminal.type("what is @Override?\r");
  await terminal.until("Seen again.");
  await terminal.until("> ");
  terminal.type("\u0004");
  expect(await over).toBe(0);
  expect(terminal.printed().match(/No such file.*/gu)).toEqual([
    "No such file in the workspace: @nosuchfile.txt, @lib/none. The words are sent without it.",
  ]);
});
