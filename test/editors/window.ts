/** A window of VS Code in a browser, and what a person does there. */

import type { BrowserContext, FrameLocator, Locator, Page } from "playwright-core";
import { keepPicture, newPage } from "./page.ts";
import { openFile, runCommand } from "./quick-input.ts";

export type EditorWindow = {
  page: Page;
  /** Runs a command of the palette by its whole title, such as "View: Toggle Terminal"; waits until it is listed. */
  command(title: string): Promise<void>;
  /** Opens a file by its path below the workspace. */
  openFile(path: string): Promise<void>;
  /** The content of an extension's webview, by the extension's id (`publisher.name`). */
  webview(extension: string): FrameLocator;
  /** Notifications that contain the text, while they are shown. */
  notification(text: string): Locator;
  /** The rows of the terminal in front. */
  terminal: Locator;
  /** By VS Code's command, which saves the window's state first; `page.reload()` may lose the last second of it. */
  reload(): Promise<void>;
  /** Saves a picture of the window: for the documents (`TOOLWRIGHT_SCREENSHOTS`), else beside the tests' reports. */
  picture(name: string): Promise<void>;
};

export async function openWindow(context: BrowserContext, address: string): Promise<EditorWindow> {
  const page = await newPage(context);
  await page.goto(address);
  await restored(page);
  return {
    page,
    command: (title) => runCommand(page, title),
    openFile: (path) => openFile(page, path),
    webview: (extension) => webview(page, extension),
    notification: (text) => page.locator(".notification-list-item").filter({ hasText: text }),
    terminal: page.locator(".terminal-wrapper.active .xterm-rows"),
    async reload() {
      const loaded = page.waitForEvent("load");
      await runCommand(page, "Developer: Reload Window");
      await loaded;
      await restored(page);
    },
    picture: (name) => keepPicture(page, name),
  };
}

/** VS Code's own marks say when the window looks as it was left, and when it knows the commands of extensions. */
async function restored(page: Page): Promise<void> {
  for (const mark of ["code/didStartWorkbench", "code/didLoadExtensions"])
    await page.waitForFunction(`performance.getEntriesByName("${mark}").length > 0`);
}

const webview = (page: Page, extension: string): FrameLocator =>
  page
    .frameLocator(`iframe.webview.ready[src*="extensionId=${extension}&" i]`)
    .frameLocator("iframe#active-frame");
