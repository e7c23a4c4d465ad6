/** The transcript: the same live, replayed, and with any signal lost. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeEntry } from "../../protocol/codec.ts";
import { decodeEntry } from "../../protocol/decode.ts";
import { wayToAll } from "../../protocol/fold-told.ts";
import {
  modes,
  outcomes,
  stops,
  verdicts,
  type Entry,
  type Fact,
  type Signal,
} from "../../protocol/facts.ts";
import { scripted } from "../../providers/scripted.ts";
import { testSession } from "../../testing/session.ts";
import {
  emptyTranscript,
  findCall,
  forgetOldest,
  isTurnOpen,
  showEntry,
  visibleBlocks,
} from "./transcript.ts";

const callIds = fc.constantFrom("a", "b", "c");
const words = fc.string({ unit: "binary", maxLength: 12 });
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

const content = fc.array(fc.record({ type: fc.constant("text" as const), text: words }), { maxLength: 2 });
const messageId = fc.constantFrom("m1", "m2", "m3");
const limit = fc.constantFrom("rounds" as const, "cost" as const, "time" as const);
const count = fc.nat(99);

/** Messages that wait, questions, limits and what guides a turn. */
const toldFact = fc.oneof(
  fc.record({ type: fc.constant("session-renamed" as const), title: words }),
  fc.record({
    type: fc.constant("message-queued" as const),
    id: messageId,
    content,
    when: fc.constantFrom("steer" as const, "next" as const),
  }),
  fc.record({ type: fc.constant("message-withdrawn" as const), id: messageId }),
  fc.record({ type: fc.constant("steer" as const), content, queued: messageId }),
  fc.record({ type: fc.constant("user-message" as const), content, queued: messageId }),
  fc.record({ type: fc.constant("mode-set" as const), mode: fc.constantFrom(...modes), by: words }),
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
);

/** Facts are stamped in order; signals stand between them. */
const told = fc.array(fc.oneof({ weight: 2, arbitrary: fact }, { weight: 1, arbitrary: signal }), {
  maxLength: 60,
});

const events = told.map(stamped);

function stamped(list: readonly (Fact | Signal)[]): (Entry | Signal)[] {
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
  event.type.endsWith("-delta") || event.type === "retrying";

function transcriptOf(list: readonly (Entry | Signal)[]) {
  const transcript = emptyTranscript();
  for (const event of list) showEntry(transcript, event);
  return transcript;
}

const entriesOf = (list: readonly (Entry | Signal)[]): Entry[] => list.filter((event) => "seq" in event);

test("A38: dropping any signals changes no block that facts have made", () => {
  fc.assert(
    fc.property(events, fc.infiniteStream(fc.boolean()), (list, keep) => {
      const some = list.filter((event) => "seq" in event || keep.next().value);
      expect(transcriptOf(some).blocks).toEqual(transcriptOf(entriesOf(list)).blocks);
    }),
  );
});

test("A38: replaying the stored entries rebuilds the identical transcript", () => {
  fc.assert(
    fc.property(events, (list) => {
      const stored = entriesOf(list).map(encodeEntry);
      expect(visibleBlocks(transcriptOf(stored.map(decodeEntry)))).toEqual(transcriptOf(list).blocks);
    }),
  );
});

test("when a turn has ended, nothing is left that only signals have told", () => {
  fc.assert(
    fc.property(told, (list) => {
      const ended = stamped([
        ...list,
        { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" },
      ]);
      const transcript = transcriptOf(ended);
      expect(visibleBlocks(transcript)).toEqual(transcript.blocks);
    }),
  );
});

test("blocks are never changed in place, and every change is reported", () => {
  fc.assert(
    fc.property(events, (list) => {
      const transcript = emptyTranscript();
      for (const event of list) {
        const before = [...transcript.blocks];
        const copies = structuredClone(before);
        const reported = showEntry(transcript, event);
        expect(before).toEqual(copies);
        const changed = transcript.blocks.filter((block, at) => block !== before[at]);
        expect(changed.filter((block) => !reported.includes(block))).toEqual([]);
      }
    }),
  );
});

test("text deltas add up however they are cut or repeated, and wait after a lost one", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 20 }),
      (whole, cuts) => {
        const transcript = emptyTranscript();
        for (const [from, length] of cuts) {
          const text = whole.slice(from, from + length);
          showEntry(transcript, { type: "text-delta", block: 1, offset: Math.min(from, whole.length), text });
          const [block] = visibleBlocks(transcript);
          if (block?.type === "text") expect(whole.startsWith(block.text)).toBe(true);
        }
      },
    ),
  );
});

