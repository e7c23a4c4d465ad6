/** Tests /edit, /new, /model and /rename on a runtime as the command builds it. */

import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import type { ScriptedAnswer } from "../../providers/scripted-model.ts";
import { controlD, enter, stageBuilt } from "./testing/conversation.ts";

const write = (path: string): ScriptedAnswer => [{ call: "write_file", with: { path, content: "x\n" } }];

test("an edited earlier message continues in a new session; later changes can be undone", async () => {
  const { terminal, over, model, runtime, workspace } = await stageBuilt(
    [[{ say: "First, done." }], write("a.txt"), [{ say: "Written." }], [{ say: "The other way, then." }]],
    { mode: "accept-edits" },
  );
  terminal.type(`one${enter}`);
  await terminal.until("First, done.");
  await terminal.until("> ");
  terminal.type(`write a${enter}`);
  await terminal.until("Changed a.txt");
  await terminal.until("> ");
  terminal.type(`/edit${enter}`);
  await terminal.until("  2. write a");
  await terminal.until("Which message do you want to change?");
  terminal.type(`2${enter}`);
  await terminal.until("Request 2 changed files, and they stay as they are.");
  await terminal.until("Undo these changes? [y/n] ");
  terminal.type(`y${enter}`);
  await terminal.until("↶ Undone: request 2");
  await terminal.until("with everything before request 2.");
  await terminal.until("accept-edits> ");
  await terminal.until("write a");
  terminal.type(`bc${enter}`);
  await terminal.until("The other way, then.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(await readdir(workspace)).toEqual([]);
  const last = model.prompts.at(-1)?.messages ?? [];
  expect(last.flatMap(({ role, content }) => (role === "user" ? content : []))).toEqual([
    { type: "text", text: "one" },
    { type: "text", text: "write abc" },
  ]);
  expect(await runtime.store.list()).toHaveLength(2);
});

test("Ctrl-C at the choice of a message cancels /edit and interrupts nothing", async () => {
  const { terminal, over, runtime } = await stageBuilt([[{ say: "First, understood." }]]);
  terminal.type(`one${enter}`);
  await terminal.until("First, understood.");
  await terminal.until("> ");
  terminal.type(`/edit${enter}`);
  await terminal.until("Which message do you want to change?");
  terminal.type("\u0003");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(terminal.printed()).not.toContain("Interrupting");
  expect(await runtime.store.list()).toHaveLength(1);
});

test("/model switches the model in mid-session; a wrong name changes nothing", async () => {
  const { terminal, over, runtime } = await stageBuilt([[{ say: "Hello from the first." }]]);
  terminal.type(`hello${enter}`);
  await terminal.until("Hello from the first.");
  await terminal.until("> ");
  terminal.type(`/model nowhere/model${enter}`);
  await terminal.until("! ");
  await terminal.until("> ");
  terminal.type(`/model offline/orders${enter}`);
  await terminal.until("The model is offline/orders from the next request on.");
  await terminal.until("This is no language model");
  await terminal.until("orders> ");
  terminal.type(`list${enter}`);
  await terminal.until("List .");
  await terminal.until("orders> ");
  terminal.type(`/rename  My   work${enter}`);
  await terminal.until('· The session is called "My work" now.');
  terminal.type(controlD);
  expect(await over).toBe(0);
  const [session] = await runtime.store.list();
  const facts = await runtime.store.read(session?.id ?? "", 0);
  expect(facts.flatMap((fact) => (fact.type === "turn-start" ? [fact.model] : []))).toEqual([
    "scripted/model",
    "offline/orders",
  ]);
});

test("/new and /clear continue in an empty session with the same settings; the previous one is kept", async () => {
  const { terminal, over, model, runtime } = await stageBuilt([[{ say: "First." }], [{ say: "Anew." }]]);
  terminal.type(`/new${enter}`);
  await terminal.until("This session is new: nothing was said in it yet.");
  await terminal.until("> ");
  terminal.type(`one${enter}`);
  await terminal.until("First.");
  await terminal.until("> ");
  const [first] = await runtime.store.list();
  terminal.type(`/mode plan${enter}`);
  await terminal.until("plan> ");
  terminal.type(`/reasoning low${enter}`);
  await terminal.until("The reasoning is low from the next answer on.");
  await terminal.until("plan> ");
  terminal.type(`/clear${enter}`);
  await terminal.until("This is a new session (");
  await terminal.until(`The one before is kept: toolwright --resume ${first?.id}`);
  await terminal.until("plan> ");
  terminal.type(`two${enter}`);
  await terminal.until("Anew.");
  await terminal.until("plan> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  const heard = JSON.stringify(model.prompts.at(-1)?.messages);
  expect([heard.includes("two"), heard.includes("First.")]).toEqual([true, false]);
  expect(model.prompts.map(({ reasoning }) => reasoning)).toEqual([undefined, "low"]);
});

test("a model that its server does not list is used with a warning", async () => {
  const box = { baseUrl: "http://127.0.0.1:9/v1", models: ["coder", "coder-large"] };
  const { terminal, over } = await stageBuilt([], { providers: { box } });
  terminal.type(`/model box/codre${enter}`);
  await terminal.until("The model is box/codre from the next request on.");
  await terminal.until('! box lists no model "codre" (did you mean "coder"?): /model shows what it has.');
  await terminal.until("codre> ");
  const before = terminal.printed().length;
  terminal.type(`/model box/coder${enter}`);
  await terminal.until("coder> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(terminal.printed().slice(before)).not.toContain("lists no model");
});
