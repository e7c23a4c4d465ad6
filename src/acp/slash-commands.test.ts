import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editorStage, newSession, prompt } from "../testing/editor.ts";

const edit = (old: string, now: string) => ({
  call: "edit_file",
  with: { path: "a.txt", edits: [{ old, new: now }] },
});

async function edited() {
  const stage = await editorStage([[edit("one", "two")], [{ say: "Changed." }], [{ say: "Hello." }]], {
    files: { "a.txt": "one\n", ".claude/commands/greet.md": "Say hello to $ARGUMENTS." },
    mode: "accept-edits",
  });
  const editor = await stage.connect();
  const session = await newSession(editor, stage);
  await prompt(editor, session, "change it");
  const text = () => readFile(join(stage.workspace, "a.txt"), "utf8");
  return { stage, editor, session, text };
}

test("a session tells its commands: ours, and those of files", async () => {
  const { editor } = await edited();
  const told = () =>
    editor.updates.find(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  await expect.poll(told).toMatchObject({
    availableCommands: expect.arrayContaining([
      expect.objectContaining({ name: "undo", input: { hint: "[TURN] [PATH…]" } }),
      expect.objectContaining({ name: "greet" }),
    ]),
  });
});

test("/diff, /undo, /redo and /keep work on the newest request, or on the one that is named", async () => {
  const { editor, session, text } = await edited();
  await prompt(editor, session, "/diff");
  expect(editor.said()).toContain("-one\n+two");
  expect(await prompt(editor, session, "/undo")).toEqual({ stopReason: "end_turn" });
  expect(await text()).toBe("one\n");
  await prompt(editor, session, "/redo 1 a.txt");
  expect(await text()).toBe("two\n");
  await prompt(editor, session, "/keep");
  expect(editor.said()).toContain("Kept for good.");
  await prompt(editor, session, "/undo");
  expect(await text()).toBe("two\n");
});

test("a command that cannot be done says why", async () => {
  const { editor, session } = await edited();
  for (const [command, reason] of [
    ["/undo 7", "no request 7"],
    ["/undo ckpt_1_x", "by its number"],
    ['/undo "', "quote is not closed"],
    ["/go-on", "Nothing to continue"],
  ] as const) {
    await prompt(editor, session, command);
    expect(editor.said()).toContain(reason);
  }
});

test("/context and /rename tell and name, and what is no command of ours goes to the model", async () => {
  const { editor, session } = await edited();
  await prompt(editor, session, "/context");
  expect(editor.said()).toMatch(/\d+ of \d+.* tokens of scripted\/model/u);
  await prompt(editor, session, "/rename The first one");
  expect(editor.updates).toContainEqual({ sessionUpdate: "session_info_update", title: "The first one" });
  await prompt(editor, session, "/greet Ada");
  expect(editor.said()).toContain("Hello.");
});

test("extension methods undo by hunk, review and fork", async () => {
  const { editor, session, text, stage } = await edited();
  const review = await editor.agent.request("_toolwright/review", { sessionId: session });
  expect(review).toMatchObject({ turn: 1, files: [{ path: "a.txt", hunks: [{ number: 1 }] }] });
  const command = { type: "undo", paths: ["a.txt"], hunks: [1] };
  expect(await editor.agent.request("_toolwright/command", { sessionId: session, command })).toEqual({
    ok: true,
  });
  expect(await text()).toBe("one\n");
  const forked = await editor.agent.request("_toolwright/fork", { sessionId: session });
  expect(forked).toMatchObject({ cwd: stage.workspace, sessionId: expect.not.stringMatching(session) });
  expect(await editor.agent.request("_toolwright/context", { sessionId: session })).toMatchObject({
    window: expect.any(Number),
  });
  await expect(
    editor.agent.request("_toolwright/command", { sessionId: session, command: { type: "format-disk" } }),
  ).rejects.toMatchObject({ code: -32602 });
  await expect(editor.agent.request("_toolwright/review", { sessionId: "none" })).rejects.toMatchObject({
    code: -32002,
  });
});
