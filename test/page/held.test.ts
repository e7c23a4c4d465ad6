/** On the page, a person keeps or drops what a command that has run changed: all, by file or by hunk. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { findSandbox } from "../../src/runtime/containing.ts";
import { unknownPrograms } from "../support/unknown-programs.ts";
import { pageTest } from "./browser.ts";
import { drive } from "./driver.ts";
import { acting } from "./story.ts";

const programs = unknownPrograms();
afterAll(() => programs.remove());

const twenty = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join("");
const formats =
  "echo made >a.txt; rm b.txt; printf '\\000' >new.bin; sed -i -e 's/^line 2$/LINE 2/' -e 's/^line 19$/LINE 19/' long.txt";

const files = { "a.txt": "a\n", "b.txt": "b\n", "long.txt": twenty };

type Opened = { page: Page; read: (path: string) => string; until: (words: string) => Promise<void> };

async function withCard(run: (opened: Opened) => Promise<void>, size = { width: 1280, height: 860 }) {
  const command = programs.make(formats);
  const opened = await pageTest(acting({ format: [[{ call: "run_command", with: { command } }]] }), {
    files,
    sandbox: findSandbox,
    env: programs.env,
  });
  const driver = await drive(opened.gateway);
  try {
    const page = await opened.open({ session: driver.id, context: { viewport: size } });
    await driver.say("format");
    await page.getByRole("heading", { name: "Keep these changes?" }).waitFor();
    const read = (path: string): string => readFileSync(join(opened.gateway.test.workspace, path), "utf8");
    const until = async (words: string): Promise<void> => {
      await driver.until(({ status }) => status === "idle");
      await page.getByText(words).first().waitFor();
    };
    await run({ page, read, until });
    expect(opened.complaints).toEqual([]);
  } finally {
    await driver.close();
    await opened.close();
  }
}

const box = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("the card says what happened and shows each file; unticked files and hunks are dropped", async () => {
  await withCard(async ({ page, read, until }) => {
    const card = page.locator("[data-question=open]");
    await card
      .getByText("It has run contained and changed 4 files; nothing of that is in the workspace yet.")
      .waitFor();
    expect(await card.getByRole("checkbox").count()).toBe(6);
    await card.getByText("It is no text, or too large to compare.").waitFor();
    await box(page, "Keep b.txt").uncheck();
    await box(page, "Keep hunk 1 of long.txt").uncheck();
    expect(await box(page, "Keep long.txt").evaluate((each: HTMLInputElement) => each.indeterminate)).toBe(
      true,
    );
    await button(page, "Keep what is ticked").click();
    await until("Changes kept, but for b.txt, hunk 1 of long.txt");
    expect([read("a.txt"), read("b.txt")]).toEqual(["made\n", "b\n"]);
    expect(read("long.txt")).toBe(twenty.replace("line 19\n", "LINE 19\n"));
  });
});

test("with nothing ticked there is only a no; ticking a hunk again keeps only that", async () => {
  await withCard(async ({ page, read, until }) => {
    await button(page, "Tick none").click();
    expect(await button(page, "Keep what is ticked").isDisabled()).toBe(true);
    await box(page, "Keep hunk 2 of long.txt").check();
    await button(page, "Keep what is ticked").click();
    await until("Changes kept, but for a.txt, b.txt, hunk 1 of long.txt, new.bin");
    expect([read("a.txt"), read("b.txt")]).toEqual(["a\n", "b\n"]);
    expect(read("long.txt")).toBe(twenty.replace("line 19\n", "LINE 19\n"));
  });
});

test("keys work from a box on a small screen: N drops all, with a reason", async () => {
  await withCard(
    async ({ page, read, until }) => {
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
      await page.getByRole("button", { name: "Keep all", exact: true, disabled: false }).waitFor();
      await box(page, "Keep a.txt").focus();
      await page.keyboard.press("n");
      await page.getByLabel("Reason for the model (optional)").fill("not now");
      await button(page, "Drop all").click();
      await until("Changes dropped: not now");
      expect(read("a.txt")).toBe("a\n");
    },
    { width: 390, height: 740 },
  );
});
