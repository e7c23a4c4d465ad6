import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, Fact, FactOf } from "./facts.ts";
import { type ResultMessage, resultPlaceholder, summaryIn } from "./fold-compaction.ts";
import { step } from "./fold.ts";
import type { Message, ContentPart } from "./messages.ts";
import { emptyState, type SessionState } from "./session-state.ts";

const fold = (facts: readonly Fact[]): SessionState => {
  const state = emptyState();
  let turn = 0;
  facts.forEach((fact, index) => {
    if (fact.type === "user-message") turn += 1;
    const entry: Entry = { v: 1, seq: index + 1, at: 1_000 + index, turn, ...fact };
    step(state, entry);
  });
  return state;
};
const text = (words: string): ContentPart => ({ type: "text", text: words });
const user = (...content: ContentPart[]): Fact => ({ type: "user-message", content });
const steer = (...content: ContentPart[]): Fact => ({ type: "steer", content });
const answered = (id: string, result = "found"): Fact[] => [
  { type: "call", call: { id, name: "read_file", input: {}, source: "native" } },
  { type: "answer-end", reason: "tool-calls", model: "m", usage: { inputTokens: 100, outputTokens: 5 } },
  { type: "result", callId: id, outcome: "ok", content: [text(result)] },
];
const compaction = (keep: number, summary = "It was found."): FactOf<"compaction"> => ({
  type: "compaction",
  summary,
  keep,
  because: "budget",
  tokensBefore: 900,
  tokensAfter: 300,
  model: "p/m",
  usage: { inputTokens: 50, outputTokens: 7 },
  cost: 0.5,
});
const wordsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => content.map((part) => (part.type === "text" ? part.text : part.type)));

test("a compacted prompt holds the user's words, a summary, and the last messages unchanged", () => {
  const picture: ContentPart = { type: "image", mediaType: "image/png", data: "AA==" };
  const state = fold([
    user(text("First, and\n exactly so "), picture),
    ...answered("a"),
    steer(text("Hurry")),
    ...answered("b"),
    compaction(2),
  ]);
  expect(state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(state.messages[0]?.content).toEqual([
    text(
      "This conversation became long, so what was before is told in short: first all that the user said, word for word and oldest first, then a summary of the work since.",
    ),
    text("==== The user's message 1 of 2 ===="),
    text("First, and\n exactly so "),
    picture,
    text("==== The user's message 2 of 2 ===="),
    text("Hurry"),
    text("==== Summary of what was done and found out ===="),
    text("It was found."),
    text("==== End of the summary. Go on from here; do not repeat what is done ===="),
  ]);
  expect(state.usage).toMatchObject({ inputTokens: 250, outputTokens: 17 });
  expect(state.turns[0]).toMatchObject({ usage: { inputTokens: 250 }, cost: 0.5 });
  expect({ cost: state.cost, unpriced: state.unpriced }).toEqual({ cost: 0.5, unpriced: 2 });
});

test("a second compaction keeps each user message once, drops the earlier summary, and keeps the last messages", () => {
  const state = fold([
    user(text("one")),
    ...answered("a"),
    compaction(0, "old summary"),
    ...answered("b"),
    steer(text("two")),
    ...answered("c"),
    compaction(3, "new summary"),
  ]);
  const words = wordsOf(state.messages);
  expect(words.filter((word) => word === "one" || word === "two")).toEqual(["one", "two"]);
  expect(words).not.toContain("old summary");
  expect(state.messages.map(({ role }) => role)).toEqual(["user", "user", "assistant", "tool"]);
  expect(state.messages[0] && summaryIn(state.messages[0])).toBe("new summary");
});

test("a compaction that would keep every message does not repeat the earlier compaction's message", () => {
  const state = fold([
    user(text("one")),
    ...answered("a"),
    compaction(0),
    ...answered("b"),
    compaction(99, "s"),
  ]);
  expect(wordsOf(state.messages).filter((word) => word === "one")).toEqual(["one"]);
  expect(state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
});

test("the separator lines never occur in the user's words or the summary", () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.stringMatching(/^={0,70}$/u),
    fc.constantFrom(
      "==== The user's message 1 of 1 ====",
      "===== Summary of what was done and found out =====",
    ),
  );
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 6 }), hostile, (said, summary) => {
      const [first = "", ...rest] = said;
      const state = fold([
        user(text(first)),
        ...rest.map((words) => steer(text(words))),
        compaction(0, summary),
      ]);
      const content = state.messages[0]?.content ?? [];
      const told = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      const isOurs = (at: number): boolean => at % 2 === 1 || at === 0 || at === told.length - 1;
      expect(told.filter((_, at) => !isOurs(at))).toEqual([...said, summary]);
      const fence = /^=+/u.exec(told[1] ?? "")?.[0] ?? "";
      for (const words of [...said, summary]) expect(words).not.toContain(fence);
    }),
  );
});

