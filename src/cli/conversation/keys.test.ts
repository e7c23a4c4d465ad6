/** Tests leaving and interrupting a conversation by key, and what is said then. */

import { expect, test } from "vitest";
import { controlD, enter, lines, stage } from "./testing/conversation.ts";

const never = new Promise<void>(() => undefined);

test("leaving says how to go on with the session, if anything was asked in it", async () => {
  const used = await stage([[{ say: "Yes." }]], { first: "Go" });
  await used.terminal.until("Yes.");
  await used.terminal.until("> ");
  used.terminal.type(controlD);
  expect(await used.over).toBe(0);
  const { id } = used.runtime.session;
  expect(lines(used.terminal)).toContain(`To go on with this session: toolwright --resume ${id.slice(-6)}`);
  await used.runtime.close();

  const given = { model: "scripted", mode: "auto", prompt: "Go" } as const;
  const chosen = await stage([[{ say: "Yes." }]], { first: "Go", given });
  await chosen.terminal.until("Yes.");
  await chosen.terminal.until("> ");
  chosen.terminal.type(controlD);
  await chosen.over;
  const { id: second, model } = chosen.runtime.session;
  expect(lines(chosen.terminal)).toContain(
    `To go on with this session: toolwright --model ${model.name} --mode auto --resume ${second.slice(-6)}`,
  );
  await chosen.runtime.close();

  const unused = await stage([]);
  await unused.terminal.until("> ");
  unused.terminal.type(controlD);
  expect(await unused.over).toBe(0);
  expect(lines(unused.terminal).join("\n")).not.toContain("--resume");
  await unused.runtime.close();
});

test("Esc interrupts a running request", async () => {
  const { terminal, runtime, over } = await stage([[{ say: "Once upon" }, { wait: never }]], { first: "Go" });
  await terminal.until("Once upon");
  terminal.type("\u001B");
  await terminal.until("Interrupting …");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(terminal.exits).toEqual([]);
  await runtime.close();
});

test("Ctrl-D at a question of /edit does not speak of a running request", async () => {
  const { terminal, runtime, over } = await stage([[{ say: "Yes." }]], { first: "Go" });
  await terminal.until("Yes.");
  await terminal.until("> ");
  terminal.type(`/edit${enter}`);
  await terminal.until("(Enter: none)");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(lines(terminal).join("\n")).not.toContain("Exits when");
  await runtime.close();
});
