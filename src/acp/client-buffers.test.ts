import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editorStage, newSession, prompt } from "../testing/editor.ts";

const edit = { path: "a.txt", edits: [{ old: "three", new: "four" }] };

test("what an editor has not saved is read, saved before it is changed, and what undo brings back", async () => {
  const stage = await editorStage(
    [
      [{ call: "read_file", with: { path: "a.txt" } }],
      [{ call: "edit_file", with: edit }],
      [{ say: "Changed." }],
    ],
    { files: { "a.txt": "one\ntwo\n" }, mode: "accept-edits" },
  );
  const path = join(stage.workspace, "a.txt");
  const buffers = new Map([[path, "one\nthree\n"]]);
  const editor = await stage.connect({ buffers });
  const session = await newSession(editor, stage);
  expect(await prompt(editor, session, "change it")).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(editor.updates)).toContain("2\\tthree");
  expect(await readFile(path, "utf8")).toBe("one\nfour\n");
  expect(buffers.size).toBe(0);
  await prompt(editor, session, "/undo");
  expect(await readFile(path, "utf8")).toBe("one\nthree\n");
});

test("a file with other line ends than the editor's text is no unsaved one", async () => {
  const stage = await editorStage([[{ call: "edit_file", with: edit }], [{ say: "Changed." }]], {
    files: { "a.txt": "\uFEFFtwo\r\nthree\r\n" },
    mode: "accept-edits",
  });
  const path = join(stage.workspace, "a.txt");
  const editor = await stage.connect({ buffers: new Map([[path, "two\nthree\n"]]) });
  await prompt(editor, await newSession(editor, stage), "change it");
  expect(await readFile(path, "utf8")).toBe("\uFEFFtwo\r\nfour\r\n");
});

test("only reading a file does not save it", async () => {
  const stage = await editorStage([[{ call: "read_file", with: { path: "a.txt" } }], [{ say: "Read." }]], {
    files: { "a.txt": "one\n" },
  });
  const path = join(stage.workspace, "a.txt");
  const buffers = new Map([[path, "unsaved\n"]]);
  const editor = await stage.connect({ buffers });
  await prompt(editor, await newSession(editor, stage), "read it");
  expect(JSON.stringify(editor.updates)).toContain("unsaved");
  expect(await readFile(path, "utf8")).toBe("one\n");
  expect(buffers.get(path)).toBe("unsaved\n");
});

test("an editor that was there is asked no more once it has left", async () => {
  const stage = await editorStage([[{ call: "read_file", with: { path: "a.txt" } }], [{ say: "Read." }]], {
    files: { "a.txt": "one\n" },
  });
  const first = await stage.connect({ buffers: new Map([[join(stage.workspace, "a.txt"), "unsaved\n"]]) });
  const session = await newSession(first, stage);
  await first.disconnect();
  const second = await stage.connect();
  await second.agent.request("session/resume", { sessionId: session, cwd: stage.workspace });
  await prompt(second, session, "read it");
  expect(JSON.stringify(second.updates)).not.toContain("unsaved");
});
