/** A draft with its text, files and pastes survives a reload until it is sent. */

import { expect, onTestFinished, test } from "vitest";
import { pageBounds } from "../../src/page/bounds.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { idle, pageTest, say } from "./browser.ts";

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a draft's text, picture and file survive a reload, are sent, and are cleared afterwards", async () => {
  const model = scriptedModel([[{ say: "A dot." }]]);
  const opened = await pageTest(model);
  onTestFinished(opened.close);
  const page = await opened.open();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("What is this?");
  await page.locator(".composer-pick input").setInputFiles([
    { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(dot, "base64") },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("one two three\n") },
  ]);
  const picture = page.getByRole("img", { name: "Picture 1 to send" });
  const file = page.getByRole("list", { name: "Files to send" }).getByText("notes.txt");
  await picture.waitFor();
  await file.waitFor();

  await page.reload();
  await picture.waitFor();
  await file.waitFor();
  await expect.poll(() => field.inputValue()).toBe("What is this?");
  await field.press("Enter");
  await page.getByRole("img", { name: "Picture 1 of the message" }).waitFor();
  await idle(page);
  const told = JSON.stringify(model.prompts[0]?.messages);
  for (const words of ["What is this?", dot, "one two three"]) expect(told).toContain(words);

  await page.reload();
  await page.getByRole("img", { name: "Picture 1 of the message" }).waitFor();
  expect(await picture.count()).toBe(0);
  expect(await field.inputValue()).toBe("");
  expect(opened.complaints).toEqual([]);
});

test("a very long paste becomes an attached file, with a notice when it is cut", async () => {
  const model = scriptedModel([[{ say: "Many words." }]]);
  const opened = await pageTest(model);
  onTestFinished(opened.close);
  const page = await opened.open();
  const field = page.getByRole("textbox", { name: "Message" });
  const paste = (text: string): Promise<boolean> =>
    field.evaluate((element, pasted) => {
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      return element.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, text);
  const { most } = pageBounds.pastedText;
  // The browser inserts this one into the field itself.
  expect(await paste("x".repeat(most))).toBe(true);
  expect(await paste("first words ".repeat(most))).toBe(false);
  await page.getByRole("list", { name: "Files to send" }).getByText("pasted.txt").waitFor();
  await page
    .getByRole("alert")
    .filter({ hasText: "Only the first 128 KiB of pasted.txt are sent." })
    .waitFor();
  await say(page, "What is this?");
  await idle(page);
  await page.getByText("[file: pasted.txt]").waitFor();
  expect(JSON.stringify(model.prompts)).toContain("first words");
});
