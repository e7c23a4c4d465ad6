/** The format of dots: Claude's tags in a tag of its own, or JSON in it. */

import type { MarkedDialect } from "./dialect.ts";
import { invokeBlock, invokeForm, invokeTag } from "./grammar/invoke.ts";
import { rawResultsInTags, resultsBetween } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { readXmlCalls } from "./grammar/xml-call.ts";
import { namesOf, since } from "./names.ts";
import { blank, comes, follows, inOrder, mark, peek } from "./reading/ahead.ts";

const opener = "<dots_function_call>";
const closer = "</dots_function_call>";
const calls = invokeBlock(opener, closer, { prefix: "" });
const invoke = inOrder(blank, peek(invokeTag("")));
const form = invokeForm({ prefix: "", opens: mark(opener), ends: [closer] });

export const dots: MarkedDialect = {
  name: "dots",
  tier: "tagged",
  openers: [
    {
      mark: opener,
      begins: (ahead) => {
        const verdict = follows(ahead, invoke);
        return verdict === "text" ? beginsJson(ahead, opener) : verdict;
      },
    },
  ],
  ...calls,
  layout: [closer],
  turns: ["<|endofassistant|>", "<|endofuser|>", "<|user|>"],
  results: ["<dots_function_response", ...rawResultsInTags.results],
  family: { template: [opener], models: namesOf("dots-studio", since("\\bdots", "3")) },
  writeResults: resultsBetween("<dots_function_response>\n", "\n</dots_function_response>"),
  *read(reader) {
    if (yield* comes(reader, invoke)) yield* readXmlCalls(reader, form);
    else yield* readTaggedJson(reader, { closers: [closer], openers: [opener] });
  },
};
