/** What a dialect's section of the system prompt has in common with every other: the form, the rules, the tools. */

import type { ToolDescription } from "../../protocol/messages.ts";
import type { WrittenCall, WrittenResult } from "../dialect.ts";

/** What a dialect says of itself to the model. */
export type Lesson = {
  /** How a call looks, with placeholders. */
  readonly form: string;
  /** Writes a call: the example is what the dialect itself writes. */
  readonly writeCalls: (calls: readonly WrittenCall[]) => string;
  /** What else must be known, one sentence each. */
  readonly rules: readonly string[];
};

/** A tool that nobody has, so that nobody takes the example for an order. */
export const exampleCall: WrittenCall = { id: "call00001", name: "look_up", input: { word: "example" } };

/** The section of a system prompt that teaches a dialect and lists the tools. */
export function lesson(tools: readonly ToolDescription[], { form, writeCalls, rules }: Lesson): string {
  const lines = tools.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, parameters: schema }),
  );
  const all = [...rules, "When nothing is left to do, answer in plain text without a call."];
  return `# Tools

You act by calling tools. To call one, write exactly this:

${form}

For example, with a tool ${exampleCall.name} that takes a word:

${writeCalls([exampleCall])}

${all.map((rule) => `- ${rule}`).join("\n")}

The tools, one per line, with their parameters as JSON Schema:

<tools>
${lines.join("\n")}
</tools>`;
}

/** Results as most families know them: `<tool_response name="…">`, one after the other. */
export const taggedResults = (results: readonly WrittenResult[]): string =>
  results
    .map((result) => {
      const error = result.isError ? ' error="true"' : "";
      return `<tool_response name="${result.name}"${error}>\n${resultText(result)}\n</tool_response>`;
    })
    .join("\n");

export const resultText = ({ content }: Pick<WrittenResult, "content">): string =>
  content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");

/** The results come from outside, and where from: rules that hold for every dialect with tagged results. */
export const resultRules: readonly string[] = [
  "After your calls, stop. The results come in the next message as <tool_response>; never write one yourself.",
];
