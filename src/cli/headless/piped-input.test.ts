/** Tests standard input as part of a prompt: piped text is included, and a silent pipe is not waited for. */

import { afterEach, expect, test, vi } from "vitest";
import { testPng } from "../../testing/pictures.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { type HeadlessPrompt, readPrompt } from "./piped-input.ts";

afterEach(() => void vi.useRealTimers());

const said = (text: string): { ok: true; value: HeadlessPrompt } => ({
  ok: true,
  value: { text, attached: [] },
});

test("a pipe that stays silent for two seconds is ignored with a notice", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const terminal = testTerminal({ piped: true });
  const reading = readPrompt("Do it", terminal);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reading).toEqual(said("Do it"));
  expect(terminal.reported()).toBe(
    "! Standard input is open but empty, so it is ignored; `-p -` waits for it.\n",
  );
  expect(terminal.input.destroyed).toBe(true);
});

test("once the first bytes arrive, the input is read to its end; `-` waits from the start", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const prompt of ["Do it", "-"]) {
    const terminal = testTerminal({ piped: true });
    const reading = readPrompt(prompt, terminal);
    if (prompt !== "-") terminal.type("first ");
    await vi.advanceTimersByTimeAsync(60_000);
    terminal.type("second");
    terminal.input.end();
    expect(await reading).toEqual(said(prompt === "-" ? "second" : "Do it\n\nfirst second"));
  }
});

test("a character split across chunks is decoded correctly", async () => {
  const terminal = testTerminal({ piped: true });
  const bytes = Buffer.from("für 👍");
  for (const byte of bytes) terminal.input.write(Buffer.from([byte]));
  terminal.input.end();
  expect(await readPrompt("-", terminal)).toEqual(said("für 👍"));
});

test("a read error on the input is returned as a problem, not thrown", async () => {
  const terminal = testTerminal({ piped: true });
  const reading = readPrompt("-", terminal);
  terminal.input.destroy(new Error("EIO"));
  expect(await reading).toEqual({ ok: false, problem: "Standard input cannot be read (EIO)." });
});

test("without a pipe nothing is read", async () => {
  expect(await readPrompt("Do it", testTerminal())).toEqual(said("Do it"));
});

/** The result of reading a prompt with these bytes on standard input. */
async function piped(prompt: string, bytes: Uint8Array) {
  const terminal = testTerminal({ piped: true });
  terminal.input.end(bytes);
  return readPrompt(prompt, terminal);
}

test("a piped image is attached to the prompt, and `-p -` with only an image is refused", async () => {
  const bytes = testPng({ width: 3, height: 2 });
  expect(await piped("What is this?", bytes)).toMatchObject({
    ok: true,
    value: {
      text: "What is this?",
      attached: [
        { type: "text", file: "standard input" },
        { type: "image", mediaType: "image/png", data: Buffer.from(bytes).toString("base64") },
      ],
    },
  });
  expect(await piped("-", bytes)).toEqual({
    ok: false,
    problem: 'Standard input is a picture: say what to do with it with -p "…".',
  });
  expect(await piped("What is this?", bytes.subarray(0, 30))).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^The picture on standard input cannot be sent: .*damaged/u),
  });
});
