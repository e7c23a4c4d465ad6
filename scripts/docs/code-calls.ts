/** Compiles `src/safety/commands/code/calls.yaml`, what calls do in languages other than shell, into one module. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { meaningOf } from "../../src/safety/dangers/code/vocabulary.ts";
import { languageRows } from "../../src/safety/dangers/data/language-row.ts";

const file = "src/safety/commands/code/calls.yaml";

/** The text of the module. Throws with the first problem. */
export function compiledCalls(root: string): string {
  const rows = languageRows.parse(parse(readFileSync(join(root, file), "utf8")));
  for (const [language, { calls = {} }] of Object.entries(rows))
    for (const phrase of Object.keys(calls))
      if (phrase.split("; ").some((each) => !meaningOf(each)))
        throw new Error(`${file}: ${language}: "${phrase}" is not understood`);
  return `/** Written by \`npm run docs\` from the data beside it: change that. */

import type { LanguageRows } from "../../dangers/data/language-row.ts";

const rows = (text: string): LanguageRows => JSON.parse(text);

/** What calls do, by language. */
export const compiledCalls: LanguageRows = rows(
  ${JSON.stringify(JSON.stringify(rows))},
);
`;
}
