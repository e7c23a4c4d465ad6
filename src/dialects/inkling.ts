/** The format of Inkling: an answer is blocks between special tokens, and a call is one of them, with JSON. */

import { nameKeys } from "../protocol/call-keys.ts";
import type { CallVerdict, MarkedDialect } from "./dialect.ts";
import { rawResultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { jsonRule } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import { namesOf } from "./names.ts";
import { blank, comes, follows, inOrder, mark, maybe, name, oneOf } from "./reading/ahead.ts";
import { marksOf, takeUntil } from "./reading/reader.ts";

const block = "<|message_model|>";
const opener = "<|content_invoke_tool_json|>";
const closer = "<|end_message|>";

/** A block's own opening, with the name of the tool that its JSON repeats. */
const heading = inOrder(maybe(name), blank, mark(opener));
/** The object has the name, too. */
const named = inOrder(
  blank,
  maybe(mark("[")),
  blank,
  mark("{"),
  blank,
  oneOf(...nameKeys.map((key) => `"${key}"`)),
);
const begins = (ahead: string): CallVerdict => beginsJson(ahead, opener);

export const inkling: MarkedDialect = {
  name: "inkling",
  tier: "token",
  openers: [
    { mark: opener, begins },
    {
      mark: block,
      begins: (ahead) => {
        const verdict = follows(ahead, heading);
        return verdict === "call" ? begins(ahead.slice(ahead.indexOf(opener) + opener.length)) : verdict;
      },
    },
  ],
  thoughts: [{ open: "<|content_thinking|>", close: closer, isPaired: true }],
  layout: [block, "<|content_text|>", closer],
  turns: ["<|content_model_end_sampling|>", "<|message_user|>", "<|message_system|>"],
  ...rawResultsInTags,
  results: ["<|message_tool|>", ...rawResultsInTags.results],
  markers: ["<|content_text|>"],
  family: { template: [opener], models: namesOf("\\binkling") },
  lesson: {
    rules: [
      `Between the marks stands one object. ${jsonRule}`,
      "Several calls: several such blocks, one after the other. Do not put them in code fences.",
    ],
  },
  writeCalls: inSequence(
    ({ name: tool, input }) =>
      `${block}${tool}${opener}${JSON.stringify({ name: tool, args: input })}${closer}`,
    "",
  ),
  *read(reader, found) {
    if (found === block) {
      const { text } = yield* takeUntil(reader, marksOf([opener]));
      reader.input.take(opener.length);
      const tool = text.trim();
      if (reader.offered.find(tool) && !(yield* comes(reader, named))) {
        yield* readNamedCall(reader, { name: tool, closers: [closer], openers: [opener] });
        return;
      }
    }
    yield* readTaggedJson(reader, { closers: [closer], openers: [opener] });
  },
};
