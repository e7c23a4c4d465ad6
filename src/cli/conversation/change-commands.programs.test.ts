/** Tests /diff, /undo, /redo, /keep and /checkpoints in a conversation, on real files. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { findSandbox } from "../../safety/sandbox/sandbox.ts";
import { testTerminal, type TestTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings, type TestRuntime } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";
import { enter, lines } from "./testing/conversation.ts";

const edit = (path: string, old: string, made: string): ScriptedAnswer => [
  { call: "edit_file", with: { path, old, new: made } },
];
const said: ScriptedAnswer = [{ say: "Done." }];

type Stage = {
  terminal: TestTerminal;
  runtime: TestRuntime;
  type: (...steps: [string, string][]) => Promise<void>;
};

/** Two requests: the first changes both files, the second changes a.txt again. */
async function changedTwice(): Promise<Stage & { leave: () => Promise<void> }> {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const first: ScriptedAnswer = [...edit("a.txt", "one", "1"), ...edit("b.txt", "x", "y")];
  const runtime = await testRuntime(scriptedModel([first, said, edit("a.txt", "three", "3"), said]), {
    mode: "accept-edits",
    files: { "a.txt": "one\n.\n.\n.\n.\n.\n.\n.\nthree\n", "b.txt": "x\n" },
  });
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "First things first");
  const type: Stage["type"] = async (...steps) => {
    for (const [typed, expected] of steps) {
      terminal.type(`${typed}${enter}`);
      await terminal.until(expected);
    }
  };
  await terminal.until("Changed 2 files +2 −2");
  await terminal.until("> ");
  await type(["And then", "Changed a.txt +1 −1"]);
  await terminal.until("> ");
  const leave = async (): Promise<void> => {
    terminal.type(`/quit${enter}`);
    await over;
    await runtime.close();
  };
  return { terminal, runtime, type, leave };
}

test("A40: /diff shows the changes of the newest request, of an earlier one, or of one file", async () => {
  const { terminal, type, leave } = await changedTwice();
  await type(["/diff", "> And then"], ["/diff 1 b.txt", "> First things first"]);
  await terminal.until("  +y");
  await type(["/checkpoints", "what was asked"]);
  await terminal.until("First things first");
  await leave();
  const shown = lines(terminal);
  const review = shown.slice(
    shown.findIndex((line) => line.startsWith("Request 2 · applied · +1 −1 · ckpt_")),
  );
  expect(review.slice(1, 8)).toEqual([
    "> And then",
    "",
    "a.txt · modified · +1 −1",
    "  hunk 1  @@ -6,4 +6,4 @@",
    "   .",
    "   .",
    "   .",
  ]);
  expect(shown.filter((line) => line.startsWith("b.txt · "))).toEqual(["b.txt · modified · +1 −1"]);
  expect(shown).toContain("2        now  applied  +1 −1  1      And then");
});

test("A40: /undo of one file leaves a request partly undone; /redo restores what was undone last", async () => {
  const { terminal, runtime, type, leave } = await changedTwice();
  await type(["/undo 1 b.txt", "Request 1 is partly undone; still applied: a.txt."]);
  expect(await runtime.test.workspace.read("b.txt")).toBe("x\n");
  await type(["/redo", "↷ Redone (request 1): b.txt"]);
  expect(await runtime.test.workspace.read("b.txt")).toBe("y\n");
  await type(["/undo", "↶ Undone (request 2): a.txt"], ["/undo", "↶ Undone (request 1): a.txt, b.txt"]);
  expect(await runtime.test.workspace.read("a.txt")).toMatch(/^one\n.*three\n$/su);
  await type(["/undo", "The changes of request 2 were taken back already: there is nothing to take back."]);
  await leave();
  expect(lines(terminal)).toContain("/redo brings it back.");
});

test("A40: kept changes can no longer be undone", async () => {
  const { runtime, type, leave } = await changedTwice();
  await type(["/keep 1", "Kept for good: the changes of request 1"]);
  await type(["/undo 1", "The changes of request 1 were kept for good: there is nothing to take back."]);
  expect(await runtime.test.workspace.read("b.txt")).toBe("y\n");
  await leave();
});

test("A40: /undo of a file with later changes asks first, and changes nothing until a way is chosen", async () => {
  const { terminal, runtime, type, leave } = await changedTwice();
  const asked = "[s]kip · [r]estore · [m]erge · [n]othing: ";
  await type(["/undo 1", asked], ["what", "  Please answer s, r, m or n."]);
  await terminal.until(asked);
  await type(["n", "Nothing was changed."]);
  expect(runtime.session.state.changes.trails.get(1)?.get("b.txt")?.now).toBe("all");
  await type(["/undo 1", asked], ["m", "↶ Undone (request 1): a.txt, b.txt"]);
  expect(await runtime.test.workspace.read("a.txt")).toMatch(/^one\n.*\n3\n$/su);
  await leave();
  const shown = lines(terminal);
  expect(shown).toContain("    request 1: modified it (+1 −1)");
  expect(shown).toContain("    since then: request 2 has changed it (+1 −1)");
  expect(shown).toContain("  merge    take out only the request's lines, keep the later ones");
});

test("A40: Ctrl-C at the /undo question changes nothing and does not exit", async () => {
  const { terminal, runtime, type, leave } = await changedTwice();
  await writeFile(join(runtime.workspace, "b.txt"), "somebody else's\n");
  await type(["/undo 1 b.txt", "[n]othing: "]);
  terminal.type("\u0003");
  await terminal.until("Nothing was changed.");
  await type(["/status", "2 requests"]);
  expect(await runtime.test.workspace.read("b.txt")).toBe("somebody else's\n");
  await leave();
  const since = lines(terminal).find((line) => line.startsWith("    since then: "));
  expect(since).toContain("it was changed outside this session");
});

test("/undo names what it could not take back, also if there was nothing that it could", async () => {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const command = (line: string): ScriptedAnswer => [{ call: "run_command", with: { command: line } }];
  const script = [
    command("truncate -s 100M big"),
    said,
    command("echo hi > a.txt; truncate -s 100M other"),
    said,
  ];
  const runtime = await testRuntime(scriptedModel(script), {
    mode: "auto",
    files: { "a.txt": "one\n" },
    sandbox: findSandbox,
  });
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "First things first");
  const type = async (typed: string, expected: string): Promise<void> => {
    await terminal.until("> ");
    terminal.type(`${typed}${enter}`);
    await terminal.until(expected);
  };
  await type("/undo", "Undo does not cover: big: 1 file");
  await type("And then", "Changed a.txt +1 −1");
  await type("/undo", "! Not undone: other: 1 file");
  await type("/quit", "");
  await over;
  await runtime.close();
});
