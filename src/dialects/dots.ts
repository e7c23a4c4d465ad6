/** The format of dots: Claude's tags in a tag of its own, or JSON in it. */

import type { MarkedDialect } from "./dialect.ts";
import { invokeForm, invokeTag, parameterClose, writeInvoke } from "./grammar/invoke.ts";
import { resultRulesFor, resultsBetween } from "./grammar/lesson.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { readXmlCalls } from "./grammar/xml-call.ts";
import { namesOf, since } from "./names.ts";
import { blank, comes, follows, inOrder, mark, peek } from "./reading/ahead.ts";

const opener = "<dots_function_call>";
const closer = "</dots_function_call>";
const turns = ["<|endofassistant|>", "<|endofuser|>", "<|user|>"];
const results = ["<dots_function_response", "<tool_response"];
const endings = [...turns, ...results];
const invoke = inOrder(blank, peek(invokeTag("")));
const form = invokeForm({ prefix: "", opens: mark(opener), ends: [closer], endings });

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
  leftovers: [parameterClose("")],
  layout: [closer],
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [
    opener,
    closer,
    "<invoke",
    "</invoke",
    "<parameter",
    parameterClose(""),
    "</dots_function_response",
    ...endings,
  ],
  family: { template: [opener], models: namesOf("dots-studio", since("\\bdots", "3")) },
  lesson: {
    form: `${opener}\n<invoke name="tool_name">\n<parameter name="parameter_name">value</parameter>\n</invoke>\n${closer}`,
    rules: [...rawRules("several <invoke> in one block"), ...resultRulesFor("<dots_function_response>")],
  },
  writeCalls: (calls) =>
    [opener, ...calls.map((call) => writeInvoke(call, { prefix: "" })), closer].join("\n"),
  writeResults: resultsBetween("<dots_function_response>\n", "\n</dots_function_response>"),
  *read(reader) {
    if (yield* comes(reader, invoke)) yield* readXmlCalls(reader, form);
    else yield* readTaggedJson(reader, { closers: [closer], openers: [opener], endings });
  },
};
