/** A whole task without a pointer: start, send, approve, edit a command, undo a hunk, stop. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pageTest } from "./browser.ts";
import { acting, files, requests, story } from "./story.ts";

const build = { "build/old.js": "old\n", "build/new.js": "new\n" };

test.each([1280, 390])("a whole task can be done by keyboard only, at %i px", async (width) => {
  const scenes = story(new Promise(() => undefined));
  const opened = await pageTest(acting(scenes), { files: { ...files, ...build } });
  const { workspace } = opened.gateway.test;
  try {
    const page = await opened.open({ context: { viewport: { width, height: 800 } } });
    await page.keyboard.press("Alt+n");
    await write(page, requests.change);

    await reach(page, "Apply once", "Shift+Tab");
    await page.keyboard.press("y");
    await page.getByText("Allowed once, by you").waitFor();

    await reach(page, "Run once", "Tab");
    await page.keyboard.press("e");
    await focused(page, ".approval-form textarea");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("rm -r build/old.js");
    await reach(page, "Run edited command once", "Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Allowed once, by you, edited").waitFor();
    await page.locator(".waiting").waitFor({ state: "detached" });
    expect(await readdir(join(workspace, "build"))).toEqual(["new.js"]);

    await page.keyboard.press("Control+Shift+e");
    await page.locator(".changes-file").first().waitFor();
    await reach(page, "Undo hunk 1", "Tab");
    await page.keyboard.press("Enter");
    await page.getByText("partly undone", { exact: true }).first().waitFor();
    const total = await readFile(join(workspace, "src/total.ts"), "utf8");
    expect(total).toContain("rate = 1;");
    expect(total).toContain("Math.round");

    await page.keyboard.press("Escape");
    await page.locator(".side").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await write(page, requests.wait);
    await page.getByText("I begin with the first part").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Stopped by you.").waitFor();
    expect(opened.complaints).toEqual([]);
  } finally {
    await opened.close();
  }
});

test("typed letters never answer an approval", async () => {
  const opened = await pageTest(acting(story(Promise.resolve())), { files });
  try {
    const page = await opened.open();
    await write(page, requests.change);
    await page.locator(".approval-answers button:enabled").first().waitFor();
    await focused(page, "textarea");
    await page.keyboard.type("yes, enjoy: y n e");
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.type("yne");
    expect(await page.locator("[data-question=open]").count()).toBe(1);
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("yes, enjoy: y n e");
    expect(await page.locator(".approval-form").count()).toBe(0);
  } finally {
    await opened.close();
  }
});

/** Types into the message field, which must have the focus already. */
async function write(page: Page, text: string): Promise<void> {
  await focused(page, ".composer-text");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

const focused = (page: Page, selector: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted) === true, selector);

/** Moves the focus to the button of that name with that key alone. */
async function reach(page: Page, name: string, key: "Tab" | "Shift+Tab"): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  await button.and(page.locator(":enabled")).waitFor();
  for (let pressed = 0; pressed < 100; pressed += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${name} cannot be reached with ${key}.`);
}
