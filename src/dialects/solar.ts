/** The format of Solar Open: id, name and arguments, each behind its own mark. */

import type { Dialect, WrittenCall } from "./dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import { blank, either, follows, inOrder, mark, name, some, takeText } from "./reading/ahead.ts";

const opener = "<|tool_call:begin|>";
const nameMark = "<|tool_call:name|>";
const argumentsMark = "<|tool_call:args|>";
const closer = "<|tool_call:end|>";

const id = either(inOrder(some(/[\w:.-]/, 64), blank), blank);
const call = inOrder(blank, id, mark(nameMark), blank, name, blank, mark(argumentsMark));

export const solar: Dialect = {
  name: "solar",
  tier: "token",
  openers: [{ mark: opener, begins: (ahead) => follows(ahead, call) }],
  // A thought ends as every part of an answer does.
  thoughts: [{ open: "<|think|>", close: "<|end|>", isPaired: true }],
  layout: ["<|tool_calls|>", "<|content|>", "<|begin|>assistant", "<|end|>", closer],
  turns: ["<|calls|>", "<|flush|>", "<|begin|>"],
  ...resultsInTags,
  results: ["<|begin|>tool", ...resultsInTags.results],
  family: { template: [opener, argumentsMark], models: /solar-?open(?!-?2)/i },
  lesson: {
    rules: [
      "The arguments are one JSON object on one line; without arguments write {}. Every call has an id of its own.",
      `Several calls: one after the other, each with its own ${opener}. Do not put them in code fences.`,
    ],
  },
  writeCalls: (calls) => `<|tool_calls|>${writeBlocks(calls)}`,
  *read(reader) {
    const head = yield* takeText(reader, call);
    const [own = "", tool = ""] = head.slice(0, -argumentsMark.length).split(nameMark);
    yield* readNamedCall(reader, {
      name: tool.trim(),
      id: own.trim() || undefined,
      closers: [closer],
      openers: [opener],
    });
  },
};

const writeBlocks = inSequence(
  (one: WrittenCall) =>
    `${opener}${one.id}${nameMark}${one.name}${argumentsMark}${templateJson(one.input)}${closer}`,
  "",
);
