/** The chat view of an editor, where it is more than the page: what the extension keeps, adds and answers. */

import { expect, onTestFinished, test } from "vitest";
import { withChanges } from "../../editors/vscode/src/common/chat/view-storage.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { idle, pageTest } from "./browser.ts";
import { openChatView } from "./chat-view.ts";

async function viewTest() {
  const model = scriptedModel(() => [{ say: "Seen." }]);
  const opened = await pageTest(model);
  onTestFinished(async () => {
    await opened.close();
    expect(opened.complaints).toEqual([]);
  });
  return { opened, model };
}

test("a draft survives a window that is closed, and what the editor adds follows it", async () => {
  const { opened } = await viewTest();
  let kept: Record<string, string> = {};
  const keptOnce = Promise.withResolvers<void>();
  const first = await openChatView(opened, {
    answer(message) {
      if (message.type !== "storage-changed") return undefined;
      kept = withChanges(kept, message.changes);
      keptOnce.resolve();
      return undefined;
    },
  });
  await first.page.getByRole("textbox", { name: "Message" }).fill("Look at");
  await keptOnce.promise;
  await first.page.close();
  const { page, send } = await openChatView(opened, { kept });
  const field = page.getByRole("textbox", { name: "Message" });
  expect(await field.inputValue()).toBe("Look at");
  send({
    type: "draft-added",
    text: "@src/total.ts ",
    files: [{ type: "text", text: "x", file: "total.ts:3-4" }],
  });
  await page.getByText("total.ts:3-4").waitFor();
  expect(await field.inputValue()).toBe("Look at @src/total.ts ");
});

test("a new conversation works in the editor's folder and asks a person, and @selection is sent with its text", async () => {
  const { opened, model } = await viewTest();
  const { page } = await openChatView(opened, {
    answer: (message) =>
      message.type === "mentions-asked"
        ? {
            type: "mentions-read",
            id: message.id,
            parts: [{ type: "text", text: "const total = 1;", file: "total.ts:1" }],
          }
        : undefined,
  });
  await page.getByRole("textbox", { name: "Message" }).fill("What is @selection about?");
  await page.keyboard.press("Enter");
  await page.locator(".conversation").getByText("Seen.").waitFor();
  await idle(page);
  const { gateway } = opened;
  expect((await gateway.ask("GET", "/sessions")).body).toMatchObject({
    sessions: [{ workspace: gateway.test.workspace }],
  });
  expect(JSON.stringify(model.prompts[0])).toContain("const total = 1;");
  await page.locator(".session-setting").getByText("Ask").waitFor();
});
