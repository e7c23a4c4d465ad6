/** Batches of messages between two sides. */

import { expect, test } from "vitest";
import { Batches, type Envelope } from "./batches.ts";

function side(mostTogether = Infinity) {
  const posted: Envelope<string>[] = [];
  const heard: string[] = [];
  const batches = new Batches<string, string>({
    post: (envelope) => posted.push(envelope),
    hear: (message) => heard.push(message),
    sizeOf: (message) => message.length,
    mostTogether,
  });
  return { batches, posted, heard };
}

const settled = (): Promise<void> => new Promise(setImmediate);

test("what is sent in one task, or before the last batch was taken, goes in one batch and in order", async () => {
  const { batches, posted } = side();
  batches.send("a");
  batches.send("b");
  await settled();
  batches.send("c");
  await settled();
  batches.send("d");
  expect(posted).toEqual([{ type: "batch", messages: ["a", "b"] }]);
  expect(batches.waitingSize).toBe(2);
  batches.take({ type: "taken" });
  await settled();
  expect(posted.slice(1)).toEqual([{ type: "batch", messages: ["c", "d"] }]);
  expect(batches.waitingSize).toBe(0);
});

test("a batch is no larger than may go together, unless one message alone is", async () => {
  const { batches, posted } = side(4);
  for (const message of ["ab", "cd", "e", "a long one", "f"]) batches.send(message);
  for (let turn = 0; turn < 5; turn += 1) {
    await settled();
    batches.take({ type: "taken" });
  }
  const messages = posted.map((envelope) => (envelope.type === "batch" ? envelope.messages : []));
  expect(messages).toEqual([["ab", "cd"], ["e"], ["a long one"], ["f"]]);
  expect(batches.waitingSize).toBe(0);
});

test("a side that begins anew gets nothing of what was meant for the one before, and is waited for no longer", async () => {
  const { batches, posted } = side();
  batches.send("lost");
  await settled();
  batches.send("lost too");
  batches.take({ type: "begin" });
  batches.send("new");
  await settled();
  expect(posted.slice(1)).toEqual([{ type: "batch", messages: ["new"] }]);
});

test("a batch is acknowledged even if one of its messages cannot be handled", () => {
  const posted: Envelope<string>[] = [];
  const batches = new Batches<string, string>({
    post: (envelope) => posted.push(envelope),
    hear: () => {
      throw new Error("odd");
    },
  });
  expect(() => batches.take({ type: "batch", messages: ["x"] })).toThrow("odd");
  expect(posted).toEqual([{ type: "taken" }]);
});
