import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Signal } from "../../protocol/facts.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import type { SessionValue } from "../../remote/api-values.ts";
import { testPicture } from "../../testing/pictures.ts";
import { testSession } from "../../testing/session.ts";
import { emptyTranscript, showEntry, visibleBlocks } from "../../view/transcript.ts";
import { rowsOf } from "./rows.ts";
import { type SessionStore, sessionStore } from "./session-store.ts";

const picture = testPicture();

/** Facts and signals of a session that produces every kind of block. */
async function story(): Promise<(Entry | Signal)[]> {
  const model = scriptedModel(
    [
      [{ think: "First I look." }, { say: "I will look." }, { call: "read_file", with: { path: "a.txt" } }],
      [{ call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } }],
      [{ say: "It is done, with a longer text that comes in many pieces." }],
      [{ say: "Hello again." }],
    ],
    { pieces: 5 },
  );
  const opened = await testSession(model, { files: { "a.txt": "one\n" } });
  const heard: (Entry | Signal)[] = [];
  const leave = opened.session.log.listen((event) => void heard.push(event));
  try {
    await opened.ask("Change it.");
    await opened.session.command({ type: "send", content: [{ type: "text", text: "Look." }, picture] });
    await opened.session.idle();
    const first = opened.facts()[0];
    return first && !heard.includes(first) ? [first, ...heard] : heard;
  } finally {
    leave();
    await opened.close();
  }
}

const events = await story();
const last = events.findLast((event) => "seq" in event)?.seq ?? 0;

function blocksOf(store: SessionStore) {
  return store.keys.value.map((key) => store.block(key)?.value);
}

test("the sample session contains facts and signals", () => {
  expect(last).toBeGreaterThan(20);
  expect(events.some((event) => event.type === "text-delta")).toBe(true);
});

test("each block matches the transcript after every batch of events, however they are grouped", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: events.length }), (sizes) => {
      const store = sessionStore("s");
      const transcript = emptyTranscript();
      for (let at = 0, turn = 0; at < events.length; turn += 1) {
        const batch = events.slice(at, at + (sizes[turn] ?? 1));
        at += batch.length;
        store.take(batch, 1_000);
        for (const event of batch) showEntry(transcript, event, "seq" in event ? undefined : 1_000);
        const blocks = visibleBlocks(transcript);
        expect(blocks.map(({ key }) => store.block(key)?.value)).toEqual(blocks);
        expect(blocksOf(store)).toEqual(rowsOf(blocks));
      }
    }),
    { numRuns: 30 },
  );
});

test("signals do not update the view of the facts, and every fact does", () => {
  const store = sessionStore("s");
  let views = 0;
  store.view.subscribe(() => void (views += 1));
  for (const event of events) {
    const before = views;
    store.take([event], 0);
    expect(views - before).toBe("seq" in event ? 1 : 0);
  }
  expect(store.view.value.facts).toBe(last);
});

test("a session is complete once it has as many facts as when it was opened", () => {
  const row = (facts: number): SessionValue => ({
    id: "s",
    title: "",
    workspace: "/",
    createdAt: 0,
    updatedAt: 0,
    facts,
    standing: "idle",
    turns: 1,
    answers: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
    cost: { dollars: 0, unknown: 0 },
  });
  const store = sessionStore("s");
  const facts = events.filter((event) => "seq" in event);
  store.take(facts.slice(0, 5), 0);
  expect(store.view.value.isComplete).toBe(false);
  store.begin(row(7));
  expect(store.view.value.isComplete).toBe(false);
  store.take(facts.slice(5, 7), 0);
  expect(store.view.value.isComplete).toBe(true);
  store.begin(row(9));
  expect(store.view.value.isComplete).toBe(true);
});

test("a session missing from the list counts as complete", () => {
  const store = sessionStore("s");
  store.begin(undefined);
  expect(store.view.value.isComplete).toBe(true);
});

test("images belong to their message, requests are numbered, and calls have a duration", () => {
  const store = sessionStore("s");
  store.take(events, 0);
  const users = blocksOf(store).filter((block) => block?.type === "user");
  expect(users.map((block) => store.turnAt(block?.key ?? ""))).toEqual([1, 2]);
  expect(users.map((block) => store.images(block?.key ?? ""))).toEqual([[], [picture]]);
  const calls = blocksOf(store).filter((block) => block?.type === "call");
  expect(calls).toHaveLength(2);
  for (const call of calls) expect(store.took(call?.key ?? "")).toBeGreaterThanOrEqual(0);
  const thought = blocksOf(store).find((block) => block?.type === "reasoning");
  expect(store.took(thought?.key ?? "")).toBeGreaterThanOrEqual(0);
});

test("durations come from facts alone, so they are the same after a reload", () => {
  const [live, later] = [sessionStore("s"), sessionStore("s")];
  live.take(events, 5_000_000);
  later.take(
    events.filter((event) => "seq" in event),
    9_000_000,
  );
  for (const key of later.keys.value) expect(live.took(key)).toBe(later.took(key));
});
