/** The main states of the page, one after the other, each reached by a user's actions. */

import type { Page } from "playwright-core";
import type { TestGateway } from "../../src/testing/gateway.ts";
import { idle, say } from "./browser.ts";
import { requests } from "./story.ts";

/** Yields the name of each state while the page is in it. `goOn` releases the last request of the story. */
export async function* mainStates(
  page: Page,
  gateway: TestGateway,
  goOn: () => void,
): AsyncGenerator<string, void, undefined> {
  yield "start";
  yield* approvals(page);
  yield* changes(page);
  yield* conflict(page, gateway);
  yield* questions(page);
  yield* endings(page, goOn);
  yield* overlays(page);
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole("heading", { name }).last().waitFor();

/** A new card does not react for a moment. */
const awake = (page: Page): Promise<void> =>
  page.locator(".approval-answers button:enabled").first().waitFor();

async function* approvals(page: Page): AsyncGenerator<string> {
  await say(page, requests.change);
  await heading(page, "Apply this change?");
  await awake(page);
  yield "approval of a change";
  await press(page, "Deny…");
  yield "denying";
  await page.keyboard.press("Escape");
  await press(page, "Apply once");
  await heading(page, "Run this command?");
  await awake(page);
  yield "approval of a command";
  await press(page, "Edit command…");
  await page.getByLabel("Command to run").fill("rm -r build/old.js");
  yield "editing a command";
  await press(page, "Run edited command once");
  await idle(page);
  yield "conversation";
}

async function* changes(page: Page): AsyncGenerator<string> {
  await press(page, "Changes and requests");
  await page.locator(".changes-file").first().waitFor();
  yield "changes";
  await press(page, "Undo hunk 1");
  await page.getByRole("button", { name: "Redo file" }).waitFor();
  yield "a hunk taken back";
  await press(page, "Redo file");
  await page.getByRole("button", { name: "Undo hunk 1" }).waitFor();
  await page.getByRole("button", { name: "Keep all…" }).click();
  yield "keeping";
  await press(page, "Back");
}

async function* conflict(page: Page, gateway: TestGateway): AsyncGenerator<string> {
  const { writeFile, readFile } = await import("node:fs/promises");
  const path = `${gateway.test.workspace}/src/total.ts`;
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("Math.round", "Math.floor"));
  await page
    .locator(".changes-file", { hasText: "src/total.ts" })
    .getByRole("button", { name: "Undo file" })
    .click();
  await page.locator(".changes-conflict").waitFor();
  yield "a conflict";
  await press(page, "Cancel");
  await writeFile(path, text);
  await press(page, "Requests");
  await page.locator(".timeline-turn").first().waitFor();
  yield "timeline";
  await press(page, "To do");
  await page.locator(".side .todo-list").waitFor();
  yield "todos";
  await press(page, "Close the panel");
}

async function* questions(page: Page): AsyncGenerator<string> {
  await say(page, requests.question);
  await heading(page, "The model asks");
  yield "a question";
  await page.getByRole("button", { name: "PostgreSQL" }).click();
  await idle(page);
  await setMode(page, "Plan");
  await say(page, requests.plan);
  await heading(page, "Approve this plan?");
  yield "a plan";
  await press(page, "Edit steps");
  await page.getByLabel("Step 2", { exact: true }).fill("Set the version to 2");
  yield "editing a plan";
  await press(page, "Approve the plan");
  await idle(page);
  await setMode(page, "Ask");
  await say(page, requests.limit);
  await heading(page, "Continue?");
  yield "a limit";
  await press(page, "Stop here");
  await idle(page);
}

async function setMode(page: Page, name: string): Promise<void> {
  await page.getByTitle("Mode, model and reasoning").click();
  await page.getByRole("radio", { name: new RegExp(`^${name}`, "u") }).check();
  await press(page, "Close");
}

async function* endings(page: Page, goOn: () => void): AsyncGenerator<string> {
  await say(page, requests.failure);
  await page.getByText("Failed: The model's server said no.").waitFor();
  yield "a failure";
  await say(page, requests.wait);
  await page.getByText("I begin with the first part").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("And then the docs");
  await page.keyboard.press("Control+Enter");
  await page.locator(".queue-list").waitFor();
  yield "working, with a message that waits";
  goOn();
  await page.getByText("and now all of it is there.").first().waitFor();
  await idle(page);
}

async function* overlays(page: Page): AsyncGenerator<string> {
  const context = page.getByRole("button", { name: /^Context/u });
  const isNarrow = (await context.count()) === 0;
  // Where the head has no room for it, it is beside the conversation.
  if (isNarrow) await press(page, "Changes and requests");
  await context.click();
  await page.locator(".meter-details:popover-open .meter-bar").waitFor();
  yield "what fills the context";
  await page.keyboard.press("Escape");
  if (isNarrow) await press(page, "Close the panel");
  await page.keyboard.press("Control+f");
  await page.getByPlaceholder("Find in this conversation").fill("rate");
  yield "find";
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByLabel("Search in all sessions").last().fill("total");
  await page.locator(".search-result").first().waitFor();
  yield "search";
  await page.keyboard.press("Escape");
  await page.getByTitle("Mode, model and reasoning").click();
  await page.getByLabel("Model (from the next request on)").waitFor();
  yield "settings";
  await page.keyboard.press("Escape");
}
