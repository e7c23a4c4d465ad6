import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editorStage, newSession, prompt } from "../testing/editor.ts";

const edit = { path: "a.txt", edits: [{ old: "one", new: "two" }] };

test("a prompt is answered in pieces, and ends with the reason of its turn", async () => {
  const stage = await editorStage([[{ say: "Hello there." }]]);
  const editor = await stage.connect();
  const session = await newSession(editor, stage);
  expect(await prompt(editor, session, "hi")).toEqual({ stopReason: "end_turn" });
  expect(editor.said()).toBe("Hello there.");
  expect(editor.updates.map(({ sessionUpdate }) => sessionUpdate)).not.toContain("user_message_chunk");
});

test("a change is asked about with its diff, made when allowed, and shown", async () => {
  const stage = await editorStage([[{ call: "edit_file", with: edit }], [{ say: "Done." }]], {
    files: { "a.txt": "one\n" },
  });
  const asked: unknown[] = [];
  const editor = await stage.connect({
    permit: (request) => {
      asked.push(request);
      return "once";
    },
  });
  const session = await newSession(editor, stage);
  expect(await prompt(editor, session, "change it")).toEqual({ stopReason: "end_turn" });
  expect(asked).toMatchObject([
    {
      toolCall: {
        kind: "edit",
        content: [
          { type: "diff", path: join(stage.workspace, "a.txt"), oldText: "one\n", newText: "two\n" },
          {},
        ],
      },
    },
  ]);
  expect(await readFile(join(stage.workspace, "a.txt"), "utf8")).toBe("two\n");
  const last = editor.updates.findLast(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
  expect(last).toMatchObject({ status: "completed" });
  expect(JSON.stringify(last)).toContain('"newText":"two\\n"');
});

test("a refused change is not made, and the model goes on", async () => {
  const stage = await editorStage([[{ call: "edit_file", with: edit }], [{ say: "As you like." }]], {
    files: { "a.txt": "one\n" },
  });
  const editor = await stage.connect({ permit: () => "deny" });
  const session = await newSession(editor, stage);
  expect(await prompt(editor, session, "change it")).toEqual({ stopReason: "end_turn" });
  expect(await readFile(join(stage.workspace, "a.txt"), "utf8")).toBe("one\n");
  expect(editor.said()).toBe("As you like.");
  const last = editor.updates.findLast(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
  expect(last).toMatchObject({ status: "failed", rawOutput: { outcome: "denied" } });
});

test("the whole command stands in the title, the arguments and the content of a question", async () => {
  const command = `echo ${"x".repeat(3_000)}; git push --force`;
  const stage = await editorStage([[{ call: "run_command", with: { command } }], [{ say: "Fine." }]]);
  const asked: unknown[] = [];
  const editor = await stage.connect({
    permit: (request) => {
      asked.push(request.toolCall);
      return "deny";
    },
  });
  await prompt(editor, await newSession(editor, stage), "push");
  const [call] = asked;
  expect(call).toMatchObject({ title: command, kind: "execute", rawInput: { command } });
  expect(call).toMatchObject({
    content: [{ type: "content", content: { type: "text", text: command } }, {}],
  });
});

test("a cancelled prompt ends as cancelled", async () => {
  const stage = await editorStage([
    [{ say: "Well then." }, { wait: new Promise(() => undefined) }],
    [{ say: "Yes?" }],
  ]);
  const editor = await stage.connect();
  const session = await newSession(editor, stage);
  const first = prompt(editor, session, "talk");
  await expect.poll(() => editor.said()).toBe("Well then.");
  await editor.agent.notify("session/cancel", { sessionId: session });
  expect(await first).toEqual({ stopReason: "cancelled" });
  expect(await prompt(editor, session, "still there?")).toEqual({ stopReason: "end_turn" });
});

test("a prompt that is cancelled before its turn has begun ends as cancelled", async () => {
  const stage = await editorStage([[{ wait: new Promise(() => undefined) }]]);
  const editor = await stage.connect();
  const session = await newSession(editor, stage);
  const first = prompt(editor, session, "talk");
  await editor.agent.notify("session/cancel", { sessionId: session });
  expect(await first).toEqual({ stopReason: "cancelled" });
});

test("a loaded session is told again as it was told live, a resumed one is not", async () => {
  const stage = await editorStage(
    [
      [{ think: "Let me see." }, { say: "Reading." }, { call: "read_file", with: { path: "a.txt" } }],
      [{ say: "It says one." }],
    ],
    { files: { "a.txt": "one\n" } },
  );
  const first = await stage.connect();
  const id = await newSession(first, stage);
  await prompt(first, id, "What is in it?");
  await first.disconnect();
  const second = await stage.connect();
  const loaded = await second.agent.request("session/load", {
    sessionId: id,
    cwd: stage.workspace,
    mcpServers: [],
  });
  expect(loaded).toMatchObject({
    modes: { currentModeId: "ask" },
    configOptions: [{ id: "mode" }, { id: "model" }, { id: "reasoning" }],
  });
  expect(second.updates).toContainEqual({
    sessionUpdate: "user_message_chunk",
    content: { type: "text", text: "What is in it?" },
  });
  expect(second.said()).toBe("Reading.It says one.");
  const calls = ({ updates }: typeof first) =>
    updates.filter((update) => update.sessionUpdate.startsWith("tool_call"));
  expect(calls(second).at(-1)).toEqual(calls(first).at(-1));
  const third = await stage.connect();
  await third.agent.request("session/resume", { sessionId: id, cwd: stage.workspace });
  expect(third.said()).toBe("");
});

test("sessions are listed by workspace, closed and deleted", async () => {
  const stage = await editorStage([[{ say: "Yes." }]]);
  const editor = await stage.connect();
  const id = await newSession(editor, stage);
  await prompt(editor, id, "Are you there?");
  expect(await editor.agent.request("session/list", { cwd: stage.workspace })).toMatchObject({
    sessions: [{ sessionId: id, cwd: stage.workspace, title: "Are you there?" }],
  });
  expect((await editor.agent.request("session/list", { cwd: "/elsewhere" })).sessions).toEqual([]);
  await editor.agent.request("session/close", { sessionId: id });
  await expect(prompt(editor, id, "And now?")).rejects.toMatchObject({ code: -32002 });
  await editor.agent.request("session/delete", { sessionId: id });
  expect((await editor.agent.request("session/list", {})).sessions).toEqual([]);
});

test("mode and model are chosen by either of the protocol's ways, and other editors hear of it", async () => {
  const stage = await editorStage([]);
  const [one, other] = [await stage.connect(), await stage.connect()];
  const id = await newSession(one, stage);
  await other.agent.request("session/resume", { sessionId: id, cwd: stage.workspace });
  await one.agent.request("session/set_mode", { sessionId: id, modeId: "plan" });
  await expect
    .poll(() => other.updates)
    .toContainEqual({ sessionUpdate: "current_mode_update", currentModeId: "plan" });
  const chosen = await one.agent.request("session/set_config_option", {
    sessionId: id,
    configId: "mode",
    value: "auto",
  });
  expect(chosen.configOptions[0]).toMatchObject({ id: "mode", currentValue: "auto" });
  await expect(one.agent.request("session/set_mode", { sessionId: id, modeId: "yolo" })).rejects.toThrow(
    "no mode",
  );
  await expect(
    one.agent.request("session/set_config_option", { sessionId: id, configId: "x", value: "y" }),
  ).rejects.toThrow("no option x");
});

test("reasoning is chosen as the protocol's level of thought, counts for the next answer, and other editors hear of it", async () => {
  const efforts: (string | undefined)[] = [];
  const stage = await editorStage(({ reasoning }) => {
    efforts.push(reasoning);
    return [{ say: "Yes." }];
  });
  const [one, other] = [await stage.connect(), await stage.connect()];
  const id = await newSession(one, stage);
  await other.agent.request("session/resume", { sessionId: id, cwd: stage.workspace });
  const set = (value: string) =>
    one.agent.request("session/set_config_option", { sessionId: id, configId: "reasoning", value });
  const chosen = (await set("high")).configOptions.find(({ category }) => category === "thought_level");
  expect(chosen).toMatchObject({
    type: "select",
    id: "reasoning",
    currentValue: "high",
    options: ["default", "off", "low", "medium", "high"].map((value) => ({ value })),
  });
  await expect
    .poll(() => other.updates)
    .toContainEqual(
      expect.objectContaining({
        sessionUpdate: "config_option_update",
        configOptions: expect.arrayContaining([chosen]),
      }),
    );
  await prompt(other, id, "Are you there?");
  expect(efforts).toEqual(["high"]);
  for (const wrong of ["huge", "", "HIGH", "x".repeat(10_000)])
    await expect(set(wrong)).rejects.toThrow(
      /^There is no reasoning ".{0,100}"\. There are: default, off, low, medium, high\.$/u,
    );
  const third = await stage.connect();
  const loaded = await third.agent.request("session/resume", { sessionId: id, cwd: stage.workspace });
  expect(loaded.configOptions).toContainEqual(chosen);
});

test("two editors on one session see the same turn, and the first answer to a question counts", async () => {
  const stage = await editorStage([[{ call: "edit_file", with: edit }], [{ say: "Done." }]], {
    files: { "a.txt": "one\n" },
  });
  const askedOther = Promise.withResolvers<AbortSignal>();
  const never = new Promise<string>(() => undefined);
  const [one, other] = [
    await stage.connect({ permit: () => askedOther.promise.then(() => "once") }),
    await stage.connect({ permit: (_, signal) => (askedOther.resolve(signal), never) }),
  ];
  const id = await newSession(one, stage);
  await other.agent.request("session/resume", { sessionId: id, cwd: stage.workspace });
  expect(await prompt(one, id, "change it")).toEqual({ stopReason: "end_turn" });
  expect((await askedOther.promise).aborted).toBe(true);
  await expect.poll(() => other.said()).toBe("Done.");
  expect(other.updates).toContainEqual({
    sessionUpdate: "user_message_chunk",
    content: { type: "text", text: "change it" },
  });
});

test("a workspace may be named by a link to it", async () => {
  const stage = await editorStage([[{ say: "Yes." }]]);
  const link = join(stage.root, "link");
  await symlink(stage.workspace, link);
  const editor = await stage.connect();
  const id = await newSession(editor, { workspace: link });
  await editor.agent.request("session/load", { sessionId: id, cwd: link, mcpServers: [] });
  expect((await editor.agent.request("session/list", { cwd: link })).sessions).toMatchObject([
    { sessionId: id },
  ]);
});
