import { expect, test } from "vitest";
import { scale, seed } from "../../src/testing/scale.ts";
import { runInBash } from "../command-fuzz/bash.ts";
import { randomScript } from "../command-fuzz/grammar.ts";
import { look, shrunk } from "../command-fuzz/misses.ts";
import { mutated } from "../command-fuzz/mutate.ts";
import { randomFrom } from "../command-fuzz/random.ts";

const batch = 250;
/** Scripts of one test, few enough for a slow machine. */
const wanted = 2_000;
const parts = Array.from({ length: Math.max(1, Math.round(10 * scale)) }, (_, part) => seed + part);

test.each(parts)("SAFETY 3: the judge misses no removal that a real bash executes (%i)", async (from) => {
  const random = randomFrom(from);
  const total = { scripts: 0, unfinished: 0, removals: 0, trusted: 0 };
  const missed: string[] = [];
  const worker = async (): Promise<void> => {
    while (total.scripts < wanted && missed.length < 20) {
      total.scripts += batch;
      const scripts = makeScripts(random);
      const outcomes = await runInBash(scripts);
      for (const [at, script] of scripts.entries()) {
        const outcome = outcomes[at];
        if (!outcome) total.unfinished += 1;
        const seen = look(script, outcome);
        total.removals += seen.removals;
        total.trusted += seen.trusted;
        if (seen.missed.length > 0) missed.push(script);
      }
    }
  };
  await Promise.all([worker(), worker()]);
  console.log(`seed ${from}: ${JSON.stringify(total)}, ${missed.length} with a silent miss`);
  const shortest = await Promise.all(missed.slice(0, 5).map(shrunk));
  expect({ from, missed: [...shortest, ...missed.slice(5)] }).toEqual({ from, missed: [] });
  expect(total.trusted).toBeGreaterThan(wanted / 20);
});

function makeScripts(random: ReturnType<typeof randomFrom>): string[] {
  const scripts: string[] = [];
  while (scripts.length < batch) {
    const script = randomScript(random);
    const text = random.chance(0.5) ? mutated(script, scripts.at(-1) ?? script, random) : script;
    if (text.length < 2_000) scripts.push(text);
  }
  return scripts;
}
