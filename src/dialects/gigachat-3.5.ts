/** The format of GigaChat 3.5: DeepSeek's tags with a token of its own in their names. */

import type { Dialect } from "./dialect.ts";
import { callMark, goesOn, invokeForm, invokeTag, parameterClose, writeInvoke } from "./grammar/invoke.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import { namesOf, since } from "./names.ts";
import { blank, follows, inOrder, mark, peek } from "./reading/ahead.ts";

const prefix = "｜GCML｜";
const opener = `<${prefix}tool_calls>`;
const closer = `</${prefix}tool_calls>`;
const turns = ["<|message_sep|>", "</s>"];
const results = ["<tool_response"];
const form = invokeForm({ prefix, opens: mark(opener), ends: [closer], endings: [...turns, ...results] });

export const gigachat35: Dialect = {
  name: "gigachat-3.5",
  tier: "token",
  openers: [
    { mark: opener, begins: (ahead) => follows(ahead, blank, peek(invokeTag(prefix))) },
    {
      mark: callMark(prefix),
      begins: (ahead) => follows(callMark(prefix) + ahead, inOrder(invokeTag(prefix), goesOn(prefix))),
    },
  ],
  leftovers: [parameterClose(prefix)],
  layout: [opener, closer],
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [`<${prefix}`, `</${prefix}`, ...turns, "<tool_response", "</tool_response"],
  family: { template: ["GCML", "role_sep", "message_sep"], models: namesOf(since("gigachat", "3.5")) },
  lesson: {
    form: `${opener}\n<${prefix}invoke name="tool_name">\n<${prefix}parameter name="parameter_name" string="true">value</${prefix}parameter>\n</${prefix}invoke>\n${closer}`,
    rules: [
      'string="true" for texts; string="false" for anything else.',
      ...rawRules(`several <${prefix}invoke> in one block`),
      ...resultRules,
    ],
  },
  writeCalls: (calls) =>
    `${opener}\n${calls.map((call) => writeInvoke(call, { prefix, says })).join("\n")}\n${closer}`,
  writeResults: taggedResults,
  *read(reader, found) {
    const repairs = found === opener ? [] : rewind(reader, found);
    yield* readXmlCalls(reader, form, repairs);
  },
};

const says = (isText: boolean): string => ` string="${isText}"`;
