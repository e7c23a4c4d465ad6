/** The generated pages of `docs/`: lists, checks and writes them. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configSchema } from "../../src/configuration/config-schema.ts";
import { acpPage } from "./acp-page.ts";
import { apiPage } from "./api-page.ts";
import { apiReport } from "./api-report.ts";
import { boundRows, boundSections } from "./bounds.ts";
import { compiledCalls } from "./code-calls.ts";
import { compiledRows } from "./command-rows.ts";
import { configurationPage } from "./configuration-page.ts";
import { costPage } from "./cost-page.ts";
import { dialectsPage } from "./dialects-page.ts";
import { eventsPage } from "./events-page.ts";
import { gatewayApiPage } from "./gateway-api-page.ts";
import { headlessSchemaFile } from "./headless-schema.ts";
import { limitsPage } from "./limits-page.ts";
import { manPage } from "./man-page.ts";
import { modelsPage } from "./models-page.ts";
import { withRequirementLinks } from "./requirement-links.ts";
import { requirementsPage } from "./requirements-page.ts";
import { toolsPage } from "./tools-page.ts";

/** Paths from the project's root, mapped to the text that each page should have. */
async function pages(root: string): Promise<[path: string, text: string][]> {
  return Object.entries(await written(root)).map(([path, text]) => [
    path,
    path.endsWith(".md") && path !== "docs/requirements.md" ? withRequirementLinks(text) : text,
  ]);
}

async function written(root: string): Promise<Record<string, string>> {
  const api = {
    commands: await readFile(join(root, "src/protocol/commands.ts"), "utf8"),
    frames: await readFile(join(root, "src/remote/frames.ts"), "utf8"),
  };
  const facts = await factSources(root);
  const signals = await readFile(join(root, "src/protocol/signals.ts"), "utf8");
  const models = await readFile(join(root, "docs/models.md"), "utf8");
  const acp = await readFile(join(root, "docs/acp.md"), "utf8");
  const tools = await readFile(join(root, "docs/tools.md"), "utf8");
  const limits = await readFile(join(root, "docs/limits.md"), "utf8");
  const sections = await boundSections(root);
  const dialects = await readFile(join(root, "docs/dialects.md"), "utf8");
  const cost = await readFile(join(root, "docs/cost.md"), "utf8");
  return {
    "docs/acp.md": acpPage(acp),
    "docs/api.md": apiPage(root),
    "docs/api-report.md": apiReport(root),
    "docs/cost.md": costPage(cost),
    "docs/dialects.md": await dialectsPage(root, dialects),
    "docs/configuration.md": configurationPage(),
    "docs/configuration.schema.json": `${JSON.stringify(configSchema(), undefined, 2)}\n`,
    "docs/toolwright.1": manPage(),
    "docs/events.md": eventsPage(facts, signals),
    "docs/headless.schema.json": headlessSchemaFile(),
    "docs/gateway-api.md": gatewayApiPage(api),
    "docs/limits.md": limitsPage(limits, sections),
    "docs/models.md": modelsPage(models),
    "docs/requirements.md": requirementsPage(),
    "docs/tools.md": toolsPage(tools),
    "src/safety/commands/code/compiled.ts": compiledCalls(root),
    "src/safety/commands/compiled.ts": compiledRows(root),
    "src/cli/doctor/bound-rows.gen.ts": boundRows(sections),
  };
}

/** The texts of the files whose comments describe the facts. */
export async function factSources(root: string): Promise<string> {
  const files = ["facts.ts", "message-facts.ts", "permission-facts.ts"].map((name) =>
    join(root, "src/protocol", name),
  );
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

export async function writePages(root: string): Promise<void> {
  for (const [path, text] of await pages(root)) await writeFile(join(root, path), text);
}

/** The generated pages that are missing or out of date. */
export async function stalePages(root: string): Promise<string[]> {
  const wanted = await pages(root);
  const there = await Promise.all(
    wanted.map(([path]) => readFile(join(root, path), "utf8").catch(() => undefined)),
  );
  return wanted.filter(([, text], index) => there[index] !== text).map(([path]) => path);
}