test("A38: a real session's transcript is the same live and replayed from the store", async () => {
  const model = scripted(
    [
      [
        { think: "I should look." },
        { say: "Reading it." },
        { call: "read_file", with: { path: "a.txt" } },
        { call: "write_file", with: { path: "b.txt", content: "two\nlines\n" } },
      ],
      [{ call: "run_command", with: { command: "touch c" } }],
      [{ say: "Done." }],
    ],
    { pieces: 2 },
  );
  const room = await testSession(model, { files: { "a.txt": "one\n" } });
  const live = emptyTranscript();
  room.session.log.listen((event) => void showEntry(live, event));
  await room.ask("Write b");

  const replayed = transcriptOf(await room.store.read(room.session.id, 0));
  expect(visibleBlocks(live)).toEqual(replayed.blocks);
  expect(replayed.blocks.map((block) => block.type)).toEqual([
    "user", "reasoning", "text", "call", "call", "question", "call", "question", "text", "ending",
  ]); // prettier-ignore
  await room.close();
});

test("a call shows how far it is, from being written to its result", () => {
  const transcript = emptyTranscript();
  const states: unknown[] = [];
  const call = { id: "a", name: "edit_file", input: { path: "x.ts" }, source: "native" };
  const [first, ...rest] = stamped([
    { type: "call-delta", callId: "a", name: "edit_file", characters: 3 },
    { type: "call", call },
    {
      type: "approval-asked",
      callId: "a",
      title: "Edit x.ts",
      because: "it changes files",
      risk: "medium",
      preview: "",
      grant: "",
    },
    { type: "approval-answered", callId: "a", answer: "allow", scope: "once", by: "test" },
    { type: "call-start", callId: "a", title: "Edit x.ts", does: "change" },
    { type: "output-delta", callId: "a", offset: 0, text: "work" },
    { type: "output-delta", callId: "a", offset: 4, text: "ing\nmore" },
    {
      type: "change-applied",
      callId: "a",
      changes: [{ path: "x.ts", before: null, after: "1", added: 2, removed: 1 }],
    },
    { type: "result", callId: "a", outcome: "ok", content: [{ type: "text", text: "Edited.\n" }] },
  ]);
  for (const event of first ? [first, ...rest] : []) {
    showEntry(transcript, event);
    const found = findCall(transcript, "a") ?? visibleBlocks(transcript)[0];
    states.push(found?.type === "call" ? [found.state, found.title, ...found.output] : undefined);
  }
  expect(states).toEqual([
    ["writing", "Preparing to use edit_file…"],
    ["pending", "edit_file x.ts"],
    ["asking", "Edit x.ts"],
    ["pending", "Edit x.ts"],
    ["running", "Edit x.ts"],
    ["running", "Edit x.ts", "work"],
    ["running", "Edit x.ts", "working", "more"],
    ["running", "Edit x.ts"],
    ["ok", "Edit x.ts", "Edited."],
  ]);
  expect(findCall(transcript, "a")?.badge).toEqual({ added: 2, removed: 1 });
});

const aCommand = (title: string): Fact[] => [
  { type: "call", call: { id: "a", name: "run_command", input: {}, source: "native" } },
  { type: "call-start", callId: "a", title, does: "execute" },
];
const resultOf = (text: string, outcome: "ok" | "failed" = "ok"): Fact => ({
  type: "result",
  callId: "a",
  outcome,
  content: [{ type: "text", text }],
});

