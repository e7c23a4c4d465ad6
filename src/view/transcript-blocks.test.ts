/** The transcript blocks for single facts: calls and results, staged changes, endings and questions. */

import { expect, test } from "vitest";
import type { Fact, FactOf, Signal } from "../protocol/facts.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testSession } from "../testing/session.ts";
import { numberEvents, transcriptOf } from "./testing/events.ts";
import { emptyTranscript, findCall, showEntry, visibleBlocks } from "./transcript.ts";

test("a call shows its progress, from being written to its result", () => {
  const transcript = emptyTranscript();
  const states: unknown[] = [];
  const call = { id: "a", name: "edit_file", input: { path: "x.ts" }, source: "native" };
  const [first, ...rest] = numberEvents([
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

test("from the second person on it is told who wrote and who did something", () => {
  const said = (by?: string): Fact => ({ type: "user-message", content: [{ type: "text", text: "x" }], by });
  const undone = (by?: string): Fact => ({ type: "changes-undone", undoneTurn: 1, changes: [], by });
  const mode = (by: string): Fact => ({ type: "mode-set", mode: "plan", by });
  const plan = "The mode is plan from here on.";
  const shown = (...facts: Fact[]) =>
    visibleBlocks(transcriptOf(numberEvents(facts))).map((block) =>
      block.type === "event" ? block.text : "by" in block ? block.by : undefined,
    );
  expect(shown(said("ada"), mode("ada"), said("bob"), said("ada"), mode("ada"))).toEqual([
    undefined,
    plan,
    "bob",
    "ada",
    `${plan.slice(0, -1)}. (ada)`,
  ]);
  expect(shown(said("ada"), undone("bob"))).toEqual([undefined, "bob"]);
  expect(shown(said(), undone(), mode("user"))).toEqual([undefined, undefined, plan]);
});

const aCommand = (title: string): Fact[] => [
  { type: "call", call: { id: "a", name: "run_command", input: {}, source: "native" } },
  { type: "call-start", callId: "a", title, does: "execute" },
];

type ResultPart = FactOf<"result">["content"][number];
const said = (text: string): ResultPart => ({ type: "text", text });
const forModel = (text: string): ResultPart => ({ type: "text", text, for: "model" });

const resultOf = (content: ResultPart[], more: Partial<FactOf<"result">> = {}): Fact => ({
  type: "result",
  callId: "a",
  outcome: "ok",
  content,
  ...more,
});

function shown(content: ResultPart[], more: Partial<FactOf<"result">> = {}) {
  const transcript = transcriptOf(numberEvents([...aCommand("Run seq"), resultOf(content, more)]));
  const { output, left } = findCall(transcript, "a") ?? {};
  return { output, left };
}

test("a result counts the lines not shown, including those the tool left out", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
  const full = { blob: "0".repeat(64), bytes: 9, omitted: 1000 };
  expect(shown([]).left).toBeUndefined();
  expect(shown([said(lines(8))]).left).toBeUndefined();
  expect(shown([said(lines(9))]).left).toBe(1);
  expect(shown([forModel("Command: seq\n200"), said(lines(20))]).left).toBe(12);
  const cut = said(`${lines(20)}[1000 lines truncated]\n${lines(20)}`);
  expect(shown([cut], { full }).left).toBe(1032);
  expect(shown([cut]).left).toBe(33);
});

test("parts of a result meant for the model are hidden, and the output is marked as cut", () => {
  const full = { blob: "0".repeat(64), bytes: 9 };
  const result = resultOf([said("a … z\n"), forModel("[read_result shows all of it.]")], { full });
  const transcript = transcriptOf(numberEvents([...aCommand("Run seq"), result]));
  expect(findCall(transcript, "a")).toMatchObject({ output: ["a … z"], isCut: true });
  expect(
    findCall(transcriptOf(numberEvents([...aCommand("Run seq"), resultOf([said("a")])])), "a"),
  ).not.toHaveProperty("isCut");
});

test("the output of a command is what it printed; in older facts also the command and its exit code", () => {
  const command = forModel("Command: seq");
  expect(shown([command, forModel("Exit code: 0")]).output).toEqual([]);
  expect(shown([command, said("Command: b\nExit code: 0"), forModel("Exit code: 0")]).output).toEqual([
    "Command: b",
    "Exit code: 0",
  ]);
  expect(shown([command, said("1"), said("Exit code: 7")], { outcome: "failed" }).output).toEqual([
    "1",
    "Exit code: 7",
  ]);
  expect(shown([said("Command: seq\n1\nExit code: 0")]).output).toEqual([
    "Command: seq",
    "1",
    "Exit code: 0",
  ]);
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

test("B8: a staged change shows its diff, but not the model's instructions about its token", () => {
  const diffPreview = "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-1\n+2\n";
  const transcript = transcriptOf(
    numberEvents([
      ...aCommand("Run make"),
      stagedFor("x", "t"),
      {
        type: "result",
        callId: "a",
        outcome: "ok",
        content: [
          said("made x"),
          forModel(`Nothing was changed yet: call it with the token t.\n\n${diffPreview}`),
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

test("a command without any applied change has no line counts", () => {
  const none: Fact = { type: "change-applied", callId: "a", changes: [], uncovered: ["dist"] };
  const transcript = transcriptOf(
    numberEvents([...aCommand("Run make"), none, resultOf([], { outcome: "failed" })]),
  );
  const call = findCall(transcript, "a");
  expect(call?.badge).toBeUndefined();
  expect(call?.uncovered).toEqual(["dist"]);
});

function endingOf(...facts: Fact[]) {
  const transcript = transcriptOf(numberEvents([...aCommand("Run make"), ...facts, endOfTurn]));
  const ending = visibleBlocks(transcript).at(-1);
  return ending?.type === "ending" ? ending : undefined;
}

const stagedAtTheEnd = (...facts: Fact[]) => endingOf(...facts)?.staged;

test("a turn that only deleted says so at its end", () => {
  const deleted: Fact = {
    type: "change-applied",
    callId: "a",
    changes: [{ path: "y", before: "00", after: null, added: 0, removed: 1 }],
  };
  expect(
    [endingOf(deleted), endingOf(applied("x"), deleted), endingOf()].map((one) => one?.isDeletion),
  ).toEqual([true, false, false]);
});

test("B8: the end of a turn lists staged changes that were never applied, not even by a later staging", () => {
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

test("an invalid call keeps the first lines of its error and counts the rest", () => {
  const told = (content: string) => {
    const transcript = transcriptOf(
      numberEvents([
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

test("a call truncated by the length limit adds a warning; truncated text does not", () => {
  const end: Fact = { type: "answer-end", reason: "length", model: "m" };
  const cut: Fact = { type: "call", call: { id: "a", name: "write_file", input: {}, source: "hermes" } };
  const text: Fact = { type: "text", block: 1, text: "And then", by: "model" };
  const warned = (facts: readonly Fact[]) =>
    transcriptOf(numberEvents(facts)).blocks.filter(({ type }) => type === "warning");
  expect(warned([text, cut, end])).toMatchObject([{ text: expect.stringContaining("length limit") }]);
  expect(warned([cut, text, end])).toEqual([]);
  expect(warned([text, cut, { ...end, reason: "stop" }])).toEqual([]);
});

test("A40: an ending shows how much of its turn is undone, and updates on redo", () => {
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
    const { blocks } = transcriptOf(numberEvents([...events, ...more]));
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
  expect(transcriptOf(numberEvents([...events, part])).blocks.at(-1)).toEqual({
    type: "undone",
    key: "undone:5",
    turn: 1,
    files: ["x"],
    parts: ["x"],
    again: false,
  });
  expect(findCall(transcriptOf(numberEvents(events)), "a")?.uncovered).toEqual(["z"]);
});

test("a running compaction is shown until its summary arrives or a turn is resumed", () => {
  const begun = { type: "compacting", state: "begun", because: "overflow", tokens: 12_345 } as const;
  const text = "Summing up the conversation for the model (it was too long for the model): 12,345 tokens …";
  const shown = (...events: (Fact | Signal)[]) =>
    visibleBlocks(transcriptOf(numberEvents([begun, ...events]))).map((block) =>
      block.type === "event" ? block.text : block.type,
    );
  expect(shown()).toEqual([text]);
  expect(shown(begun)).toEqual([text]);
  expect(shown({ ...begun, state: "given-up" })).toEqual([]);
  expect(shown({ type: "turn-resumed", idleMs: 0 })).toEqual([]);
  const retrying = { type: "retrying", because: "It is busy.", waitMs: 1, attempt: 1 } as const;
  expect(shown(retrying)).toEqual([text, "retry"]);
  const summary = { summary: "", keep: 0, tokensBefore: 12_345, tokensAfter: 9, model: "m" };
  expect(shown(retrying, { type: "compaction", because: "overflow", ...summary })).toEqual([
    "The conversation was summed up for the model (it was too long for the model): 12,345 tokens → 9 tokens. The session keeps all of it.",
  ]);
});

test("denied, failed and previewed calls have the same readable titles as calls that ran", async () => {
  const model = scriptedModel([
    [{ call: "write_file", with: { path: "new.txt", content: "x" } }],
    [{ call: "edit_file", with: { path: "a.txt", old: "missing", new: "b" } }],
    [{ call: "edit_file", with: { path: ".git/config", old: "", new: "b" } }],
    [{ call: "preview_write_file", with: { path: "shown.txt", content: "x" } }],
    [{ say: "Well." }],
  ]);
  const { ask, facts, close } = await testSession(model, {
    files: { "a.txt": "a\n" },
    mode: "accept-edits",
    rules: [{ name: "user", rules: [{ tool: "write_file", decision: "deny" }] }],
  });
  await ask("Go");
  const transcript = emptyTranscript();
  for (const entry of facts()) showEntry(transcript, entry);
  const told = visibleBlocks(transcript).flatMap((block) =>
    block.type === "call" ? [`${block.title}: ${block.state}`] : [],
  );
  expect(told).toEqual([
    "Write new.txt: denied",
    "Edit a.txt: failed",
    "Edit .git/config: denied",
    "Preview: Write shown.txt: ok",
  ]);
  await close();
});

test("an approval question has the decision trace and whether its preview is a diff", async () => {
  const model = scriptedModel([
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

test("the advice for a failed request is at its end; older facts have it in the reason", () => {
  const told = (failure: string, end: { because: string; advice?: string }) =>
    transcriptOf(
      numberEvents([
        {
          type: "answer-end",
          reason: "failed",
          model: "m",
          failure: { kind: "auth", message: failure, midStream: false },
        },
        { type: "turn-end", stopped: "failed", changed: [], verified: [], text: "", ...end },
      ]),
    ).blocks;
  const old = "No key. Set one.";
  expect(told(old, { because: old })).toMatchObject([{ text: old }, { because: old }]);
  const now = { because: "No key.", advice: "Set one." };
  expect(told("No key.", now)).toMatchObject([{ text: "No key." }, now]);
});
