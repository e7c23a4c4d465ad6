/** The format of MiniMax M3: a token before every tag, arguments as elements in elements. */

import type { MarkedDialect, CallVerdict } from "./dialect.ts";
import { readElements, writeElements, type ElementTags } from "./grammar/elements.ts";
import { rawResultsInTags, resultsBetween } from "./grammar/lesson.ts";
import { namesOf, since } from "./names.ts";
import { blank, follows, inOrder, mark, some, type PatternStep } from "./reading/ahead.ts";
import { isNext, takeMark, takeSpace } from "./reading/reader.ts";

const token = "]<]minimax[>[";
const opener = `${token}<tool_call>`;
const closer = `${token}</tool_call>`;
const callOpen = `${token}<invoke name=`;
const tags: ElementTags = { token, call: "invoke", item: "item", closer };

const call: PatternStep = inOrder(mark(callOpen), some(/[^<>\n]/), mark(">"));
const begins = (ahead: string): CallVerdict => follows(ahead, blank, call);

export const minimaxM3: MarkedDialect = {
  name: "minimax-m3",
  tier: "token",
  openers: [
    { mark: opener, begins },
    { mark: callOpen, begins: (ahead) => follows(callOpen + ahead, call) },
    { mark: "<tool_call>", begins },
  ],
  thoughts: [{ open: "<mm:think>", close: "</mm:think>" }],
  leftovers: [`${token}</`],
  layout: [closer, token],
  turns: ["[e~[", "]~b]", "]~!b["],
  ...rawResultsInTags,
  // A word of other formats, too.
  plainResults: ["<response>"],
  markers: [token],
  family: { template: [token], models: namesOf(since("minimax-?m", "3")) },
  lesson: {
    form: `${opener}\n${callOpen}"tool_name">${token}<parameter_name>value${token}</parameter_name>${token}</invoke>\n${closer}`,
    rules: [
      `Before every tag stands ${token}. Texts stand as they are, without quotation marks or escapes.`,
      "A list is one <item> element for each item; an object is one element for each member, with its name.",
      "Several calls: several <invoke> elements in one block. Do not put them in code fences.",
    ],
  },
  writeCalls: (calls) => [opener, ...calls.map((one) => writeElements(one, tags)), closer].join("\n"),
  writeResults: resultsBetween("<response>", "</response>"),
  *read(reader, found) {
    let isFirst = found === callOpen;
    for (;;) {
      yield* takeSpace(reader);
      if (yield* takeMark(reader, closer)) return;
      if (!isFirst && !(yield* isNext(reader, callOpen))) return;
      if (!isFirst) reader.input.record(reader.input.take(callOpen.length));
      isFirst = false;
      yield* readElements(reader, tags);
    }
  },
};
