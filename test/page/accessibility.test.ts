/** axe finds no accessibility violations in any main state of the page, in light and dark, on desktop and phone. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pageTest } from "./browser.ts";
import { mainStates } from "./main-states.ts";
import { acting, files, story } from "./story.ts";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const wide = { width: 1280, height: 860 };
const phone = { width: 390, height: 780 };

test("axe finds no violations in any state, in light and dark, on desktop and phone", async () => {
  const gate = Promise.withResolvers<void>();
  const opened = await pageTest(acting(story(gate.promise)), { files, flags: ["--max-rounds", "5"] });
  const axe = await readFile(axeFile, "utf8");
  const found = new Map<string, string[]>();
  const judged: string[] = [];
  try {
    const page = await opened.open({ context: { viewport: wide, colorScheme: "light" } });
    await page.evaluate(axe);
    const judge = async (state: string, rules: string[] = []): Promise<void> => {
      const problems = await violations(page, rules);
      if (problems.length > 0) found.set(state, problems);
    };
    for await (const state of mainStates(page, opened.gateway, gate.resolve)) {
      judged.push(state);
      await judge(`${state}, light`);
      await page.emulateMedia({ colorScheme: "dark" });
      await judge(`${state}, dark`, ["color-contrast"]);
      if (judged.length % 3 === 0) {
        await page.setViewportSize(phone);
        await judge(`${state}, dark, on a phone`);
        await page.setViewportSize(wide);
      }
      await page.emulateMedia({ colorScheme: "light" });
    }
  } finally {
    await opened.close();
  }
  expect(judged.length).toBeGreaterThan(20);
  expect([...found]).toEqual([]);
  expect(opened.complaints).toEqual([]);
});

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] };

/** Applies all rules unless some are named. */
async function violations(page: Page, rules: string[]): Promise<string[]> {
  // Contrast cannot be judged while colours are still animated.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Infinity),
  );
  const found = await page.evaluate(async (only): Promise<Violation[]> => {
    const axe: unknown = Reflect.get(window, "axe");
    const run = Reflect.get(Object(axe), "run");
    const how = only.length === 0 ? {} : { runOnly: only };
    const { violations } = await run.call(axe, document, { ...how, resultTypes: ["violations"] });
    return JSON.parse(JSON.stringify(violations));
  }, rules);
  return found.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
