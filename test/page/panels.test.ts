/** Actions in the page's cards and panels take effect: on disk, in the session, and in the text of the page. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pendingApprovals } from "../../src/protocol/session-state.ts";
import { type PageTest, pageTest } from "./browser.ts";
import { drive, type Driver } from "./driver.ts";
import { acting, files, requests, story } from "./story.ts";

type Opened = { opened: PageTest; driver: Driver; page: Page; total: string };

/** Runs with a page open on a session whose first request is done, with the panel of its changes open. */
async function withChanges(run: (opened: Opened) => Promise<void>): Promise<void> {
  const opened = await pageTest(acting(story(Promise.resolve())), { files, mode: "accept-edits" });
  const driver = await drive(opened.gateway);
  try {
    await driver.say(requests.change);
    await driver.until((state) => pendingApprovals(state).length > 0);
    await allow(driver);
    await driver.until(({ status }) => status === "idle");
    const page = await opened.open({ session: driver.id });
    await page.getByLabel("Changes and requests").click();
    await page.locator(".changes-file").first().waitFor();
    await run({ opened, driver, page, total: join(opened.gateway.test.workspace, "src/total.ts") });
    expect(opened.complaints).toEqual([]);
  } finally {
    await driver.close();
    await opened.close();
  }
}

async function allow(driver: Driver): Promise<void> {
  const [asked] = pendingApprovals(driver.state);
  const callId = asked?.callId ?? "none";
  await driver.ask({ type: "answer-approval", callId, answer: "allow", scope: "once", by: "terminal" });
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();
const file = (page: Page, path: string) => page.locator(".changes-file", { hasText: path });

test("A40: a file and a whole request are undone and redone on disk", async () => {
  await withChanges(async ({ opened, page }) => {
    const old = join(opened.gateway.test.workspace, "build/old.js");
    const deleted = file(page, "build/old.js");
    await deleted.getByRole("button", { name: "Undo file" }).click();
    await deleted.getByText("undone", { exact: true }).waitFor();
    expect(await readFile(old, "utf8")).toBe("old\n");
    await deleted.getByRole("button", { name: "Redo file" }).click();
    await deleted.getByRole("button", { name: "Undo file" }).waitFor();
    await expect(readFile(old, "utf8")).rejects.toThrow("ENOENT");
    await press(page, "Undo all");
    await page.locator(".changes-sum").getByText("undone", { exact: true }).waitFor();
    expect(await readFile(old, "utf8")).toBe("old\n");
    expect(await page.getByRole("button", { name: "Undo all" }).count()).toBe(0);
  });
});

test("A40: keeping one hunk undoes the others, and nothing can be undone afterwards", async () => {
  await withChanges(async ({ page, total }) => {
    await press(page, "Keep only hunk 2…");
    await press(page, "Keep only hunk 2 for good");
    await file(page, "src/total.ts").getByText("kept", { exact: true }).waitFor();
    const text = await readFile(total, "utf8");
    expect(text).toContain("rate = 1;");
    expect(text).toContain("Math.round");
    expect(await file(page, "src/total.ts").getByRole("button").count()).toBe(0);
  });
});

test("undo after later edits waits for a choice, and Merge preserves the later edits", async () => {
  await withChanges(async ({ page, total }) => {
    const before = await readFile(total, "utf8");
    await writeFile(total, before.replace("line15 = 15;", "line15 = 1500;"));
    await file(page, "src/total.ts").getByRole("button", { name: "Undo file" }).click();
    await page.getByText("Nothing has been undone yet:").waitFor();
    expect(await readFile(total, "utf8")).toContain("Math.round");
    await press(page, "Merge");
    await file(page, "src/total.ts").getByText("undone", { exact: true }).waitFor();
    expect(await readFile(total, "utf8")).toBe(
      files["src/total.ts"].replace("line15 = 15;", "line15 = 1500;"),
    );
  });
});

test("A40: when later edits conflict with keeping one hunk, it is kept after a choice", async () => {
  await withChanges(async ({ page, total }) => {
    const before = await readFile(total, "utf8");
    await writeFile(total, before.replace("line15 = 15;", "line15 = 1500;"));
    await press(page, "Keep only hunk 2…");
    await press(page, "Keep only hunk 2 for good");
    await page.getByText("Nothing has been undone yet:").waitFor();
    await press(page, "Merge");
    await file(page, "src/total.ts").getByText("kept", { exact: true }).waitFor();
    const text = await readFile(total, "utf8");
    for (const words of ["rate = 1;", "line15 = 1500;", "Math.round"]) expect(text).toContain(words);
  });
});

test("changes kept on another surface cannot be undone here", async () => {
  await withChanges(async ({ opened, page, driver }) => {
    await opened.gateway.test.host.command(driver.id, { type: "keep", turn: 1 });
    await page.locator(".changes-sum").getByText("kept", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^Undo/u }).count()).toBe(0);
  });
});

