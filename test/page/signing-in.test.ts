/** Staying signed in: one link for all tabs, over restarts of the gateway and the browser, until it is revoked. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/client.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { browserOptions } from "../support/chromium.ts";
import { type Home, newHome, runCommand, startCommand } from "../support/command.ts";
import { pageTest, patience } from "./browser.ts";

type Started = { url: string; link: string; tokenFile: string };

/** The built command. */
async function serving(home: Home, port: string) {
  const words = ["serve", "--output", "json", "--offline-model", "--port", port];
  const running = startCommand(home, words);
  let text = "";
  running.child.stdout?.on("data", (piece: string) => (text += piece));
  await running.until("}\n");
  const started: Started = JSON.parse(text);
  return {
    ...started,
    stop: async () => {
      running.child.kill("SIGTERM");
      await running.ended;
    },
  };
}

/** A browser that remembers what a person's does. */
async function browserWith(profile: string): Promise<BrowserContext> {
  const browser = await chromium.launchPersistentContext(profile, browserOptions);
  browser.setDefaultTimeout(patience);
  return browser;
}

const shownAt = async (browser: BrowserContext, address: string): Promise<Page> => {
  const page = await browser.newPage();
  await page.goto(address);
  return page;
};

const isSignedIn = (page: Page) => page.getByRole("textbox", { name: "Message" }).waitFor();
const isSignedOut = (page: Page) => page.getByRole("heading", { name: "Not signed in" }).waitFor();

test("a sign-in lasts: in a second tab, after a restart of the gateway and of the browser, until it is revoked", async () => {
  const home = await newHome();
  const profile = await mkdtemp(join(tmpdir(), "toolwright-browser-"));
  const first = await serving(home, "0");
  const { url } = first;
  const client = connect({ url, token: (await readFile(first.tokenFile, "utf8")).trim() });
  const { id } = await client.create({ title: "Shared by tabs" });
  const session = `${url}/#/s/${id}`;

  const before = await browserWith(profile);
  await isSignedIn(await shownAt(before, first.link));
  const tab = await shownAt(before, session);
  await tab.getByRole("heading", { name: "Shared by tabs" }).waitFor();
  await first.stop();
  const { link, stop } = await serving(home, new URL(url).port);
  await tab.reload();
  await tab.getByRole("heading", { name: "Shared by tabs" }).waitFor();
  await before.close();

  const after = await browserWith(profile);
  onTestFinished(async () => {
    await after.close();
    await stop();
    await rm(profile, { recursive: true });
  });
  const [one, other] = [await shownAt(after, session), await shownAt(after, url)];
  await Promise.all([one, other].map(isSignedIn));
  const { devices } = await client.devices();
  expect(devices).toHaveLength(1);

  const revoked = await runCommand(home, ["serve", "devices", "revoke", devices[0]?.id ?? ""]);
  expect(revoked.code).toBe(0);
  for (const page of [one, other]) {
    await isSignedOut(page);
    expect(await page.locator("main").innerText()).toMatch(/was signed out\. toolwright serve link prints/u);
  }
  const later = await shownAt(after, session);
  await isSignedOut(later);
  expect(await later.locator("main").innerText()).toContain("Unknown or revoked token");

  await isSignedIn(await shownAt(after, link));
  await one.getByRole("heading", { name: "Shared by tabs" }).waitFor();
  await isSignedIn(other);
});

test("the settings list the signed-in browsers; one signs out another, and then itself", async () => {
  const { gateway, browser, open, complaints, close } = await pageTest(scriptedModel([]));
  onTestFinished(close);
  const mine = await open();
  const phone = await open({
    context: { userAgent: "Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0" },
  });
  await isSignedIn(phone);
  await mine.getByRole("button", { name: "Settings" }).click();
  const list = mine.getByRole("group", { name: "Signed-in browsers" });
  const rows = list.getByRole("listitem");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.filter({ hasText: "this browser" }).innerText()).toMatch(/^Chrome \d+ on Linux/u);
  await list.getByRole("button", { name: "Sign out Firefox 144 on Android" }).click();
  await isSignedOut(phone);
  await expect.poll(() => rows.count()).toBe(1);
  await isSignedIn(mine);

  await list.getByRole("button", { name: "Sign out this browser" }).click();
  await isSignedOut(mine);
  await mine.reload();
  await isSignedOut(mine);
  expect((await gateway.ask("GET", "/devices")).body).toEqual({ devices: [] });
  expect(browser.isConnected()).toBe(true);
  expect(complaints).toEqual([]);
});
