import fc from "fast-check";
import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import { streamEvents } from "./event-stream.ts";

async function* cutAt(text: string, places: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let from = 0;
  for (const place of [...places, bytes.length].toSorted((one, other) => one - other)) {
    if (place > bytes.length) continue;
    yield bytes.subarray(from, place);
    from = place;
  }
}

const read = (text: string, places: readonly number[] = []) => collect(streamEvents(cutAt(text, places)));

test("an event has its name, its data lines and the last id received", async () => {
  expect(
    await read(
      ': here\n\nevent: fact\nid: 7\ndata: {"a":1}\n\ndata: one\ndata:two\ndata\n\nevent: signal\n\nid\ndata: x\n\n',
    ),
  ).toEqual([
    { event: "fact", data: '{"a":1}', id: "7" },
    { event: "message", data: "one\ntwo\n", id: "7" },
    { event: "message", data: "x", id: "" },
  ]);
});

test("an event cut off by the end of the stream is dropped", async () => {
  expect(await read("data: whole\n\ndata: half")).toHaveLength(1);
  expect(await read("data: whole\n\ndata: half\n")).toHaveLength(1);
});

test("events are the same however the bytes are split and whatever the line endings", async () => {
  const line = fc.string({ unit: fc.constantFrom("a", ":", " ", "é", "😀", "{") });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.nat(200)),
      async (events, end, places) => {
        const text = events
          .map((lines, at) => [`id: ${at}`, ...lines.map((words) => `data: ${words}`), "", ""].join(end))
          .join("");
        // A lone carriage return at the very end waits for the line feed that might follow.
        const whole = await read(`${text}: over${end}`, places);
        expect(whole).toEqual(
          events.map((lines, at) => ({ event: "message", data: lines.join("\n"), id: String(at) })),
        );
      },
    ),
  );
});
