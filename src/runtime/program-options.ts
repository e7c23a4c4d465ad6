/** Checks what a program passes to `openRuntime`: it may have been written without types. */

import { errorMessage, type Expected, refuse } from "../base/expected.ts";
import { didYouMean } from "../configuration/options/nearest.ts";
import { type Option, readValue, type Values } from "../configuration/options/option-values.ts";
import { options } from "../configuration/options/options.ts";
import { tools as builtIn } from "../tools/index.ts";
import { nameProblem } from "../tools/tool-name-problem.ts";
import type { Tool } from "../tools/tool.ts";

/** The values as they are used: "20m" of a setting becomes milliseconds, as from a file. */
export function readSettings(given: Readonly<Record<string, unknown>>): Expected<Values> {
  const values: Values = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const option = options.find((one) => one.name === name);
    if (!option)
      return refuse(
        `There is no setting "${name}"${didYouMean(
          name,
          options.map((one) => one.name),
        )}: docs/configuration.md has them all.`,
      );
    const read = readSetting(option, value);
    if (!read.ok) return read;
    values[option.name] = read.value;
  }
  return { ok: true, value: values };
}

/** A time may also be given in milliseconds. */
const readSetting = (option: Option, value: unknown): ReturnType<typeof readValue> =>
  option.type.kind === "duration" && typeof value === "number" && value >= 0
    ? { ok: true, value }
    : readValue(option, value, `"${option.name}"`);

/** What would make a provider refuse every request. The built-in tools are known to be sound. */
export function toolsProblem(tools: readonly Tool[]): string | undefined {
  const names = new Set<string>();
  for (const tool of tools) {
    if (names.has(tool.name))
      return `Two tools are named ${JSON.stringify(tool.name)}: leave one of them out of the list.`;
    names.add(tool.name);
    const problem = builtIn.includes(tool) ? undefined : (nameProblem(tool.name) ?? schemaProblem(tool));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function schemaProblem(tool: Tool): string | undefined {
  try {
    void tool.schema;
    return undefined;
  } catch (error) {
    return `The schema of the tool "${tool.name}" cannot be made (${errorMessage(error)}). Its input is an object with a zod schema for each argument, of what JSON can hold.`;
  }
}
