/** The format of Apertus: a list of objects whose only key is the tool's name, between marks. */

import type { Dialect } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { jsonRule, templateJson } from "./grammar/template-json.ts";
import { isNext } from "./reading/reader.ts";

const opener = "<|tools_prefix|>";
const closer = "<|tools_suffix|>";
const turns = ["<|assistant_end|>", "<|assistant_start|>", "<|user_start|>", "<|user_end|>"];
const results = ["<tool_response"];

const begins = (ahead: string) => beginsJson(ahead, opener);

export const apertus: Dialect = {
  name: "apertus",
  tier: "token",
  openers: [{ mark: opener, begins }],
  thoughts: [{ open: "<|inner_prefix|>", close: "<|inner_suffix|>" }],
  turns,
  results,
  ...resultsInTags,
  markers: [opener, closer, "<|inner_", ...turns, "<tool_response", "</tool_response"],
  family: { template: [opener], models: /apertus/i },
  lesson: {
    rules: [
      `Between the marks stands a list of calls, each an object whose one key is the tool's name. ${jsonRule}`,
      "Several calls: several objects in the one list. Do not put it in a code fence.",
      ...resultRules,
    ],
  },
  writeCalls: (calls) =>
    `${opener}[${calls.map(({ name, input }) => templateJson({ [name]: input })).join(", ")}]${closer}`,
  *read(reader) {
    const how = yield* readTaggedJson(reader, {
      closers: [closer],
      openers: [opener],
      endings: [...results, ...turns, "<|inner_suffix|>"],
      begins,
      shape: { nameIsKey: true },
    });
    // Its results stand in brackets behind the calls, in the same turn.
    if (how !== "closer" || !(yield* isNext(reader, "["))) return;
    reader.notice("fabricated_result", "The model wrote a tool result itself: what followed was not read.");
    reader.over();
  },
};
