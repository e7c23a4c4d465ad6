/** What a line-based terminal prints for each block. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block, CallBlock } from "./blocks.ts";
import { blockLines, styleFor } from "./plain.ts";

const plain = styleFor({}, false);
const coloured = styleFor({ TERM: "xterm" }, true);

const call: CallBlock = {
  type: "call",
  key: "call:a",
  callId: "a",
  name: "read_file",
  title: "Read a.ts",
  state: "ok",
  output: [],
};
const question: Block = {
  type: "question",
  key: "question:a",
  callId: "a",
  title: "Run npm test",
  because: "it runs a command that is not plainly harmless",
  risk: "high",
  preview: "npm test",
  grant: "the command npm test",
  scopes: ["once", "turn", "session", "project"],
  sandbox: { profile: "build", isOn: true },
};

const paint = (env: Record<string, string>, isTerminal: boolean) => styleFor(env, isTerminal).red("x");

test("colour is used only on terminals that support it and without NO_COLOR", () => {
  expect(paint({}, true)).toBe("\u001B[31mx\u001B[39m");
  expect(paint({ NO_COLOR: "" }, true)).toBe("\u001B[31mx\u001B[39m");
  expect(paint({ NO_COLOR: "1" }, true)).toBe("x");
  expect(paint({ TERM: "dumb" }, true)).toBe("x");
  expect(paint({}, false)).toBe("x");
});

const callWith = (patch: Partial<CallBlock>) => blockLines({ ...call, ...patch }, plain);

test("a call is one line with its outcome", () => {
  expect(callWith({ state: "running" })).toEqual(["● Read a.ts …"]);
  expect(callWith({})).toEqual(["● Read a.ts … ok"]);
  expect(callWith({ badge: { added: 2, removed: 1 } })).toEqual(["● Read a.ts … ok +2 −1"]);
  expect(callWith({ state: "asking" })).toEqual(["● Read a.ts … waiting for your answer"]);
  expect(callWith({ state: "denied", because: "it is protected" })).toEqual([
    "● Read a.ts … denied: it is protected",
  ]);
  expect(callWith({ state: "failed", output: ["no such file"] })).toEqual([
    "● Read a.ts … failed",
    "    no such file",
  ]);
  expect(callWith({ state: "cancelled", output: ["x"] })).toEqual(["● Read a.ts … cancelled"]);
  expect(callWith({ does: "execute", output: ["1 passed\r"] })).toEqual(["● Read a.ts … ok", "    1 passed"]);
});

test("an approval question shows the whole command, the reason, and what a wider approval covers", () => {
  expect(blockLines(question, plain)).toEqual([
    "? Run npm test",
    "  Reason: it runs a command that is not plainly harmless · risk: high",
    "  If allowed, it runs contained: it changes the workspace only, without network",
    "  Yes for this turn, session or project covers: the command npm test",
  ]);
});

test("lines say which part of a command the reason is about, unless it is all of it", () => {
  const preview = "ls && rm -rf ~/.ssh";
  const lines = (from: number, because: string) =>
    blockLines(
      { ...question, title: `Run ${preview}`, preview, culprit: { from, to: preview.length, because } },
      plain,
    ).slice(1, -2);
  const reason = "  Reason: it runs a command that is not plainly harmless · risk: high";
  expect(lines(6, "it runs a command that is not plainly harmless")).toEqual([
    reason,
    "  It is this part: rm -rf ~/.ssh",
  ]);
  expect(lines(6, "it deletes keys")).toEqual([reason, "  It is this part: rm -rf ~/.ssh (it deletes keys)"]);
  expect(lines(0, "it deletes keys")).toEqual([reason]);
});

test("a command is shown once: in the first line, or whole below it", () => {
  const shown = (title: string, preview: string) =>
    blockLines({ ...question, title, preview }, plain).slice(0, -3);
  expect(shown("Run a && b", "a && b")).toEqual(["? Run a && b"]);
  expect(shown("Run a\nb\nc", "a\nb\nc")).toEqual(["? Run a …", "    a", "    b", "    c"]);
  expect(shown("Run a", "# in sub\na")).toEqual(["? Run a", "    # in sub", "    a"]);
  expect(shown("Start a in terminal x", "a")).toEqual(["? Start a in terminal x", "    a"]);
  expect(shown("Run a ", "a")).toEqual(["? Run a ", "    a"]);
});

test("an approval question lists the repairs made to the call and marks guesses", () => {
  const repairs = [
    { code: "comma", detail: "A comma was dropped." },
    { code: "quotes", detail: "A string ended here.", guess: true },
  ];
  expect(blockLines({ ...question, repairs }, plain)[1]).toBe(
    "  Mended in the call: A comma was dropped. A guess: A string ended here.",
  );
  const many = Array.from({ length: 7 }, () => ({ code: "x", detail: "x\u001B." }));
  expect(blockLines({ ...question, repairs: many }, plain)[1]).toBe(
    "  Mended in the call: x␛. x␛. x␛. x␛. x␛. And 2 more.",
  );
});

test("an invalid call shows the start of its error", () => {
  expect(callWith({ state: "invalid", output: ["ERROR: It was cut off."], more: 6 })).toEqual([
    "● Read a.ts … invalid",
    "    ERROR: It was cut off.",
    "    … 6 more lines",
  ]);
});

type Answer = NonNullable<Extract<Block, { type: "question" }>["answer"]>;
const last = (answer: Answer) => blockLines({ ...question, answer }, plain).at(-1);

test("an answered approval question ends with its answer", () => {
  expect(last({ answer: "allow", scope: "once", by: "me" })).toBe("  Allowed.");
  expect(last({ answer: "allow", scope: "turn", by: "me" })).toBe("  Allowed for this turn.");
  expect(last({ answer: "deny", scope: "once", by: "me" })).toBe("  Refused.");
  expect(last({ answer: "deny", scope: "once", by: "me", note: "not now" })).toBe("  Refused: not now");
});

test("a diff is shown whole and in colour, without the rows that the title says", () => {
  const preview = "--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n";
  const lines = blockLines({ ...question, preview, isDiff: true }, coloured).slice(1, -3);
  expect(lines).toEqual(["    \u001B[31m-old\u001B[39m", "    \u001B[32m+new\u001B[39m", "     same"]);
});

test("a command that looks like a diff is not coloured like one", () => {
  const preview = "cat <<end\n@@ -1 +1 @@\n-old\nend";
  expect(blockLines({ ...question, preview }, coloured)).toContain("    @@ -1 +1 @@");
});

test("the end of a turn is one line, and none when there is nothing to report", () => {
  const ending: Extract<Block, { type: "ending" }> = {
    type: "ending",
    key: "ending:1",
    stopped: "done",
    changed: [],
    isDeletion: false,
    badge: { added: 0, removed: 0 },
    verified: [],
    undone: "nothing",
  };
  const lines = (patch: object) => blockLines({ ...ending, ...patch }, plain);
  const changed = { changed: ["a.ts"], badge: { added: 3, removed: 1 } };
  expect(lines({})).toEqual([]);
  expect(lines(changed)).toEqual(["Changed a.ts +3 −1 · not verified"]);
  expect(lines({ ...changed, verified: ["Run npm test"] })).toEqual([
    "Changed a.ts +3 −1 · verified by Run npm test",
  ]);
  expect(lines({ ...changed, changed: ["a", "b"], undone: "all" })).toEqual([
    "Changed 2 files +3 −1 · not verified · undone since",
  ]);
  expect(lines({ ...changed, isDeletion: true })).toEqual(["Deleted a.ts +3 −1 · not verified"]);
  expect(lines({ ...changed, undone: "part" })).toEqual([
    "Changed a.ts +3 −1 · not verified · partly undone",
  ]);
  const staged = { files: ["a.ts"], badge: { added: 3, removed: 1 } };
  expect(lines({ staged })).toEqual(["Staged, not applied: a.ts +3 −1 (ask to apply it within 10 minutes)"]);
  expect(lines({ ...changed, verified: [`Run ${"x".repeat(80)}`] })).toEqual([
    `Changed a.ts +3 −1 · verified by Run ${"x".repeat(55)}…`,
  ]);
  expect(lines({ because: "the last command did not succeed (Run x)" })).toEqual([
    "Done, but the last command did not succeed (Run x)",
  ]);
  expect(lines({ stopped: "failed", because: "The key was refused." })).toEqual([
    "Failed: The key was refused.",
  ]);
  expect(lines({ stopped: "failed", because: "The key was refused.", advice: "Set another." })).toEqual([
    "Failed: The key was refused. Set another.",
  ]);
  expect(lines({ stopped: "limit", because: "25 rounds" })).toEqual(["Stopped: 25 rounds"]);
  expect(lines({ stopped: "interrupted", because: "interrupted by the user" })).toEqual(["Interrupted"]);
  expect(lines({ stopped: "interrupted", because: "it was closed" })).toEqual(["Interrupted: it was closed"]);
});

test("of very many files the first ones are named and the rest counted", () => {
  const files = Array.from({ length: 500 }, (_, index) => `f${index}`);
  const [line] = blockLines({ type: "undone", key: "", turn: 1, files, parts: [], again: false }, plain);
  expect(line).toBe("↶ Undone (request 1): f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 490 more");
});

test("A40: what undo does not cover is one line at the end of the call", () => {
  const call = {
    type: "call" as const,
    key: "",
    callId: "c",
    name: "run_command",
    title: "Run npm ci",
    state: "ok" as const,
    does: "execute" as const,
    output: ["added 3 packages"],
  };
  const uncovered = ["node_modules (3 packages)", "a", "b", "c"];
  expect(blockLines({ ...call, uncovered }, plain)).toEqual([
    "● Run npm ci … ok",
    "    added 3 packages",
    "    ! Undo does not cover: node_modules (3 packages); a; b; and 1 more",
  ]);
  expect(blockLines({ ...call, state: "interrupted", uncovered: ["a"] }, plain)).toEqual([
    "● Run npm ci … interrupted",
    "    added 3 packages",
    "    ! Undo does not cover: a",
  ]);
});

test("B8: a staged change shows the first lines of its diff and counts the rest", () => {
  const staged = { added: 1, removed: 1 };
  expect(callWith({ staged, diff: ["@@ -7 +7 @@", "-a\u001B", "+b"], moreDiff: 7 })).toEqual([
    "● Read a.ts … ok staged +1 −1",
    "    @@ -7 +7 @@",
    "    -a␛",
    "    +b",
    "    … 7 more lines of the diff",
  ]);
});

test("the other blocks are printed as lines", () => {
  expect(blockLines({ type: "user", key: "", text: "one\ntwo", images: 2 }, plain)).toEqual([
    "> one",
    "> two",
    "> [2 images]",
  ]);
  expect(blockLines({ type: "warning", key: "", code: "c", text: "Slow model." }, plain)).toEqual([
    "! Slow model.",
  ]);
  expect(blockLines({ type: "failure", key: "", text: "Gone.", said: [] }, plain)).toEqual([
    "! The answer broke off: Gone.",
  ]);
  const undone = { type: "undone" as const, key: "", turn: 1, files: ["a", "b"], parts: [], again: false };
  expect(blockLines(undone, plain)).toEqual(["↶ Undone (request 1): a, b"]);
  expect(blockLines({ ...undone, parts: ["b"] }, plain)).toEqual(["↶ Undone (request 1): a, b (in part)"]);
  expect(blockLines({ ...undone, again: true }, plain)).toEqual(["↷ Redone (request 1): a, b"]);
  const kept = { type: "kept" as const, key: "", turn: 3 };
  expect(blockLines(kept, plain)).toEqual(["Kept for good: the changes of request 3"]);
  expect(blockLines({ ...kept, files: ["a"] }, plain)).toEqual(["Kept for good (request 3): a"]);
  expect(blockLines({ type: "reasoning", key: "", text: "hm\nso", open: true }, plain)).toEqual(["hm", "so"]);
});

test("a retry is shown with its reason", () => {
  const retry = { type: "retry", key: "", because: "It failed.", waitMs: 500, attempt: 1, at: 0 } as const;
  expect(blockLines(retry, plain)).toEqual(["… It failed. Asking again in 0.5 s (attempt 1)."]);
});

test("truncated output starts with the number of lines before it", () => {
  const shown: Partial<CallBlock> = { does: "execute", output: ["199", "200"] };
  expect(callWith({ ...shown, left: 198 }).slice(1)).toEqual([
    "    … 198 lines before",
    "    199",
    "    200",
  ]);
  expect(callWith({ ...shown, left: 1 })[1]).toBe("    … 1 line before");
  expect(callWith({ output: ["199"], left: 198 })).toEqual(["● Read a.ts … ok"]);
});

test("no block sends a control character to the terminal or breaks one of its lines", () => {
  const evil = fc.string({
    unit: fc.constantFrom("\u001B", "[2J", "\n", "\r", "\u0007", "\u009B", "\u202E", "a", "\u0000"),
    maxLength: 12,
  });
  const block = fc.oneof(
    fc.record({ type: fc.constant("user" as const), key: evil, text: evil, images: fc.nat(1) }),
    fc.record({
      type: fc.constant("text" as const),
      key: evil,
      text: evil,
      open: fc.boolean(),
      by: fc.constant("model" as const),
    }),
    fc.record({ type: fc.constant("reasoning" as const), key: evil, text: evil, open: fc.boolean() }),
    fc.record({ type: fc.constant("warning" as const), key: evil, code: evil, text: evil }),
    fc.record({ type: fc.constant("failure" as const), key: evil, text: evil, said: fc.array(evil) }),
    fc.record({
      type: fc.constant("retry" as const),
      key: evil,
      because: evil,
      waitMs: fc.nat(),
      attempt: fc.nat(),
      at: fc.nat(),
    }),
    fc.record({
      type: fc.constant("undone" as const),
      key: evil,
      turn: fc.nat(),
      files: fc.array(evil, { maxLength: 20 }),
      parts: fc.array(evil),
      again: fc.boolean(),
    }),
    fc.record({ type: fc.constant("kept" as const), key: evil, turn: fc.nat(), files: fc.array(evil) }),
    fc.record({
      type: fc.constant("call" as const),
      key: evil,
      callId: evil,
      name: evil,
      title: evil,
      state: fc.constantFrom("running" as const, "failed" as const, "denied" as const),
      because: evil,
      output: fc.array(evil),
      uncovered: fc.array(evil),
    }),
    fc.record({
      type: fc.constant("question" as const),
      key: evil,
      callId: evil,
      title: evil,
      because: evil,
      risk: fc.constant("high" as const),
      preview: evil,
      grant: evil,
    }),
    fc.record({
      type: fc.constant("ending" as const),
      key: evil,
      stopped: fc.constantFrom("done" as const, "failed" as const),
      because: evil,
      changed: fc.array(evil),
      isDeletion: fc.boolean(),
      badge: fc.constant({ added: 0, removed: 0 }),
      verified: fc.array(evil),
      undone: fc.constantFrom("nothing" as const, "part" as const, "all" as const),
    }),
  );
  fc.assert(
    fc.property(block, (one) => {
      for (const line of blockLines(one, plain)) expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }),
  );
});
