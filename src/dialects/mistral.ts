/** The format of Mistral's models since v11: Small 3.2, Devstral, Magistral, Ministral 3 (A22). */

import type { CallVerdict, Dialect, OpenerContext } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { beginsKnownCall, readPythonCalls } from "./grammar/python-call.ts";
import { templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import { namesOf, since } from "./names.ts";
import {
  before,
  blank,
  comes,
  either,
  inOrder,
  mark,
  maybe,
  name,
  some,
  takeStep,
  takeText,
  follows,
  type PatternStep,
} from "./reading/ahead.ts";
import type { BlockReader, StreamReading } from "./reading/reader.ts";

const opener = "[TOOL_CALLS]";
const closer = "[/TOOL_CALLS]";
const idMark = "[CALL_ID]";
const argumentsMark = "[ARGS]";
/** What older models have, too. */
export const mistralMarks = {
  opener,
  closer,
  turns: ["</s>", "<s>", "[INST]", "[AVAILABLE_TOOLS]"],
  results: ["[TOOL_RESULTS]", ...resultsInTags.results],
};

const id: PatternStep = inOrder(mark(idMark), blank, some(/[\w:.-]/), blank);
const head: PatternStep = inOrder(blank, maybe(inOrder(mark(opener), blank)), name, blank, either(id, blank));
const marked: PatternStep = inOrder(head, mark(argumentsMark), blank, before(/["'{[“”`]/));
/** As a program writes it, maybe in a list. */
const written: PatternStep = inOrder(blank, maybe(inOrder(mark("["), blank)), name, blank, mark("("));
/** Some servers drop the mark before the arguments. */
const unmarked: PatternStep = inOrder(head, before(/\{/));

export const mistral: Dialect = {
  name: "mistral",
  tier: "token",
  openers: [{ mark: opener, begins }],
  thoughts: [{ open: "[THINK]", close: "[/THINK]" }],
  ...resultsInTags,
  turns: mistralMarks.turns,
  results: mistralMarks.results,
  markers: [closer, idMark],
  family: {
    template: [opener, argumentsMark],
    models: namesOf(
      since("mistral-small", "3.2"),
      since("mistral-(?:medium|large)", "3"),
      since("ministral", "3"),
      "devstral|magistral",
      // The date of a release, from June 2025 on.
      "mi(?:ni)?stral[\\w.-]*-2(?:50[6-9]|51[0-2]|[6-9]\\d\\d)(?!\\d)",
    ),
  },
  lesson: {
    rules: [
      "The arguments are one JSON object on one line; without arguments write {}.",
      `Several calls: one after the other, each with its own ${opener}. Do not put them in code fences.`,
    ],
  },
  writeCalls: inSequence((one) => `${opener}${one.name}${argumentsMark}${templateJson(one.input)}`, ""),
  *read(reader) {
    if (yield* comes(reader, written)) {
      yield* readCallBlock(reader, {
        closers: [],
        endings: [opener, closer],
        read: (body, closed) => readPythonCalls(body, { offered: reader.offered, closed }),
      });
      yield* takeStep(reader, inOrder(blank, mark(closer)));
      return;
    }
    do yield* readCall(reader);
    while (yield* comes(reader, marked));
    yield* takeStep(reader, inOrder(blank, mark(closer)));
  },
};

function begins(ahead: string, { offered }: OpenerContext): CallVerdict {
  const verdict = follows(ahead, either(marked, unmarked));
  return verdict === "text" ? beginsKnownCall(ahead, offered) : verdict;
}

/** The name, and the id if there is one. */
const parts = /([^\s[\]]+)\s*(?:\[CALL_ID\]\s*([\w:.-]+)\s*)?(?:\[ARGS\]\s*)?$/;

function* readCall(reader: BlockReader): StreamReading {
  const [, tool = "", own] = parts.exec(yield* takeText(reader, either(marked, unmarked))) ?? [];
  yield* readNamedCall(reader, { name: tool, id: own, closers: [], openers: [opener] });
}
