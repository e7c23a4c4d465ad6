/** The format of Gemma 4: `call:name{…}` between special tokens, with a token around texts. */

import type { CallVerdict, MarkedDialect } from "./dialect.ts";
import { gemmaDialect } from "./grammar/gemma-call.ts";
import { namesOf, since } from "./names.ts";
import type { OfferedTools } from "./reading/reader.ts";

const own = gemmaDialect({
  name: "gemma-4",
  opener: "<|tool_call>",
  closer: "<tool_call|>",
  delimiter: '<|"|>',
  resultOpener: "<|tool_response>",
  resultCloser: "<tool_response|>",
  turns: ["<turn|>", "<|turn>"],
  family: { template: ["<|tool_call>call:"], models: namesOf(since("gemma", "4")) },
});

export const gemma4: MarkedDialect = {
  ...own,
  openers: [
    ...own.openers,
    // Servers that strip special tokens leave only this.
    {
      mark: "call:",
      where: "line",
      begins: (ahead, { offered, isKnown }) => (isKnown ? beginsBare(ahead, offered) : "text"),
    },
  ],
  thoughts: ["<|channel>thought", "<|channel>"].map((open) => ({ open, close: "<channel|>" })),
};

/** The name of a tool on offer and a bracket. */
function beginsBare(ahead: string, offered: OfferedTools): CallVerdict {
  const found = /^([\p{L}_][\p{L}\p{M}\p{N}_./-]*)(\s*[({])?/u.exec(ahead);
  if (!found) return ahead === "" ? "more" : "text";
  if (found[2] === undefined) return found[0].length === ahead.length ? "more" : "text";
  return offered.find(found[1] ?? "") === undefined ? "text" : "call";
}

/** The format of FunctionGemma: as Gemma 4, with other marks. */
export const functionGemma = gemmaDialect({
  name: "function-gemma",
  opener: "<start_function_call>",
  closer: "<end_function_call>",
  delimiter: "<escape>",
  resultOpener: "<start_function_response>",
  resultCloser: "<end_function_response>",
  turns: ["<end_of_turn>", "<start_of_turn>"],
  family: { template: ["<start_function_call>"], models: /function-?gemma/i },
});
