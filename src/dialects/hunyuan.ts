/** The format of Hunyuan A13B: a list of JSON objects in tags, the answer maybe in tags of its own. */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect } from "./dialect.ts";
import { resultRules, resultsInTags } from "./grammar/lesson.ts";
import { callObject, listRules } from "./grammar/template-json.ts";
import { readToolCalls, toolCallsCloser, toolCallsOpener, toolCallsTag } from "./grammar/tool-calls-tag.ts";
import { blank, follows, inOrder, mark } from "./reading/ahead.ts";
import { takeMark, takeSpace } from "./reading/reader.ts";

const answerOpener = "<answer>";
const answerCloser = "</answer>";
const turns = ["<|eos|>", "<|extra_0|>", "<|extra_4|>", "<|startoftext|>"];
const results = ["<tool_response"];

const callsFollow = inOrder(blank, mark(toolCallsOpener), blank, mark("["));

export const hunyuan: Dialect = {
  name: "hunyuan",
  tier: "tagged",
  openers: [
    toolCallsTag,
    { mark: answerOpener, where: "line", begins: (ahead) => follows(ahead, callsFollow) },
  ],
  // Its template has every plain answer begin with the word for assistant.
  layout: [answerOpener, answerCloser, "助手："],
  held: heldJson(`${toolCallsOpener}[`, `]${toolCallsCloser}`),
  turns,
  results,
  ...resultsInTags,
  markers: [toolCallsOpener, toolCallsCloser, ...turns, "<tool_response", "</tool_response"],
  family: { template: [toolCallsOpener, "<|extra_0|>"], models: /hunyuan-?a13b/i },
  lesson: { rules: [...listRules, ...resultRules] },
  writeCalls: (calls) => `${toolCallsOpener}[${calls.map(callObject).join(", ")}]${toolCallsCloser}`,
  *read(reader, opener) {
    if (opener === answerOpener) yield* takeSpace(reader);
    if (opener === answerOpener) yield* takeMark(reader, toolCallsOpener);
    yield* readToolCalls(reader, [...results, ...turns]);
    if (opener === answerOpener) yield* takeMark(reader, answerCloser);
  },
};
