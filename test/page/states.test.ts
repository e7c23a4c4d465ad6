/** Each main state of the page shows its essential text. `npm run screenshots` saves some of them for docs/page.md. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pageTest, say } from "./browser.ts";
import { mainStates } from "./main-states.ts";
import { acting, files, requests, story } from "./story.ts";

const images = join(import.meta.dirname, "..", "..", "docs", "images");
const keepsImages = process.env["TOOLWRIGHT_SCREENSHOTS"] !== undefined;

/** The text that each state must show; with `image`, a screenshot of it is saved. */
const shown: Readonly<Record<string, { words: readonly string[]; image?: string }>> = {
  start: { words: ["What do you want to do?", "Workspace", "Mode", "Model"] },
  "approval of a change": {
    words: [
      "Apply this change?",
      "medium risk",
      "Edit src/total.ts",
      "rate = 1.19;",
      "Why it asks: it changes files",
    ],
  },
  denying: { words: ["Reason for the model (optional)"] },
  "approval of a command": {
    words: ["Run this command?", "rm -rf build", "Why it asks:", "this session", "Edit command…"],
    image: "command",
  },
  "editing a command": { words: ["Command to run", "Run edited command once"] },
  conversation: {
    words: [
      "Allowed once, by you, edited",
      "rm -r build/old.js",
      "The total is rounded now.",
      "Results have two decimals",
      "2 files",
    ],
    image: "conversation",
  },
  changes: {
    words: ["Request 1: Add the tax to the total", "Undo all", "Undo hunk 2", "build/old.js", "deleted"],
    image: "changes",
  },
  "a hunk taken back": { words: ["partly undone", "Redo file"] },
  keeping: { words: ["This cannot be undone.", "Keep all for good"] },
  "a conflict": {
    words: ["Nothing has been undone yet:", "changed outside this session", "Restore", "Cancel"],
    image: "conflict",
  },
  timeline: { words: ["Go to request", "Show changes", "Edit and try again"] },
  todos: { words: ["To do: 0 of 2 done", "Change the rate"] },
  "a question": { words: ["Which database shall it be?", "SQLite", "Or in your own words", "Don't answer"] },
  "a plan": {
    words: ["Three steps to the release.", "Write the notes", "Edit files without asking", "Reject"],
    image: "plan",
  },
  "editing a plan": { words: ["Add a step", "Done editing"] },
  "a limit": { words: ["Continue?", "used all of its 5 rounds", "rounds in total", "Stop here"] },
  "a failure": { words: ["Half an ans", "Failed: The model's server said no."] },
  "working, with a message that waits": { words: ["And then the docs", "Withdraw", "Stop"] },
  "what fills the context": { words: ["Context usage", "Largest results", "Compact now"] },
  find: { words: ["1 of", "Previous", "Next"] },
  search: { words: ["1 session with these words."] },
  settings: { words: ["Accept edits", "Model (from the next request on)", "Theme"] },
};

test("each main state shows its essential text", async () => {
  const gate = Promise.withResolvers<void>();
  const opened = await pageTest(acting(story(gate.promise)), { files, flags: ["--max-rounds", "5"] });
  try {
    const page = await opened.open({
      context: { viewport: { width: 1000, height: 680 }, colorScheme: "light", reducedMotion: "reduce" },
    });
    const seen: string[] = [];
    for await (const state of mainStates(page, opened.gateway, gate.resolve)) {
      seen.push(state);
      const { words = [], image } = shown[state] ?? {};
      await expect.poll(() => missing(page, words), { message: state }).toEqual([]);
      if (image !== undefined) await keep(page, image);
    }
    expect(seen).toEqual(Object.keys(shown));
    expect(opened.complaints).toEqual([]);
  } finally {
    await opened.close();
  }
});

test("on a phone in dark mode an approval fits the screen and can be answered", async () => {
  const opened = await pageTest(acting(story(Promise.resolve())), { files });
  try {
    const viewport = { width: 390, height: 780 };
    const page = await opened.open({ context: { viewport, colorScheme: "dark", reducedMotion: "reduce" } });
    await say(page, requests.change);
    const yes = page.getByRole("button", { name: "Apply once", exact: true });
    await yes.and(page.locator(":enabled")).waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBe(0);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll(".approval-card *")]
        .filter(
          (element) =>
            element.getBoundingClientRect().right > innerWidth && !element.closest(".visually-hidden"),
        )
        .map((element) => element.outerHTML.slice(0, 100)),
    );
    expect(wide).toEqual([]);
    await keep(page, "phone");
    await yes.click();
    await page.getByText("Allowed once, by you").waitFor();
  } finally {
    await opened.close();
  }
});

async function missing(page: Page, words: readonly string[]): Promise<string[]> {
  const text = await page.evaluate(() => document.body.innerText.replaceAll(/\s+/gu, " "));
  return words.filter((word) => !text.includes(word));
}

async function keep(page: Page, name: string): Promise<void> {
  if (!keepsImages) return;
  await mkdir(images, { recursive: true });
  await page.screenshot({ path: join(images, `page-${name}.png`), animations: "disabled", caret: "hide" });
}
