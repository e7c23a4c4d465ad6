import fc from "fast-check";
import { expect, test } from "vitest";
import { inShort } from "../../protocol/fold-compaction.ts";
import type { Message, ContentPart } from "../../protocol/messages.ts";
import { budgetFor } from "./budget.ts";
import { planCompaction } from "./plan.ts";
import { plainSummary, recordOf } from "./record.ts";
import { trimLargest, trimOldest } from "./trim.ts";

const words = fc.string({ maxLength: 12 }).map((word) => `${word} `.repeat(word.length * 40 + 1));
const text = (said: string): ContentPart => ({ type: "text", text: said });
let calls = 0;

/** A person's message, or an answer with the results of its calls. */
const group: fc.Arbitrary<Message[]> = fc.oneof(
  words.map((said): Message[] => [{ role: "user", content: [text(said)] }]),
  fc
    .record({ said: words, results: fc.array(words, { maxLength: 3 }) })
    .map(({ said, results }): Message[] => {
      const ids = results.map(() => `call_${++calls}`);
      return [
        {
          role: "assistant",
          content: [
            { type: "text", text: said },
            ...ids.map((id) => ({
              type: "call" as const,
              call: { id, name: "t", input: { said }, source: "native" },
            })),
          ],
        },
        ...results.map((result, at): Message => ({
          role: "tool",
          callId: ids[at] ?? "",
          name: "t",
          isError: false,
          content: [text(result)],
        })),
      ];
    }),
);
const conversation = fc.array(group, { minLength: 1, maxLength: 20 }).map((groups) => groups.flat());
const budgets = fc
  .integer({ min: 1_024, max: 60_000 })
  .map((contextTokens) => budgetFor({ name: "m", contextTokens }, {}, 500));

const pictured = (messages: readonly Message[]): ContentPart[][] =>
  messages.flatMap((message) => (message.role === "user" ? [message.content] : []));

test("compaction never separates a call from its result and keeps all of people's words", () => {
  fc.assert(
    fc.property(conversation, budgets, (messages, budget) => {
      const said = pictured(messages);
      const { keep, freed } = planCompaction({ messages, said }, budget, 1);
      const after = inShort({ messages, said }, { keep, summary: "s" });
      const open = new Set<string>();
      for (const message of after) {
        if (message.role === "tool") expect(open.delete(message.callId)).toBe(true);
        if (message.role === "assistant")
          for (const part of message.content) if (part.type === "call") open.add(part.call.id);
      }
      expect(open.size).toBe(0);
      const told = pictured(after).flat();
      for (const part of said.flat()) expect(told).toContain(part);
      // If only the earlier summary would be repeated, there is nothing to gain.
      const [brief] = after;
      const again = planCompaction({ messages: after, said, ...(brief ? { brief } : {}) }, budget, 1);
      expect(freed <= 0 || again.keep < after.length || again.freed <= 0).toBe(true);
    }),
  );
});

test("each trimmed result is named once and frees enough tokens to be worth it", () => {
  fc.assert(
    fc.property(conversation, fc.nat({ max: 20_000 }), fc.boolean(), (messages, wanted, oldest) => {
      const trimmed = new Set<string>();
      for (let left = wanted; ;) {
        const trimming = { messages, trimmed, said: [], rate: 1 };
        const { callIds, tokens } = oldest
          ? trimOldest(trimming, { wanted: left, keep: 1 })
          : trimLargest(trimming, left);
        if (callIds.length === 0) break;
        expect(new Set(callIds).size).toBe(callIds.length);
        expect(callIds.some((id) => trimmed.has(id))).toBe(false);
        expect(tokens).toBeGreaterThanOrEqual(callIds.length * 60);
        for (const id of callIds) trimmed.add(id);
        left = Math.max(1, left - tokens);
      }
    }),
  );
});

test("a record and a summary without a model stay within their length limit", () => {
  fc.assert(
    fc.property(conversation, fc.integer({ min: 600, max: 20_000 }), (messages, most) => {
      const [brief] = inShort(
        { messages, said: pictured(messages) },
        { keep: 0, summary: "s ".repeat(5_000) },
      );
      const later = brief ? [brief, ...messages] : messages;
      expect(recordOf(later, { most, brief }).length).toBeLessThan(most + 200);
      const plain = plainSummary(later, { earlier: "e ".repeat(5_000), most });
      expect(plain.length).toBeLessThan(most + 200);
    }),
  );
});

test("the results of the last answers are never trimmed; the others go, the oldest first", () => {
  fc.assert(
    fc.property(conversation, fc.constantFrom(1, 2), fc.nat({ max: 20_000 }), (messages, keep, wanted) => {
      const trimmed = (tokens: number): number[] => {
        const trim = trimOldest(
          { messages, trimmed: new Set(), said: [], rate: 1 },
          { wanted: tokens, keep },
        );
        return trim.callIds.map((id) =>
          messages.findIndex((message) => message.role === "tool" && message.callId === id),
        );
      };
      const all = trimmed(Infinity);
      const kept = messages.map(({ role }) => role).lastIndexOf("assistant");
      const before = messages.map(({ role }) => role).lastIndexOf("assistant", kept - 1);
      const end = keep === 1 ? kept : kept > 0 ? before : -1;
      expect(all.filter((at) => at > Math.max(0, end))).toEqual([]);
      expect(all).toEqual(all.toSorted((one, other) => one - other));
      const some = trimmed(wanted);
      expect(some).toEqual(all.slice(0, some.length));
    }),
  );
});
