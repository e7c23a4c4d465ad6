/** The format of Apertus: a list of objects whose only key is the tool's name, between marks. */

import type { MarkedDialect } from "./dialect.ts";
import { jsonDialect } from "./grammar/json-dialect.ts";
import { jsonRule, templateJson } from "./grammar/template-json.ts";
import { isNext } from "./reading/reader.ts";

const closer = "<|tools_suffix|>";

const calls = jsonDialect({
  name: "apertus",
  tier: "token",
  opener: "<|tools_prefix|>",
  closer,
  list: ["[", ", ", "]"],
  objectOf: ({ name, input }) => templateJson({ [name]: input }),
  reads: { endings: ["<|inner_suffix|>"], shape: { nameIsKey: true } },
  thoughts: [{ open: "<|inner_prefix|>", close: "<|inner_suffix|>" }],
  turns: ["<|assistant_end|>", "<|assistant_start|>", "<|user_start|>", "<|user_end|>"],
  family: { template: ["<|tools_prefix|>"], models: /apertus/i },
  rules: [
    `Between the marks stands a list of calls, each an object whose one key is the tool's name. ${jsonRule}`,
    "Several calls: several objects in the one list. Do not put it in a code fence.",
  ],
});

export const apertus: MarkedDialect = {
  ...calls,
  *read(reader, opener) {
    yield* calls.read(reader, opener);
    // Its results stand in brackets behind the calls, in the same turn.
    if (!reader.raw().trimEnd().endsWith(closer) || !(yield* isNext(reader, "["))) return;
    reader.notice("fabricated_result", "The model wrote a tool result itself: what followed was not read.");
    reader.over();
  },
};
