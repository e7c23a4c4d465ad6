/** Gemma's tool code as the whole message: what models write that were taught no dialect, Gemini too. */

import type { Dialect } from "./dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { beginsKnownCall, pythonRules, readPythonProgram, writePythonCalls } from "./grammar/python-call.ts";

const opener = "```tool_code";

export const toolCode: Dialect = {
  name: "tool-code",
  tier: "whole",
  // Without its fence only the name of their library shows it; the fence itself may follow other text.
  openers: [opener, "print(default_api.", "default_api."].map((mark) => ({
    mark,
    ...(mark === opener ? { where: "line" } : {}),
    begins: (ahead, { offered }) => beginsKnownCall(ahead, offered),
  })),
  ...resultsInTags,
  markers: [opener],
  lesson: {
    form: `${opener}\ntool_name(parameter="value", other_parameter=1)\n\`\`\``,
    rules: [...pythonRules, "Several calls: several lines in the same fence. The fence ends your answer."],
  },
  writeCalls: (calls) =>
    `${opener}\n${writePythonCalls(calls, { quote: '"', words: "Python" }).join("\n")}\n\`\`\``,
  readWhole: readPythonProgram,
};
