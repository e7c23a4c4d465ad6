/** A transcript is the same live, replayed, and with any signal lost. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../base/testing/any-character.ts";
import { encodeEntry } from "../protocol/codec.ts";
import { decodeEntry } from "../protocol/decode.ts";
import type { Fact } from "../protocol/facts.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testSession } from "../testing/session.ts";
import { events, numberEvents, transcriptOf, entriesOf, told } from "./testing/events.ts";
import {
  emptyTranscript,
  findCall,
  forgetOldest,
  isTurnOpen,
  showEntry,
  visibleBlocks,
} from "./transcript.ts";

test("A38: dropping any signals changes no block created by facts", () => {
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

test("after the end of a turn no block is left that came from signals alone", () => {
  fc.assert(
    fc.property(told, (list) => {
      const ended = numberEvents([
        ...list,
        { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" },
      ]);
      const transcript = transcriptOf(ended);
      expect(visibleBlocks(transcript)).toEqual(transcript.blocks);
    }),
  );
});

test("blocks are never mutated, and every change is reported", () => {
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

test("text deltas are assembled however they are split or repeated, and pause at a gap", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
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
  const model = scriptedModel(
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
  const context = await testSession(model, { files: { "a.txt": "one\n" } });
  const live = emptyTranscript();
  context.session.log.listen((event) => void showEntry(live, event));
  await context.ask("Write b");

  const replayed = transcriptOf(await context.store.read(context.session.id, 0));
  expect(visibleBlocks(live)).toEqual(replayed.blocks);
  expect(replayed.blocks.map((block) => block.type)).toEqual([
    "user", "reasoning", "text", "call", "call", "question", "call", "question", "text", "ending",
  ]); // prettier-ignore
  await context.close();
});

test("facts of a later version are skipped", () => {
  const transcript = emptyTranscript();
  expect(
    showEntry(transcript, { type: "unknown", original: { type: "flew-away" }, v: 9, seq: 1, at: 1, turn: 1 }),
  ).toEqual([]);
  expect(transcript.blocks).toEqual([]);
});

test("an answer that fails before a word replaces nothing, also after a turn that ended with words of Toolwright", () => {
  const failed = (message: string): Fact[] => [
    {
      type: "answer-end",
      model: "m",
      reason: "failed",
      failure: { kind: "refused", message, midStream: false },
    },
    { type: "text", block: 1, text: `The request failed: ${message}`, by: "toolwright" },
    { type: "turn-end", stopped: "failed", changed: [], verified: [], text: "" },
  ];
  const { blocks } = transcriptOf(numberEvents([...failed("No key."), ...failed("Bad request.")]));
  const failures = blocks.flatMap((block) => (block.type === "failure" ? [block.said] : []));
  expect(failures).toEqual([[], []]);
});

test("forgetting the oldest blocks keeps the message of the open turn", () => {
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

test("of a running call's output the last lines are shown, and all before them are counted, however it is cut", () => {
  const transcript = emptyTranscript();
  const tell = (fact: Fact, seq: number) => showEntry(transcript, { ...fact, v: 1, seq, at: seq, turn: 1 });
  const call = { id: "a", name: "run_command", input: {}, source: "native" } as const;
  tell({ type: "call", call }, 1);
  tell({ type: "call-start", callId: "a", title: "Run seq 1 300", does: "execute" }, 2);
  const output = Array.from({ length: 300 }, (_, at) => `${at + 1}\n`).join("");
  for (let offset = 0; offset < output.length; offset += 7)
    showEntry(transcript, {
      type: "output-delta",
      callId: "a",
      offset,
      text: output.slice(offset, offset + 7),
    });
  const shown = findCall(transcript, "a");
  expect(shown).toMatchObject({ left: 293, output: ["294", "295", "296", "297", "298", "299", "300", ""] });
});
