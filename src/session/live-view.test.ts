/** Tests that stored, folded and displayed state agree at every moment, whichever signals were lost. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Fact, Signal } from "../protocol/facts.ts";
import { step } from "../protocol/fold.ts";
import { emptyState } from "../protocol/session-state.ts";
import { emptyTranscript, showEntry, type Transcript, visibleBlocks } from "../view/transcript.ts";
import { SessionLog } from "./log.ts";
import { wholeLog } from "./testing/log-arbitrary.ts";
import { delta, output, reasoningDelta, WatchedStore } from "./testing/watched-log.ts";

type Happening = Fact | Signal;

/** The facts with the signals before them, and those that shorten a long conversation. */
function happenings(log: readonly Entry[], shortening: readonly number[]): Happening[] {
  const told: Happening[] = [];
  for (const [at, { v: _v, seq: _seq, at: _at, turn: _turn, ...fact }] of log.entries()) {
    if (fact.type === "unknown") continue;
    told.push(...signalsBefore(fact), fact);
    if (fact.type === "call-start")
      told.push(output(fact.callId, 0, "one\n"), output(fact.callId, 4, "two\n"));
    if (shortening.includes(at)) told.push(...shortened(log.slice(0, at + 1)));
  }
  return told;
}

function signalsBefore(fact: Fact): Signal[] {
  if (fact.type === "call") return [{ type: "call-delta", callId: fact.call.id, name: "n", characters: 9 }];
  if (fact.type !== "text" && fact.type !== "reasoning") return [];
  const { block, text } = fact;
  const say = fact.type === "text" ? delta : reasoningDelta;
  const middle = Math.floor(text.length / 2);
  return [say(block, 0, text.slice(0, middle)), say(block, middle, text.slice(middle))];
}

function shortened(log: readonly Entry[]): Fact[] {
  const callIds = log.flatMap((entry) => (entry.type === "result" ? [entry.callId] : []));
  return [
    { type: "results-trimmed", callIds: callIds.slice(0, 2), tokens: 10 },
    {
      type: "compaction",
      summary: "In short.",
      keep: 2,
      because: "budget",
      tokensBefore: 9,
      tokensAfter: 1,
      model: "m",
    },
  ];
}

async function tinyLog(store: WatchedStore): Promise<SessionLog> {
  const epoch = await store.claim("s");
  return SessionLog.open({ store, session: "s", epoch, batchMs: 0, window: { entries: 3, bytes: 200 } });
}

const show = (transcript: Transcript, events: readonly (Entry | Signal)[]): Transcript => {
  for (const event of events) showEntry(transcript, event, 0);
  return transcript;
};

test("A38: folding the stored facts gives the live state at every fact, and readers that missed signals show the same", async () => {
  const places = fc.array(fc.nat({ max: 60 }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(wholeLog, places, fc.array(fc.boolean(), { minLength: 1 }), async (log, cuts, lost) => {
      const store = new WatchedStore();
      await store.create({ id: "s", workspace: "/w", createdAt: 0 });
      const live = await tinyLog(store);
      const heard: (Entry | Signal)[] = [];
      live.listen((event) => heard.push(event));
      let folded = emptyState();
      const [whole, partly, factsOnly] = [emptyTranscript(), emptyTranscript(), emptyTranscript()];
      for (const happening of happenings(log, cuts)) {
        if (isSignal(happening)) live.signal(happening);
        else {
          await live.append(happening);
          folded = (await store.read("s", folded.seq)).reduce(step, folded);
          expect(folded).toEqual(live.state);
        }
        const events = heard.splice(0);
        show(whole, events);
        show(
          partly,
          events.filter((event, at) => "seq" in event || !lost[at % lost.length]),
        );
        show(
          factsOnly,
          events.filter((event) => "seq" in event),
        );
        expect(partly.blocks).toEqual(whole.blocks);
        expect(factsOnly.blocks).toEqual(whole.blocks);
      }
      const replayed = show(emptyTranscript(), await store.read("s", 0));
      for (const seen of [whole, partly, factsOnly])
        expect(visibleBlocks(seen)).toEqual(visibleBlocks(replayed));
      expect((await tinyLog(store)).state).toEqual(live.state);
    }),
    { numRuns: 25 },
  );
});

const isSignal = (happening: Happening): happening is Signal =>
  ["text-delta", "reasoning-delta", "call-delta", "output-delta", "retrying"].includes(happening.type);
