import { expect, onTestFinished, test } from "vitest";
import type { OnConflict } from "../../../../../src/protocol/commands.ts";
import type { ModelScript } from "../../../../../src/providers/scripted-model.ts";
import { type TestCore, testCore } from "../sessions/testing/core.ts";
import type { ConflictQuestion } from "./carry-out.ts";
import { keepFile, undoAll, undoFile } from "./change-commands.ts";
import { keptHunksInMemory } from "./kept-hunks.ts";
import { peel } from "./peeled-text.ts";
import { presentText, writtenText } from "./present-text.ts";
import { SessionReview } from "./session-review.ts";

const lines = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 30 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join("");

const write = (path: string, content: string) => ({ call: "write_file", with: { path, content } });

/** One request for each list of calls. */
const requests = (...calls: ReturnType<typeof write>[][]): ModelScript =>
  calls.flatMap((each) => [each, [{ say: "Done." }]]);

type ReviewOptions = { choose?: (question: ConflictQuestion) => OnConflict | undefined };

async function reviewed(core: TestCore, { choose }: ReviewOptions = {}) {
  const session = await core.newSession();
  const questions: ConflictQuestion[] = [];
  const context = {
    ...core,
    session,
    kept: keptHunksInMemory(),
    choose: async (question: ConflictQuestion) => {
      questions.push(question);
      return choose?.(question);
    },
  };
  const review = new SessionReview(context);
  onTestFinished(() => review.close());
  return { review, session, questions, again: () => new SessionReview(context) };
}

const standing = (review: SessionReview) =>
  review.state?.files.map(({ path, added, removed }) => [path, added, removed]);

async function request(core: TestCore, review: SessionReview, count: number): Promise<void> {
  await core.send(review.session, `request ${count}`);
  await expect
    .poll(() => core.client.session(review.session))
    .toMatchObject({ standing: "idle", turns: count });
  await expect.poll(() => review.state?.requests.length).toBe(count);
  await expect.poll(() => review.state?.isWorking).toBe(false);
}

const fileIn = (review: SessionReview, path: string) => {
  const file = review.state?.files.find((each) => each.path === path);
  if (!file) throw new Error(`${path} awaits no decision.`);
  return file;
};

const hunksIn = (review: SessionReview, path: string) =>
  fileIn(review, path).parts.flatMap(({ hunks }) => hunks);

const keyOf = (review: SessionReview, path: string, at: number): string =>
  hunksIn(review, path)[at]?.key ?? "";

test("A40: what a request changed awaits a review, and without it the file is as it was before", async () => {
  const changed = lines({ 2: "two", 20: "twenty" });
  const core = await testCore(requests([write("a.txt", changed), write("b.txt", "new\n")]), {
    files: { "a.txt": lines() },
  });
  const { review } = await reviewed(core);
  await request(core, review, 1);
  await expect
    .poll(() => standing(review))
    .toEqual([
      ["a.txt", 2, 2],
      ["b.txt", 1, 0],
    ]);
  const layers = fileIn(review, "a.txt").parts.map(({ hunks }) => hunks);
  expect(writtenText(peel(presentText(await core.read("a.txt")), layers).before)).toBe(lines());
  await expect
    .poll(() => review.state?.requests)
    .toMatchObject([
      { turn: 1, words: "request 1", status: "applied", paths: ["a.txt", "b.txt"], canGoBack: true },
    ]);
  expect(core.failures).toEqual([]);
});

test("A40: one hunk is undone in the file, the other one kept, and then nothing awaits a review", async () => {
  const core = await testCore(requests([write("a.txt", lines({ 2: "two", 20: "twenty" }))]), {
    files: { "a.txt": lines() },
  });
  const { review } = await reviewed(core);
  await request(core, review, 1);
  await expect.poll(() => standing(review)).toEqual([["a.txt", 2, 2]]);
  expect(await review.keepHunk(keyOf(review, "a.txt", 0))).toEqual({ type: "done" });
  expect(standing(review)).toEqual([["a.txt", 1, 1]]);
  expect(await review.undoHunk(keyOf(review, "a.txt", 0))).toEqual({ type: "done" });
  await expect.poll(() => standing(review)).toEqual([]);
  expect(await core.read("a.txt")).toBe(lines({ 2: "two" }));
  await expect.poll(() => review.state?.requests[0]?.status).toBe("kept");
});

