/** The format that LM Studio teaches models without a format of their own: JSON objects between marks. */

import type { Dialect, WrittenCall, WrittenResult } from "./dialect.ts";
import { lesson, resultText } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { callObject, jsonRule } from "./grammar/template-json.ts";

const opener = "[TOOL_REQUEST]";
const closer = "[END_TOOL_REQUEST]";
const results = ["[TOOL_RESULT]"];

const begins = (ahead: string) => beginsJson(ahead, opener);

export const lmstudio: Dialect = {
  name: "lmstudio",
  tier: "tagged",
  openers: [{ mark: opener, begins }],
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n[TOOL_RESULT]"],
  markers: [opener, closer, "[TOOL_RESULT]", "[END_TOOL_RESULT]"],
  family: { template: [opener] },
  teach: (tools) =>
    lesson(tools, {
      form: `${opener}{"name": "tool_name", "arguments": {"parameter": "value"}}${closer}`,
      writeCalls,
      rules: [
        `Between the marks stands one object. ${jsonRule}`,
        `Several calls: several ${opener} blocks, one after the other. Do not put them in code fences.`,
        "After your calls, stop. The results come in the next message as [TOOL_RESULT]; never write one yourself.",
      ],
    }),
  writeCalls,
  writeResults,
  *read(reader) {
    yield* readTaggedJson(reader, {
      closers: [closer, "[/TOOL_REQUEST]"],
      openers: [opener],
      endings: results,
      begins,
    });
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  return calls.map((call) => `${opener}${callObject(call)}${closer}`).join("\n");
}

function writeResults(written: readonly WrittenResult[]): string {
  return written
    .map((result) => {
      const head = result.isError ? `${result.name} failed:` : `${result.name}:`;
      return `[TOOL_RESULT]${head}\n${resultText(result)}[END_TOOL_RESULT]`;
    })
    .join("\n");
}
