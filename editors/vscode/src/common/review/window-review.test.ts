import { expect, onTestFinished, test } from "vitest";
import { testCore } from "../sessions/testing/core.ts";
import { keptHunksInMemory } from "./kept-hunks.ts";
import { WindowReview } from "./window-review.ts";

const script = Array.from({ length: 3 }, (_, at) => [
  [{ call: "write_file", with: { path: `${at}.txt`, content: `${at}\n` } }],
  [{ say: "Done." }],
]).flat();

async function windowReview() {
  const core = await testCore(script);
  const context = { ...core, isHere: () => true, kept: keptHunksInMemory(), choose: async () => undefined };
  const window = new WindowReview(context);
  onTestFinished(() => window.close());
  const paths = (): string[] | undefined => window.review?.state?.files.map(({ path }) => path);
  return { core, window, paths };
}

test("a window shows the changes of the session that worked last", async () => {
  const { core, window, paths } = await windowReview();
  expect(window.review).toBe(undefined);
  const first = await core.newSession();
  await core.send(first, "one");
  await expect.poll(paths).toEqual(["0.txt"]);
  const second = await core.newSession();
  await core.send(second, "two");
  await expect.poll(paths).toEqual(["1.txt"]);
  expect(window.sessions.map(({ id }) => id)).toEqual([second, first]);
});

test("a chosen session stays, whatever others do, until the choice is taken back", async () => {
  const { core, window, paths } = await windowReview();
  const first = await core.newSession();
  await core.send(first, "one");
  await expect.poll(paths).toEqual(["0.txt"]);
  window.choose(first);
  const second = await core.newSession();
  await core.send(second, "two");
  await expect.poll(() => window.sessions.length).toBe(2);
  expect(paths()).toEqual(["0.txt"]);
  window.choose(undefined);
  await expect.poll(paths).toEqual(["1.txt"]);
});

test("a window whose core is gone has nothing to decide about", async () => {
  const { core, window, paths } = await windowReview();
  const session = await core.newSession();
  await core.send(session, "one");
  await expect.poll(paths).toEqual(["0.txt"]);
  core.live.close();
  await expect.poll(() => window.review).toBe(undefined);
  expect(window.sessions).toEqual([]);
});