test("A40: a file is kept for good once each of its hunks was kept", async () => {
  const core = await testCore(requests([write("a.txt", lines({ 2: "two", 20: "twenty" }))]), {
    files: { "a.txt": lines() },
  });
  const { review } = await reviewed(core);
  await request(core, review, 1);
  await expect.poll(() => standing(review)).toEqual([["a.txt", 2, 2]]);
  await review.keepHunk(keyOf(review, "a.txt", 1));
  expect(review.state?.requests[0]?.status).toBe("applied");
  await review.keepHunk(keyOf(review, "a.txt", 0));
  await expect.poll(() => review.state?.requests[0]).toMatchObject({ status: "kept", canGoBack: false });
  expect(standing(review)).toEqual([]);
});

test("hunks that were kept are remembered by another review of the session, until that is taken back", async () => {
  const core = await testCore(requests([write("a.txt", lines({ 2: "two", 20: "twenty" }))]), {
    files: { "a.txt": lines() },
  });
  const { review, again } = await reviewed(core);
  await request(core, review, 1);
  await expect.poll(() => standing(review)).toEqual([["a.txt", 2, 2]]);
  await review.keepHunk(keyOf(review, "a.txt", 1));
  const other = again();
  onTestFinished(() => other.close());
  await expect.poll(() => standing(other)).toEqual([["a.txt", 1, 1]]);
  other.forgetKept(fileIn(other, "a.txt"));
  expect(standing(other)).toEqual([["a.txt", 2, 2]]);
});

test("A40: undoing a hunk leaves what somebody wrote elsewhere in the file, without a question", async () => {
  const core = await testCore(requests([write("a.txt", lines({ 2: "two", 20: "twenty" }))]), {
    files: { "a.txt": lines() },
  });
  const { review, questions } = await reviewed(core);
  await request(core, review, 1);
  await expect.poll(() => standing(review)).toEqual([["a.txt", 2, 2]]);
  await core.write("a.txt", `mine\n${lines({ 2: "two", 20: "twenty" })}`);
  expect(await review.undoHunk(keyOf(review, "a.txt", 0))).toEqual({ type: "done" });
  expect(await core.read("a.txt")).toBe(`mine\n${lines({ 20: "twenty" })}`);
  expect(questions).toEqual([]);
  await expect.poll(() => standing(review)).toEqual([["a.txt", 1, 1]]);
});

test("a hunk that later work touches is left as it is, and that is told", async () => {
  const core = await testCore(requests([write("a.txt", lines({ 2: "two", 20: "twenty" }))]), {
    files: { "a.txt": lines() },
  });
  const { review, questions } = await reviewed(core);
  await request(core, review, 1);
  await expect.poll(() => standing(review)).toEqual([["a.txt", 2, 2]]);
  const edited = lines({ 2: "two", 3: "mine", 20: "twenty" });
  await core.write("a.txt", edited);
  expect(await review.undoHunk(keyOf(review, "a.txt", 0))).toEqual({ type: "touched" });
  expect(await core.read("a.txt")).toBe(edited);
  expect(questions).toEqual([]);
});

test("A40: undoing a file that somebody changed asks first, and does nothing without an answer", async () => {
  const changed = lines({ 2: "two" });
  const core = await testCore(requests([write("a.txt", changed)]), { files: { "a.txt": lines() } });
  let way: OnConflict | undefined;
  const { review, questions } = await reviewed(core, { choose: () => way });
  await request(core, review, 1);
  await expect.poll(() => standing(review)).toEqual([["a.txt", 1, 1]]);
  await core.write("a.txt", `${changed}mine\n`);
  expect(await review.carryOut(undoFile(fileIn(review, "a.txt")))).toEqual({ type: "left" });
  expect(await core.read("a.txt")).toBe(`${changed}mine\n`);
  expect(questions.map(({ choices }) => choices)).toEqual([["restore", "merge"]]);
  way = "merge";
  expect(await review.carryOut(undoFile(fileIn(review, "a.txt")))).toEqual({ type: "done" });
  expect(await core.read("a.txt")).toBe(`${lines()}mine\n`);
});

