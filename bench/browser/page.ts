/**
 * The cost of 100 KB of streamed text for the page, in a real browser: `node bench/browser/page.ts`. Reports the CPU time of
 * the page's process by kind of work, once at the speed of a very fast model and once unthrottled.
 */

import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { scriptedModel, type ScriptedStep } from "../../src/providers/scripted-model.ts";
import type { TestGateway } from "../../src/testing/gateway.ts";
import { pageTest, say } from "../../test/page/browser.ts";

const characters = 100_000;
const piece = 24;

const prose =
  "The reader of this paragraph wants to know how the *parser* works, and why `next()` is called **twice** here. ";
const shapes: Readonly<Record<string, string>> = {
  mixed: [
    "## A heading\n\n",
    `${prose.repeat(3)}\n\n`,
    "- one thing\n- another [with a link](https://example.org)\n- and a third\n\n",
    "```ts\nexport function parse(text: string): Token[] {\n  return [...text].map((c) => ({ c })); // each\n}\n```\n\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
  ].join(""),
  "one list": "- an item of a list that never ends, with some `code` in it\n",
  "one block of code": "  const value = await compute(input, { depth: 3 }); // a line\n",
};

for (const pauseMs of [0, 5])
  for (const [name, unit] of Object.entries(shapes))
    await measure(`${name}, ${pauseMs === 0 ? "at once" : `${piece} characters each ${pauseMs} ms`}`, {
      text: textOf(name, unit),
      pauseMs,
    });

function textOf(name: string, unit: string): string {
  const text = unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters);
  return name === "one block of code" ? `\`\`\`ts\n${text}` : text;
}

async function measure(name: string, { text, pauseMs }: { text: string; pauseMs: number }): Promise<void> {
  const start = Promise.withResolvers<void>();
  const script: ScriptedStep[] = [{ wait: start.promise }, ...steps(text, pauseMs)];
  const t = await pageTest(scriptedModel([script], pauseMs === 0 ? { pieces: piece } : {}), {});
  try {
    const page = await t.open();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    await say(page, "Tell me everything.");
    const before = await busy(devtools);
    const began = performance.now();
    start.resolve();
    await over(t.gateway, page);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const told = Object.entries(await busy(devtools)).map(
      ([what, took]) => `${what} ${(took - (before[what] ?? 0)).toFixed(2)} s`,
    );
    console.log(`${name} (${seconds} s): ${told.join(", ")}`);
    if (t.complaints.length > 0) console.log(t.complaints);
  } finally {
    await t.close();
  }
}

function steps(text: string, pauseMs: number): ScriptedStep[] {
  if (pauseMs === 0) return [{ say: text }];
  const pieces = Array.from({ length: Math.ceil(text.length / piece) }, (_, at) =>
    text.slice(at * piece, (at + 1) * piece),
  );
  return pieces.flatMap((say): ScriptedStep[] => [
    { say },
    {
      get wait() {
        return sleep(pauseMs);
      },
    },
  ]);
}

/** Polls the gateway and not the page, because polling the page would keep it busy. */
async function over(gateway: TestGateway, page: Page): Promise<void> {
  const path = `/sessions/${new URL(page.url()).hash.slice("#/s/".length)}`;
  for (;;) {
    await sleep(300);
    const { body } = await gateway.ask("GET", path);
    if (typeof body === "object" && body !== null && "standing" in body && body.standing === "idle") break;
  }
  await sleep(1_000);
  const shown = await page.evaluate(() => document.querySelector(".block-text")?.textContent?.length ?? 0);
  if (shown < characters / 2) throw new Error(`Only ${shown} characters are shown.`);
}

/** Seconds since the page was loaded, by kind of work. */
async function busy(devtools: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    "main thread": of("ThreadTime"),
    "all threads": of("ProcessTime"),
    "of these script": of("ScriptDuration"),
    layout: of("LayoutDuration"),
    style: of("RecalcStyleDuration"),
  };
}
