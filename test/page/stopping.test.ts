/** Who stopped a request: the browser that did says so, and another one says where it was stopped. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { pageTest } from "./browser.ts";

test("one device stops what another one watches: each is told the truth", async () => {
  const { gateway, open, complaints, close } = await pageTest(
    scriptedModel([[{ say: "It is working on it." }, { wait: new Promise(() => undefined) }]]),
  );
  onTestFinished(close);
  const session = await gateway.newSession();
  const [stopping, watching] = [await open({ session }), await open({ session })];
  await gateway.ask("POST", `/sessions/${session}/commands`, {
    type: "send",
    content: [{ type: "text", text: "Begin." }],
  });
  for (const page of [stopping, watching]) await page.getByText("It is working").waitFor();
  await stopping.getByRole("textbox", { name: "Message" }).press("Escape");
  await stopping.locator(".ending").getByText("Stopped by you.", { exact: true }).waitFor();
  await watching
    .locator(".ending")
    .getByText(/^Stopped on another device \(Chrome \d+ on Linux\)\.$/u)
    .waitFor();
  expect(complaints).toEqual([]);
});

test("Escape closes the list of sessions over a narrow page, and stops nothing", async () => {
  const gate = Promise.withResolvers<void>();
  const { gateway, open, close } = await pageTest(
    scriptedModel([[{ say: "It is working on it." }, { wait: gate.promise }, { say: " Done." }]]),
  );
  onTestFinished(close);
  const session = await gateway.newSession();
  const page = await open({ session, context: { viewport: { width: 700, height: 700 } } });
  await gateway.ask("POST", `/sessions/${session}/commands`, {
    type: "send",
    content: [{ type: "text", text: "Begin." }],
  });
  await page.getByText("It is working").waitFor();
  await page.getByRole("button", { name: "Sessions", exact: true }).click();
  await page.locator(".page-list-open").waitFor();
  await page.keyboard.press("Escape"); // it stopped the request below, too
  await page.locator(".page-list-open").waitFor({ state: "detached" });
  gate.resolve();
  await page.locator(".block-text", { hasText: "It is working on it. Done." }).waitFor();
  expect(await page.locator(".ending").count()).toBe(0);
});
