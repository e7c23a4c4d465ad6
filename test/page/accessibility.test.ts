/** What axe finds in each main state of the page, in dark and in light, wide and on a phone: nothing. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pageTest } from "./browser.ts";
import { mainStates } from "./main-states.ts";
import { acting, files, story } from "./story.ts";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

test.each([
  { colorScheme: "light", viewport: { width: 1280, height: 860 } },
  { colorScheme: "dark", viewport: { width: 390, height: 780 } },
] as const)("nothing stands in the way of anybody: $colorScheme, $viewport.width px", async (context) => {
  const gate = Promise.withResolvers<void>();
  const opened = await pageTest(acting(story(gate.promise)), { files, flags: ["--max-rounds", "5"] });
  const axe = await readFile(axeFile, "utf8");
  const found: Record<string, string[]> = {};
  try {
    const page = await opened.open({ context });
    for await (const state of mainStates(page, opened.gateway, gate.resolve))
      found[state] = await violations(page, axe);
    const other: Page = await opened.open({
      context: { ...context, colorScheme: context.colorScheme === "dark" ? "light" : "dark" },
      session: decodeURIComponent(new URL(page.url()).hash.slice("#/s/".length)),
    });
    found["the other colours"] = await violations(other, axe);
  } finally {
    await opened.close();
  }
  expect(Object.keys(found).length).toBeGreaterThan(10);
  expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([]);
  expect(opened.complaints).toEqual([]);
});

async function violations(page: Page, axe: string): Promise<string[]> {
  // Colours that are still changing have no contrast that could be judged.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(isFinite)
        .map(({ finished }) => finished),
    ),
  );
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: judge } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] };
    const result = await judge.run();
    return result.violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
}