test("A40: all changes of several requests are undone together, and the undo can be undone", async () => {
  const core = await testCore(
    requests(
      [write("a.txt", lines({ 2: "two" })), write("b.txt", "new\n")],
      [write("a.txt", lines({ 2: "two", 3: "three" }))],
    ),
    { files: { "a.txt": lines() } },
  );
  const { review } = await reviewed(core);
  await request(core, review, 1);
  await request(core, review, 2);
  await expect
    .poll(() => standing(review))
    .toEqual([
      ["a.txt", 2, 2],
      ["b.txt", 1, 0],
    ]);
  expect(review.state?.canRedo).toBe(false);
  expect(await review.carryOut(undoAll(review.state?.files ?? []))).toEqual({ type: "done" });
  expect(await core.read("a.txt")).toBe(lines());
  await expect.poll(() => standing(review)).toEqual([]);
  expect(review.state?.canRedo).toBe(true);
  expect(await review.carryOut([{ type: "redo" }])).toEqual({ type: "done" });
  expect(await core.read("a.txt")).toBe(lines({ 2: "two" }));
});

test("the way back to a request undoes that one and those after it; what was kept stays", async () => {
  const core = await testCore(
    requests(
      [write("a.txt", "1\n")],
      [write("b.txt", "2\n"), write("kept.txt", "k\n")],
      [write("a.txt", "3\n")],
    ),
  );
  const { review } = await reviewed(core);
  for (const count of [1, 2, 3]) await request(core, review, count);
  await expect.poll(() => standing(review)?.length).toBe(3);
  await review.carryOut(keepFile(fileIn(review, "kept.txt")));
  await expect.poll(() => standing(review)?.length).toBe(2);
  const way = review.wayBackTo(2);
  expect(way).toEqual({
    turn: 2,
    commands: [
      { type: "undo", turn: 3 },
      { type: "undo", turn: 2 },
    ],
    turns: [3, 2],
    paths: ["a.txt", "b.txt"],
    kept: ["kept.txt"],
  });
  expect(await review.carryOut(way?.commands ?? [])).toEqual({ type: "done" });
  expect(await core.read("a.txt")).toBe("1\n");
  await expect(core.read("b.txt")).rejects.toThrow("ENOENT");
  expect(await core.read("kept.txt")).toBe("k\n");
  expect(await review.changesOf(3)).toMatchObject({
    ok: true,
    value: { turn: 3, files: [{ path: "a.txt", status: "undone", hunks: [{ number: 1 }] }] },
  });
  expect(await review.changesOf(9)).toEqual({ ok: false, problem: "There is no request 9." });
  await expect
    .poll(() => review.state?.requests.map(({ canGoBack }) => canGoBack))
    .toEqual([false, false, true]);
});

test("a hunk that another surface has undone is not undone in the place of another one", async () => {
  const changed = lines({ 2: "two", 20: "twenty" });
  const core = await testCore(requests([write("a.txt", changed)]), { files: { "a.txt": lines() } });
  const { review, session } = await reviewed(core);
  await request(core, review, 1);
  await expect.poll(() => standing(review)).toEqual([["a.txt", 2, 2]]);
  const [first, second] = [keyOf(review, "a.txt", 0), keyOf(review, "a.txt", 1)];
  await core.client.command(session, { type: "undo", turn: 1, paths: ["a.txt"], hunks: [1] });
  expect(await review.undoHunk(first)).toMatchObject({ type: "refused" });
  expect(await review.undoHunk(second)).toEqual({ type: "done" });
  expect(await core.read("a.txt")).toBe(lines());
});

test("while a request runs its changes are shown, and a decision is refused with the reason", async () => {
  const gate = Promise.withResolvers<void>();
  const core = await testCore([[write("a.txt", "1\n")], [{ wait: gate.promise }, { say: "Done." }]]);
  const { review } = await reviewed(core);
  await core.send(review.session, "go");
  await expect.poll(() => standing(review)).toEqual([["a.txt", 1, 0]]);
  expect(review.state?.isWorking).toBe(true);
  expect(await review.carryOut(undoFile(fileIn(review, "a.txt")))).toMatchObject({ type: "refused" });
  gate.resolve();
  await expect.poll(() => review.state?.isWorking).toBe(false);
  expect(await review.carryOut(undoFile(fileIn(review, "a.txt")))).toEqual({ type: "done" });
});
