import { expect, test } from "vitest";
import { runInBash } from "./command-fuzz/bash.ts";
import { randomScript } from "./command-fuzz/grammar.ts";
import { look, shrunk } from "./command-fuzz/misses.ts";
import { mutated } from "./command-fuzz/mutate.ts";
import { randomFrom } from "./command-fuzz/random.ts";

const runs = Number(process.env["TOOLWRIGHT_RUNS"] ?? 1);
/** The same for every run, so that a change is what turns it red; `TOOLWRIGHT_SEED=$RANDOM` looks elsewhere. */
const seed = Number(process.env["TOOLWRIGHT_SEED"] ?? 36_311_783);
const batch = 250;

test(
  "SAFETY 3: no removal that a real bash runs is missing from the judgement",
  { timeout: 170_000 * runs },
  async () => {
    const random = randomFrom(seed);
    const total = { scripts: 0, unfinished: 0, removals: 0, trusted: 0 };
    const missed: string[] = [];
    const wanted = 20_000 * runs;
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
    console.log(`seed ${seed}: ${JSON.stringify(total)}, ${missed.length} with a silent miss`);
    const shortest = await Promise.all(missed.slice(0, 5).map(shrunk));
    expect({ seed, missed: [...shortest, ...missed.slice(5)] }).toEqual({ seed, missed: [] });
    expect(total.trusted).toBeGreaterThan(wanted / 20);
  },
);

function makeScripts(random: ReturnType<typeof randomFrom>): string[] {
  const scripts: string[] = [];
  while (scripts.length < batch) {
    const script = randomScript(random);
    const text = random.chance(0.5) ? mutated(script, scripts.at(-1) ?? script, random) : script;
    if (text.length < 2_000) scripts.push(text);
  }
  return scripts;
}
