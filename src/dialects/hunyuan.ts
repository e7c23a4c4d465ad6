/** The format of Hunyuan A13B: a list of JSON objects in tags, the answer maybe in tags of its own. */

import type { MarkedDialect } from "./dialect.ts";
import { jsonDialect } from "./grammar/json-dialect.ts";
import { toolCalls } from "./json-in-marks.ts";
import { blank, follows, inOrder, mark } from "./reading/ahead.ts";
import { takeMark, takeSpace } from "./reading/reader.ts";

const answerOpener = "<answer>";
const answerCloser = "</answer>";

const calls = jsonDialect({
  name: "hunyuan",
  ...toolCalls,
  list: ["[", ", ", "]"],
  // Its template has every plain answer begin with the word for assistant.
  layout: [answerOpener, answerCloser, "助手："],
  turns: ["<|eos|>", "<|extra_0|>", "<|extra_4|>", "<|startoftext|>"],
  family: { template: [toolCalls.opener, "<|extra_0|>"], models: /hunyuan-?a13b/i },
});

const callsFollow = inOrder(blank, mark(toolCalls.opener), blank, mark("["));

export const hunyuan: MarkedDialect = {
  ...calls,
  openers: [
    ...calls.openers,
    { mark: answerOpener, where: "line", begins: (ahead) => follows(ahead, callsFollow) },
  ],
  *read(reader, opener) {
    if (opener === answerOpener) yield* takeSpace(reader);
    if (opener === answerOpener) yield* takeMark(reader, toolCalls.opener);
    yield* calls.read(reader, opener);
    if (opener === answerOpener) yield* takeMark(reader, answerCloser);
  },
};
