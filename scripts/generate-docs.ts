/** `npm run docs`: writes the generated pages of `docs/`; with `--check` it only says which are stale. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stalePages, writePages } from "./docs/pages.ts";

const { values } = parseArgs({ options: { check: { type: "boolean" } } });
const root = join(import.meta.dirname, "..");

if (!values.check) await writePages(root);
const stale = await stalePages(root);
for (const path of stale) console.error(`${path} is stale: run npm run docs`);
process.exitCode = stale.length === 0 ? 0 : 1;
