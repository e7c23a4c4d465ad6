/** People of a team on the page: sharing a session, seeing whose it is, and who wrote what. */

import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { People } from "../../src/hosting/people/people.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { connect } from "../../src/remote/client.ts";
import { idle, pageTest, say } from "./browser.ts";

const [ada, bob] = ["ada@example.org", "bob@example.org"];

async function team() {
  const opened = await pageTest(scriptedModel(() => [{ say: "Done." }]));
  onTestFinished(opened.close);
  const { store, workspace } = opened.gateway.test;
  const people = new People(store.team);
  await people.putTenant("north", workspace);
  await people.putPerson(ada, { tenant: "north", role: "member" });
  await people.putPerson(bob, { tenant: "north", role: "member" });
  const token = await people.newToken({ person: ada, title: "a program", most: "work", days: 1 });
  const { id } = await connect({
    url: opened.gateway.url,
    token: token.ok ? token.value : token.problem,
  }).create({ title: "The shop" });
  return { ...opened, people, id };
}

const listed = (page: Page, id: string) => page.locator(`[data-session="${id}"]`);

/** The menu of the session in the list. */
async function menuOf(page: Page, id: string): Promise<string[]> {
  await listed(page, id).getByRole("button", { name: "Actions for The shop" }).click();
  const labels = await page.getByRole("menuitem").allInnerTexts();
  await page.keyboard.press("Escape");
  return labels.map((label) => label.trim());
}

test("a session is shared with somebody, who sees whose it is, and taken back", async () => {
  const { open, id, complaints } = await team();
  const own = await open({ person: ada });
  const other = await open({ person: bob });
  await listed(own, id).waitFor();
  expect(await listed(other, id).count()).toBe(0);
  expect(await listed(own, id).innerText()).not.toContain(ada);

  await listed(own, id).getByRole("button", { name: "Actions for The shop" }).click();
  await own.getByRole("menuitem", { name: "Share…" }).click();
  const dialog = own.getByRole("dialog", { name: "Share the session" });
  await dialog.getByLabel("E-mail address").fill("nobody@example.org");
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByText('There is nobody named "nobody@example.org" in your team.').waitFor();
  await dialog.getByLabel("E-mail address").fill(bob);
  await dialog.getByRole("radio", { name: "read it and answer its questions" }).check();
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByText("may read it and answer its questions").waitFor();

  await listed(other, id).waitFor();
  expect(await listed(other, id).innerText()).toContain(ada);
  expect(await menuOf(other, id)).not.toContain("Share…");
  await dialog.getByRole("button", { name: `Take back from ${bob}` }).click();
  await listed(other, id).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Share", exact: true }).click();
  await dialog.getByRole("button", { name: "Take back from Everybody of the team" }).waitFor();
  await listed(other, id).waitFor();
  expect(complaints).toEqual([]);
});

test("where several people write, each message says whose it is; where there are none, nothing is shared", async () => {
  const { open, people, id, complaints } = await team();
  const own = await open({ person: ada, session: id });
  await say(own, "Hello.");
  await idle(own);
  expect(await own.locator(".conversation").innerText()).not.toContain(ada);
  await people.putPerson(bob, { tenant: "north", role: "owner" });
  const other = await open({ person: bob, session: id });
  await say(other, "And from me.");
  await idle(other);
  await own.getByRole("article", { name: `Message of ${bob}` }).waitFor();
  const nobodys = await open({ session: id });
  await listed(nobodys, id).waitFor();
  expect(await menuOf(nobodys, id)).toEqual(["Rename", "Continue in a copy", "Save as a file", "Delete"]);
  expect(complaints).toEqual([]);
});
