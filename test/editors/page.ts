/** A page of the browser for one window of VS Code, and pictures of it. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { onTestFinished, TestRunner } from "vitest";

/** Milliseconds, far more than anything takes even on a busy machine, so that only a hang fails. */
export const patience = 80_000;

const root = join(import.meta.dirname, "..", "..");
const besideReports = join(root, "node_modules", ".cache", "tests", "editors");
const pictures =
  process.env["TOOLWRIGHT_SCREENSHOTS"] === undefined ? besideReports : join(root, "docs", "images");

/** Opened in a test, it is closed with it, and if the test failed there is a picture of it. */
export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  // Yes to what the browser asks, such as whether to leave.
  page.on("dialog", (dialog) => void dialog.accept());
  if (TestRunner.getCurrentTest()) closeWithTest(page);
  return page;
}

function closeWithTest(page: Page): void {
  onTestFinished(async ({ task }) => {
    if (page.isClosed()) return;
    if (task.result?.state === "fail") await takePicture(page, join(besideReports, `failed-${task.id}.png`));
    await page.close();
  });
}

/** For the documents if `TOOLWRIGHT_SCREENSHOTS` is set, else beside the tests' reports. */
export const keepPicture = (page: Page, name: string): Promise<void> =>
  takePicture(page, join(pictures, `vscode-${name}.png`));

async function takePicture(page: Page, path: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
}
