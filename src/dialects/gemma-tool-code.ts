/** The format of Gemma 3: calls in Python's form in a fence of their own, maybe printed. */

import type { Dialect } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultText } from "./grammar/lesson.ts";
import { beginsKnownCall, pythonRules, readPythonCalls, writePythonCalls } from "./grammar/python-call.ts";

const opener = "```tool_code";
const closer = "```";
const turns = ["<end_of_turn>", "<start_of_turn>"];
const results = ["```tool_output"];

/** Elsewhere a fence in an answer only shows code: inside text it counts only for a model that was taught it. */
export const gemmaToolCode: Dialect = {
  name: "gemma-tool-code",
  tier: "taught",
  openers: [{ mark: opener, where: "line", begins: (ahead, { offered }) => beginsKnownCall(ahead, offered) }],
  turns,
  results,
  stop: [],
  markers: [opener, "```tool_output", ...turns],
  family: { template: ["```tool_code"], models: /gemma-?3(?!n?-?270m)/i },
  lesson: {
    form: `${opener}\ntool_name(parameter="value", other_parameter=1)\n${closer}`,
    rules: [
      ...pythonRules,
      "Several calls: several lines in the same fence.",
      "After your calls, stop. The results come in the next message as ```tool_output; never write one yourself.",
    ],
  },
  writeCalls: (calls) =>
    `${opener}\n${writePythonCalls(calls, { quote: '"', words: "Python" }).join("\n")}\n${closer}`,
  writeResults: (results) =>
    results
      .map((result) => {
        const text = `${result.isError ? "Error: " : ""}${resultText(result)}`;
        const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
        const fence = "`".repeat(longest + 1);
        return `${fence}tool_output\n${text}\n${fence}`;
      })
      .join("\n"),
  *read(reader) {
    yield* readCallBlock(reader, {
      closers: [closer],
      endings: [...results, ...turns],
      read: (body, closed) => readPythonCalls(body, { offered: reader.offered, closed }),
    });
  },
};
