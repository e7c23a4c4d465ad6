/** Everyday use of the page, on a phone and by keyboard: nothing is in the way, and focus is never lost. */

import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { testPng } from "../../src/testing/pictures.ts";
import { idle, pageTest, say } from "./browser.ts";
import { acting, files, requests, story } from "./story.ts";

const phone = { viewport: { width: 380, height: 760 } };

const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => element === document.activeElement);

const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: true });

test("on a phone the page starts at the top, and the message field's placeholder is fully visible", async () => {
  const opened = await pageTest(
    scriptedModel([[{ say: "I begin." }, { wait: new Promise(() => undefined) }]]),
  );
  onTestFinished(opened.close);
  const page = await opened.open({ context: phone });
  const top = (): Promise<number> =>
    page.locator("main").evaluate((main) => main.getBoundingClientRect().top);
  expect(await top()).toBe(0);
  await say(page, "Go on for long.");
  await page.locator("main[data-status=running]").waitFor();
  expect(await top()).toBe(0);
  const field = page.getByRole("textbox", { name: "Message" });
  await expect.poll(() => field.getAttribute("placeholder")).toContain("queue what comes next");
  const hidden = (): Promise<number> => field.evaluate((place) => place.scrollHeight - place.clientHeight);
  await expect.poll(hidden).toBe(0);
  await page.setViewportSize({ width: 320, height: 760 });
  await expect.poll(hidden).toBe(0);
});

test("on a phone many queued messages leave room for the conversation and the message field", async () => {
  const opened = await pageTest(
    scriptedModel([[{ say: "I begin." }, { wait: new Promise(() => undefined) }]]),
  );
  onTestFinished(opened.close);
  const page = await opened.open({ context: phone });
  await say(page, "Go on for long.");
  await page.locator("main[data-status=running]").waitFor();
  const queued = page.locator(".queue-list li");
  for (let count = 1; count <= 12; count += 1) {
    await page.getByRole("textbox", { name: "Message" }).fill(`Then this: ${count}.`);
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => queued.count()).toBe(count);
  }
  const heightOf = (place: string): Promise<number> =>
    page.locator(place).evaluate((element) => element.clientHeight);
  expect(await heightOf(".conversation")).toBeGreaterThan(250);
  await queued.last().getByRole("button", { name: "Withdraw" }).click();
  await expect.poll(() => queued.count()).toBe(11);
});

test("on a phone the panel that covers the conversation makes it inert, and gives the focus back", async () => {
  const opened = await pageTest(scriptedModel(() => [{ say: "Yes." }]));
  onTestFinished(opened.close);
  const page = await opened.open({ context: phone });
  await say(page, "one");
  await idle(page);
  const opener = button(page, "Changes and requests");
  await opener.click();
  await page.locator(".side").waitFor();
  const main = page.locator("main");
  const isInert = (): Promise<boolean> =>
    main.evaluate((place) => place instanceof HTMLElement && place.inert);
  expect(await isInert()).toBe(true);
  await page.setViewportSize({ width: 900, height: 760 });
  await expect.poll(isInert).toBe(false);
  await page.setViewportSize(phone.viewport);
  await expect.poll(isInert).toBe(true);
  await page.keyboard.press("Escape");
  await page.locator(".side").waitFor({ state: "detached" });
  await expect.poll(() => isFocused(opener)).toBe(true);
});

