/** The texts of an approval card. */

import { expect, test } from "vitest";
import type { QuestionBlock } from "../../view/blocks.ts";
import { cardKey, choiceKey } from "./card-keys.ts";
import {
  askedFor,
  editableCommand,
  hiddenIn,
  isOpen,
  outcomeWords,
  titleBeside,
  traceLines,
  widerWords,
} from "./question-words.ts";

const question: QuestionBlock = {
  type: "question",
  key: "question:1",
  callId: "1",
  title: "Run npm test",
  because: "commands ask",
  risk: "medium",
  preview: "npm test",
  grant: "npm test",
  sandbox: { profile: "build", isOn: true },
};

test("the kind of a question follows from its facts, not from how its preview looks", () => {
  const looksLikeDiff = { ...question, preview: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b" };
  expect(askedFor(looksLikeDiff)).toBe("command");
  const { sandbox: _, ...without } = question;
  expect(askedFor(without)).toBe("other");
  expect(askedFor({ ...without, isDiff: true })).toBe("change");
});

test("an open question shows its title only if it adds to the preview", () => {
  expect(titleBeside(question)).toBe("");
  expect(titleBeside({ ...question, title: "Edit src/a.ts\u202E" })).toBe("Edit src/a.ts⟨U+202E⟩");
});

test("A36: only the command itself is editable, with its directory shown beside it", () => {
  expect(editableCommand(question)).toBeUndefined();
  expect(editableCommand({ ...question, command: "npm test" })).toEqual({ command: "npm test", where: "" });
  const elsewhere = { ...question, command: "npm test", place: { directory: "sub\u202E" } };
  expect(editableCommand(elsewhere)).toEqual({ command: "npm test", where: "in sub⟨U+202E⟩" });
  const commented = { ...question, command: "# in sub\nls", preview: "# in sub\nls" };
  expect(editableCommand(commented)).toEqual({ command: "# in sub\nls", where: "" });
});

test("invisible characters in an edited command are shown", () => {
  expect(hiddenIn("echo a")).toBeUndefined();
  expect(hiddenIn("echo \u202Egnp.exe")).toBe("echo ⟨U+202E⟩gnp.exe");
  expect(hiddenIn("echo a\r\nb")).toBe("echo a␍\nb");
});

test("a wider approval says what it covers, a question without one that it is for this call only", () => {
  expect(widerWords({ ...question, scopes: ["once"] })).toContain("this one call only");
  expect(widerWords({ ...question, scopes: ["once", "turn", "project"], grant: "npm\u200B" })).toBe(
    "“Don't ask again” covers: npm⟨U+200B⟩",
  );
});

test("how it was decided is told in words for people", () => {
  const trace = [
    { layer: "severity", verdict: "ask", because: "it deletes" },
    { layer: "mode ask", verdict: "allow", because: "it is contained" },
  ] as const;
  expect(traceLines({ ...question, trace: [...trace] })).toEqual([
    { layer: "How risky it is", words: "Ask: it deletes" },
    { layer: "Mode ask", words: "Yes: it is contained" },
  ]);
});

test("an answer names who gave it, and a question of an ended request is closed", () => {
  expect(isOpen(question, { open: new Set(["1"]) })).toBe(true);
  expect(isOpen(question, { open: new Set() })).toBe(false);
  expect(outcomeWords(question)).toBe("Not answered: the request is over");
  const answered = (answer: NonNullable<QuestionBlock["answer"]>) => outcomeWords({ ...question, answer });
  expect(answered({ answer: "allow", scope: "session", by: "terminal" })).toBe(
    "Allowed for this session, in the terminal",
  );
  expect(answered({ answer: "allow", scope: "once", by: "user", command: "npm ci" })).toBe(
    "Allowed once, by you, edited",
  );
  expect(answered({ answer: "deny", scope: "once", by: "user", note: "use pnpm" })).toBe(
    "Denied by you: use pnpm",
  );
  expect(answered({ answer: "deny", scope: "once", by: "timeout" })).toBe(
    "Nobody answered in time, which counts as a no",
  );
  const failed = "the command of --ask-on failed";
  expect(answered({ answer: "deny", scope: "once", by: "toolwright", note: failed })).toBe(
    `Nobody answered, which counts as a no: ${failed}`,
  );
});

test("keys answer a card only outside text fields and without repeat or modifiers", () => {
  const key = { key: "y", repeat: false, isComposing: false, ctrlKey: false, altKey: false, metaKey: false };
  expect(cardKey({ ...key, target: { tagName: "BUTTON" } })).toBe("y");
  expect(cardKey({ ...key, key: "N", target: null })).toBe("n");
  for (const tagName of ["INPUT", "TEXTAREA", "SELECT"])
    expect(cardKey({ ...key, target: { tagName } })).toBeUndefined();
  expect(cardKey({ ...key, target: { tagName: "DIV", isContentEditable: true } })).toBeUndefined();
  for (const held of ["repeat", "isComposing", "ctrlKey", "altKey", "metaKey"])
    expect(cardKey({ ...key, [held]: true, target: null })).toBeUndefined();
  expect(cardKey({ ...key, key: "x", target: null })).toBeUndefined();
  expect(choiceKey({ ...key, key: "2", target: null })).toBe(1);
  expect(choiceKey({ ...key, key: "2", target: { tagName: "TEXTAREA" } })).toBeUndefined();
  expect(choiceKey({ ...key, key: "0", target: null })).toBeUndefined();
});

test("the outcome of held changes says what was kept", () => {
  const held: QuestionBlock = { ...question, isDiff: true, waiting: { files: [] } };
  expect(askedFor(held)).toBe("held");
  expect(
    outcomeWords({
      ...held,
      answer: { answer: "allow", scope: "once", by: "user", drops: [{ path: "a\u202E", hunks: [2, 3] }] },
    }),
  ).toBe("Changes kept, but for hunks 2, 3 of a⟨U+202E⟩ (by you)");
  expect(outcomeWords({ ...held, answer: { answer: "deny", scope: "once", by: "user" } })).toBe(
    "Changes dropped (by you)",
  );
});

test("a key answers from a box that has the focus", () => {
  const key = { key: "y", repeat: false, isComposing: false, ctrlKey: false, altKey: false, metaKey: false };
  expect(cardKey({ ...key, target: { tagName: "INPUT", type: "checkbox" } })).toBe("y");
  expect(cardKey({ ...key, target: { tagName: "INPUT", type: "text" } })).toBeUndefined();
});
