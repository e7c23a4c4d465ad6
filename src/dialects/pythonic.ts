/** A list of calls in Python's form and nothing else: Llama 4 without its marks, ToolACE, Gemma 3. */

import type { Dialect, CallVerdict } from "./dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { pythonRules, readPythonMessage, writePythonCalls } from "./grammar/python-call.ts";
import type { OfferedTools } from "./reading/reader.ts";

export const pythonic: Dialect = {
  name: "pythonic",
  tier: "whole",
  openers: [
    { mark: "[", begins: (ahead, { offered }) => begins(ahead, offered) },
    { mark: "```", begins: (ahead, { offered }) => beginsFence(ahead, offered) },
  ],
  namedOpeners: ({ tools }) =>
    tools.flatMap(({ name }) =>
      [...new Set([name, name.replaceAll("_", "\\_")])].map((written) => ({ mark: `${written}(` })),
    ),
  mayGoOn: true,
  ...resultsInTags,
  family: { template: ["[func_name1("], models: /toolace|pythonic/i },
  lesson: {
    form: '[tool_name(parameter="value", other_parameter=1)]',
    rules: [
      ...pythonRules,
      "Several calls: one list, `[first(a=1), second(b=2)]`. The list stands at the end of your answer, on a line of its own, without a code fence.",
    ],
  },
  writeCalls: (calls) => `[${writePythonCalls(calls, { quote: '"', words: "Python" }).join(", ")}]`,
  readWhole: readPythonMessage,
};

/** A list of calls in a fence of Python or of no language. */
function beginsFence(ahead: string, offered: OfferedTools): CallVerdict {
  const found = /^(?:py(?:thon)?)?[ \t]*\n\s*\[/.exec(ahead);
  if (found) return begins(ahead.slice(found[0].length), offered);
  return /^(?:p|py|pyt|pyth|pytho|python)?(?:[ \t]*|[ \t]*\n\s*)$/.test(ahead) ? "more" : "text";
}

/** The name of a tool on offer and a bracket. */
function begins(ahead: string, offered: OfferedTools): CallVerdict {
  const found = /^\s*([\p{L}_][\p{L}\p{M}\p{N}_.:/\\-]{0,120})(\s*\()?/u.exec(ahead);
  if (!found) return ahead.trim() === "" ? "more" : "text";
  if (found[2] === undefined) return found[0].length === ahead.trimEnd().length ? "more" : "text";
  return offered.find(found[1] ?? "") === undefined ? "text" : "call";
}
