/** The way in: links that are opened in a tab which has the page already. */
import { expect, onTestFinished, test } from "vitest";
import { scripted } from "../../src/providers/scripted.ts";
import { pageTest } from "./browser.ts";

test("a link that is opened in a tab that is not signed in lets it in, also after one that was not accepted", async () => {
  const { gateway, browser, close } = await pageTest(scripted([]));
  onTestFinished(close);
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(gateway.url);
  await page.getByRole("heading", { name: "Not signed in" }).waitFor();

  const used = `${gateway.url}/#code=0123456789abcdef0123456789abcdef`;
  await page.goto(used);
  await page.getByText("The link was not accepted").waitFor();

  await page.goto(gateway.link());
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  expect(await page.evaluate(() => location.hash)).not.toContain("code");
});
