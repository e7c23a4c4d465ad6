/** Tests /resume and /fork on a runtime as the command builds it. */

import { expect, test } from "vitest";
import type { ScriptedAnswer } from "../../providers/scripted-model.ts";
import { enter, stageBuilt } from "./testing/conversation.ts";

test("/resume lists the other sessions of the workspace by number, and goes to the chosen one", async () => {
  const { terminal, say, leave, model, runtime } = await stageBuilt([
    [{ say: "First answer." }],
    [{ say: "Second answer." }],
    [{ say: "Third answer." }],
  ]);
  await say("the first topic", "First answer.");
  await say("/new", "This is a new session");
  await say("the second topic", "Second answer.");
  terminal.type(`/resume${enter}`);
  await terminal.until("the first topic");
  await terminal.until("Which one? (number or id; Enter: none) ");
  terminal.type(`1${enter}`);
  await terminal.until("This is session ");
  await terminal.until("> the first topic");
  await terminal.until("First answer.");
  await terminal.until("The one before is kept: toolwright --resume ");
  await terminal.until("> ");
  await say("go on", "Third answer.");
  await leave();
  expect(JSON.stringify(model.prompts[2]?.messages)).toContain("the first topic");
  expect(JSON.stringify(model.prompts[2]?.messages)).not.toContain("the second topic");
  expect(await runtime.store.list()).toHaveLength(2);
});

test("/resume takes an id or words of a title, says what fits none, and stays where it is for its own session", async () => {
  const { terminal, say, leave } = await stageBuilt([
    [{ say: "First answer." }],
    [{ say: "Second answer." }],
  ]);
  await say("/resume", "There is no other session of this workspace");
  await say("about apples", "First answer.");
  await say("/resume nothing-like-it", "! ");
  await say("/resume about apples", "That is this session.");
  await say("/new", "This is a new session");
  terminal.type(`/resume${enter}`);
  await terminal.until("Which one?");
  terminal.type(enter);
  await terminal.until("> ");
  await say("/resume apples", "This is session ");
  await say("more", "Second answer.");
  await say("/new", "This is a new session");
  await say("/resume apples", "1 earlier request is not shown: toolwright sessions show ", "> more");
  await leave();
});

test("a session with an open question asks it again once it is resumed", async () => {
  const question: ScriptedAnswer = [{ call: "run_command", with: { command: "touch a" } }];
  const { terminal, say, leave, runtime } = await stageBuilt([question, [{ say: "All done." }]]);
  const other = await runtime.open({});
  if (!other.ok) throw new Error(other.problem);
  await other.value.command({ type: "send", content: [{ type: "text", text: "make a" }] });
  await other.value.idle();
  const { id } = other.value;
  await other.value.close();
  terminal.type(`/resume ${id}${enter}`);
  await terminal.until("The last request waits for your answer.");
  await terminal.until("or type why not: ");
  terminal.type(`y${enter}`);
  await terminal.until("All done.");
  await terminal.until("> ");
  await say("/fork 7", "! ");
  await leave();
});

test("/fork goes on in a copy, of all or of what was before a request", async () => {
  const { say, leave, model } = await stageBuilt([
    [{ say: "First answer." }],
    [{ say: "Second answer." }],
    [{ say: "Third answer." }],
    [{ say: "Fourth answer." }],
  ]);
  await say("/fork", "There is nothing to copy yet.");
  await say("/fork now", "/fork copies the session, /fork 3 what was before request 3.");
  await say("one", "First answer.");
  await say("two", "Second answer.");
  await say("/fork", "with all of it. Files stay as they are.");
  await say("three", "Third answer.");
  await say("/fork 2", "with everything before request 2.");
  await say("four", "Fourth answer.");
  await leave();
  const told = model.prompts.map(({ messages }) => messages.filter(({ role }) => role === "user").length);
  expect(told).toEqual([1, 2, 3, 2]);
});
