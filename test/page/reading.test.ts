/** Reading a conversation: right-to-left languages, search, and a session that is open in another program. */

import { join } from "node:path";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { identityOf } from "../../src/base/process-identity.ts";
import type { Fact } from "../../src/protocol/facts.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { browserOptions } from "../support/chromium.ts";
import { idle, pageTest, say } from "./browser.ts";

test("each paragraph has the direction of its own text, and code is always left to right", async () => {
  const arabic = "مرحبا بالعالم";
  const answer = `${arabic} \`a()\`\n\nEnglish words.\n\n1. ${arabic}\n2. two\n\n\`\`\`ts\n// ${arabic}\n\`\`\`\n`;
  const opened = await pageTest(scriptedModel([[{ say: answer }]]));
  onTestFinished(opened.close);
  const page = await opened.open();
  await say(page, arabic);
  await idle(page);
  await page.locator(".prose .code").waitFor();
  const sides = await page.evaluate(() => {
    const sideOf = (place: Element): string => {
      const range = document.createRange();
      range.selectNodeContents(place);
      const [words, room] = [range.getBoundingClientRect(), place.getBoundingClientRect()];
      return words.left - room.left > room.right - words.right + 1 ? "right" : "left";
    };
    return {
      parts: [...document.querySelectorAll(".prose > p, .prose li")].map(sideOf),
      list: [...document.querySelectorAll(".prose ol")].map((list) => getComputedStyle(list).direction),
      code: [...document.querySelectorAll(".prose pre")].map((code) => getComputedStyle(code).direction),
    };
  });
  expect(sides).toEqual({ parts: ["right", "left", "right", "left"], list: ["rtl"], code: ["ltr"] });

  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(arabic);
  expect(await field.evaluate((place) => getComputedStyle(place).direction)).toBe("rtl");
  expect(opened.complaints).toEqual([]);
});

test("where scrollbars take room, the message field stands exactly below the conversation", async () => {
  const opened = await pageTest(scriptedModel([[{ say: "A word of it.\n\n".repeat(60) }]]));
  onTestFinished(opened.close);
  const browser = await chromium.launch({ ...browserOptions, ignoreDefaultArgs: ["--hide-scrollbars"] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(opened.gateway.link());
  await say(page, "Much, please.");
  await idle(page);
  const bar = await page
    .locator(".conversation")
    .evaluate((place) => place.scrollHeight > place.clientHeight);
  const sides = (name: string) =>
    page.locator(name).evaluate((place) => {
      const { left, right } = place.getBoundingClientRect();
      return { left, right };
    });
  expect(bar).toBe(true);
  expect(await sides(".session-foot")).toEqual(await sides(".conversation-content"));
});

test("Escape first closes the search in the conversation, then stops the request", async () => {
  const opened = await pageTest(
    scriptedModel([[{ say: "I begin." }, { wait: new Promise(() => undefined) }]]),
  );
  onTestFinished(opened.close);
  const page = await opened.open();
  await say(page, "Go on for long.");
  await page.locator("main[data-status=running]").waitFor();
  await page.keyboard.press("Control+f");
  const search = page.getByRole("search", { name: "Search in this conversation" });
  await search.waitFor();
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.keyboard.press("Escape");
  await search.waitFor({ state: "detached" });
  expect(await page.locator("main").getAttribute("data-status")).toBe("running");
  await page.keyboard.press("Escape");
  await page.getByText("Stopped by you.").waitFor();
});

test("a session open in another program is readable, with its inputs disabled until it is released", async () => {
  const opened = await pageTest(scriptedModel([]), { restMs: 0 });
  onTestFinished(opened.close);
  const { gateway } = opened;
  const id = await gateway.newSession();
  await expect.poll(() => gateway.test.host.figures().open).toBe(0);
  const other = await storeAt(join(gateway.test.root, "state", "sessions.db"));
  onTestFinished(() => other.close());
  const owner = { program: "another", process: identityOf(process.ppid) };
  const epoch = await other.claim(id, { owner });
  const { facts = 0 } = (await other.get(id)) ?? {};
  const told: Fact[] = [
    { type: "user-message", content: [{ type: "text", text: "Ask me." }] },
    { type: "call", call: { id: "c", name: "ask_user", input: {}, source: "native" } },
    {
      type: "question-asked",
      callId: "c",
      question: "Which one?",
      choices: [{ label: "this" }],
      several: false,
    },
  ];
  await other.append(
    id,
    epoch,
    told.map((fact, at) => ({ ...fact, v: 1, seq: facts + at + 1, at: Date.now(), turn: 1 })),
  );

  const page = await opened.open({ session: id });
  await page
    .getByText(`Open in another program (another, process ${process.ppid}). Continue there`)
    .waitFor();
  const field = page.getByRole("textbox", { name: "Message" });
  expect(await field.isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "Don't answer" }).isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "this", exact: true }).isDisabled()).toBe(true);

  await other.release(id, epoch);
  await page.getByText("Open in another program").waitFor({ state: "detached" });
  expect(await field.isDisabled()).toBe(false);
  expect(opened.complaints).toEqual([]);
});
