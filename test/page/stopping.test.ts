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
