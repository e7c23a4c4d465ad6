/** A gateway that was started without a model: the session starts with the only one that it lists. */

import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { browserOptions } from "../support/chromium.ts";
import { newHome, startCommand } from "../support/command.ts";
import { serve } from "../support/roads.ts";
import { patience } from "./browser.ts";

test("without a model of its own, the gateway's page starts a session with the only model that is listed", async () => {
  const home = await newHome();
  const model = await serve(scriptedModel([[{ say: "Good morning." }]], { name: "tiny" }));
  const running = startCommand(home, ["serve", "--output", "json", "--port", "0"], {
    env: { OPENAI_COMPATIBLE_BASE_URL: `${model.url}/v1` },
  });
  let text = "";
  running.child.stdout?.on("data", (piece: string) => (text += piece));
  await running.until("}\n");
  const { link }: { link: string } = JSON.parse(text);

  const browser = await chromium.launch(browserOptions);
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  await page.goto(link);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Say good morning.");
  await field.press("Enter");
  await page.locator(".conversation").getByText("Good morning.", { exact: true }).waitFor();
  expect(model.requests.map(({ body }) => body)).toContainEqual(expect.objectContaining({ model: "tiny" }));
});
