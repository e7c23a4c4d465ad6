/** The format of DeepSeek V4.1: that of V4, with a blank between the token and the name of every tag. */

import { dsmlDialect } from "./deepseek-dsml.ts";
import { resultsBetween } from "./grammar/lesson.ts";
import { namesOf, since } from "./names.ts";

export const deepseekV41 = dsmlDialect({
  name: "deepseek-v4.1",
  prefix: "｜DSML｜ ",
  block: "calls",
  result: "tool_result",
  family: {
    template: ["DSML", " invoke name=", " calls>", "<tool_result>"],
    models: namesOf(since("deepseek", "4.1")),
  },
  writeResults: resultsBetween("<tool_result>", "</tool_result>", "\n\n"),
});
