/** The format of DeepSeek V3, R1 and its distilled models: fenced JSON behind the name. */

import type { Dialect } from "./dialect.ts";
import {
  lostOpeners,
  markers,
  nameBehind,
  openersOf,
  readCalls,
  results,
  turns,
} from "./grammar/deepseek.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { templateJson } from "./grammar/template-json.ts";

const block = (calls: readonly string[]): string =>
  `<｜tool▁calls▁begin｜>${calls.join("\n")}<｜tool▁calls▁end｜>`;

const callText = (name: string, input: string): string =>
  `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${input}\n\`\`\`<｜tool▁call▁end｜>`;

export const deepseekV3: Dialect = {
  name: "deepseek-v3",
  tier: "token",
  openers: [...openersOf(nameBehind), ...lostOpeners],
  turns,
  results,
  ...resultsInTags,
  markers: [...markers, "</tool_response"],
  family: { template: ["<｜tool▁sep｜>", "```json"], models: /deepseek-(?:r1|(?:chat-)?v3(?!\.\d)|v2\.5)/i },
  lesson: {
    rules: [
      "The word function stays as it is. The arguments are one JSON object; without arguments write {}.",
      "Several calls: several inner blocks, one after the other, in one outer block.",
      ...resultRules,
    ],
  },
  writeCalls: (calls) => block(calls.map(({ name, input }) => callText(name, templateJson(input)))),
  read: readCalls,
};
