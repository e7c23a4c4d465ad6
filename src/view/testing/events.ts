/** Arbitraries for facts and signals of a session, for property tests of the surfaces. */

import fc from "fast-check";
import { anyCharacter } from "../../base/testing/any-character.ts";
import {
  modes,
  outcomes,
  stops,
  verdicts,
  type Entry,
  type Fact,
  type Signal,
} from "../../protocol/facts.ts";
import { reasonings } from "../../protocol/messages.ts";
import { emptyTranscript, showEntry } from "../transcript.ts";

const callIds = fc.constantFrom("a", "b", "c");

const words = fc.string({ unit: anyCharacter, maxLength: 12 });

const blockNumber = fc.integer({ min: 1, max: 4 });

const changes = fc.array(
  fc.record({
    path: words,
    before: fc.constant(null),
    after: fc.constant("00"),
    added: fc.nat(9),
    removed: fc.nat(9),
  }),
  {
    maxLength: 2,
  },
);

const content = fc.array(fc.record({ type: fc.constant("text" as const), text: words }), {
  maxLength: 2,
});

const messageId = fc.constantFrom("m1", "m2", "m3");

const limit = fc.constantFrom("rounds" as const, "cost" as const, "time" as const);

const count = fc.nat(99);

/** Facts about queued messages, questions, limits and turn guidance. */
const toldFact = fc.oneof(
  fc.record({ type: fc.constant("session-renamed" as const), title: words }),
  fc.record({
    type: fc.constant("message-queued" as const),
    id: messageId,
    content,
    when: fc.constantFrom("steer" as const, "next" as const),
  }),
  fc.record({ type: fc.constant("message-withdrawn" as const), id: messageId }),
  fc.record({
    type: fc.constant("grant-revoked" as const),
    covers: fc.record({ type: fc.constant("tool" as const), tool: words }),
    grant: words,
    by: words,
  }),
  fc.record({ type: fc.constant("steer" as const), content, queued: messageId }),
  fc.record({ type: fc.constant("user-message" as const), content, queued: messageId }),
  fc.record({ type: fc.constant("mode-set" as const), mode: fc.constantFrom(...modes), by: words }),
  fc.record({
    type: fc.constant("reasoning-set" as const),
    reasoning: fc.constantFrom(...reasonings),
    by: words,
  }),
  fc.record({
    type: fc.constant("question-asked" as const),
    callId: callIds,
    question: words,
    choices: fc.array(fc.record({ label: words }), { maxLength: 2 }),
    steps: fc.array(fc.record({ title: words, detail: words }), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant("question-answered" as const),
    callId: callIds,
    answer: fc.constantFrom("given" as const, "declined" as const),
    by: words,
    text: words,
    chosen: fc.array(count, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant("todos-set" as const),
    items: fc.array(fc.record({ text: words, state: fc.constantFrom("open" as const, "done" as const) })),
  }),
  fc.record({ type: fc.constant("branch" as const), name: words, from: words, commit: words }),
  fc.record({ type: fc.constant("results-trimmed" as const), callIds: fc.array(callIds), tokens: count }),
  fc.record({
    type: fc.constant("compaction" as const),
    summary: words,
    keep: count,
    because: fc.constantFrom("budget" as const, "person" as const),
    tokensBefore: count,
    tokensAfter: count,
    model: words,
  }),
  fc.record({
    type: fc.constant("failure-detected" as const),
    pattern: fc.constantFrom("no-progress" as const, "all-failed" as const),
    count,
    text: words,
  }),
  fc.record({ type: fc.constant("nudge" as const), code: words, text: words }),
  fc.record({ type: fc.constant("limit-asked" as const), limit, used: count, most: count, offer: count }),
  fc.record({
    type: fc.constant("limit-answered" as const),
    limit,
    answer: fc.constantFrom("stop" as const, "extend" as const),
    most: count,
    by: fc.constantFrom("terminal", "toolwright"),
  }),
);

const fact = fc.oneof(
  { weight: 6, arbitrary: toldFact },
  fc.record({ type: fc.constant("user-message" as const), content }),
  fc.record({ type: fc.constant("turn-start" as const), model: words, mode: fc.constantFrom(...modes) }),
  fc.record({ type: fc.constant("reasoning" as const), block: blockNumber, text: words }),
  fc.record({
    type: fc.constant("text" as const),
    block: blockNumber,
    text: words,
    by: fc.constantFrom("model" as const, "toolwright" as const),
  }),
  callIds.map((id) => ({
    type: "call" as const,
    call: { id, name: "read_file", input: { path: id }, source: "native" },
  })),
  fc.record({
    type: fc.constant("decision" as const),
    callId: callIds,
    verdict: fc.constantFrom(...verdicts),
    because: words,
    risk: fc.constant("high" as const),
    trace: fc.array(fc.record({ layer: words, verdict: fc.constantFrom(...verdicts), because: words }), {
      maxLength: 1,
    }),
  }),
  fc.record({
    type: fc.constant("approval-asked" as const),
    callId: callIds,
    title: words,
    because: words,
    risk: fc.constant("high" as const),
    preview: words,
    grant: words,
  }),
  fc.record({
    type: fc.constant("approval-answered" as const),
    callId: callIds,
    answer: fc.constantFrom("allow" as const, "deny" as const),
    scope: fc.constant("once" as const),
    by: words,
  }),
  fc.record({
    type: fc.constant("call-start" as const),
    callId: callIds,
    title: words,
    does: fc.constantFrom("read" as const, "execute" as const),
  }),
  fc.record({ type: fc.constant("change-applied" as const), callId: callIds, changes }),
  fc.record({
    type: fc.constant("changes-undone" as const),
    undoneTurn: fc.integer({ min: 1, max: 2 }),
    changes,
    again: fc.boolean(),
    rest: fc.array(fc.record({ path: words, hash: words })),
  }),
  fc.record({ type: fc.constant("changes-kept" as const), keptTurn: fc.integer({ min: 1, max: 2 }) }),
  fc.record({
    type: fc.constant("result" as const),
    callId: callIds,
    outcome: fc.constantFrom(...outcomes),
    content: fc.array(fc.record({ type: fc.constant("text" as const), text: words })),
  }),
  fc.record({ type: fc.constant("warning" as const), code: words, text: words }),
  fc.record({
    type: fc.constant("answer-end" as const),
    reason: fc.constant("failed" as const),
    model: words,
    failure: fc.record({ kind: words, message: words, midStream: fc.boolean() }),
  }),
  fc.record({
    type: fc.constant("turn-end" as const),
    stopped: fc.constantFrom(...stops),
    changed: fc.array(words),
    verified: fc.array(callIds),
    text: words,
  }),
);

const signal: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({
    type: fc.constantFrom("text-delta" as const, "reasoning-delta" as const),
    block: blockNumber,
    offset: fc.nat(12),
    text: words,
  }),
  fc.record({ type: fc.constant("output-delta" as const), callId: callIds, offset: fc.nat(12), text: words }),
  fc.record({ type: fc.constant("call-delta" as const), callId: callIds, name: words, characters: fc.nat() }),
  fc.record({ type: fc.constant("retrying" as const), because: words, waitMs: fc.nat(), attempt: fc.nat() }),
  fc.record({
    type: fc.constant("compacting" as const),
    state: fc.constantFrom("begun" as const, "given-up" as const),
    because: fc.constantFrom("budget" as const, "overflow" as const, "person" as const),
    tokens: fc.nat(),
  }),
);

/** Facts are numbered in order, with signals between them. */
export const told = fc.array(fc.oneof({ weight: 2, arbitrary: fact }, { weight: 1, arbitrary: signal }), {
  maxLength: 60,
});

export const events = told.map(numberEvents);

export function numberEvents(list: readonly (Fact | Signal)[]): (Entry | Signal)[] {
  let seq = 0;
  let turn = 1;
  return list.map((event) => {
    if (isSignal(event)) return event;
    seq += 1;
    const entry = { ...event, v: 1, seq, at: seq, turn };
    if (event.type === "turn-end") turn += 1;
    return entry;
  });
}

const isSignal = (event: Fact | Signal): event is Signal =>
  event.type.endsWith("-delta") || event.type === "retrying" || event.type === "compacting";

export function transcriptOf(list: readonly (Entry | Signal)[]) {
  const transcript = emptyTranscript();
  for (const event of list) showEntry(transcript, event);
  return transcript;
}

export const entriesOf = (list: readonly (Entry | Signal)[]): Entry[] =>
  list.filter((event) => "seq" in event);
