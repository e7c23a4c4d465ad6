/** Tests how standard input is read as lines of JSON: however it is cut, and whatever it holds. */

import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { otherProgramBounds } from "../../base/bounds.ts";
import { inputLines, type ReadLine } from "./input-lines.ts";

const never = new AbortController().signal;

type NumberedLine = Omit<ReadLine, "size">;

async function all(lines: AsyncIterable<ReadLine>): Promise<NumberedLine[]> {
  const found: NumberedLine[] = [];
  for await (const { size: _, ...line } of lines) found.push(line);
  return found;
}

async function read(pieces: Iterable<string | Uint8Array>): Promise<NumberedLine[]> {
  const input = Readable.from([...pieces].map((piece) => Buffer.from(piece)));
  return all(inputLines(input, never));
}

const value = (number: number, object: object): NumberedLine => ({
  number,
  read: { ok: true, value: { ...object } },
});
const problem = (words: RegExp) => ({ ok: false, problem: expect.stringMatching(words) });

test("empty lines are counted and not told, a byte order mark and the last line's end may be missing", async () => {
  expect(await read(['\uFEFF{"a":1}\r\n\n \t\r\n{"b":2}'])).toEqual([value(1, { a: 1 }), value(4, { b: 2 })]);
  expect(await read([])).toEqual([]);
  expect(await read(["\n\n"])).toEqual([]);
});

test("a line that is no object, no JSON or no UTF-8 is told with its number, and the next one is read", async () => {
  const lines = ["{", "[]", "null", '"x"', "{}{}", "\u0000", '{"a":"\u2028"}'].map((line) =>
    Buffer.from(`${line}\n`),
  );
  const told = await read([...lines, new Uint8Array([0xff, 0xfe, 10]), '{"last":true}\n']);
  expect(told.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(told.map(({ read: one }) => one.ok)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    true,
    false,
    true,
  ]);
  expect(told[0]?.read).toEqual(problem(/not a JSON object \(/u));
  expect(told[7]?.read).toEqual(problem(/not UTF-8/u));
});

test("a huge line is skipped without being kept, also one that never ends", async () => {
  const mib = "x".repeat(1024 ** 2);
  const huge = Array.from({ length: otherProgramBounds.message.most / mib.length + 1 }, () => mib);
  const tooLong = problem(/longer than 32 MiB/u);
  expect(await read([...huge, '\n{"a":1}\n', ...huge])).toEqual([
    { number: 1, read: tooLong },
    value(2, { a: 1 }),
    { number: 3, read: tooLong },
  ]);
});

test("nesting without end is no crash", async () => {
  const [first, second] = await read([`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}\n{"b":1}`]);
  expect([first?.number, second]).toEqual([1, value(2, { b: 1 })]);
});

test("however the bytes are cut, the same lines come out", async () => {
  const text = '{"a":"äöü €"}\n\nnope\r\n{"b":"\u{1F600}"}\n{"c":1}';
  const whole = await read([text]);
  const bytes = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
      const at = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
      const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(await read(pieces)).toEqual(whole);
    }),
  );
});

test("the signal ends the reading and lets go of the input; an input that breaks is told", async () => {
  const input = new PassThrough();
  const stop = new AbortController();
  const reading = all(inputLines(input, stop.signal));
  input.write('{"a":1}\n');
  await new Promise(setImmediate);
  stop.abort();
  expect(await reading).toEqual([value(1, { a: 1 })]);
  expect(input.destroyed).toBe(true);
  const broken = new PassThrough();
  const failing = all(inputLines(broken, never));
  broken.destroy(new Error("EIO"));
  await expect(failing).rejects.toThrow("Standard input cannot be read (EIO).");
});