test("trimmed results are replaced by a notice, and the token count shrinks accordingly", () => {
  const state = fold([
    user(text("go")),
    ...answered("a", "long result"),
    ...answered("b"),
    { type: "results-trimmed", callIds: ["a", "nobody"], tokens: 40 },
  ]);
  const [, , first, , second] = state.messages;
  expect(first?.content).toEqual([
    text('[Left out to save room: 11 characters. read_result with call "a" shows them again.]'),
  ]);
  expect(second?.content).toEqual([text("found")]);
  expect(state.context.counted).toEqual({ messages: 3, tokens: 60, answer: 5, model: "" });
});

test.each([
  [1, "5 characters and 1 picture"],
  [2, "5 characters and 2 pictures"],
])("the notice for a trimmed result with pictures counts them: %i", (count, what) => {
  const picture: ContentPart = { type: "image", mediaType: "image/png", data: "iVBO" };
  const pictures = Array.from({ length: count }, () => picture);
  const message: ResultMessage = {
    role: "tool",
    callId: "a",
    name: "read_file",
    isError: false,
    content: [text("found"), ...pictures],
  };
  expect(resultPlaceholder(message).content).toEqual([
    text(`[Left out to save room: ${what}. read_result with call "a" shows them again.]`),
  ]);
});

test("trimming a result that is newer than the last token count leaves the count unchanged", () => {
  const facts = [user(text("go")), ...answered("a"), ...answered("b", "of the same")];
  const both: Fact = { type: "results-trimmed", callIds: ["a", "b"], tokens: 40 };
  const first = { ...both, callIds: ["b"] };
  expect(fold([...facts, first]).context.counted?.tokens).toBe(100);
  const share = 100 - Math.floor((40 * "found".length) / "foundof the same".length);
  expect(fold([...facts, both]).context.counted?.tokens).toBe(share);
});

test("a context overflow is remembered, with its model, until the next answer or request", () => {
  const refused: Fact = {
    type: "answer-end",
    reason: "failed",
    model: "m",
    failure: { kind: "context-overflow", message: "Too long.", midStream: false },
  };
  const start: Fact = { type: "turn-start", model: "p/m", mode: "ask" };
  const once = fold([user(text("go")), start, ...answered("a"), refused]);
  expect(once.context).toMatchObject({ overflows: 1, isShortened: false });
  const facts: Fact[] = [
    user(text("go")),
    start,
    ...answered("a"),
    refused,
    { ...compaction(0), because: "overflow" },
  ];
  expect(fold(facts).context).toMatchObject({
    overflows: 1,
    isShortened: true,
    tooLong: { model: "p/m", tokens: 900 },
  });
  expect(fold(facts).context.isSummarised).toBe(true);
  const end: Fact = { type: "turn-end", stopped: "failed", changed: [], verified: [], text: "" };
  const later = [answered("b"), [end, user(text("go on"))]].map((next) => fold([...facts, ...next]).context);
  const forgotten = { overflows: 0, isShortened: false, isSummarised: false };
  expect(later, "an answer forgets it, and so does the next request").toMatchObject([forgotten, forgotten]);
});

test("user messages that share the same parts are both kept in a compaction", () => {
  const again = text("again");
  const state = fold([user(again, text("the first time")), ...answered("a"), steer(again), compaction(1)]);
  expect(wordsOf(state.messages)).toContain("the first time");
});
