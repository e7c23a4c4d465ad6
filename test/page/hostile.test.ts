/** Hostile texts from models, tools, files and errors are shown as plain text, and nothing in them runs. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ModelError } from "../../src/protocol/model-events.ts";
import { pendingApprovals, pendingQuestions } from "../../src/protocol/session-state.ts";
import type { ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { pageTest } from "./browser.ts";
import { drive, type Driver } from "./driver.ts";
import { watch } from "./harmless.ts";
import { large, payloads, tags } from "./payloads.ts";
import { acting } from "./story.ts";

const fileOf = (at: number): string => `p${at}.txt`;
const markOf = (at: number): string => `mark${at}.`;

/** Unfolds everything that is folded. */
const unfold = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const head of document.querySelectorAll<HTMLElement>(".call-head[aria-expanded=false]"))
      head.click();
    // Unfolded content is rendered by then.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  });

test("hostile answers, thoughts and tool output are shown as text, and run nothing", async () => {
  const rounds = (from: number): ScriptedAnswer[] =>
    payloads
      .slice(from, from + 60)
      .map((payload, index) => [
        { think: payload },
        { say: `${payload}\n\n${markOf(from + index)}` },
        { call: "read_file", with: { path: fileOf(from + index) } },
      ]);
  const starts = payloads.flatMap((_, at) => (at % 60 === 0 ? [at] : []));
  const scenes = Object.fromEntries(starts.map((from) => [`Go on from ${from}`, rounds(from)]));
  const files = Object.fromEntries(payloads.map((payload, at) => [fileOf(at), `${payload}\n`]));
  const opened = await pageTest(acting(scenes, 400), { files, flags: ["--max-rounds", "100"] });
  try {
    for (const from of starts) {
      const driver = await drive(opened.gateway);
      const page = await opened.open({ session: driver.id });
      const watched = watch(page, opened);
      await driver.say(`Go on from ${from}`);
      await driver.until(({ status, turn }) => status === "idle" && turn === 1);
      await page.locator(".waiting").waitFor({ state: "detached" });
      await unfold(page);
      const text = await page
        .locator(".conversation-content")
        .evaluate(({ textContent }) => textContent ?? "");
      const shown = payloads.slice(from, from + 60).map((_, index) => markOf(from + index));
      expect(shown.filter((mark) => !text.includes(mark))).toEqual([]);
      const begun = tags.slice(from, from + 60).map((tag) => tag.split(/[\s>/"]/u, 1)[0] ?? "");
      expect(begun.filter((tag) => !text.includes(tag))).toEqual([]);
      await watched.expectHarmless();
      await page.close();
      await driver.close();
    }
  } finally {
    await opened.close();
  }
});

/** A sample of every kind. */
const some = payloads.filter((_, at) => at % 7 === 0);

const nameOf = (payload: string): string =>
  payload
    .replaceAll(/[/\0\n\r]|[\uD800-\uDFFF]/gu, "_")
    .slice(0, 60)
    .trim() || "name";
const short = (payload: string): string => payload.slice(0, 150).trim() || "word";

test("hostile names, questions, plans, errors and user messages are shown as text, and run nothing", async () => {
  const scene = (payload: string): ScriptedAnswer[] => [
    [
      { call: "todos", with: { items: [{ text: short(payload) }] } },
      { call: "write_file", with: { path: `dir/${nameOf(payload)}`, content: `${payload}\n` } },
    ],
    [
      { call: "run_command", with: { command: `rm -rf build # ${payload.replaceAll("\0", "")}` } },
      {
        call: "ask_user",
        with: {
          question: short(payload),
          choices: [{ label: short(payload), detail: short(payload) }, { label: "b" }],
        },
      },
    ],
    [{ say: short(payload) }, { fail: new ModelError("bad-request", payload) }],
  ];
  const scenes = Object.fromEntries(some.map((payload, at) => [`Request ${at}:`, scene(payload)]));
  const opened = await pageTest(acting(scenes, 400), { files: { "build/x": "" } });
  const driver = await drive(opened.gateway);
  try {
    const page = await opened.open({ session: driver.id });
    const watched = watch(page, opened);
    await page.getByLabel("Changes and requests").click();
    for (const [at, payload] of some.entries()) {
      await driver.ask({ type: "rename", title: short(payload) });
      await driver.say(`Request ${at}: ${payload}`);
      await answerAll(driver, at, payload);
      if (at % 6 === 0) await watched.expectHarmless();
    }
    await page.locator(".waiting").waitFor({ state: "detached" });
    await unfold(page);
    for (const side of ["Requests", "To do", "Changes"]) {
      await page.getByRole("button", { name: side, exact: true }).click();
      await watched.expectHarmless();
    }
    await page.locator(".changes-file").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByLabel("Search in all sessions").last().fill("script");
    await page.locator(".search-panel [role=status]", { hasText: "these words" }).waitFor();
    await page.keyboard.press("Escape");
    await watched.expectHarmless();
  } finally {
    await driver.close();
    await opened.close();
  }
});

/** Approves some changes, and refuses others with the payload as the reason. */
async function answerAll(driver: Driver, at: number, payload: string): Promise<void> {
  const { state } = driver;
  for (;;) {
    await driver.until(
      () =>
        (state.turn === at + 1 && state.status === "idle") ||
        pendingApprovals(state).length + pendingQuestions(state).length > 0,
    );
    const [approval] = pendingApprovals(state);
    const [question] = pendingQuestions(state);
    if (approval)
      await driver.ask({
        type: "answer-approval",
        callId: approval.callId,
        by: short(payload),
        scope: "once",
        ...(at % 2 === 0 ? { answer: "allow" } : { answer: "deny", note: short(payload) }),
      });
    else if (question)
      await driver.ask({
        type: "answer-question",
        callId: question.callId,
        answer: "given",
        by: "test",
        chosen: [0],
        text: short(payload),
      });
    else return;
    await driver.until(
      () =>
        ![...pendingApprovals(state), ...pendingQuestions(state)].some(
          ({ callId }) => callId === (approval ?? question)?.callId,
        ),
    );
  }
}

test("huge texts leave the page usable", async () => {
  const scenes = {
    "Say much": large.map((text): ScriptedAnswer => [{ say: text }, { call: "list_files", with: {} }]),
  };
  const opened = await pageTest(acting(scenes, 20_000), {
    files: { "a.txt": "" },
    flags: ["--max-rounds", "50"],
  });
  const driver = await drive(opened.gateway);
  try {
    const page = await opened.open({ session: driver.id });
    const watched = watch(page, opened);
    await driver.say("Say much");
    await driver.until(({ status, turn }) => status === "idle" && turn === 1);
    await page.locator(".waiting").waitFor({ state: "detached" });
    await watched.expectHarmless();
  } finally {
    await driver.close();
    await opened.close();
  }
});
