/** Files that are dropped onto the page, wherever: the message takes them, and the page stays. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { pageTest } from "./browser.ts";

test("a file dropped far from the field goes to the message, and the browser stays on the page", async () => {
  const { open, complaints, close } = await pageTest(scriptedModel([]));
  onTestFinished(close);
  const page = await open();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  const address = page.url();
  const dropped = await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["# Read me\n"], "README.md", { type: "text/markdown" }));
    return ["dragover", "drop"].map((type) => {
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      return event.defaultPrevented;
    });
  });
  expect(dropped).toEqual([true, true]);
  await page.getByRole("list", { name: "Files to send" }).getByText("README.md").waitFor();
  expect(page.url()).toBe(address);
  const words = await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", "only words");
    const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(words, "text is the browser's").toBe(false);
  expect(complaints).toEqual([]);
});
