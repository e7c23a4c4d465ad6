/** A shell that keeps silent where another would speak: whatever it fails to tell, there is an answer. */

import { expect, test } from "vitest";
import { readyMs, runInShell, settleMs, type ShellRequest } from "./user-shell.ts";

const limit = 90;

/** Time passes only when a test says so: `late` lets the waits of that length pass. */
function stage(over: Partial<ShellRequest> = {}) {
  const passes = new Map<number, PromiseWithResolvers<void>>();
  const passOf = (ms: number): PromiseWithResolvers<void> => {
    const pass = passes.get(ms) ?? Promise.withResolvers<void>();
    passes.set(ms, pass);
    return pass;
  };
  const [ready, began] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const closed = Promise.withResolvers<number | undefined>();
  const ended = Promise.withResolvers<number | undefined>();
  const [stop, did] = [new AbortController(), new Array<string>()];
  let stream: ReadableStreamDefaultController<string> | undefined;
  const output = new ReadableStream<string>({ start: (controller) => void (stream = controller) });
  const shell = {
    ready: ready.promise,
    closed: closed.promise,
    name: () => "bash",
    begin(line: string) {
      did.push(line);
      began.resolve();
      return { ended: ended.promise, output };
    },
    interrupt: () => void did.push("Ctrl-C"),
  };
  const request = { command: "make", seconds: limit, signal: stop.signal, ...over };
  return {
    did,
    answer: runInShell(shell, request, (ms) => passOf(ms).promise),
    late: (ms: number) => passOf(ms).resolve(),
    ready: ready.resolve,
    began: began.promise,
    prints: (text: string) => stream?.enqueue(text),
    endOutput: () => stream?.close(),
    breakOutput: () => stream?.error(new Error("lost")),
    end: ended.resolve,
    close: closed.resolve,
    interrupt: () => stop.abort(),
  };
}

/** A command that has begun and printed something. */
async function begun() {
  const at = stage();
  at.ready();
  await at.began;
  at.prints("\u001B]633;C\u0007\u001B[32mone\u001B[0m\r\n");
  return at;
}

test("a command that ends is answered with what it printed, also after its end, and its exit code", async () => {
  const at = await begun();
  at.end(2);
  at.prints("two\r\n");
  at.endOutput();
  expect(await at.answer).toEqual({ ok: true, value: { type: "ended", exit: 2, output: "one\ntwo" } });
  expect(at.did).toEqual(["eval $'make'"]);
});

test("output that never ends does not hold up an end that was told", async () => {
  const at = await begun();
  at.end(0);
  at.late(settleMs);
  expect(await at.answer).toEqual({ ok: true, value: { type: "ended", exit: 0, output: "one" } });
});

test.each(["endOutput", "breakOutput"] as const)(
  "an end that is never told is known by the end of the output: %s",
  async (how) => {
    const at = await begun();
    at[how]();
    at.late(settleMs);
    expect(await at.answer).toMatchObject({ ok: true, value: { type: "ended", exit: undefined } });
  },
);

test("a shell that the command ends tells its exit code by closing, however it comes", async () => {
  const at = await begun();
  at.close(3);
  at.endOutput();
  expect(await at.answer).toEqual({ ok: true, value: { type: "closed", exit: 3, output: "one" } });
  const other = await begun();
  other.end(undefined);
  other.endOutput();
  other.close(3);
  expect(await other.answer).toMatchObject({ value: { type: "closed", exit: 3 } });
});

test("a terminal that a person closes has no exit code", async () => {
  const at = await begun();
  at.close(undefined);
  at.late(settleMs);
  expect(await at.answer).toMatchObject({ value: { type: "closed", exit: undefined } });
});

test("a command that does not end is left running, with what it printed until then", async () => {
  const at = await begun();
  await new Promise(setImmediate); // its output is read
  at.late(limit * 1_000);
  expect(await at.answer).toEqual({ ok: true, value: { type: "left-running", output: "one" } });
  expect(at.did).not.toContain("Ctrl-C");
});

test("who interrupts it sends Ctrl-C and is answered at once", async () => {
  const at = await begun();
  at.interrupt();
  expect(await at.answer).toMatchObject({ value: { type: "interrupted" } });
  expect(at.did.at(-1)).toBe("Ctrl-C");
});

test.each([
  ["tells nothing of its commands", (at: ReturnType<typeof stage>) => at.late(readyMs), "Use run_command"],
  ["ends while it starts", (at: ReturnType<typeof stage>) => at.close(1), "ended before anything was run"],
  ["is interrupted while it starts", (at: ReturnType<typeof stage>) => at.interrupt(), "interrupted before"],
])("in a shell that %s nothing is run", async (_, happens, problem) => {
  const at = stage();
  happens(at);
  const answer = await at.answer;
  expect(answer.ok ? "" : answer.problem).toContain(problem);
  expect(at.did).toEqual([]);
});

test("what cannot be typed as one line is refused before anything is run", async () => {
  const at = stage({ command: "a\0b" });
  at.ready();
  expect(await at.answer).toMatchObject({ ok: false });
  expect(at.did).toEqual([]);
});

test("of huge output the beginning and the end are kept", async () => {
  const at = await begun();
  for (let line = 0; line < 2_000; line += 1) at.prints(`${line} ${"x".repeat(500)}\n`);
  at.end(0);
  at.endOutput();
  const answer = await at.answer;
  const { output } = answer.ok ? answer.value : { output: "" };
  expect(output.length).toBeLessThan(101_000);
  expect(output).toMatch(/^one\n0 x[^]*\[… \d+ characters left out …\][^]*1999 x+$/u);
});
