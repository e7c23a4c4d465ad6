import fc from "fast-check";
import { expect, test } from "vitest";
import { Turnstile, type Access } from "./turnstile.ts";

type Job = { access: Access; done: () => void; finished: Promise<void> };

const job = (access: Access): Job => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { access, done: resolve, finished: promise };
};
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test("C5: in any order of arrival and finishing, changes run alone and no job overtakes another", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Access>("shared", "exclusive"), { minLength: 1, maxLength: 12 }),
      fc.scheduler(),
      async (accesses, scheduler) => {
        const turnstile = new Turnstile();
        const running = new Set<number>();
        const started: number[] = [];
        const clashes: string[] = [];
        const all = accesses.map((access, index) =>
          turnstile.pass(access, async () => {
            started.push(index);
            for (const other of running)
              if (access === "exclusive" || accesses[other] === "exclusive")
                clashes.push(`${other} with ${index}`);
            running.add(index);
            await scheduler.schedule(Promise.resolve());
            running.delete(index);
          }),
        );
        await scheduler.waitFor(Promise.all(all));
        expect(clashes).toEqual([]);
        expect(started).toEqual(accesses.map((_, index) => index));
      },
    ),
    { numRuns: 200 },
  );
});

test("C5: neighbouring reads overlap, and a change between them is a barrier", async () => {
  const turnstile = new Turnstile();
  const jobs = [job("shared"), job("shared"), job("exclusive"), job("shared")];
  const started: number[] = [];
  const all = jobs.map((each, index) =>
    turnstile.pass(each.access, async () => {
      started.push(index);
      await each.finished;
    }),
  );
  await settle();
  expect(started).toEqual([0, 1]);
  jobs[0]?.done();
  jobs[1]?.done();
  await settle();
  expect(started).toEqual([0, 1, 2]);
  jobs[2]?.done();
  await settle();
  expect(started).toEqual([0, 1, 2, 3]);
  jobs[3]?.done();
  await Promise.all(all);
});

test("an aborted waiter leaves the queue and lets the next in", async () => {
  const turnstile = new Turnstile();
  const controller = new AbortController();
  const first = job("shared");
  const order: string[] = [];
  const a = turnstile.pass("shared", async () => {
    await first.finished;
    order.push("first");
  });
  const b = turnstile
    .pass("exclusive", async () => order.push("never"), controller.signal)
    .catch(() => order.push("aborted"));
  const c = turnstile.pass("shared", async () => order.push("third"));
  controller.abort(new Error("stop"));
  await Promise.all([b, c]);
  first.done();
  await a;
  expect(order.toSorted()).toEqual(["aborted", "first", "third"]);
});

test("work that throws releases its place", async () => {
  const turnstile = new Turnstile();
  await expect(turnstile.pass("exclusive", () => Promise.reject(new Error("broken")))).rejects.toThrow(
    "broken",
  );
  expect(await turnstile.pass("exclusive", async () => "next")).toBe("next");
});
