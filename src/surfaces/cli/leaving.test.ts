/** Tests how a conversation is interrupted and left: by keys, signals, and a closing terminal. */

import { expect, test } from "vitest";
import { enter, controlC, controlD, stage } from "./conversation/testing-conversation.ts";

test("Ctrl-D while a request runs leaves when it is done, and says so", async () => {
  const { promise: wait, resolve: open } = Promise.withResolvers<void>();
  const { terminal, runtime, over } = await stage(
    [[{ say: "One moment please." }, { wait }, { say: "So." }]],
    {
      first: "Go",
    },
  );
  await terminal.until("One");
  terminal.type(controlD);
  await terminal.until("Exits when the request is done; Ctrl-C interrupts it.");
  open();
  expect(await over).toBe(0);
  expect(runtime.test.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  await runtime.close();
});

test("A29: Ctrl-C interrupts the turn and keeps the conversation; pressed again soon it leaves", async () => {
  const never = new Promise<void>(() => undefined);
  const { terminal, runtime, over } = await stage(
    [
      [{ say: "One moment please." }, { wait: never }],
      [{ say: "Here again, as before." }, { wait: never }],
    ],
    { first: "Go" },
  );
  await terminal.until("One");
  terminal.type(controlC);
  await terminal.until("Interrupting");
  await terminal.until("> ");
  terminal.type(`Again${enter}`);
  await terminal.until("Here again");
  terminal.type(controlC);
  terminal.type(controlC);
  await terminal.until("> ");
  expect(terminal.exits).toEqual([130]);
  terminal.type(controlC);
  expect(await over).toBe(0);
  const ends = runtime.test.facts().filter((fact) => fact.type === "turn-end");
  expect(ends.map(({ stopped }) => stopped)).toEqual(["interrupted", "interrupted"]);
  await runtime.close();
});

test("Ctrl-C at the prompt clears what was typed; where nothing was it leaves when pressed twice", async () => {
  const { terminal, runtime, over } = await stage([[{ say: "You said b." }]]);
  await terminal.until("> ");
  terminal.type("aaa");
  terminal.type(controlC);
  terminal.type(`b${enter}`);
  await terminal.until("You said b.");
  await terminal.until("> ");
  terminal.type(controlC);
  await terminal.until("Ctrl-C again exits");
  await terminal.until("> ");
  terminal.type(controlC);
  expect(await over).toBe(0);
  expect(runtime.session.state.turns.map(({ request }) => request)).toEqual([[{ type: "text", text: "b" }]]);
  await runtime.close();
});

test("a signal that ends programs interrupts the turn and leaves", async () => {
  const never = new Promise<void>(() => undefined);
  const { terminal, runtime, over } = await stage([[{ say: "One moment please." }, { wait: never }]], {
    first: "Go",
  });
  await terminal.until("One");
  terminal.raise("SIGTERM");
  expect(await over).toBe(130);
  expect(runtime.test.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "interrupted" });
  await runtime.close();
});

test("a terminal that is closed tells so several times; the turn is still ended in order", async () => {
  const never = new Promise<void>(() => undefined);
  const { terminal, runtime, over } = await stage([[{ say: "One moment please." }, { wait: never }]], {
    first: "Go",
  });
  await terminal.until("One");
  terminal.raise("SIGHUP"); // from the kernel
  terminal.raise("SIGHUP"); // from the shell
  terminal.breakOutput(new Error("EIO"));
  expect(await over).toBe(130);
  expect(terminal.exits).toEqual([]);
  expect(runtime.test.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "interrupted" });
  await runtime.close();
});

test("a second SIGTERM leaves at once", async () => {
  const never = new Promise<void>(() => undefined);
  const { terminal, runtime, over } = await stage([[{ say: "One moment please." }, { wait: never }]], {
    first: "Go",
  });
  await terminal.until("One");
  terminal.raise("SIGTERM");
  terminal.raise("SIGTERM");
  expect(terminal.exits).toEqual([130]);
  await over;
  await runtime.close();
});
