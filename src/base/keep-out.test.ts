import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Signal } from "../protocol/facts.ts";
import { KeptOutStream } from "../session/kept-out-stream.ts";
import { keepOut, keptOutMark } from "./keep-out.ts";

const secret = 'k3y/"of+ours9';

function told(pieces: readonly string[]): string {
  const kept = keepOut([secret, "another-Secret-7"]);
  if (!kept) throw new Error("nothing to keep out");
  const stream = new KeptOutStream(kept);
  let offset = 0;
  let text = "";
  for (const piece of pieces) {
    const signal: Signal | undefined = stream.pass({ type: "text-delta", block: 1, offset, text: piece });
    offset += piece.length;
    if (signal?.type !== "text-delta") continue;
    expect(signal.offset).toBe(text.length);
    text += signal.text;
  }
  return text;
}

test("a value is kept out of a stream however it is cut, and everything else arrives", () => {
  const word = fc.constantFrom(secret, "another-Secret-7", "k3y/", 'k3y/"of', "plain ", "another-", "é", "7");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.nat(12), { maxLength: 40 }), (words, cuts) => {
      const text = `${words.join("")}.`;
      const pieces: string[] = [];
      let at = 0;
      for (const cut of cuts) pieces.push(text.slice(at, (at += cut)));
      expect(told([...pieces, text.slice(at)])).toBe(keepOut([secret, "another-Secret-7"])?.text(text));
    }),
  );
});

test("facts without a value are the same objects, and pictures are not searched", () => {
  const kept = keepOut([secret]);
  const fact = { a: ["x", { b: 1, c: null }], d: "plain" };
  expect(kept?.data(fact)).toBe(fact);
  const picture = { type: "image", data: secret };
  expect(kept?.data(picture)).toBe(picture);
  expect(kept?.data({ a: [secret], [secret]: 1 })).toEqual({ a: [keptOutMark], [keptOutMark]: 1 });
});

test("nothing is kept out where there is nothing", () => {
  expect(keepOut([])).toBe(undefined);
});
