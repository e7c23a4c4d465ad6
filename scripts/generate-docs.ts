/**
 * `npm run docs`: writes the generated pages of `docs/`; `--check` only lists stale ones. Fails on undocumented
 * exports.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { undocumented } from "./docs/api-page.ts";
import { stalePages, writePages } from "./docs/pages.ts";

const { values } = parseArgs({ options: { check: { type: "boolean" } } });
const root = join(import.meta.dirname, "..");

if (!values.check) await writePages(root);
const stale = await stalePages(root);
for (const path of stale) console.error(`${path} is stale: run npm run docs`);
const silent = undocumented(root);
for (const name of silent)
  console.error(`${name} is public: say in a sentence what it is, and @public or @experimental`);
process.exitCode = stale.length + silent.length === 0 ? 0 : 1;
