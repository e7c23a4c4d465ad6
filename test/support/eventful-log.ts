/** Random logs with every kind of fact, models of all wires in turn, and their quirks. */

import fc from "fast-check";
import { factVersion, modes, type Entry, type Fact } from "../../src/protocol/facts.ts";
import type { ToolCall, Opaque, ContentPart } from "../../src/protocol/messages.ts";
import { wholeLog } from "../../src/session/testing/log-arbitrary.ts";
import type { WireName } from "../../src/wires/wire.ts";

/** A model of each wire, and of vendors with rules of their own. */
export const models = [
  { name: "anthropic/claude-sonnet-5-5", wire: "anthropic" },
  { name: "anthropic/claude-haiku-4-5", wire: "anthropic" },
  { name: "openai/gpt-5.5", wire: "openai-responses" },
  { name: "deepseek/deepseek-flash", wire: "openai-chat" },
  { name: "gemini/gemini-3-pro", wire: "gemini" },
  { name: "cohere/command-a", wire: "cohere" },
  { name: "ollama/qwen:1b", wire: "ollama" },
] as const satisfies readonly { name: string; wire: WireName }[];
type Model = (typeof models)[number];

/** A signature or encrypted payload, as the model's provider would attach it to a thought. */
function signed({ wire, name }: Model, text: string): Opaque | undefined {
  switch (wire) {
    case "anthropic":
      return { from: wire, value: { type: "thinking", thinking: text, signature: `signed by ${name}` } };
    case "openai-responses":
      return {
        from: wire,
        value: { type: "reasoning", id: "rs_1", summary: [], encrypted_content: `signed by ${name}` },
      };
    case "openai-chat":
      return { from: wire, value: { field: "reasoning_content", details: [] } };
    case "gemini":
      return { from: wire, value: `signed by ${name}` };
    case "cohere":
      return { from: wire, value: "thinking" };
    default:
      return undefined;
  }
}

const oddIds: readonly ((id: string) => string)[] = [
  (id) => `toolu_${id}`,
  (id) => `functions.read:${id}`,
  (id) => `call_${"x".repeat(90)}${id}`,
  (id) => `日本${id}`,
  (id) => id.padStart(9, "0"),
  (id) => id,
];
const oddNames = ["read_file", "read_file", "mcp server.list/all", "", "日本", "9lives", "n".repeat(90)];
const oddWords = ["plain", "half a pair \ud83d", "a \udc00 b", '"quoted"\\', "\u0000\u2028"];
const picture: ContentPart = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" };

type Picks = readonly number[];
const pick = <T>(from: readonly T[], picks: Picks, at: number): T => {
  const chosen = from[(picks[at % picks.length] ?? 0) % from.length];
  if (chosen === undefined) throw new Error("There is nothing to pick from.");
  return chosen;
};

function dressed(entry: Entry, picks: Picks, at: number): Entry {
  const model = pick(models, picks, entry.turn);
  switch (entry.type) {
    case "turn-start":
      return { ...entry, model: model.name, mode: pick(modes, picks, at) };
    case "user-message": {
      const more: ContentPart[] = pick([[], [picture], [{ type: "text", text: " " } as const]], picks, at);
      return {
        ...entry,
        content: [...entry.content, { type: "text", text: pick(oddWords, picks, at) }, ...more],
      };
    }
    case "reasoning": {
      const state = pick([true, true, false], picks, at) ? signed(model, entry.text) : undefined;
      return { ...entry, ...(state ? { state } : {}) };
    }
    case "call":
      return { ...entry, call: dressedCall(entry.call, { model, picks, at }) };
    case "result": {
      const said: ContentPart[] = pick(
        [[], [{ type: "text", text: " " }], [{ type: "text", text: "done" }], [picture]],
        picks,
        at,
      );
      return { ...entry, callId: idOf(entry.callId, picks), content: said };
    }
    default:
      return "callId" in entry && entry.callId !== undefined
        ? { ...entry, callId: idOf(entry.callId, picks) }
        : entry;
  }
}

const idOf = (id: string, picks: Picks): string => pick(oddIds, picks, Number(id.slice(1)))(id);

function dressedCall(
  call: ToolCall,
  { model, picks, at }: { model: Model; picks: Picks; at: number },
): ToolCall {
  const state = model.wire === "gemini" ? signed(model, "") : undefined;
  const read = pick([true, true, false], picks, at + 1);
  return {
    ...call,
    id: idOf(call.id, picks),
    name: pick(oddNames, picks, at),
    input: { [pick(oddWords, picks, at)]: [pick(oddWords, picks, at + 1)] },
    ...(read
      ? { source: model.wire === "ollama" ? "hermes" : "native" }
      : {
          source: "hermes",
          input: {},
          rawArguments: "<tool_call>{",
          problem: "It is cut.",
          fault: "truncated",
        }),
    ...(state ? { state } : {}),
  };
}

