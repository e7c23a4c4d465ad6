/** Mouse clicks while the page moves: exactly what was pressed is clicked. */

import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { pendingQuestions } from "../../src/protocol/session-state.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { goTo, idle, leaveEnd, type PageTest, pageTest, say } from "./browser.ts";
import { drive, type Driver } from "./driver.ts";
import { acting, files, requests, story } from "./story.ts";

test("the button to the end takes no space in the conversation, so that its disappearance moves nothing", async () => {
  const long = Array.from({ length: 80 }, (_, at) => `Line ${at}\n\n`).join("");
  const opened = await pageTest(scriptedModel([[{ say: long }]]));
  onTestFinished(opened.close);
  const page = await opened.open();
  await say(page, "Much, please.");
  await idle(page);
  const place = page.locator(".conversation");
  const toEnd = page.getByRole("button", { name: "To the end" });
  await leaveEnd(place);
  await toEnd.waitFor();
  const away = await place.evaluate((at) => at.scrollHeight);
  await toEnd.focus();
  await page.keyboard.press("Enter");
  await toEnd.waitFor({ state: "detached" });
  expect(await place.evaluate((at) => at.scrollHeight)).toBe(away);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Conversation");
});

test("a click on Approve counts although the page scrolls before the mouse is released", async () => {
  const { page } = await withPlan();
  await page.getByRole("button", { name: "Edit steps" }).click();
  await page.getByLabel("Step 2", { exact: true }).fill("Set the version to 2");
  const approve = page.getByRole("button", { name: "Approve the plan" });
  await press(page, approve);
  await move(page, approve);
  await page.mouse.up();
  await page.locator("[data-question=over]").getByText("Set the version to 2").waitFor();
});

test("a press that is dragged off its button or onto it from elsewhere is no click", async () => {
  const { page, driver } = await withPlan();
  const reject = page.getByRole("button", { name: "Reject" });
  await press(page, reject);
  await page.mouse.move(4, 4);
  await page.mouse.up();
  await press(page, page.getByText("Three steps to the release.", { exact: true }));
  await reject.hover();
  await page.mouse.up();
  // The answer to this next command arrives after anything that the presses would have sent.
  await driver.ask({ type: "rename", title: "Still open" });
  await page.getByRole("heading", { name: "Still open", level: 1 }).waitFor();
  expect(pendingQuestions(driver.state)).toHaveLength(1);
});

test("a dialog closes on a click outside, but not when the press began inside", async () => {
  const opened = await pageTest(scriptedModel([]));
  onTestFinished(opened.close);
  const page = await opened.open();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog");
  await press(page, search.getByRole("heading", { name: "Search sessions" }));
  await page.mouse.move(4, 400);
  await page.mouse.up();
  expect(await search.isVisible()).toBe(true);
  await page.mouse.click(4, 400);
  await search.waitFor({ state: "detached" });
});

type WithPlan = { opened: PageTest; page: Page; driver: Driver };

/** A page with an open plan in a window so small that the conversation scrolls. */
async function withPlan(): Promise<WithPlan> {
  const opened = await pageTest(acting(story(Promise.resolve())), { files, mode: "plan" });
  onTestFinished(opened.close);
  const driver = await drive(opened.gateway);
  onTestFinished(() => driver.close());
  const page = await opened.open({ context: { viewport: { width: 1000, height: 460 } } });
  await goTo(page, driver.id);
  await driver.say(requests.plan);
  await page.getByRole("heading", { name: "Approve this plan?" }).waitFor();
  return { opened, page, driver };
}

async function press(page: Page, place: Locator): Promise<void> {
  await place.hover();
  await page.mouse.down();
}

/** Scrolls until the mouse is no longer over the element. */
async function move(page: Page, place: Locator): Promise<void> {
  await page.locator(".conversation").evaluate((at) => at.scrollBy({ top: -80 }));
  await expect.poll(() => place.evaluate((button) => button.matches(":hover"))).toBe(false);
}
