/** Test helper: every dialect with its name, as a table, and some that are made from a chat template. */

import type { Dialect } from "../dialect.ts";
import { ownForm } from "../from-template/own-form.ts";
import { allDialects } from "../index.ts";

const name = '"look_up"';
const input = '{"word": "zwordz", "count": 7}';

/** How templates write the marked call. */
const shown: Readonly<Record<string, string>> = {
  "template: an object": `<act>\n{"name": ${name}, "arguments": ${input}}\n</act>`,
  "template: a list": `<|acts|>[{"tool": ${name}, "parameters": ${input}}]<|done|>`,
  "template: no end": `[ACT]{"name": ${name}, "args": ${input}}`,
  "template: a name": `<|act|>look_up<|with|>${input}<|done|>`,
};

export const dialectsUnderTest: { name: string; dialect: Dialect }[] = [
  ...allDialects.map((dialect) => ({ name: dialect.name, dialect })),
  ...Object.entries(shown).map(([title, call]) => {
    const dialect = ownForm({ call, twice: undefined, told: undefined, result: undefined });
    if (!dialect) throw new Error(`${title} is not simple.`);
    return { name: title, dialect };
  }),
];
