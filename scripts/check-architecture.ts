/** `npm run check:architecture`: enforces the structure of the code. `--write` updates the table in ARCHITECTURE.md. */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkArchitecture, writeTable } from "./architecture/check.ts";
import { inWords } from "./architecture/problem.ts";

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean" } },
  allowPositionals: true,
});
const root = positionals[0] ?? join(import.meta.dirname, "..");

if (values.write) await writeTable(root);
const { problems, files } = await checkArchitecture(root);
for (const problem of problems) console.error(inWords(problem));
console.log(`architecture: ${files} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
