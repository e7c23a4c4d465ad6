/** Standard input as part of a prompt: whoever pipes something in is heard, whoever does not is not waited for. */

import { afterEach, expect, test, vi } from "vitest";
import { readPrompt } from "./piped-input.ts";
import { testTerminal } from "./testing-terminal.ts";

afterEach(() => void vi.useRealTimers());

test("a pipe that nobody writes to is left alone after two seconds, aloud", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const terminal = testTerminal({ piped: true });
  const reading = readPrompt("Do it", terminal);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reading).toEqual({ ok: true, value: "Do it" });
  expect(terminal.reported()).toBe(
    "! Standard input is open but empty, so it is ignored; `-p -` waits for it.\n",
  );
  expect(terminal.input.destroyed).toBe(true);
});

test("once something came, all of it is waited for; `-` waits from the start", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const prompt of ["Do it", "-"]) {
    const terminal = testTerminal({ piped: true });
    const reading = readPrompt(prompt, terminal);
    if (prompt !== "-") terminal.type("first ");
    await vi.advanceTimersByTimeAsync(60_000);
    terminal.type("second");
    terminal.input.end();
    expect(await reading).toEqual({ ok: true, value: prompt === "-" ? "second" : "Do it\n\nfirst second" });
  }
});

test("characters that are cut between two chunks stay whole", async () => {
  const terminal = testTerminal({ piped: true });
  const bytes = Buffer.from("für 👍");
  for (const byte of bytes) terminal.input.write(Buffer.from([byte]));
  terminal.input.end();
  expect(await readPrompt("-", terminal)).toEqual({ ok: true, value: "für 👍" });
});

test("an input that breaks is a problem, not an exception", async () => {
  const terminal = testTerminal({ piped: true });
  const reading = readPrompt("-", terminal);
  terminal.input.destroy(new Error("EIO"));
  expect(await reading).toEqual({ ok: false, problem: "Standard input cannot be read (EIO)." });
});

test("without a pipe nothing is read", async () => {
  expect(await readPrompt("Do it", testTerminal())).toEqual({ ok: true, value: "Do it" });
});
