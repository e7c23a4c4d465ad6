/** What concerns one call is one row of the conversation. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { idle, pageTest, say } from "./browser.ts";
import { drive } from "./driver.ts";
import { acting, files, requests, story } from "./story.ts";

test("an approval, a to-do list and a subagent are each one row with their call", async () => {
  const items = (state: string) => ({ items: [{ text: "Survey it", state }] });
  const model = scriptedModel(({ messages }) => {
    const said = JSON.stringify(messages);
    if (said.includes("Count the files") && !said.includes("Begin.")) return [{ say: "There are two." }];
    if (said.includes("There are two.")) return [{ say: "Finished." }];
    if (said.includes("Survey it")) return [{ call: "delegate", with: { task: "Count the files" } }];
    return [
      { call: "todos", with: items("open") },
      { call: "write_file", with: { path: "a.txt", content: "one\n" } },
      { call: "todos", with: items("done") },
    ];
  });
  const opened = await pageTest(model);
  onTestFinished(opened.close);
  const page = await opened.open();
  await say(page, "Begin.");
  const yes = page.getByRole("button", { name: "Apply once" });
  await yes.and(page.locator(":enabled")).click();
  await idle(page);
  const rows = page.locator(".block-call");
  expect(await rows.locator(".call-title").allInnerTexts()).toEqual([
    "Write a.txt",
    "Subagent: Count the files",
  ]);
  expect(await rows.locator(".call-decided").allInnerTexts()).toEqual(["Allowed once, by you"]);
  expect(await page.locator(".todo-list").allInnerTexts()).toEqual([
    expect.stringContaining("To do: 1 of 1 done"),
  ]);
  expect(await page.locator(".conversation").innerText()).not.toContain("A subagent works on");
  const row = rows.filter({ hasText: "Write a.txt" });
  await row.getByRole("button").click();
  await row.getByText("Why it asks:").waitFor();
  await page.getByRole("link", { name: "Open the session of: Subagent: Count the files" }).click();
  await page.getByRole("heading", { name: "Count the files", level: 1 }).waitFor();
  expect(opened.complaints).toEqual([]);
});

test("a denied call says in its row who denied it, and why, once", async () => {
  const opened = await pageTest(acting(story(Promise.resolve())), { files });
  const driver = await drive(opened.gateway);
  onTestFinished(async () => {
    await driver.close();
    await opened.close();
  });
  const page = await opened.open({ session: driver.id });
  await driver.say(requests.change);
  await page.getByRole("button", { name: "Deny…" }).and(page.locator(":enabled")).click();
  await page.getByLabel("Reason for the model (optional)").fill("not that file");
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await page.getByText("Denied by you: not that file").waitFor();
  expect(await page.getByText("not that file").count()).toBe(1);
});

test("a choice answers with one click, or with its number while the focus is in the card", async () => {
  const opened = await pageTest(acting(story(Promise.resolve())), { files });
  onTestFinished(opened.close);
  const page = await opened.open();
  for (const way of ["click", "key"]) {
    await say(page, requests.question);
    const choice = page.getByRole("button", { name: "PostgreSQL" });
    await choice.and(page.locator(":enabled")).waitFor();
    if (way === "click") await choice.click();
    else await page.getByRole("button", { name: "Don't answer" }).press("2");
    await choice.waitFor({ state: "detached" });
    await idle(page);
  }
  expect(await page.locator(".question-chosen").allInnerTexts()).toEqual(["✓ PostgreSQL", "✓ PostgreSQL"]);
  expect(opened.complaints).toEqual([]);
});
