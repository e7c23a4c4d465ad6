/** Test helper: the outcome of an answer, which must not depend on how the text is split. */

import { expect } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { readAnswer, tool, type ReadingOptions } from "./reading.ts";

/** `calls`: those that may run; `faults`: the others, and what was left out. */
type ReadingOutcome = {
  text: string;
  reasoning: string;
  calls: [name: string, input: JsonObject][];
  ids: string[];
  sources: string[];
  faults: string[];
};

export function outcome(answer: string, options: ReadingOptions = {}): ReadingOutcome {
  const [first, ...others] = [undefined, 1, 3, 11].map((chunk): ReadingOutcome => {
    let count = 0;
    const newId = (): string => `own_${(count += 1)}`;
    const read = readAnswer(answer, { newId, ...options, ...(chunk === undefined ? {} : { chunk }) });
    const good = read.calls.filter(({ problem }) => problem === undefined);
    return {
      text: read.text,
      reasoning: read.reasoning,
      calls: good.map(({ name, input }) => [name, input]),
      ids: good.map(({ id }) => id),
      sources: [...new Set(read.calls.map(({ source }) => source))],
      faults: [...read.calls.flatMap(({ fault }) => fault ?? []), ...read.notices],
    };
  });
  if (!first) throw new Error("Nothing was read.");
  for (const other of others) expect(other).toEqual(first);
  return first;
}

/** What the tests of JSON dialects call, and how a call of each looks as JSON. */
export const few = [
  tool("roll", { sides: "integer" }, ["sides"]),
  tool("ping", {}),
  tool("say", { text: "string" }, ["text"]),
];
export const rollJson = '{"name": "roll", "arguments": {"sides": 6}}';
export const pingJson = '{"name": "ping", "arguments": {}}';
export const roll: [string, JsonObject] = ["roll", { sides: 6 }];
export const ping: [string, JsonObject] = ["ping", {}];
