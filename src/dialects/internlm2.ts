/** The format of InternLM 2 and 3: one JSON object between marks, or raw code for the interpreter. */

import type { Dialect, Opener } from "./dialect.ts";
import { codeCall } from "./grammar/code-tool.ts";
import { cutOff } from "./grammar/json-calls.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { objectRules, templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import {
  marksOf,
  takeMark,
  takeOneOf,
  takeSpace,
  takeUntil,
  type BlockReader,
  type StreamReading,
} from "./reading/reader.ts";

const opener = "<|action_start|>";
const plugin = "<|plugin|>";
const interpreter = "<|interpreter|>";
const closer = "<|action_end|>";
const turns = ["<|im_end|>", "<|im_start|>"];

export const internlm2: Dialect = {
  name: "internlm2",
  tier: "token",
  openers: [{ mark: opener, begins }],
  // Code has no escapes: a mark in it must not end it unnoticed.
  leftovers: [closer],
  turns,
  ...resultsInTags,
  results: ["<|im_start|>environment", ...resultsInTags.results],
  markers: [interpreter],
  family: { template: [opener, plugin], models: /intern-?lm-?[23]/i },
  lesson: { rules: objectRules(opener) },
  writeCalls: inSequence(
    ({ name, input }) => `${opener}${plugin}\n${templateJson({ name, parameters: input })}${closer}`,
  ),
  *read(reader) {
    yield* takeSpace(reader);
    if ((yield* takeOneOf(reader, [plugin, interpreter])) === interpreter) yield* readCode(reader);
    else yield* readTaggedJson(reader, { closers: [closer], openers: [opener] });
  },
};

/** Code behind the interpreter's mark is no more than text for a model that is not known to write it so (N15). */
function begins(ahead: string, { isKnown }: Parameters<NonNullable<Opener["begins"]>>[1]) {
  const rest = ahead.trimStart();
  if (rest.startsWith("{")) return beginsJson(rest, plugin);
  if (rest.startsWith(plugin)) return beginsJson(rest.slice(plugin.length), plugin);
  if (rest.startsWith(interpreter)) return isKnown ? "call" : "text";
  return plugin.startsWith(rest) || interpreter.startsWith(rest) ? "more" : "text";
}

/** Its end is a stop token, so that most servers leave it out. */
function* readCode(reader: BlockReader): StreamReading {
  const { text, mark } = yield* takeUntil(reader, marksOf([closer, ...turns]));
  yield* takeMark(reader, closer);
  const call = codeCall(reader.offered, text);
  reader.tell(mark === undefined && reader.isCut ? { ...cutOff(reader.raw()), name: call.name } : call);
}
