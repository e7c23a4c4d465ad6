import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

test("only so many have a place at once; the others wait in order, or leave", async () => {
  const slots = new Slots(2);
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const entered: string[] = [];
  const enter = async (name: string, by = signal) => {
    const leave = await slots.take(by);
    entered.push(name);
    return leave;
  };
  const [first, second] = [await enter("first"), await enter("second")];
  const third = enter("third", leaving.signal);
  const fourth = enter("fourth");
  const fifth = enter("fifth");
  leaving.abort(new Error("left"));
  await expect(third).rejects.toThrow("left");
  first();
  first();
  const leave = await fourth;
  expect(entered).toEqual(["first", "second", "fourth"]);
  second();
  leave();
  (await fifth)();
  expect(entered).toEqual(["first", "second", "fourth", "fifth"]);
  await expect(slots.take(AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
});
