/** The format of FunctionGemma: as Gemma 4, with other marks. */

import type { Dialect } from "./dialect.ts";
import { beginsGemma, gemmaWays } from "./grammar/gemma-call.ts";

const marks = {
  opener: "<start_function_call>",
  closer: "<end_function_call>",
  delimiter: "<escape>",
  resultOpener: "<start_function_response>",
  resultCloser: "<end_function_response>",
  turns: ["<end_of_turn>", "<start_of_turn>"],
};

export const functionGemma: Dialect = {
  name: "function-gemma",
  tier: "token",
  openers: [{ mark: marks.opener, begins: beginsGemma }],
  // Nothing is escaped, so that a value may hold what ends a call.
  leftovers: [marks.closer],
  turns: marks.turns,
  results: [marks.resultOpener],
  stop: [],
  markers: [
    marks.opener,
    marks.closer,
    marks.delimiter,
    marks.resultOpener,
    marks.resultCloser,
    ...marks.turns,
  ],
  family: { template: [marks.opener], models: /function-?gemma/i },
  ...gemmaWays(marks),
};
