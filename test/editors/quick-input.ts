/** VS Code's field for commands and files, at the top of its window. */

import type { Page } from "playwright-core";
import { patience } from "./page.ts";

/** Milliseconds after which what was not listed is asked for again: the list is made once, when the field opens. */
const listedWithin = 2_000;

/** By its whole title in the palette. An extension's commands are there when VS Code has read its manifest. */
export const runCommand = (page: Page, title: string): Promise<void> =>
  pick(page, { key: "F1", text: `>${title}`, label: title });

/** By its path below the workspace. */
export const openFile = (page: Page, path: string): Promise<void> =>
  pick(page, { key: "Control+P", text: path, label: path.slice(path.lastIndexOf("/") + 1) });

type Choice = { key: string; text: string; label: string };

async function pick(page: Page, { key, text, label }: Choice): Promise<void> {
  const widget = page.locator(".quick-input-widget:visible");
  const row = widget
    .locator(".monaco-list-row")
    .filter({ has: page.locator(".label-name").getByText(label, { exact: true }) })
    .first();
  for (const end = Date.now() + patience; Date.now() < end;) {
    await page.keyboard.press(key);
    await widget.locator("input").first().fill(text);
    const isListed = await row.waitFor({ timeout: listedWithin }).then(
      () => true,
      () => false,
    );
    if (isListed) return row.click();
    await page.keyboard.press("Escape");
  }
  throw new Error(`VS Code lists no ${label}.`);
}
