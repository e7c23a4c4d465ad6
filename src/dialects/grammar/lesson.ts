/** The parts common to every dialect's section of the system prompt: the form, the rules, the tools. */

import type { JsonObject } from "../../base/json.ts";
import type { ToolDescription } from "../../protocol/messages.ts";
import type { Dialect, WrittenCall, WrittenResult } from "../dialect.ts";
import { resultMark } from "../markers.ts";
import { inSequence } from "./writing.ts";

/** No real tool has this name, so that the example is not mistaken for an instruction. */
export const exampleCall: WrittenCall = { id: "call00001", name: "look_up", input: { word: "example" } };

const plainEnding = "When nothing is left to do, answer in plain text without a call.";

/** A form with placeholders is a call, too. */
const formOf = (input: JsonObject): WrittenCall => ({ id: "call00001", name: "tool_name", input });

/** The section of a system prompt that teaches a dialect and lists the tools. @experimental */
export function teach(
  { lesson, writeCalls, writeResults }: Pick<Dialect, "lesson" | "writeCalls" | "writeResults">,
  tools: readonly ToolDescription[],
): string {
  const { form = { parameter: "value" }, rules, ending = plainEnding } = lesson;
  const { resultRules = resultRulesFor(resultMark({ writeResults })) } = lesson;
  const lines = tools.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, parameters: schema }),
  );
  const all = [...rules, ...resultRules, ending];
  return `# Tools

You act by calling tools. To call one, write exactly this:

${typeof form === "string" ? form : writeCalls([formOf(form)])}

For example, with a tool ${exampleCall.name} that takes a word:

${writeCalls([exampleCall])}

${all.map((rule) => `- ${rule}`).join("\n")}

The tools, one per line, with their parameters as JSON Schema:

<tools>
${lines.join("\n")}
</tools>`;
}

/** Results in the most common form: `<tool_response name="…">`, in sequence. @experimental */
export const taggedResults = inSequence((result: WrittenResult) => {
  const error = result.isError ? ' error="true"' : "";
  return `<tool_response name="${result.name}"${error}>\n${resultText(result)}\n</tool_response>`;
});

type ResultsWay = Required<Pick<Dialect, "results" | "stop" | "writeResults">>;

/** With the stop before one that a model invents: no string of JSON holds a raw line break, so no file content is cut. */
export const resultsInTags: ResultsWay = {
  results: ["<tool_response"],
  stop: ["\n<tool_response"],
  writeResults: taggedResults,
};

/** The same, where values hold any text. */
export const rawResultsInTags: ResultsWay = { ...resultsInTags, stop: [] };

/** Results in a family's own marks, as its template shows them. */
export const resultsBetween = (open: string, close: string, between?: string): ResultsWay["writeResults"] =>
  inSequence((result) => `${open}${toldText(result)}${close}`, between);

/** A result where the family's marks have no place for a failure. */
export const toldText = (result: Pick<WrittenResult, "content" | "isError">): string =>
  `${result.isError ? "Error: " : ""}${resultText(result)}`;

export const resultText = ({ content }: Pick<WrittenResult, "content">): string =>
  content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");

/** The results come from outside, and in which mark. */
export const resultRulesFor = (mark?: string): readonly string[] => [
  `After your calls, stop. The results come in the next message${mark === undefined ? "" : ` as ${mark}`}; never write one yourself.`,
];
