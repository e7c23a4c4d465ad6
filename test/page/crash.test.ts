/** A gateway that is killed while the model writes: what was shown stays, and stands there once. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { browserOptions } from "../support/chromium.ts";
import { type Home, newHome, startCommand } from "../support/command.ts";
import { ollamaRoad, serve } from "../support/roads.ts";
import { idle, patience, say } from "./browser.ts";

async function serving(home: Home, modelUrl: string, port: string) {
  const words = ["serve", "--output", "json", "--model", ollamaRoad.model, "--port", port];
  const running = startCommand(home, words, { env: ollamaRoad.env(modelUrl) });
  let text = "";
  running.child.stdout?.on("data", (piece: string) => (text += piece));
  await running.until("}\n");
  const { url, link }: { url: string; link: string } = JSON.parse(text);
  return {
    url,
    link,
    end: async (signal: NodeJS.Signals) => {
      running.child.kill(signal);
      await running.ended;
    },
  };
}

const sentence = "The first half of a long thought";
const times = (page: Page): Promise<number> => page.locator("main p", { hasText: sentence }).count();

test("text that a killed gateway had shown is there in a new page, waits for nothing, and is not doubled by going on", async () => {
  const home = await newHome();
  const never = Promise.withResolvers<void>();
  const model = scriptedModel((_, round) =>
    round === 1
      ? [{ say: `${sentence}, which` }, { wait: never.promise }]
      : [{ say: `${sentence}, which ends here.` }],
  );
  const served = await serve(model);
  const profile = await mkdtemp(join(tmpdir(), "toolwright-browser-"));
  const first = await serving(home, served.url, "0");
  const browser = await chromium.launchPersistentContext(profile, browserOptions);
  browser.setDefaultTimeout(patience);
  onTestFinished(async () => {
    never.resolve();
    await browser.close();
    await rm(profile, { recursive: true });
  });
  const page = await browser.newPage();
  await page.goto(first.link);
  await say(page, "think aloud");
  await page.locator("main p", { hasText: sentence }).waitFor();
  const session = new URL(page.url()).hash;
  const store = await storeAt(join(home.stateDir, "sessions.db"));
  await expect // it is kept four times a second
    .poll(async () => (await store.openBlock(session.split("/").at(-1) ?? ""))?.text)
    .toContain(sentence);
  await store.close();

  await first.end("SIGKILL");
  const second = await serving(home, served.url, new URL(first.url).port);
  onTestFinished(() => second.end("SIGTERM"));
  const later = await browser.newPage();
  await later.goto(`${second.url}/${session}`);
  for (const shown of [page, later]) {
    await shown.getByText("This request was interrupted").waitFor();
    await expect.poll(() => times(shown)).toBe(1);
    expect(await shown.locator("main").innerText()).not.toMatch(/waiting for the model/iu);
  }

  await later.getByRole("button", { name: "Continue" }).click();
  for (const shown of [page, later]) {
    await shown.locator("main p", { hasText: "which ends here." }).waitFor();
    await idle(shown);
    expect(await times(shown)).toBe(1);
  }
});
