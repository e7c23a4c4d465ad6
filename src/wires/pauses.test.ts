import { expect, test } from "vitest";
import { withPauses } from "./pauses.ts";

/** Items of which each is given only when the reader has asked for it and the gate before it is open. */
async function* gated(...items: (string | Promise<unknown>)[]): AsyncGenerator<string> {
  for (const item of items)
    if (typeof item === "string") yield item;
    else await item;
}

test("a pause is told once, when nothing comes and the reader wants to know", async () => {
  const told: (string | undefined)[] = [];
  const gate = Promise.withResolvers<undefined>();
  const items = withPauses(gated("a", gate.promise, "b"), { after: 1, isDue: () => told.at(-1) === "a" });
  for await (const item of items) {
    told.push(item);
    if (item === undefined) gate.resolve(undefined);
  }
  expect(told).toEqual(["a", undefined, "b"]);
});

test("whoever stops reading in a pause does not wait for the source, and its failure is not lost otherwise", async () => {
  const never = Promise.withResolvers<undefined>();
  for await (const item of withPauses(gated(never.promise, "a"), { after: 1, isDue: () => true })) {
    expect(item).toBeUndefined();
    break;
  }
  const failing = Promise.reject(new Error("cut"));
  const items = withPauses(gated(failing), { after: 1, isDue: () => true });
  await expect(items.next()).rejects.toThrow("cut");
});