test("on a phone, going to a request closes the list of requests in front of it", async () => {
  const opened = await pageTest(scriptedModel(() => [{ say: "Line\n\n".repeat(60) }]));
  onTestFinished(opened.close);
  const page = await opened.open({ context: phone });
  for (const words of ["one", "two"]) {
    await say(page, words);
    await idle(page);
  }
  await button(page, "Changes and requests").click();
  await button(page, "Requests").click();
  await button(page, "Go to request").first().click();
  await page.locator(".side").waitFor({ state: "detached" });
  const first = page.locator("#turn-1");
  await expect.poll(() => isFocused(first)).toBe(true);
  expect(await first.evaluate((place) => place.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
});

test("on a phone a conversation can be searched, and closing the search returns focus", async () => {
  const opened = await pageTest(scriptedModel([[{ say: "The parser has two passes." }]]));
  onTestFinished(opened.close);
  const page = await opened.open({ context: phone });
  await say(page, "Explain it");
  await idle(page);
  const actions = page.locator(".session-head").getByRole("button", { name: /Actions/u });
  await actions.click();
  await page.getByRole("menuitem", { name: "Find in the conversation" }).click();
  await page.keyboard.type("passes");
  await page.getByText("1 of 1", { exact: true }).waitFor();
  const bar = await page.locator(".find-bar .field").boundingBox();
  expect(bar?.x).toBeGreaterThanOrEqual(4);
  await button(page, "Close").click();
  await page.locator(".find-bar").waitFor({ state: "detached" });
  await expect.poll(() => isFocused(actions)).toBe(true);
});

test("every dialog returns focus to its opener, however it is closed", async () => {
  const opened = await pageTest(scriptedModel(() => [{ say: "Yes." }]));
  onTestFinished(opened.close);
  const page = await opened.open();
  await say(page, "one");
  await idle(page);
  const openers = [
    page.locator(".session-setting"),
    button(page, "Search sessions"),
    button(page, "Settings"),
    button(page, "Keyboard shortcuts"),
  ];
  const dialog = page.getByRole("dialog");
  for (const opener of openers)
    for (const leave of [
      () => page.keyboard.press("Escape"),
      () => dialog.getByRole("button", { name: "Close", exact: true }).press("Enter"),
      () => page.mouse.click(4, 300),
    ]) {
      await opener.press("Enter");
      await dialog.waitFor();
      await leave();
      await dialog.waitFor({ state: "detached" });
      await expect.poll(() => isFocused(opener), { message: await opener.innerHTML() }).toBe(true);
    }
});

test("a menu closes when focus moves elsewhere", async () => {
  const opened = await pageTest(scriptedModel(() => [{ say: "Yes." }]));
  onTestFinished(opened.close);
  const page = await opened.open();
  await say(page, "one");
  await idle(page);
  const menu = page.getByRole("menu");
  await page
    .locator(".session-head")
    .getByRole("button", { name: /Actions/u })
    .press("Enter");
  await menu.waitFor();
  await page.getByRole("textbox", { name: "Message" }).focus();
  await menu.waitFor({ state: "detached" });
});

test("the form for a denial is fully visible when it opens", async () => {
  const opened = await pageTest(acting(story(Promise.resolve())), { files });
  onTestFinished(opened.close);
  const page = await opened.open({ context: { viewport: { width: 1000, height: 480 } } });
  await say(page, requests.change);
  await button(page, "Deny…").click();
  const below = (place: Locator): Promise<number> =>
    place.evaluate((element) => {
      const room = element.closest(".conversation")?.getBoundingClientRect();
      return element.getBoundingClientRect().bottom - (room?.bottom ?? 0);
    });
  await expect.poll(() => below(button(page, "Deny"))).toBeLessThanOrEqual(0);
});

test("an arrow key pressed before the page has redrawn still moves the choice", async () => {
  const commands = ["review", "release", "refactor"].map((name) => [`.claude/commands/${name}.md`, name]);
  const opened = await pageTest(scriptedModel([]), { files: Object.fromEntries(commands) });
  onTestFinished(opened.close);
  const page = await opened.open();
  const field = page.getByRole("textbox", { name: "Message" });
  const options = page.getByRole("listbox", { name: "Commands" }).getByRole("option");
  await field.pressSequentially("/r");
  await expect.poll(() => options.count()).toBe(3);
  await field.evaluate(async (place) => {
    if (!(place instanceof HTMLTextAreaElement)) return;
    place.value = "/re";
    place.dispatchEvent(new InputEvent("input", { bubbles: true }));
    // Long enough for synchronous rendering, but before the next frame.
    for (let round = 0; round < 10; round += 1) await Promise.resolve();
    place.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    for (let drawn = 0; drawn < 10; drawn += 1) await frame();
  });
  expect(await options.nth(1).getAttribute("aria-selected")).toBe("true");
});

test("output that loads late stays in view where it was requested, and takes focus", async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`).join("\n");
  const opened = await pageTest(
    scriptedModel([[{ call: "read_file", with: { path: "long.txt" } }], [{ say: "Read." }]]),
    { files: { "long.txt": lines } },
  );
  onTestFinished(opened.close);
  const page = await opened.open();
  const asked = Promise.withResolvers<void>();
  await page.route(/\/results?\//u, async (route) => {
    await asked.promise;
    await route.continue();
  });
  await say(page, "Read it.");
  await idle(page);
  const head = page.locator("button.call-head");
  await head.click();
  await button(page, "Show all").press("Enter");
  await button(page, "Loading…").waitFor();
  // Longer than the delay after which a click no longer counts as unfolding.
  const pressedAt = await page.evaluate(() => performance.now());
  await page.waitForFunction((at) => performance.now() > at + 1000, pressedAt);
  asked.resolve();
  await page.getByText("line 100").waitFor();
  await expect.poll(() => isFocused(page.getByLabel("Output"))).toBe(true);
  const top = await head.evaluate(
    (element) =>
      element.getBoundingClientRect().top -
      (element.closest(".conversation")?.getBoundingClientRect().top ?? 0),
  );
  expect(top).toBeGreaterThanOrEqual(0);
});

test("a request is retried with its original text, pictures and files", async () => {
  const model = scriptedModel(() => [{ say: "A dot." }]);
  const opened = await pageTest(model);
  onTestFinished(opened.close);
  const page = await opened.open();
  await page.getByRole("textbox", { name: "Message" }).fill("What is this?");
  await page.locator(".composer-pick input").setInputFiles([
    { name: "dot.png", mimeType: "image/png", buffer: testPng() },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("one two three\n") },
  ]);
  await page.getByRole("img", { name: "Picture 1 to send" }).waitFor();
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  await page.getByText("[file: notes.txt]").waitFor();
  await idle(page);
  await button(page, "Changes and requests").click();
  await button(page, "Requests").click();
  await button(page, "Edit and try again").click();
  await page.getByRole("img", { name: "Picture 1 to send" }).waitFor();
  await page.getByRole("list", { name: "Files to send" }).getByText("notes.txt").waitFor();
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("What is this?");
});

test("deleting a session by keyboard keeps focus in the list", async () => {
  const opened = await pageTest(scriptedModel(() => [{ say: "Yes." }]));
  onTestFinished(opened.close);
  const page = await opened.open();
  for (const name of ["one", "two", "three"]) {
    await page.keyboard.press("Alt+n");
    await say(page, name);
    await idle(page);
  }
  const links = page.locator(".session-link");
  await links.nth(2).waitFor();
  const remove = async (at: number): Promise<void> => {
    const rows = await links.count();
    await page.locator(".session .menu > button").nth(at).press("Enter");
    await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
    await button(page, "Delete for good").press("Enter");
    await expect.poll(() => links.count()).toBe(rows - 1);
  };
  await remove(1);
  await expect.poll(() => isFocused(links.nth(1))).toBe(true);
  await remove(1);
  await expect.poll(() => isFocused(links.nth(0))).toBe(true);
});

test("a missing session says so, and offers a new session instead of a message field", async () => {
  const opened = await pageTest(scriptedModel([]));
  onTestFinished(opened.close);
  const page = await opened.open();
  await page.evaluate(() => {
    location.hash = "#/s/gone";
  });
  await page.getByRole("alert").filter({ hasText: "There is no session gone." }).waitFor();
  expect(await page.getByRole("textbox", { name: "Message" }).count()).toBe(0);
  await page.locator("main").getByRole("link", { name: "New session" }).click();
  await page.getByRole("heading", { name: "What do you want to do?" }).waitFor();
});

test("on a phone neither an attached nor a changed file with a long name widens the page", async () => {
  const name = `${"a-long-name-".repeat(8)}.txt`;
  const opened = await pageTest(
    scriptedModel([[{ call: "write_file", with: { path: name, content: "x\n" } }], [{ say: "Written." }]]),
    { mode: "accept-edits" },
  );
  onTestFinished(opened.close);
  const page = await opened.open({ context: { viewport: { width: 390, height: 780 } } });
  const beyond = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll("main :is(input, button, textarea, li, p)")]
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map(({ className }) => className),
    );
  await page
    .locator(".composer-pick input")
    .setInputFiles([{ name, mimeType: "text/plain", buffer: Buffer.from("one\n") }]);
  await page.locator(".composer-files").waitFor();
  expect(await beyond()).toEqual([]);
  await say(page, "Write it.");
  await idle(page);
  await page.locator(".ending-changed").waitFor();
  expect(await beyond()).toEqual([]);
});
