/** The format of Llama 3's custom tools and of Functionary 3.1: JSON in a tag that names the tool. */

import type { CallVerdict, Dialect, OpenerContext } from "./dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import { turns } from "./llama-3.ts";
import {
  before,
  blank,
  follows,
  inOrder,
  maybe,
  name,
  nameAtStart,
  some,
  takeText,
  type PatternStep,
} from "./reading/ahead.ts";

const opener = "<function=";
const closer = "</function>";
const quote = maybe(some(/["']/, 1));
/** What stands between the name and the arguments: a bracket, and what models write in its place. */
const behindName: PatternStep = inOrder(quote, maybe(some(/[\s>,:()[\]=]/, 6)), blank, before(/\{/));

export const llamaFunctionTag: Dialect = {
  name: "llama-function-tag",
  tier: "tagged",
  openers: [{ mark: opener, begins }],
  turns,
  ...resultsInTags,
  family: { template: ["<|start_header_id|>", opener], models: /functionary.*3\.1/i },
  lesson: {
    rules: [
      "The arguments are one JSON object on one line; without arguments write {}.",
      "Several calls: several such tags, one after the other. Do not put them in code fences.",
    ],
  },
  writeCalls: inSequence((call) => `${opener}${call.name}>${templateJson(call.input)}${closer}`, ""),
  *read(reader) {
    const head = yield* takeText(reader, inOrder(quote, name, behindName));
    yield* readNamedCall(reader, {
      name: nameAtStart(head.replace(/^["']/, "")),
      closers: [closer, "<function>"],
      openers: [opener],
    });
  },
};

/** The tag occurs in texts about such formats: only the model that was taught it is told of a tool that is not on offer. */
function begins(ahead: string, { offered, isKnown }: OpenerContext): CallVerdict {
  const verdict = follows(ahead, quote, name, behindName);
  const tool = nameAtStart(ahead.replace(/^["']/, ""));
  return verdict === "call" && !isKnown && !offered.find(tool) ? "text" : verdict;
}
