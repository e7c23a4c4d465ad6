/** The format of DeepSeek V3.1: bare JSON behind the name. */

import type { Dialect } from "./dialect.ts";
import { markers, nameBefore, openersOf, readCalls, results, turns } from "./grammar/deepseek.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { templateJson } from "./grammar/template-json.ts";

const block = (calls: readonly string[]): string =>
  `<｜tool▁calls▁begin｜>${calls.join("")}<｜tool▁calls▁end｜>`;

const callText = (name: string, input: string): string =>
  `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${input}<｜tool▁call▁end｜>`;

export const deepseekV31: Dialect = {
  name: "deepseek-v3.1",
  tier: "token",
  openers: openersOf(nameBefore),
  turns,
  results,
  ...resultsInTags,
  markers: [...markers, "</tool_response"],
  family: { template: ["<｜tool▁sep｜>"], models: /deepseek-(?:chat-)?v3\.1/i },
  lesson: {
    rules: [
      "The arguments are one JSON object; without arguments write {}.",
      "Several calls: several inner blocks, one after the other, in one outer block. Do not put them in code fences.",
      ...resultRules,
    ],
  },
  writeCalls: (calls) => block(calls.map(({ name, input }) => callText(name, templateJson(input)))),
  read: readCalls,
};
