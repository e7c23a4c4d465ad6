/** Commands and skills from files on the page: listed after a slash, chosen by key, sent as their expanded text. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { idle, pageTest } from "./browser.ts";

const head = (description: string, hint = "") =>
  `---\ndescription: ${description}\n${hint === "" ? "" : `argument-hint: "${hint}"\n`}---\n`;
const commands = {
  ".claude/commands/review.md": `${head("Look over a pull request", "NUMBER [FOCUS]")}Review #$1 with @notes.txt.`,
  ".claude/commands/release.md": `${head("Prepare a release and write its notes", "VERSION")}Release $1.`,
  ".claude/commands/git/commit.md": `${head("Write a commit message for what is staged")}Write it.`,
  ".claude/commands/help.md": "Never.",
  ".claude/skills/changelog/SKILL.md": `${head("Keeps CHANGELOG.md in the house's form, and says what belongs in it and what does not, at length")}Keep it.`,
  ".claude/skills/refactor/SKILL.md": `${head("Small steps that keep the tests green")}Step by step.`,
  "notes.txt": "the notes",
};

const options = (page: Page) => page.getByRole("listbox", { name: "Commands" }).getByRole("option");
const field = (page: Page) => page.getByRole("textbox", { name: "Message" });

test("a slash lists the commands, typing filters, arrows and Tab choose one, and its expanded text is sent", async () => {
  const model = scriptedModel([[{ say: "Reviewed." }], [{ say: "Again." }]]);
  const opened = await pageTest(model, { files: commands });
  try {
    const page = await opened.open();
    await field(page).focus();
    await page.keyboard.type("/");
    await options(page).nth(4).waitFor();
    expect(await options(page).count()).toBe(5);
    await expectAccessible(page);
    await page.keyboard.type("re");
    await expect.poll(() => options(page).count()).toBe(3);
    await page.getByText("3 commands: arrows choose, Tab takes one.").waitFor();
    expect(await chosen(page)).toContain("/release VERSION");
    await page.keyboard.press("ArrowDown");
    expect(await chosen(page)).toContain("/review NUMBER [FOCUS]");
    await page.keyboard.press("Tab");
    expect(await field(page).inputValue()).toBe("/review ");
    expect(await options(page).count()).toBe(0);
    await page.keyboard.type("12");
    await page.keyboard.press("Enter");
    await page.getByText("/review 12").first().waitFor(); // the page shows the typed command, the model gets its text
    await page.getByText("Reviewed.", { exact: true }).waitFor();
    expect(JSON.stringify(model.prompts[0]?.messages)).toContain("Review #12 with @notes.txt.");
    await idle(page);

    await field(page).focus();
    await page.keyboard.type("/refactor");
    await options(page).first().waitFor();
    await page.keyboard.press("Enter"); // a complete name is sent right away
    await page.getByText("Again.", { exact: true }).waitFor();
    expect(opened.complaints).toEqual([]);
  } finally {
    await opened.close();
  }
});

test("Escape closes the list without stopping the turn, a click chooses, and an unknown command is reported", async () => {
  const wait = new Promise(() => undefined);
  const opened = await pageTest(scriptedModel([[{ wait }]]), { files: commands });
  try {
    const page = await opened.open();
    await field(page).focus();
    await page.keyboard.type("/rev");
    await options(page).first().waitFor();
    await options(page).first().click();
    expect(await field(page).inputValue()).toBe("/review ");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    await page.locator("main[data-status=running]").waitFor();

    await field(page).focus();
    await page.keyboard.type("/");
    await options(page).first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => options(page).count()).toBe(0);
    expect(await page.locator("main").getAttribute("data-status")).toBe("running");
    await field(page).fill("/reviw 12");
    await field(page).press("Enter");
    await page.getByRole("alert").getByText('There is no command /reviw (did you mean "/review"?)').waitFor();
    expect(await field(page).inputValue()).toBe("/reviw 12");
    await field(page).fill("/help");
    await field(page).press("Enter");
    await page.getByRole("alert").getByText("/help is a command of a conversation in a terminal").waitFor();
    await field(page).fill("Something else"); // typing again clears the error of the earlier message
    await expect.poll(() => page.getByText("/help is a command").count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  } finally {
    await opened.close();
  }
});

test("a refused first message creates no session, and its text stays for correction", async () => {
  const opened = await pageTest(scriptedModel([[{ say: "Reviewed." }]]), { files: commands });
  try {
    const page = await opened.open();
    await field(page).fill("/reviw 12");
    await field(page).press("Enter");
    await page.getByText('There is no command /reviw (did you mean "/review"?)').waitFor();
    await page.getByRole("heading", { name: "What do you want to do?" }).waitFor();
    expect(await field(page).inputValue()).toBe("/reviw 12");
    expect((await opened.gateway.ask("GET", "/sessions")).body).toMatchObject({ sessions: [] });
    await field(page).fill("/review 12");
    await field(page).press("Enter");
    await page.getByText("Reviewed.", { exact: true }).waitFor();
    expect(opened.complaints).toEqual([]);
  } finally {
    await opened.close();
  }
});

const chosen = async (page: Page): Promise<string> => {
  const id = (await field(page).getAttribute("aria-activedescendant")) ?? "none";
  const option = page.locator(`#${id}`);
  expect(await option.getAttribute("aria-selected")).toBe("true");
  return option.innerText();
};

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== "running"),
    );
    const found: unknown = await page.evaluate(async () => {
      const axe = Reflect.get(window, "axe");
      const { violations } = await axe.run(document, { resultTypes: ["violations"] });
      return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [
        id,
        nodes[0]?.html,
      ]);
    });
    expect(found, colorScheme).toEqual([]);
  }
}