type Shown = { title?: string; outcome?: "ok" | "failed" };

function shown(content: string, { title = "Run seq\n200", outcome = "ok" }: Shown = {}) {
  const transcript = transcriptOf(stamped([...aCommand(title), resultOf(content, outcome)]));
  const { output, left } = findCall(transcript, "a") ?? {};
  return { output, left };
}

test("a result tells how many lines of output are not shown, without the command that it repeats", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
  const heading = "Command: seq\n200\n";
  expect(shown("").left).toBeUndefined();
  expect(shown(lines(8)).left).toBeUndefined();
  expect(shown(lines(9)).left).toBe(1);
  expect(shown(heading + lines(8)).left).toBeUndefined();
  expect(shown(heading + lines(20)).left).toBe(12);
  expect(shown(`${heading}${lines(20)}[1000 lines truncated]\n${lines(20)}`).left).toBe(1032);
});

test("people are not told how the model reads on, and know that there is more", () => {
  const full = { blob: "0".repeat(64), bytes: 9 };
  const result: Fact = {
    type: "result",
    callId: "a",
    outcome: "ok",
    content: [
      { type: "text", text: "a … z\n" },
      { type: "text", text: wayToAll("a") },
    ],
    full,
  };
  const transcript = transcriptOf(stamped([...aCommand("Run seq"), result]));
  expect(findCall(transcript, "a")).toMatchObject({ output: ["a … z"], isCut: true });
  expect(findCall(transcriptOf(stamped([...aCommand("Run seq"), resultOf("a")])), "a")).not.toHaveProperty(
    "isCut",
  );
});

test("what the line of a call says already is not said again below it", () => {
  expect(shown("Command: seq\n200\nExit code: 0").output).toEqual([]);
  expect(shown("Command: seq\n200\n\n> seq\n1\nExit code: 0").output).toEqual(["> seq", "1"]);
  expect(shown("Command: seq\n200\n1\nExit code: 7", { outcome: "failed" }).output).toEqual([
    "1",
    "Exit code: 7",
  ]);
  expect(shown("Command: other\n1\nExit code: 0").output).toEqual(["Command: other", "1"]);
  expect(shown("Exit code: 0\n1").output).toEqual(["Exit code: 0", "1"]);
  const title = "Start npm run dev in terminal dev";
  expect(shown("Command: npm run dev\nListening", { title }).output).toEqual(["Listening"]);
});