test("a request can be jumped to, and edited and retried in a copy of the session from before it", async () => {
  await withChanges(async ({ page, driver }) => {
    await press(page, "Requests");
    await press(page, "Go to request");
    await page.waitForFunction(() => document.activeElement?.id === "turn-1");
    await press(page, "Edit and try again");
    const field = page.getByRole("textbox", { name: "Message" });
    await expect.poll(() => field.inputValue()).toBe(requests.change);
    expect(new URL(page.url()).hash).not.toContain(driver.id);
    expect(await page.locator(".conversation-content .block-user").count()).toBe(0);
  });
});

test("a card answered elsewhere says so, and accepts no answer any more", async () => {
  const opened = await pageTest(acting(story(Promise.resolve())), { files });
  const driver = await drive(opened.gateway);
  try {
    const page = await opened.open({ session: driver.id });
    await driver.say(requests.change);
    await page.getByRole("heading", { name: "Apply this change?" }).waitFor();
    await allow(driver);
    await page.getByText("Allowed once, in the terminal").waitFor();
    expect(await page.getByRole("button", { name: "Apply once", exact: true }).count()).toBe(0);
    await page.getByRole("heading", { name: "Run this command?" }).waitFor();
    await driver.ask({ type: "interrupt" });
    await page.getByText("Not answered: the request is over").waitFor();
    expect(await page.locator("[data-question=open]").count()).toBe(0);
  } finally {
    await driver.close();
    await opened.close();
  }
});

test("A36: a forbidden edited command is refused on the card, which stays open", async () => {
  const opened = await pageTest(acting(story(Promise.resolve())), { files, mode: "accept-edits" });
  const driver = await drive(opened.gateway);
  try {
    const page = await opened.open({ session: driver.id });
    await driver.say(requests.change);
    await page.getByRole("button", { name: "Edit command…" }).click();
    await page.getByLabel("Command to run").fill("rm -rf /");
    await press(page, "Run edited command once");
    await page.locator(".approval-card .panel-problem").waitFor();
    await page.getByLabel("Command to run").fill("echo a\u202Eb");
    await page.getByText("echo a⟨U+202E⟩b").waitFor();
    await press(page, "Back");
    expect(await page.locator("[data-question=open]").count()).toBe(1);
  } finally {
    await driver.close();
    await opened.close();
  }
});

test("search in a conversation counts matches and steps through them, and a queued message can be withdrawn", async () => {
  const gate = Promise.withResolvers<void>();
  const opened = await pageTest(acting(story(gate.promise)), { files, mode: "accept-edits" });
  const driver = await drive(opened.gateway);
  try {
    const page = await opened.open({ session: driver.id });
    await driver.say(requests.wait);
    await page.getByText("I begin with the first part").waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("And then the docs");
    await page.keyboard.press("Control+Enter");
    await page.locator(".queue-list").getByRole("button", { name: "Withdraw" }).click();
    await driver.until(({ queue }) => queue.length === 0);
    await page.locator(".queue-list").waitFor({ state: "detached" });
    gate.resolve();
    await page.locator(".prose", { hasText: "and now all of it is there." }).waitFor();
    await page.keyboard.press("Control+f");
    await page.getByPlaceholder("Find in this conversation").fill("OF IT");
    await page.getByText("1 of 2", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("2 of 2", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".find-bar").waitFor({ state: "detached" });
  } finally {
    await driver.close();
    await opened.close();
  }
});

test("a message queued when its request is stopped stays, says so, and can be sent on demand", async () => {
  const opened = await pageTest(acting(story(new Promise(() => undefined))), { files });
  const driver = await drive(opened.gateway);
  try {
    const page = await opened.open({ session: driver.id });
    await driver.say(requests.wait);
    await page.getByText("I begin with the first part").waitFor();
    await driver.ask({ type: "send", content: [{ type: "text", text: requests.question }], when: "next" });
    await page.locator(".queue-list").getByText("sent after this request").waitFor();
    await driver.ask({ type: "interrupt" });
    await page.locator(".queue-list").getByText("sent with your next message").waitFor();
    await press(page, "Send it now");
    await page.getByRole("heading", { name: "The model asks" }).waitFor();
    await page.locator(".queue-list").waitFor({ state: "detached" });
  } finally {
    await driver.close();
    await opened.close();
  }
});
