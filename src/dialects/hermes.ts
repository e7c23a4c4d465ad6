/** The format of the Hermes and Qwen families: one JSON object in `<tool_call>` tags (A17–A22). */

import { argumentKeys } from "../protocol/call-keys.ts";
import { heldJson } from "./constraint/held-form.ts";
import type { Dialect, CallVerdict, Opener, OpenerContext } from "./dialect.ts";
import { resultsBetween, resultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { inSequence } from "./grammar/writing.ts";
import { namesOf, since } from "./names.ts";
import {
  before,
  blank,
  comes,
  follows,
  inOrder,
  mark,
  name,
  nameAtStart,
  oneOf,
  takeText,
} from "./reading/ahead.ts";
import { takeMark, takeSpace, type BlockReader, type StreamReading } from "./reading/reader.ts";

const opener = "<tool_call>";
const closer = "</tool_call>";
/** Small models write the name and the arguments in a tag each. */
const nameTag = "<name>";
/** Tags that small models put around calls. */
const groups: readonly string[] = ["functions", "function", "tools", "tool", "calls"];

export const hermes: Dialect = {
  name: "hermes",
  tier: "tagged",
  openers: [
    { mark: opener, begins },
    { mark: nameTag, begins: beginsPair },
    ...groups.map((group): Opener => ({ mark: `<${group}>`, begins: beginsGroup })),
  ],
  remains: groups.map((group) => `</${group}>`),
  held: heldJson(`${opener}\n`, `\n${closer}`),
  loneClosers: [closer],
  turns: ["<|im_end|>", "<|im_start|>", "<|endoftext|>"],
  ...resultsInTags,
  family: {
    template: ["<tool_call>", '"name"'],
    models: namesOf("hermes", "qwen", "qwq", "mimo", since("granite", "4"), "reka", "trinity"),
  },
  lesson: {
    form: `<tool_call>\n{"name": "tool_name", "arguments": {"parameter": "value"}}\n</tool_call>`,
    rules: [
      'The object must be valid JSON, with nothing else between the tags: inside strings write \\n for a line break and \\" for a quotation mark.',
      "Several calls: several <tool_call> blocks, one after the other. Do not put them in code fences.",
    ],
  },
  writeCalls: inSequence(
    ({ name, input }) => `${opener}\n${JSON.stringify({ name, arguments: input })}\n${closer}`,
  ),
  *read(reader, found) {
    if (found === nameTag || (yield* comes(reader, pairInside))) yield* readPair(reader, found);
    else if (found !== opener) yield* takeSpace(reader);
    else if (yield* comes(reader, named)) yield* readNamed(reader);
    else yield* readObjects(reader);
  },
};

function* readObjects(reader: BlockReader): StreamReading {
  yield* readTaggedJson(reader, {
    closers: [closer, "</tool_calls>"],
    openers: [opener],
    begins: (ahead) => begins(ahead, reader),
  });
}

/** Behind its first tag: a name, and the tag before the arguments. */
const pair = inOrder(
  blank,
  name,
  blank,
  mark("</name>"),
  blank,
  oneOf(...argumentKeys.map((key) => `<${key}>`)),
  blank,
  before(/\{/),
);
const pairInside = inOrder(blank, mark(nameTag), pair);

function beginsPair(ahead: string, { offered }: Pick<OpenerContext, "offered">): CallVerdict {
  const verdict = follows(ahead, pair);
  return verdict === "call" && !offered.find(nameAtStart(ahead)) ? "text" : verdict;
}

/** Marked calls must follow. */
function beginsGroup(ahead: string, { opens }: OpenerContext): CallVerdict {
  const rest = ahead.trimStart();
  return rest === "" ? "more" : opens(rest);
}

function* readPair(reader: BlockReader, found: string): StreamReading {
  const head = yield* takeText(reader, found === nameTag ? pair : pairInside);
  const tool = nameAtStart(head.replace(nameTag, ""));
  yield* readNamedCall(reader, {
    name: tool,
    closers: argumentKeys.map((key) => `</${key}>`),
    endings: [closer],
  });
  yield* takeSpace(reader);
  if (found === opener) yield* takeMark(reader, closer);
}

/** The name alone, and the arguments on the next line. */
const named = inOrder(blank, name, blank, mark("{"));

function* readNamed(reader: BlockReader): StreamReading {
  const tool = nameAtStart(yield* takeText(reader, inOrder(blank, name)));
  yield* readNamedCall(reader, { name: tool, closers: [closer], openers: [opener] });
}

function begins(ahead: string, { offered }: Pick<OpenerContext, "offered">): CallVerdict {
  const verdict = beginsJson(ahead, opener);
  if (verdict !== "text") return verdict;
  const asPair = follows(ahead, pairInside);
  if (asPair !== "text") return asPair;
  const head = follows(ahead, named);
  if (head === "more" || (head === "call" && offered.find(nameAtStart(ahead)))) return head;
  return beginsWords(ahead);
}

/** Nothing but words, on lines of their own between the tags: what was meant shows, so the model is told. */
function beginsWords(ahead: string): CallVerdict {
  const words = /^[ \t]*\r?\n[^<>{}[\]()=]*/.exec(ahead)?.[0] ?? "";
  const rest = ahead.slice(words.length);
  if (!closer.startsWith(rest.slice(0, closer.length))) return "text";
  if (rest.length < closer.length) return "more";
  return /\S\s+\S.*\n\s*$/s.test(words) ? "call" : "text";
}

const bielikResult = "<|function_output|>";

/** The format of Bielik: that of Hermes, with results behind a mark of its own. */
export const bielik: Dialect = {
  ...hermes,
  name: "bielik",
  results: [bielikResult, ...resultsInTags.results],
  family: { template: ["<tool_call>", '"name"', bielikResult], models: namesOf("bielik") },
  writeResults: resultsBetween(bielikResult, "", ""),
};
