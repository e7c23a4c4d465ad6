/** The settings of a session on the page: chosen on one, seen on every other. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { idle, pageTest, say } from "./browser.ts";

test("the reasoning chosen on a page is the session's, and another page shows it", async () => {
  const model = scriptedModel(() => [{ say: "Done." }]);
  const opened = await pageTest(model);
  onTestFinished(opened.close);
  const id = await opened.gateway.newSession();
  const [one, other] = [await opened.open({ session: id }), await opened.open({ session: id })];
  const settings = "Mode, model and reasoning";
  await one.getByTitle(settings).click();
  const field = one.getByLabel("Reasoning (from the next answer on)");
  await expect.poll(() => field.inputValue()).toBe("default");
  await field.selectOption("High");
  await one.getByText("Thinks long: later and dearer, for what is difficult.").waitFor();
  await other.getByText("The reasoning is high from the next answer on.").waitFor();
  await expect.poll(() => other.getByTitle(settings).innerText()).toContain("High");
  await say(other, "Think.");
  await idle(other);
  expect(model.prompts.map(({ reasoning }) => reasoning)).toEqual(["high"]);
  await other.reload();
  await other.getByTitle(settings).click();
  await expect.poll(() => other.getByLabel("Reasoning (from the next answer on)").inputValue()).toBe("high");
  expect(opened.complaints).toEqual([]);
});

test("a model that does not think says so on the page, which goes on showing what is set", async () => {
  const opened = await pageTest({ ...scriptedModel(() => [{ say: "Done." }]), thinks: false });
  onTestFinished(opened.close);
  const page = await opened.open({ session: await opened.gateway.newSession() });
  await page.getByTitle("Mode, model and reasoning").click();
  const field = page.getByLabel("Reasoning (from the next answer on)");
  await field.selectOption("Low");
  await page.getByText("does not think before it answers, so there is no reasoning to set").waitFor();
  await expect.poll(() => field.inputValue()).toBe("default");
  expect(opened.complaints).toEqual([]);
});
