/** The format of Nemotron Nano v2 and Llama-Nemotron: a list of JSON objects in tags. */

import type { Dialect, WrittenCall, WrittenResult } from "./dialect.ts";
import { lesson, resultText } from "./grammar/lesson.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { callObject, listRules, templateJson } from "./grammar/template-json.ts";

const opener = "<TOOLCALL>";
const closer = "</TOOLCALL>";
const turns = ["<SPECIAL_12>", "<SPECIAL_11>", "<SPECIAL_10>"];
const results = ["<TOOL_RESPONSE>"];

const begins = (ahead: string) => beginsJson(ahead, opener);

export const nemotron: Dialect = {
  name: "nemotron",
  tier: "tagged",
  openers: [{ mark: opener, begins }],
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<TOOL_RESPONSE>"],
  markers: [opener, closer, "<TOOL_RESPONSE>", "</TOOL_RESPONSE>", ...turns],
  family: { template: [opener], models: /nemotron-nano-.*v2|llama.*nemotron/i },
  teach: (tools) =>
    lesson(tools, {
      form: `${opener}[{"name": "tool_name", "arguments": {"parameter": "value"}}]${closer}`,
      writeCalls,
      rules: [
        ...listRules,
        "After your calls, stop. The results come in the next message as <TOOL_RESPONSE>; never write one yourself.",
      ],
    }),
  writeCalls,
  writeResults,
  *read(reader) {
    yield* readTaggedJson(reader, {
      closers: [closer],
      openers: [opener],
      endings: [...results, ...turns],
      begins,
    });
  },
};

function writeCalls(calls: readonly WrittenCall[]): string {
  return `${opener}[${calls.map(callObject).join(", ")}]${closer}`;
}

function writeResults(results: readonly WrittenResult[]): string {
  const list = results.map((result) =>
    templateJson({ name: result.name, [result.isError ? "error" : "content"]: resultText(result) }),
  );
  return `<TOOL_RESPONSE>[${list.join(", ")}]</TOOL_RESPONSE>`;
}
