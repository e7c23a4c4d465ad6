import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Entry } from "../../protocol/facts.ts";
import type { ModelScript } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";
import { go, inPieces } from "../../testing/turns.ts";
import { styleFor } from "../../view/style.ts";
import { codeColours, loadCodeColours } from "../markdown/code-colours.ts";
import { MarkdownRows } from "../markdown/markdown-rows.ts";
import { SessionRows } from "./session-rows.ts";

const style = styleFor({}, true);

const rowsOf = (columns = 60): SessionRows =>
  new SessionRows({
    style,
    columns: () => columns,
    verbose: false,
    now: () => 0,
    markdown: (inner) =>
      new MarkdownRows({ columns: inner, style, links: false, unicode: true, highlight: codeColours }),
  });

const plain = (rows: readonly string[]): string[] => rows.map(stripVTControlCharacters);

/** Follows a session live, with these answers to its questions: all rows that were given out, and after each event those that were open. */
async function follow(script: ModelScript, answers: readonly ("allow" | "interrupt")[] = []) {
  const test = await testSession(inPieces(script), {
    files: { "a.txt": "one\ntwo\n", "b.txt": "b\n" },
    mode: answers.length > 0 ? "ask" : "trusted",
  });
  const left = [...answers];
  test.session.log.listen((event) => {
    if (event.type !== "approval-asked") return;
    const { callId } = event;
    const command =
      left.shift() === "interrupt"
        ? ({ type: "interrupt" } as const)
        : ({ type: "answer-approval", callId, answer: "allow", scope: "once", by: "test" } as const);
    queueMicrotask(() => void test.session.command(command));
  });
  const rows = rowsOf();
  rows.startOver(test.session.log.entries);
  const given: string[] = [];
  const open: string[][] = [];
  const stop = new AbortController();
  const followed = (async () => {
    for await (const event of test.session.follow(test.session.state.seq, stop.signal)) {
      rows.show(event);
      const frame = rows.frame();
      given.push(...plain(frame.finished));
      open.push(plain(frame.open));
      if (event.type === "turn-end") break;
    }
  })();
  await test.session.command(go);
  await followed;
  stop.abort();
  return { given, open, entries: [...test.session.log.entries], session: test.session };
}

function allOf(rows: SessionRows): string[] {
  const { finished, open } = rows.frame();
  return plain([...finished, ...open]);
}

function replayed(entries: readonly Entry[]): string[] {
  const rows = rowsOf();
  rows.startOver(entries);
  rows.replay(() => undefined);
  return allOf(rows);
}

const long =
  "A paragraph that goes on for some rows, with **bold words in it** and `code`, until it ends. ".repeat(6);

test("whoever opens a session again has the rows that were there live", async () => {
  await loadCodeColours();
  const { given, entries } = await follow([
    [
      { think: "First I look.\nThen I write." },
      { say: `${long}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n` },
      { call: "read_file", with: { path: "a.txt" } },
      { call: "read_file", with: { path: "b.txt" } },
    ],
    [{ call: "edit_file", with: { path: "a.txt", old: "two", new: "2" } }],
    [{ call: "run_command", with: { command: "printf '1\\n2\\n3\\n4\\n5\\n'; exit 3" } }],
    [{ say: "- one\n- two\n\n```ts\nconst a = 1;\n```\nDone." }],
  ]);
  const live = ["> go", ...given];
  expect(live.filter((row) => row !== "")).toEqual(replayed(entries).filter((row) => row !== ""));
  expect(given).toContain("  ● Read a.txt, b.txt");
  expect(given.join("\n")).toContain("● Edit a.txt  +1 −1");
  expect(given.join("\n")).toContain("exit 3");
});

test("a row that was given out is never given out again, and full rows of a paragraph do not wait for its end", async () => {
  const { given, open } = await follow([[{ say: long }]]);
  const rows = given.filter((row) => row.trim() !== "");
  expect(rows.join(" ").replaceAll(/\s+/gu, " ").trim()).toBe(
    long.replaceAll("**", "").replaceAll("`", "").trim(),
  );
  expect(Math.max(...open.map((each) => each.length))).toBeLessThanOrEqual(4);
});

test("what is written while a paragraph streams stands below it", () => {
  const rows = rowsOf();
  const events = [
    { type: "text-delta" as const, block: 0, offset: 0, text: "The paragraph has begun and " },
    { type: "text-delta" as const, block: 0, offset: 28, text: "goes on." },
  ];
  for (const [at, event] of events.entries()) {
    rows.show(event);
    if (at === 0) rows.note(["a note"]);
  }
  expect(allOf(rows)).toEqual(["  The paragraph has begun and goes on.", "  a note"]);
});

test("a to-do list that is set between calls that only read does not part them", async () => {
  const { given } = await follow([
    [
      { call: "read_file", with: { path: "a.txt" } },
      { call: "todos", with: { items: [{ text: "look", state: "doing" }] } },
      { call: "read_file", with: { path: "b.txt" } },
    ],
    [{ say: "Read." }],
  ]);
  expect(given).toContain("  ● Read a.txt, b.txt");
});

test("where a note ends with an empty row, one empty row sets it apart", () => {
  const rows = rowsOf();
  rows.note(["first", ""]);
  rows.said("second");
  rows.note(["", "third"]);
  expect(allOf(rows)).toEqual(["  first", "", "> second", "", "  third"]);
});

const twoEdits: ModelScript = [
  [
    { call: "edit_file", with: { path: "a.txt", old: "two", new: "2" } },
    { call: "edit_file", with: { path: "b.txt", old: "b", new: "B" } },
  ],
  [{ say: "Done." }],
];

test("of two changes in one answer each has its diff and its answer below it, live and when opened again", async () => {
  const { given, entries } = await follow(twoEdits, ["allow", "allow"]);
  // Both diffs and answers stood below the second change.
  const rows = (all: readonly string[]) =>
    all.filter((row) => /[●+−]|Allowed/u.test(row)).map((row) => row.trim());
  expect(rows(given)).toEqual([
    "● Edit a.txt  +1 −1",
    "2 + 2",
    "Allowed.",
    "● Edit b.txt  +1 −1",
    "1 + B",
    "Allowed.",
    "Changed 2 files +2 −2 · not verified",
  ]);
  expect(rows(replayed(entries))).toEqual(rows(given));
});

test("a call that was stopped before it was asked about is called what its tool calls it", async () => {
  const { given } = await follow(twoEdits, ["interrupt"]);
  // The second one was called `edit_file b.txt`.
  expect(given.filter((row) => row.includes("●"))).toEqual([
    "  ● Edit a.txt · cancelled",
    "  ● Edit b.txt · cancelled",
  ]);
});
