/** Families whose calls are JSON between marks, and nothing else: a row each. */

import { jsonDialect } from "./grammar/json-dialect.ts";
import { resultsBetween, resultsInTags, resultText } from "./grammar/lesson.ts";
import { jsonOpener } from "./grammar/tagged-json.ts";
import { jsonRule, listRules, templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import { mistralMarks } from "./mistral.ts";
import { longcatMarks } from "./pairs-in-tags.ts";

/** The format of ERNIE 4.5: one JSON object in `<tool_call>` tags, and the answer in tags of its own. */
export const ernie = jsonDialect({
  name: "ernie",
  opener: "<tool_call>",
  closer: "</tool_call>",
  gap: "\n",
  reads: { trailing: ["</response>"] },
  layout: ["<response>", "</response>"],
  turns: ["<|im_end|>", "<|im_start|>"],
  results: ["<tool_output>", ...resultsInTags.results],
  family: { template: ["<tool_call>", "<response>"], models: /ernie/i },
});

/** The format of LongCat: one JSON object in tags of its own. */
export const longcat = jsonDialect({
  name: "longcat",
  ...longcatMarks,
  gap: "\n",
  thoughts: [{ open: "<longcat_think>", close: "</longcat_think>" }],
  family: { template: [longcatMarks.opener, '"name"'], models: /longcat/i },
});

/** The format of Nemotron Nano v2 and Llama-Nemotron: a list of JSON objects in tags. */
export const nemotron = jsonDialect({
  name: "nemotron",
  opener: "<TOOLCALL>",
  closer: "</TOOLCALL>",
  list: ["[", ", ", "]"],
  turns: ["<SPECIAL_12>", "<SPECIAL_11>", "<SPECIAL_10>"],
  results: ["<TOOL_RESPONSE>"],
  stop: ["\n<TOOL_RESPONSE>"],
  family: { template: ["<TOOLCALL>"], models: /nemotron-nano-.*v2|llama.*nemotron/i },
  writeResults(results) {
    const list = results.map((result) =>
      templateJson({ name: result.name, [result.isError ? "error" : "content"]: resultText(result) }),
    );
    return `<TOOL_RESPONSE>[${list.join(", ")}]</TOOL_RESPONSE>`;
  },
});

/** A list of JSON objects, or an object a line: any of the families may give its calls ids. They share the opener: one reads. */
export const toolCalls = {
  opener: "<tool_calls>",
  closer: "</tool_calls>",
  openers: [jsonOpener("<tool_calls>")],
  reads: { closers: ["</tool_call>"], shape: { ids: true } },
};

/** The format of Jamba: a list of JSON objects in tags. */
export const jamba = jsonDialect({
  name: "jamba",
  ...toolCalls,
  list: ["[\n", ",\n", "\n]"],
  turns: ["<|eom|>", "<|bom|>"],
  family: { template: [toolCalls.opener, "<|bom|>"], models: /jamba/i },
});

/** The format of MiniMax M1: JSON objects in tags, one on each line. */
export const minimaxM1 = jsonDialect({
  name: "minimax-m1",
  ...toolCalls,
  list: ["\n", "\n", "\n"],
  turns: ["<end_of_sentence>", "<beginning_of_sentence>"],
  results: ["<beginning_of_sentence>tool"],
  stop: ["\ntool result:"],
  family: {
    template: [toolCalls.opener, "<beginning_of_sentence>"],
    models: /minimax-?m1|minimax-?text/i,
  },
  rules: [
    `Between the tags stand the calls, one object on a line of its own for each. ${jsonRule}`,
    "Several calls: several lines in the one block. Do not put it in a code fence.",
  ],
  writeResults: inSequence((result) => {
    const kind = result.isError ? "tool error" : "tool result";
    return `tool name: ${result.name}\n${kind}: ${resultText(result)}`;
  }, "\n\n"),
});

/** The format of Apriel: a list of JSON objects with ids in tags; it thinks aloud before its final response. */
export const apriel = jsonDialect({
  name: "apriel",
  ...toolCalls,
  list: ["[", ", ", "]"],
  objectOf: ({ id, name, input }) => templateJson({ name, arguments: input, id }),
  reads: { ...toolCalls.reads, endings: ["<|end|>"] },
  thoughts: [
    // The prompt ends with these words, and the thought with the mark.
    { open: "Here are my reasoning steps:", close: "[BEGIN FINAL RESPONSE]" },
    { open: "<thinking>", close: "</thinking>" },
  ],
  layout: ["[END FINAL RESPONSE]", "<|end|>"],
  turns: ["<|begin_user|>", "<|begin_assistant|>", "<|begin_system|>", "<|begin_content|>", "<|user|>"],
  results: ["<|begin_tool_result|>", "<|tool_result|>", ...resultsInTags.results],
  family: { template: [toolCalls.opener, "[BEGIN FINAL RESPONSE]"], models: /apriel/i },
  form: '<tool_calls>[{"name": "tool_name", "arguments": {"parameter": "value"}, "id": "call_1"}]</tool_calls>',
  rules: [...listRules, "Every call has an id of its own."],
});

/** The format that LM Studio teaches models without a format of their own: JSON objects between marks. */
export const lmstudio = jsonDialect({
  name: "lmstudio",
  opener: "[TOOL_REQUEST]",
  closer: "[END_TOOL_REQUEST]",
  reads: { closers: ["[/TOOL_REQUEST]"] },
  results: ["[TOOL_RESULT]"],
  stop: ["\n[TOOL_RESULT]"],
  family: { template: ["[TOOL_REQUEST]"] },
  writeResults: inSequence((result) => {
    const head = result.isError ? `${result.name} failed:` : `${result.name}:`;
    return `[TOOL_RESULT]${head}\n${resultText(result)}[END_TOOL_RESULT]`;
  }),
});

/** The format of Granite 20B for functions: objects, each behind the same mark, which also parts them. */
export const graniteFunction = jsonDialect({
  name: "granite-function",
  opener: "<function_call>",
  gap: " ",
  reads: {
    trailing: ["</function_call>"],
    // What its template has it write when no function fits.
    noCall: ["no_function"],
  },
  turns: ["<|endoftext|>"],
  results: ["<function_response>"],
  stop: ["\n<function_response>"],
  family: {
    template: ["<function_call>", "<|function_call_library|>"],
    models: /granite-?20b-?functioncalling/i,
  },
  rules: [
    `Behind <function_call> stands one object on one line. ${jsonRule}`,
    "Several calls: several lines, each with its own <function_call>. Do not put them in a code fence.",
  ],
  writeResults: resultsBetween("<function_response> ", ""),
});

/** The format of Mistral's older models, up to Nemo: a list of JSON objects with ids. */
export const mistralList = jsonDialect({
  name: "mistral-list",
  tier: "token",
  opener: mistralMarks.opener,
  list: ["[", ", ", "]"],
  objectOf: ({ id, name, input }) => templateJson({ name, arguments: input, id: shortId(id) }),
  reads: { trailing: [mistralMarks.closer], shape: { ids: true } },
  turns: mistralMarks.turns,
  results: mistralMarks.results,
  markers: [mistralMarks.closer],
  family: { template: [mistralMarks.opener], models: /mistral|mixtral|codestral|ministral/i },
  form: `${mistralMarks.opener}[{"name": "tool_name", "arguments": {"parameter": "value"}, "id": "a1b2c3d4e"}]`,
  rules: [
    "The list must be valid JSON on one line; the id is any 9 letters and digits, another one for every call.",
    "Several calls: several objects in the one list. Do not put it in a code fence.",
  ],
});

/** Mistral's servers and templates refuse any other id than 9 letters and digits. The same id gives the same one. */
export function shortId(id: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id;
  const parts = [2166136261, 40389].map((seed) => hash(id, seed).toString(36).padStart(7, "0"));
  return parts.join("").slice(-9);
}

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return value;
}