const said = (text: string): ContentPart[] => [{ type: "text", text }];

/** Facts that may appear at any point: the fold must cope wherever a crash or another version has put them. */
const happenings: fc.Arbitrary<(ids: readonly string[]) => Fact> = fc.oneof(
  fc.constantFrom<(ids: readonly string[]) => Fact>(
    () => ({ type: "steer", content: said("Rather so.") }),
    () => ({ type: "steer", content: said("  ") }),
    () => ({ type: "message-queued", id: "q", content: said("Later."), when: "steer" }),
    () => ({ type: "message-queued", id: "r", content: said("Next."), when: "next" }),
    () => ({ type: "message-withdrawn", id: "q" }),
    () => ({ type: "steer", content: said("Later."), queued: "q" }),
    () => ({ type: "nudge", code: "task-complete", text: "Go on." }),
    () => ({ type: "nudge", code: "mode-plan", text: "Plan mode is on." }),
    () => ({ type: "context-added", from: "hook", name: "lint", text: "Mind the gap." }),
    () => ({ type: "instructions-read", files: [{ path: "AGENTS.md", text: "Be kind." }] }),
    () => ({ type: "hook-ran", event: "prompt", hook: "lint", outcome: "ok", ms: 3 }),
    () => ({ type: "tools-found", names: ["mcp__a__b"] }),
    () => ({ type: "failure-detected", pattern: "no-progress", count: 2, text: "Try another way." }),
    () => ({ type: "limit-asked", limit: "rounds", used: 25, most: 25, offer: 38 }),
    () => ({ type: "limit-answered", limit: "rounds", answer: "extend", most: 38, by: "me" }),
    () => ({ type: "mode-set", mode: "plan", by: "me" }),
    () => ({ type: "model-set", model: "another/model", by: "me" }),
    () => ({ type: "reasoning-set", reasoning: "high", by: "me" }),
    () => ({ type: "todos-set", items: [] }),
    () => ({ type: "grant-revoked", covers: { type: "tool", tool: "t" }, grant: "every use of t", by: "me" }),
    () => ({ type: "session-renamed", title: "t" }),
    () => ({ type: "warning", code: "w", text: "careful" }),
  ),
  fc.nat({ max: 9 }).map((n) => (ids: readonly string[]): Fact => {
    const callIds = ids.slice(0, n);
    return { type: "results-trimmed", callIds, tokens: 10 };
  }),
  fc.nat({ max: 7 }).map((keep) => (): Fact => ({
    type: "compaction",
    summary: "It was read.",
    keep,
    because: "budget",
    tokensBefore: 100,
    tokensAfter: 10,
    model: "m",
  })),
  fc.nat({ max: 9 }).map((n) => (ids: readonly string[]): Fact => {
    const callId = ids[n % Math.max(1, ids.length)] ?? "none";
    return { type: "question-asked", callId, question: "Which?", choices: [] };
  }),
  fc.nat({ max: 9 }).map((n) => (ids: readonly string[]): Fact => {
    const callId = ids[n % Math.max(1, ids.length)] ?? "none";
    return { type: "question-answered", callId, answer: "given", by: "me", text: "This." };
  }),
);

/** Any prefix of such a log is one that a crash can leave. */
export const eventfulLog: fc.Arbitrary<Entry[]> = fc
  .record({
    log: wholeLog,
    picks: fc.array(fc.nat({ max: 1000 }), { minLength: 12, maxLength: 12 }),
    more: fc.array(fc.record({ at: fc.nat({ max: 1000 }), make: happenings }), { maxLength: 8 }),
  })
  .map(({ log, picks, more }) => {
    const entries = log.map((entry, at) => dressed(entry, picks, at));
    for (const { at, make } of more) {
      // Nothing can happen before the turn has started.
      const place = 3 + (at % Math.max(1, entries.length - 2));
      const before = entries.slice(0, place);
      const ids = before.flatMap((entry) => (entry.type === "call" ? [entry.call.id] : []));
      const turn = before.at(-1)?.turn ?? 1;
      entries.splice(place, 0, { ...make(ids), v: factVersion, seq: 0, at: 1000, turn });
    }
    return entries.map((entry, at) => ({ ...entry, seq: at + 1, at: 1000 + at }));
  });
