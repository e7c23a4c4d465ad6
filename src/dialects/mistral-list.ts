/** The format of Mistral's older models, up to Nemo: a list of JSON objects with ids. */

import type { Dialect, WrittenCall } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { taggedJson } from "./grammar/tagged-json.ts";
import { templateJson } from "./grammar/template-json.ts";
import { closer, opener, results, turns } from "./mistral.ts";

export const mistralList: Dialect = {
  name: "mistral-list",
  tier: "token",
  ...taggedJson(opener, {
    closers: [],
    endings: [...turns, ...results],
    trailing: [closer],
    shape: { ids: true },
  }),
  turns,
  results,
  ...resultsInTags,
  markers: [opener, closer, "[TOOL_RESULTS]", "[INST]", "<tool_response", "</tool_response"],
  family: { template: [opener], models: /mistral|mixtral|codestral|ministral/i },
  lesson: {
    form: `${opener}[{"name": "tool_name", "arguments": {"parameter": "value"}, "id": "a1b2c3d4e"}]`,
    rules: [
      "The list must be valid JSON on one line; the id is any 9 letters and digits, another one for every call.",
      "Several calls: several objects in the one list. Do not put it in a code fence.",
      ...resultRules,
    ],
  },
  writeCalls,
};

function writeCalls(calls: readonly WrittenCall[]): string {
  const list = calls.map(({ id, name, input }) => ({ name, arguments: input, id: shortId(id) }));
  return `${opener}${templateJson(list)}`;
}

/** Mistral's servers and templates refuse any other id than 9 letters and digits. The same id gives the same one. */
export function shortId(id: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id;
  const parts = [2166136261, 40389].map((seed) => hash(id, seed).toString(36).padStart(7, "0"));
  return parts.join("").slice(-9);
}

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return value;
}
