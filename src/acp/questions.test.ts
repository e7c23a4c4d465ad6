import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as acp from "@agentclientprotocol/sdk";
import { expect, test, vi } from "vitest";
import { editorStage, newSession, prompt } from "../testing/editor.ts";

const forms = { elicitation: { form: {} } };
const question = {
  question: "Which colour?",
  choices: [
    { label: "red", detail: "like a rose" },
    { label: "blue", detail: "like the sky" },
  ],
};

test("a question with choices is a form where the editor has forms", async () => {
  const stage = await editorStage([[{ call: "ask_user", with: question }], [{ say: "Blue it is." }]]);
  const asked: unknown[] = [];
  const editor = await stage.connect({
    capabilities: forms,
    fillIn: (request) => {
      asked.push(request);
      return { answer: "2. blue" };
    },
  });
  expect(await prompt(editor, await newSession(editor, stage), "paint")).toEqual({ stopReason: "end_turn" });
  expect(asked).toMatchObject([{ mode: "form", message: expect.stringContaining("Which colour?") }]);
  expect(JSON.stringify(editor.updates)).toContain("blue");
  expect(editor.said()).toBe("Blue it is.");
});

test("a question with choices is a permission where the editor has no forms", async () => {
  const stage = await editorStage([[{ call: "ask_user", with: question }], [{ say: "Blue it is." }]]);
  const editor = await stage.connect({
    permit: ({ options }) => options.find(({ name }) => name === "blue: like the sky")?.optionId ?? "none",
  });
  await prompt(editor, await newSession(editor, stage), "paint");
  const result = editor.updates.findLast(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
  expect(JSON.stringify(result)).toContain("blue");
});

test("a question without choices ends the prompt where the editor has no forms, and the next prompt answers it", async () => {
  const stage = await editorStage([
    [{ call: "ask_user", with: { question: "What is your name?" } }],
    [{ say: "Hello Ada." }],
  ]);
  const editor = await stage.connect();
  const session = await newSession(editor, stage);
  expect(await prompt(editor, session, "greet me")).toEqual({ stopReason: "end_turn" });
  expect(editor.said()).toContain("What is your name?");
  expect(await prompt(editor, session, "Ada")).toEqual({ stopReason: "end_turn" });
  expect(editor.said()).toContain("Hello Ada.");
  const result = editor.updates.findLast(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
  expect(JSON.stringify(result)).toContain("Ada");
});

test("a plan is shown, and approved with the mode it is carried out in", async () => {
  const steps = [
    { title: "Look", detail: "well" },
    { title: "Leap", detail: "far" },
  ];
  const stage = await editorStage(
    [[{ call: "propose_plan", with: { plan: "Two steps", steps } }], [{ say: "Off I go." }]],
    {
      mode: "plan",
    },
  );
  const editor = await stage.connect({
    permit: ({ toolCall }) => (toolCall.kind === "switch_mode" ? "accept-edits" : "deny"),
  });
  expect(await prompt(editor, await newSession(editor, stage), "plan it")).toEqual({
    stopReason: "end_turn",
  });
  expect(editor.updates).toContainEqual(expect.objectContaining({ sessionUpdate: "plan" }));
  expect(editor.updates).toContainEqual({
    sessionUpdate: "current_mode_update",
    currentModeId: "accept-edits",
  });
});

test.each([
  { answer: "extend", reason: "end_turn" },
  { answer: "stop", reason: "max_turn_requests" },
])("a limit that is reached is asked about: $answer", async ({ answer, reason }) => {
  const look = [{ call: "list_files", with: {} }] as const;
  const stage = await editorStage([look, look, [{ say: "Done." }], [{ say: "Done." }]], {
    flags: ["--max-rounds", "2"],
  });
  const editor = await stage.connect({ permit: () => answer });
  expect(await prompt(editor, await newSession(editor, stage), "look twice")).toEqual({ stopReason: reason });
});

test.each([{}, null, { outcome: "selected" }, { outcome: { outcome: "maybe" } }, { action: 5 }])(
  "an answer that cannot be read counts as a no, and the prompt ends: %j",
  async (result) => {
    const stage = await editorStage([
      [{ call: "write_file", with: { path: "a.txt", content: "x" } }],
      [{ call: "ask_user", with: question }],
      [{ say: "Then not." }],
    ]);
    const editor = await stage.connect({
      capabilities: forms,
      permit: () => "once",
      fillIn: () => ({ answer: "1. red" }),
      garble: (message) =>
        "result" in message && /"outcome"|"action"/u.test(JSON.stringify(message.result))
          ? { ...message, result }
          : message,
    });
    expect(await prompt(editor, await newSession(editor, stage), "write")).toEqual({
      stopReason: "end_turn",
    });
    expect(editor.said().match(/could not show a question, which counts as a no: .*form/giu)).toHaveLength(2);
    expect(editor.said()).toContain("Then not.");
    expect(await readdir(stage.workspace)).toEqual([]);
  },
);

test("an editor that cannot show a question has said no, and says why; the prompt ends", async () => {
  const stage = await editorStage([
    [{ call: "write_file", with: { path: "a.txt", content: "x" } }],
    [{ call: "ask_user", with: question }],
    [{ say: "Then not." }],
  ]);
  const editor = await stage.connect({
    permit: () => {
      throw acp.RequestError.methodNotFound("session/request_permission");
    },
  });
  expect(await prompt(editor, await newSession(editor, stage), "write")).toEqual({ stopReason: "end_turn" });
  expect(editor.said().match(/could not show a question, which counts as a no: .*method/giu)).toHaveLength(2);
  expect(editor.said()).toContain("Then not.");
  expect(await readdir(stage.workspace)).toEqual([]);
});

test("an editor that cannot ask says no to nothing that another one waits for", async () => {
  const edit = { path: "a.txt", edits: [{ old: "one", new: "two" }] };
  const stage = await editorStage([[{ call: "edit_file", with: edit }], [{ say: "Done." }]], {
    files: { "a.txt": "one\n" },
  });
  const logged = vi.spyOn(stage.context, "log");
  const watched = Promise.withResolvers<string>();
  const editor = await stage.connect({ permit: () => watched.promise });
  const watcher = await stage.connect(); // answers each question with an error
  const sessionId = await newSession(editor, stage);
  await watcher.agent.request("session/resume", { sessionId, cwd: stage.workspace });
  const answered = prompt(editor, sessionId, "change it");
  await expect
    .poll(() => logged.mock.calls.flat())
    .toContainEqual(expect.stringContaining("could not be asked"));
  watched.resolve("once");
  expect(await answered).toEqual({ stopReason: "end_turn" });
  expect(await readFile(join(stage.workspace, "a.txt"), "utf8")).toBe("two\n");
});
