/** Tests how a conversation is interrupted and left: by keys, signals, and a closing terminal. */

import { expect, test } from "vitest";
import { enter, controlC, controlD, stage } from "./conversation/testing/conversation.ts";

test("Ctrl-D while a request runs announces that it will exit, and exits when the request is done", async () => {
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

test("A29: Ctrl-C interrupts the turn and keeps the conversation; a second Ctrl-C soon after exits", async () => {
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

test("Ctrl-C at the prompt clears the typed text; at an empty prompt, pressing it twice exits", async () => {
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

test("SIGTERM interrupts the turn and exits", async () => {
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

test("a closing terminal that sends several hang-ups still lets the turn end properly", async () => {
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

test("a second SIGTERM exits immediately", async () => {
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
