import { existsSync, readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAll } from "../testing/read-all.ts";
import { scale } from "../testing/scale.ts";
import { wires } from "./index.ts";
import { comparable, summary, transcript } from "./testing/stream-summary.ts";
import type { Wire } from "./wire.ts";

/** Properties of every recorded stream; the content of each stream is tested in its wire's directory. */

const folder = (wire: Wire): URL => new URL(`../../test/transcripts/${wire.name}/`, import.meta.url);

const recorded = Object.values(wires).flatMap((wire) =>
  existsSync(folder(wire))
    ? readdirSync(folder(wire))
        .filter((name) => /\.(sse|ndjson)$/.test(name))
        .map((name) => ({ wire, name, title: `${wire.name}/${name}` }))
    : [],
);

/** Positions to cut at, every `step` bytes. */
const every = (bytes: Uint8Array, step: number): number[] =>
  Array.from({ length: Math.floor(bytes.length / step) }, (_, at) => (at + 1) * step);

test("every wire has recorded streams", () => {
  expect(new Set(recorded.map(({ wire }) => wire.name))).toEqual(new Set(Object.keys(wires)));
});

describe("a recorded stream", () => {
  test.each(recorded)("$title is read the same however it is split", async ({ wire, name }) => {
    const bytes = transcript(wire, name);
    const whole = comparable(await readAll(wire, bytes));
    for (const step of [1, 7])
      expect(comparable(await readAll(wire, bytes, every(bytes, step)))).toEqual(whole);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (places) => {
        expect(comparable(await readAll(wire, bytes, places))).toEqual(whole);
      }),
      { numRuns: 8 * scale },
    );
  });

  test.each(recorded)(
    "N12: $title truncated anywhere never ends an incomplete call",
    async ({ wire, name }) => {
      const bytes = transcript(wire, name);
      const whole = await readAll(wire, bytes);
      const inputs = whole.events.flatMap((event) => (event.type === "call-end" ? [event.call.input] : []));
      const step = Math.ceil(bytes.length / (60 * scale));
      const nearEnd = Array.from(
        { length: Math.min(20, bytes.length) },
        (_, back) => bytes.length - 1 - back,
      );
      for (const length of [0, ...every(bytes, step), ...nearEnd]) {
        const { events, error } = await readAll(wire, bytes.subarray(0, length));
        const ended = events.flatMap((event) => (event.type === "call-end" ? [event.call.input] : []));
        expect(ended).toEqual(inputs.slice(0, ended.length));
        expect(error !== undefined).toBe(events.at(-1)?.type !== "answer-end");
        if (error === undefined) expect(summary({ events })).toEqual(summary(whole));
        else if (whole.error === undefined)
          expect(error).toMatchObject({ kind: "network", midStream: events.length > 0 });
      }
    },
  );
});
