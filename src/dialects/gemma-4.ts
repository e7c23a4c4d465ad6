/** The format of Gemma 4: `call:name{…}` between special tokens, with a token around texts. */

import type { Dialect, CallVerdict } from "./dialect.ts";
import { beginsGemma, gemmaWays } from "./grammar/gemma-call.ts";
import { namesOf, since } from "./names.ts";
import type { OfferedTools } from "./reading/reader.ts";

const marks = {
  opener: "<|tool_call>",
  closer: "<tool_call|>",
  delimiter: '<|"|>',
  resultOpener: "<|tool_response>",
  resultCloser: "<tool_response|>",
  turns: ["<turn|>", "<|turn>"],
};

export const gemma4: Dialect = {
  name: "gemma-4",
  tier: "token",
  openers: [
    { mark: marks.opener, begins: beginsGemma },
    // Servers that strip special tokens leave only this.
    {
      mark: "call:",
      where: "line",
      begins: (ahead, { offered, isKnown }) => (isKnown ? beginsBare(ahead, offered) : "text"),
    },
  ],
  thoughts: ["<|channel>thought", "<|channel>"].map((open) => ({ open, close: "<channel|>" })),
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
    "<|channel>",
    ...marks.turns,
  ],
  family: { template: ["<|tool_call>call:"], models: namesOf(since("gemma", "4")) },
  ...gemmaWays(marks),
};

/** The name of a tool on offer and a bracket. */
function beginsBare(ahead: string, offered: OfferedTools): CallVerdict {
  const found = /^([\p{L}_][\p{L}\p{M}\p{N}_./-]*)(\s*[({])?/u.exec(ahead);
  if (!found) return ahead === "" ? "more" : "text";
  if (found[2] === undefined) return found[0].length === ahead.length ? "more" : "text";
  return offered.find(found[1] ?? "") === undefined ? "text" : "call";
}
