/** The format of Gemma 3: calls in Python's form in a fence of their own, maybe printed. */

import type { Dialect } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultRulesFor, toldText, resultsInTags } from "./grammar/lesson.ts";
import {
  beginsKnownCall,
  pythonRules,
  readPythonCalls,
  writePythonCalls,
  readPythonProgram,
} from "./grammar/python-call.ts";
import { inSequence } from "./grammar/writing.ts";

const opener = "```tool_code";
const closer = "```";
const resultMark = "```tool_output";

/** What both write and teach; `ending`: what else is said of the fence. */
const inFence = (ending: string): Pick<Dialect, "markers" | "lesson" | "writeCalls"> => ({
  markers: [opener],
  lesson: {
    form: `${opener}\ntool_name(parameter="value", other_parameter=1)\n${closer}`,
    rules: [...pythonRules, `Several calls: several lines in the same fence.${ending}`],
  },
  writeCalls: (calls) =>
    `${opener}\n${writePythonCalls(calls, { quote: '"', words: "Python" }).join("\n")}\n${closer}`,
});
const marked = inFence("");

export const gemmaToolCode: Dialect = {
  ...marked,
  name: "gemma-tool-code",
  // Elsewhere a fence in an answer only shows code: inside text it counts only for a model that was taught it.
  tier: "taught",
  openers: [{ mark: opener, where: "line", begins: (ahead, { offered }) => beginsKnownCall(ahead, offered) }],
  turns: ["<end_of_turn>", "<start_of_turn>"],
  results: [resultMark],
  stop: [],
  family: { template: ["```tool_code"], models: /gemma-?3(?!n?-?270m)/i },
  lesson: { ...marked.lesson, resultRules: resultRulesFor(resultMark) },
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

/** Gemma's tool code as the whole message: what models write that were taught no dialect, Gemini too. */
export const toolCode: Dialect = {
  ...inFence(" The fence ends your answer."),
  name: "tool-code",
  tier: "whole",
  // Without its fence only the name of their library shows it; the fence itself may follow other text.
  openers: [opener, "print(default_api.", "default_api."].map((mark) => ({
    mark,
    ...(mark === opener ? { where: "line" } : {}),
    begins: (ahead, { offered }) => beginsKnownCall(ahead, offered),
  })),
  ...resultsInTags,
  readWhole: readPythonProgram,
};
