/** The format of Command A+ and Cohere2: that of Command R7B, whose results have a text each. */

import { cohereDialect } from "./cohere-command.ts";
import { namesOf } from "./names.ts";

export const cohere2 = cohereDialect({
  name: "cohere-2",
  family: {
    template: ["<|START_ACTION|>", "<|END_ACTION|>", "<|START_TEXT|>", '{"content": '],
    models: namesOf("command-?a-?plus", "cohere-?2"),
  },
  resultOf: (text) => ({ content: text }),
});
