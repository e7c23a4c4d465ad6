/** The same session shown line by line, on the screen and on the page says the same, in the same order. */

import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { Entry } from "../../src/protocol/facts.ts";
import { pendingApprovals, pendingQuestions } from "../../src/protocol/session-state.ts";
import { Printer } from "../../src/tui/line/printer.ts";
import { MarkdownRows } from "../../src/tui/markdown/markdown-rows.ts";
import { SessionRows } from "../../src/tui/screen/session-rows.ts";
import { testTerminal } from "../../src/tui/testing/terminal.ts";
import { styleFor } from "../../src/view/style.ts";
import { pageTest } from "./browser.ts";
import { drive, type Driver } from "./driver.ts";
import { acting, files, requests, story } from "./story.ts";

const wide = 200;
const style = styleFor({}, false);

test("A38: a session says the same line by line, on the screen and on the page", async () => {
  const opened = await pageTest(acting(story(Promise.resolve())), { files, flags: ["--max-rounds", "5"] });
  const driver = await drive(opened.gateway);
  onTestFinished(async () => {
    await driver.close();
    await opened.close();
  });
  const { change, question, plan, limit, failure, wait } = requests;
  for (const request of [change, question, plan, limit, failure, wait]) {
    await driver.ask({ type: "set-mode", mode: request === plan ? "plan" : "ask" });
    await driver.say(request);
    await answerAll(driver);
  }
  const page = await opened.open({ session: driver.id });
  const { entries } = driver;
  const statements = statementsOf(entries);
  expect(statements.length).toBeGreaterThan(30);
  const typed = entries.flatMap((entry) => (entry.type === "user-message" ? statementsOf([entry]) : []));
  const spoken = statements.filter((statement) => !typed.includes(statement));
  expect(firstMissing(statements, screenOf(entries))).toBe("");
  expect(firstMissing(spoken, linesOf(entries))).toBe("");
  await expect
    .poll(async () => firstMissing(statements, await page.locator("[role=log]").innerText()))
    .toBe("");
  expect(opened.complaints).toEqual([]);
});

/** Approves changes and plans, refuses commands, takes the first choice, and stops at limits. */
async function answerAll(driver: Driver): Promise<void> {
  const { state } = driver;
  for (;;) {
    await driver.until(
      ({ status, limitAsked, turns, turn }) =>
        (status === "idle" && turns.length === turn && turns.at(-1)?.stopped !== undefined) ||
        limitAsked !== undefined ||
        pendingApprovals(state).length + pendingQuestions(state).length > 0,
    );
    const [approval] = pendingApprovals(state);
    const [asked] = pendingQuestions(state);
    const { seq } = state;
    if (approval) {
      const isChange = approval.title.startsWith("Edit");
      await driver.ask({
        type: "answer-approval",
        callId: approval.callId,
        answer: isChange ? "allow" : "deny",
        scope: "once",
        by: "test",
        ...(isChange ? {} : { note: "not in this test" }),
      });
    } else if (asked)
      await driver.ask({
        type: "answer-question",
        callId: asked.callId,
        answer: "given",
        by: "test",
        ...(asked.steps ? {} : { chosen: [1] }),
      });
    else if (state.limitAsked) await driver.ask({ type: "answer-limit", answer: "stop", by: "test" });
    else return;
    await driver.until((now) => now.seq > seq);
  }
}

/** What a surface must say of these facts, in words. */
function statementsOf(entries: readonly Entry[]): string[] {
  const said = entries.flatMap((entry): string[] => {
    switch (entry.type) {
      case "user-message":
        return entry.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      case "text":
        return entry.text.split(/[\n|]/u).filter((line) => !/^\s*(?:```|:?-+:?\s*$)/u.test(line));
      case "call-start":
        return /^(?:Read|List|Search|Run) /u.test(entry.title) ? [objectOf(entry.title)] : [];
      case "approval-asked":
        return [objectOf(entry.title)];
      case "approval-answered":
        return [entry.note ?? ""];
      default:
        return [];
    }
  });
  return said.map((line) => wordsOf(line.replace(/^\d+\. /u, ""))).filter((words) => words !== "");
}

/** Of "Read src/a.ts": reads share their verb. */
const objectOf = (title: string): string => title.replace(/^\S+ /u, "");

/** Without addresses, which stand behind their words, or not in sight. */
const wordsOf = (text: string): string =>
  text
    .replaceAll(/\]\([^)]*\)/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The first statement that does not follow on those before it; empty if there is none. */
function firstMissing(statements: readonly string[], shown: string): string {
  const words = ` ${wordsOf(shown)} `;
  let at = 0;
  for (const statement of statements) {
    const found = words.indexOf(` ${statement} `, at);
    if (found < 0) return `${statement}, after: ${words.slice(Math.max(0, at - 80), at)}`;
    at = found + statement.length;
  }
  return "";
}

function screenOf(entries: readonly Entry[]): string {
  const rows = new SessionRows({
    style,
    columns: () => wide,
    verbose: false,
    now: () => 0,
    markdown: (columns) =>
      new MarkdownRows({ columns, style, links: true, unicode: true, highlight: () => undefined }),
  });
  const given: string[] = [];
  for (const entry of entries) {
    // The screen shows a message when it is typed.
    if (entry.type === "user-message")
      rows.said(entry.content.map((part) => (part.type === "text" ? part.text : "")).join(""));
    rows.show(entry);
    given.push(...rows.frame().finished);
  }
  return stripVTControlCharacters([...given, ...rows.frame().open].join("\n"));
}

function linesOf(entries: readonly Entry[]): string {
  const terminal = testTerminal();
  const printer = new Printer({ terminal, style, verbose: false });
  for (const entry of entries) printer.show(entry);
  return terminal.printed();
}
