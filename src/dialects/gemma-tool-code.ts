/** The format of Gemma 3: calls in Python's form in a fence of their own, maybe printed. */

import type { Dialect } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultRulesFor, toldText } from "./grammar/lesson.ts";
import { beginsKnownCall, pythonRules, readPythonCalls, writePythonCalls } from "./grammar/python-call.ts";
import { inSequence } from "./grammar/writing.ts";

const opener = "```tool_code";
const closer = "```";
const resultMark = "```tool_output";

export const gemmaToolCode: Dialect = {
  name: "gemma-tool-code",
  // Elsewhere a fence in an answer only shows code: inside text it counts only for a model that was taught it.
  tier: "taught",
  openers: [{ mark: opener, where: "line", begins: (ahead, { offered }) => beginsKnownCall(ahead, offered) }],
  turns: ["<end_of_turn>", "<start_of_turn>"],
  results: [resultMark],
  stop: [],
  markers: [opener],
  family: { template: ["```tool_code"], models: /gemma-?3(?!n?-?270m)/i },
  lesson: {
    form: `${opener}\ntool_name(parameter="value", other_parameter=1)\n${closer}`,
    rules: [...pythonRules, "Several calls: several lines in the same fence."],
    resultRules: resultRulesFor(resultMark),
  },
  writeCalls: (calls) =>
    `${opener}\n${writePythonCalls(calls, { quote: '"', words: "Python" }).join("\n")}\n${closer}`,
  writeResults: inSequence((result) => {
    const text = toldText(result);
    const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
    const fence = "`".repeat(longest + 1);
    return `${fence}tool_output\n${text}\n${fence}`;
  }),
  read: (reader) =>
    readCallBlock(reader, {
      closers: [closer],
      read: (body, closed) => readPythonCalls(body, { offered: reader.offered, closed }),
    }),
};
