/** Signing in: links opened in a tab that already shows the page, and the first message of a session. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { pageTest, patience } from "./browser.ts";

test("a link opened in a signed-out tab signs it in, even after a link that was refused", async () => {
  const { gateway, browser, close } = await pageTest(scriptedModel([]));
  onTestFinished(close);
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  await page.goto(gateway.url);
  await page.getByRole("heading", { name: "Not signed in" }).waitFor();

  const used = `${gateway.url}/#code=0123456789abcdef0123456789abcdef`;
  await page.goto(used);
  await page.getByText("The link was not accepted").waitFor();

  await page.goto(gateway.link());
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  expect(await page.evaluate(() => location.hash)).not.toContain("code");
});

test("B13: the page follows a new session before sending its first message, so that a staged change asks for approval", async () => {
  const asking = scriptedModel([
    [{ call: "write_file", with: { path: "a.txt", content: "new\n" } }],
    [{ say: "Written." }],
  ]);
  const { gateway, browser, close } = await pageTest(asking, { mode: "staged" });
  onTestFinished(close);
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  const sent: string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      sent.push(/"type":"(\w+)"/u.exec(String(payload))?.[1] ?? "");
    }),
  );
  await page.goto(gateway.link());
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Write it.");
  await field.press("Enter");
  await page.getByRole("button", { name: "Apply once", exact: true }).waitFor();
  expect(sent.indexOf("follow")).toBeGreaterThanOrEqual(0);
  expect(sent.indexOf("follow")).toBeLessThan(sent.indexOf("command"));
  expect(await field.inputValue()).toBe("");
});
