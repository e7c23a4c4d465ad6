/** The format of DeepSeek V3, R1 and its distilled models: fenced JSON behind the name. */

import type { MarkedDialect } from "./dialect.ts";
import {
  lostOpeners,
  markers,
  nameBefore,
  nameBehind,
  openersOf,
  readCalls,
  results,
  turns,
} from "./grammar/deepseek.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { templateJson } from "./grammar/template-json.ts";

/** `called`: a call between its marks; `between`: what parts two of them. */
type TokenVersion = Pick<MarkedDialect, "name" | "openers" | "family" | "lesson"> & {
  readonly called: (name: string, input: string) => string;
  readonly between: string;
};

const tokenDialect = ({ called, between, ...version }: TokenVersion): MarkedDialect => ({
  ...version,
  tier: "token",
  turns,
  ...resultsInTags,
  results,
  markers,
  writeCalls(calls) {
    const written = calls.map(
      ({ name, input }) => `<｜tool▁call▁begin｜>${called(name, templateJson(input))}<｜tool▁call▁end｜>`,
    );
    return `<｜tool▁calls▁begin｜>${written.join(between)}<｜tool▁calls▁end｜>`;
  },
  read: readCalls,
});

export const deepseekV3 = tokenDialect({
  name: "deepseek-v3",
  openers: [...openersOf(nameBehind), ...lostOpeners],
  family: { template: ["<｜tool▁sep｜>", "```json"], models: /deepseek-(?:r1|(?:chat-)?v3(?!\.\d)|v2\.5)/i },
  lesson: {
    rules: [
      "The word function stays as it is. The arguments are one JSON object; without arguments write {}.",
      "Several calls: several inner blocks, one after the other, in one outer block.",
    ],
  },
  called: (name, input) => `function<｜tool▁sep｜>${name}\n\`\`\`json\n${input}\n\`\`\``,
  between: "\n",
});

/** The format of DeepSeek V3.1: bare JSON behind the name. */
export const deepseekV31 = tokenDialect({
  name: "deepseek-v3.1",
  openers: openersOf(nameBefore),
  family: { template: ["<｜tool▁sep｜>"], models: /deepseek-(?:chat-)?v3\.1/i },
  lesson: {
    rules: [
      "The arguments are one JSON object; without arguments write {}.",
      "Several calls: several inner blocks, one after the other, in one outer block. Do not put them in code fences.",
    ],
  },
  called: (name, input) => `${name}<｜tool▁sep｜>${input}`,
  between: "",
});