const stagedFor = (path: string, token: string): Fact => ({
  type: "change-staged",
  callId: "a",
  token,
  changes: [{ path, before: null, after: "00", added: 2, removed: 1 }],
  expiresAt: 600_000,
});
const endOfTurn: Fact = { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" };
const applied = (path: string, token?: string): Fact => ({
  type: "change-applied",
  callId: "a",
  changes: [{ path, before: null, after: "00", added: 2, removed: 1 }],
  ...(token === undefined ? {} : { token }),
});

test("B8: a staged change shows its diff; what the model is told about its token is for the model", () => {
  const diffPreview = "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-1\n+2\n";
  const transcript = transcriptOf(
    stamped([
      ...aCommand("Run make"),
      stagedFor("x", "t"),
      {
        type: "result",
        callId: "a",
        outcome: "ok",
        content: [
          { type: "text", text: "Command: make\nmade x\nExit code: 0" },
          { type: "text", text: `Nothing was changed yet: call it with the token t.\n\n${diffPreview}` },
        ],
        metadata: { token: "t", diffPreview },
      },
    ]),
  );
  expect(findCall(transcript, "a")).toMatchObject({
    staged: { added: 2, removed: 1 },
    output: ["made x"],
    diff: ["--- a/x", "+++ b/x", "@@ -1,1 +1,1 @@", "-1", "+2"],
  });
});

test("a command of which nothing could be put in place has no count of lines", () => {
  const none: Fact = { type: "change-applied", callId: "a", changes: [], uncovered: ["dist"] };
  const transcript = transcriptOf(stamped([...aCommand("Run make"), none, resultOf("", "failed")]));
  const call = findCall(transcript, "a");
  expect(call?.badge).toBeUndefined();
  expect(call?.uncovered).toEqual(["dist"]);
});

function stagedAtTheEnd(...facts: Fact[]) {
  const transcript = transcriptOf(stamped([...aCommand("Run make"), ...facts, endOfTurn]));
  const ending = visibleBlocks(transcript).at(-1);
  return ending?.type === "ending" ? ending.staged : undefined;
}

test("B8: a turn's end tells what was staged and not applied, nor made in another way", () => {
  const badge = { added: 2, removed: 1 };
  expect(stagedAtTheEnd()).toBeUndefined();
  expect(stagedAtTheEnd(stagedFor("x", "1"))).toEqual({ files: ["x"], badge });
  expect(stagedAtTheEnd(stagedFor("x", "1"), applied("x", "1"))).toBeUndefined();
  expect(stagedAtTheEnd(stagedFor("x", "1"), stagedFor("x", "2"), applied("x", "2"))).toBeUndefined();
  expect(stagedAtTheEnd(stagedFor("x", "1"), stagedFor("x", "2"))).toEqual({ files: ["x"], badge });
  expect(stagedAtTheEnd(stagedFor("x", "1"), stagedFor("y", "2"), applied("y", "2"))).toEqual({
    files: ["x"],
    badge,
  });
  const again: Fact = { type: "turn-start", model: "m", mode: "staged" };
  expect(stagedAtTheEnd(stagedFor("x", "1"), endOfTurn, again)).toBeUndefined();
});

test("facts of a later version are passed over", () => {
  const transcript = emptyTranscript();
  expect(
    showEntry(transcript, { type: "unknown", original: { type: "flew-away" }, v: 9, seq: 1, at: 1, turn: 1 }),
  ).toEqual([]);
  expect(transcript.blocks).toEqual([]);
});

test("of a call that could not be used the first lines are kept, and how many follow", () => {
  const told = (content: string) => {
    const transcript = transcriptOf(
      stamped([
        { type: "call", call: { id: "a", name: "unreadable_call", input: {}, source: "hermes" } },
        { type: "result", callId: "a", outcome: "invalid", content: [{ type: "text", text: content }] },
      ]),
    );
    const { title, output, more } = findCall(transcript, "a") ?? {};
    return { title, output, more };
  };
  expect(told("ERROR: x\ny")).toEqual({ title: "A call", output: ["ERROR: x", "y"], more: undefined });
  expect(told("ERROR: x\n1\n2\n3\n4\n5\n6\n")).toEqual({
    title: "A call",
    output: ["ERROR: x", "1", "2", "3", "4"],
    more: 2,
  });
});

test("a call that a length limit cut off is told with the limit; a text that it cut off ends the turn anyway", () => {
  const end: Fact = { type: "answer-end", reason: "length", model: "m" };
  const cut: Fact = { type: "call", call: { id: "a", name: "write_file", input: {}, source: "hermes" } };
  const text: Fact = { type: "text", block: 1, text: "And then", by: "model" };
  const warned = (facts: readonly Fact[]) =>
    transcriptOf(stamped(facts)).blocks.filter(({ type }) => type === "warning");
  expect(warned([text, cut, end])).toMatchObject([{ text: expect.stringContaining("length limit") }]);
  expect(warned([cut, text, end])).toEqual([]);
  expect(warned([text, cut, { ...end, reason: "stop" }])).toEqual([]);
});

test("A40: an ending tells how much of its turn was taken back, and forgets it when that is brought back", () => {
  const file = (path: string) => ({ path, before: "1", after: "2", added: 1, removed: 1 });
  const back = (path: string) => ({ path, before: "2", after: "1", added: 1, removed: 1 });
  const events: Fact[] = [
    { type: "user-message", content: [] },
    { type: "call", call: { id: "a", name: "n", input: {}, source: "native" } },
    { type: "change-applied", callId: "a", changes: [file("x"), file("y")], uncovered: ["z"] },
    { type: "turn-end", stopped: "done", changed: ["x", "y"], verified: [], text: "" },
  ];
  const undoing = (...changes: string[]): Fact => ({
    type: "changes-undone",
    undoneTurn: 1,
    changes: changes.map(back),
  });
  const extent = (...more: Fact[]) => {
    const { blocks } = transcriptOf(stamped([...events, ...more]));
    const ending = blocks.find(({ type }) => type === "ending");
    return ending?.type === "ending" ? ending.undone : undefined;
  };
  expect(extent()).toBe("nothing");
  expect(extent(undoing("x"))).toBe("part");
  expect(extent(undoing("x", "y"))).toBe("all");
  expect(extent(undoing("x"), undoing("y"))).toBe("all");
  const part: Fact = {
    type: "changes-undone",
    undoneTurn: 1,
    changes: [back("x")],
    rest: [{ path: "x", hash: "3" }],
  };
  expect(extent(part, undoing("y"))).toBe("part");
  const again: Fact = { type: "changes-undone", undoneTurn: 1, changes: [file("x"), file("y")], again: true };
  expect(extent(undoing("x", "y"), again)).toBe("nothing");
  expect(transcriptOf(stamped([...events, part])).blocks.at(-1)).toEqual({
    type: "undone",
    key: "undone:5",
    turn: 1,
    files: ["x"],
    parts: ["x"],
    again: false,
  });
  expect(findCall(transcriptOf(stamped(events)), "a")?.uncovered).toEqual(["z"]);
});

test("a surface that draws lines once may forget the oldest blocks, but not what the open turn was asked", () => {
  const transcript = emptyTranscript();
  const tell = (fact: Fact, seq: number) => showEntry(transcript, { ...fact, v: 1, seq, at: seq, turn: 1 });
  tell({ type: "user-message", content: [{ type: "text", text: "first" }] }, 1);
  tell({ type: "turn-end", stopped: "done", changed: [], verified: [], text: "" }, 2);
  tell({ type: "user-message", content: [{ type: "text", text: "second" }] }, 3);
  for (let seq = 4; seq < 60; seq += 1) tell({ type: "warning", code: "c", text: `${seq}` }, seq);
  forgetOldest(transcript, 10);
  expect(transcript.blocks).toHaveLength(11);
  expect(transcript.blocks[0]).toMatchObject({ type: "user", text: "second" });
  expect(isTurnOpen(transcript)).toBe(true);
  for (const [place, { key }] of transcript.blocks.entries()) expect(transcript.places.get(key)).toBe(place);
  const call = { id: "a", name: "n", input: {}, source: "native" };
  tell({ type: "call", call }, 60);
  expect(findCall(transcript, "a")).toMatchObject({ state: "pending" });
});

test("a question is told with what each layer said, and whether what it shows is a diff", async () => {
  const model = scripted([
    [{ call: "write_file", with: { path: "a.txt", content: "a\n" } }],
    [{ call: "run_command", with: { command: "touch b" } }],
    [{ say: "Done." }],
  ]);
  const opened = await testSession(model);
  try {
    await opened.ask("Go.", "deny");
    const transcript = emptyTranscript();
    for (const fact of opened.facts()) showEntry(transcript, fact);
    const questions = visibleBlocks(transcript).filter((block) => block.type === "question");
    expect(questions.map(({ isDiff, sandbox }) => [isDiff, sandbox !== undefined])).toEqual([
      [true, false],
      [undefined, true],
    ]);
    const traces = opened.facts().flatMap((fact) => (fact.type === "decision" ? [fact.trace] : []));
    expect(questions.map(({ trace }) => trace)).toEqual(traces);
  } finally {
    await opened.close();
  }
});
