/** The format of Llama 3 behind its tag: JSON objects with semicolons between them. Without the tag it is bare JSON. */

import type { CallVerdict, Dialect } from "./dialect.ts";
import { readBuiltinCalls } from "./grammar/builtin-call.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { withoutSchemas } from "./grammar/schema-echo.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { templateJson } from "./grammar/template-json.ts";
import {
  before,
  blank,
  comes,
  follows,
  inOrder,
  mark,
  maybe,
  name,
  oneOf,
  takeStep,
} from "./reading/ahead.ts";
import type { ReadCall } from "./reading/read-call.ts";
import type { BlockReader, OfferedTools, StreamReading } from "./reading/reader.ts";

export const opener = "<|python_tag|>";
export const turns = [
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end_of_text|>",
  "<|start_header_id|>",
  "<|begin_of_text|>",
];

const separator = inOrder(blank, maybe(oneOf(";", ",")), blank);
const another = inOrder(separator, before(/\{/));

export const llama3: Dialect = {
  name: "llama-3",
  tier: "token",
  openers: [{ mark: opener, begins: (ahead, { offered }) => begins(ahead, offered) }],
  turns,
  ...resultsInTags,
  family: { template: [opener], models: /llama-?3/i },
  lesson: {
    rules: [
      "The object must be valid JSON on one line; without parameters write {}.",
      "Several calls: several objects, with semicolons between them. Do not put them in code fences.",
    ],
  },
  writeCalls: (calls) =>
    `${opener}${calls.map(({ name, input }) => templateJson({ name, parameters: input })).join("; ")}`,
  *read(reader) {
    if (yield* comes(reader, builtin)) {
      yield* readBuiltin(reader);
      return;
    }
    const mend = (call: ReadCall): ReadCall => withoutEcho(reader, call);
    do {
      yield* takeStep(reader, separator);
      yield* readTaggedJson(reader, { closers: [], openers: [opener], mend });
    } while (yield* comes(reader, another));
  },
};

const builtin = inOrder(blank, name, blank, mark("("));

function* readBuiltin(reader: BlockReader): StreamReading {
  yield* readCallBlock(reader, {
    closers: [],
    endings: [opener],
    read: (body, closed) => readBuiltinCalls(body, reader.offered, closed),
  });
}

/** `tool.call(parameter="value")`, the format's other form: unmistakable if the tool is on offer. */
function begins(ahead: string, offered: OfferedTools): CallVerdict {
  const verdict = beginsJson(ahead, opener);
  if (verdict !== "text") return verdict;
  const called = follows(ahead, builtin);
  const tool = /^\s*([\p{L}\p{M}\p{N}_.-]+?)\.call\s*\(/u.exec(ahead)?.[1] ?? "";
  return called === "call" && offered.find(tool) === undefined ? "text" : called;
}

/** Small models echo the schema around the values. */
function withoutEcho(reader: BlockReader, call: ReadCall): ReadCall {
  const tool = call.problem === undefined ? reader.offered.find(call.name) : undefined;
  const plain = tool && withoutSchemas(call.input, tool.schema);
  if (!plain || plain.notes.length === 0) return call;
  return {
    ...call,
    input: plain.input,
    rawArguments: reader.raw(),
    repairs: [...(call.repairs ?? []), ...plain.notes],
  };
}
