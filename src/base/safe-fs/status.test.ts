import { expect, test } from "vitest";
import { lastingSignature, signatureOf, stateFrom } from "./status.ts";

const stats = { dev: 1n, ino: 2n, mode: 0o40755n, size: 40n, mtimeNs: 5n };
const secondsAt = 1_700_000_000;

/** Of a directory that changed at that part of a second, read so many milliseconds after the second. */
const signedAfter = (ms: number, part: bigint): string | undefined =>
  lastingSignature({ ...stats, ctimeNs: BigInt(secondsAt) * 1_000_000_000n + part }, secondsAt * 1000 + ms);

test("a directory changed within the same tick of a coarse clock is read again: whole seconds may be two of them", () => {
  expect([0, 29, 31, 1999, 2100].map((ms) => signedAfter(ms, 0n))).toEqual(Array(5).fill(undefined));
  expect(signedAfter(2101, 0n)).toBe(signatureOf({ ...stats, ctimeNs: BigInt(secondsAt) * 1_000_000_000n }));
});

test("a time with parts of a second comes from a finer clock", () => {
  expect([-5000, 0, 31, 32].map((ms) => signedAfter(ms, 1_999_999n) !== undefined)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test("what was looked at within the tick of its change has another state once that is over, and then keeps it", () => {
  const changed = { ...stats, ctimeNs: BigInt(secondsAt) * 1_000_000_000n + 1_999_999n };
  const [soon, later, last] = [10, 40, 9_000].map((ms) => stateFrom(changed, secondsAt * 1000 + ms));
  expect(later).not.toBe(soon); // or a second change in that tick, of the same size, would never be seen
  expect(last).toBe(later);
});
