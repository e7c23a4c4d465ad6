/** The page in a real browser, before a real gateway with the model that the test gives. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { expect } from "vitest";
import { buildPage } from "../../scripts/build-page.ts";
import { randomHex } from "../../src/base/crypto.ts";
import { People } from "../../src/hosting/people/people.ts";
import type { Model } from "../../src/providers/provider.ts";
import { testGateway, type TestGateway, type TestGatewayOptions } from "../../src/testing/gateway.ts";
import { browserOptions } from "../support/chromium.ts";

export type PageTest = {
  gateway: TestGateway;
  browser: Browser;
  /** Signed in, at the start or at a session. */
  open: (options?: OpenOptions) => Promise<Page>;
  /** Everything that any page complained of: uncaught errors, blocked content, console errors. */
  complaints: string[];
  close: () => Promise<void>;
};

/** Milliseconds, far more than anything takes even on a busy machine, so that only a hang fails. */
export const patience = 80_000;

/** `person`: of a team, as whom the browser is logged in. */
type OpenOptions = { session?: string; person?: string; context?: BrowserContextOptions };

/** `mode`: "ask" by default. */
export async function pageTest(model: Model, options: TestGatewayOptions = {}): Promise<PageTest> {
  const built = await mkdtemp(join(tmpdir(), "toolwright-page-"));
  await buildPage(built, { isQuiet: true });
  const gateway = await testGateway(model, {
    mode: "ask",
    ...options,
    setup: { pageFolder: join(built, "page"), ...options.setup },
  });
  const browser = await chromium.launch(browserOptions);
  const complaints: string[] = [];
  return {
    gateway,
    browser,
    complaints,
    open: (how = {}) => open({ browser, gateway, complaints }, how),
    async close() {
      await browser.close();
      await gateway.close();
      await gateway.test.remove();
      await rm(built, { recursive: true });
    },
  };
}

type OpenRoom = Pick<PageTest, "browser" | "gateway" | "complaints">;

async function open(
  { browser, gateway, complaints }: OpenRoom,
  { session, person, context }: OpenOptions,
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, ...context });
  page.setDefaultTimeout(patience);
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // That a gateway is gone is told so, too.
    const isExpected = /WebSocket connection|Failed to load resource/u.test(message.text());
    if (message.type() === "error" && !isExpected) complaints.push(message.text());
  });
  await page.goto(person === undefined ? gateway.link() : await loginOf(gateway, person, page));
  await page.locator(".page, .signed-out").waitFor();
  if (session !== undefined) await goTo(page, session);
  return page;
}

/** Where the identity provider would have sent the browser in the end. */
async function loginOf({ url, test }: TestGateway, person: string, page: Page): Promise<string> {
  const browser = randomHex(16);
  await page.context().addCookies([{ url, name: "toolwright-login", value: browser }]);
  return `${url}/#code=${await new People(test.store.team).newCode(person, browser)}`;
}

/** Shows a session, and waits until everything so far is rendered. */
export async function goTo(page: Page, session: string): Promise<void> {
  await page.evaluate((id) => {
    location.hash = `#/s/${encodeURIComponent(id)}`;
  }, session);
  await page.locator(".conversation").waitFor();
}

/** Writes and sends a message; resolves when the page has received it as a fact. */
export async function say(page: Page, text: string): Promise<void> {
  const before = Number((await page.locator("main").getAttribute("data-facts")) ?? 0);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(text);
  await field.press("Enter");
  await page.waitForFunction((known) => {
    const facts = Number(document.querySelector("main")?.getAttribute("data-facts") ?? 0);
    const field = document.querySelector(".composer-text");
    return facts > known && field instanceof HTMLTextAreaElement && field.value === "";
  }, before);
}

/** Waits until nothing runs in the session shown. */
export const idle = (page: Page): Promise<void> => page.locator("main[data-status=idle]").waitFor();

/** Scrolls to the beginning, once the end is in view: who is not yet there cannot leave it. */
export async function leaveEnd(place: Locator): Promise<void> {
  await expect.poll(() => place.evaluate((at) => at.scrollTop)).toBeGreaterThan(0);
  await place.evaluate((at) => at.scrollTo({ top: 0 }));
}
