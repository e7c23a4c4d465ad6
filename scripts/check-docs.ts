/**
 * `npm run check:docs`: everything the documents mention exists, their code compiles, and the generated pages are fresh.
 */

import { join } from "node:path";
import { inWords } from "./architecture/problem.ts";
import { checkDocuments } from "./docs/check.ts";
import { stalePages } from "./docs/pages.ts";

const root = process.argv[2] ?? join(import.meta.dirname, "..");

const [{ problems, files }, stale] = await Promise.all([checkDocuments(root), stalePages(root)]);
const all = [...problems.map(inWords), ...stale.map((path) => `${path} is stale: run npm run docs`)];
for (const line of all) console.error(line);
console.log(`documents: ${files} files, ${all.length} problems`);
process.exitCode = all.length === 0 ? 0 : 1;
