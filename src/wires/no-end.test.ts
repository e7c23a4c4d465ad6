import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { oneByOne } from "./frames.ts";
import { wires } from "./index.ts";

/** A model stream that ends without an end event is a failure, and the client must be able to tell. */

async function* stopping(): AsyncGenerator<ModelEvent> {
  yield { type: "answer-start", model: "m" };
  yield { type: "text-delta", text: "half" };
}

test.each(Object.values(wires))("a stream of $name without an end breaks off with an error", async (wire) => {
  const texts = await collect(wire.encodeEvents(stopping()));
  expect(texts.join("")).toMatch(/The connection ended before the answer was complete/);
  const read = collect(oneByOne(wire.decodeBatches(bytesOf(texts))));
  await expect(read).rejects.toMatchObject({ midStream: true });
});

async function* bytesOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
