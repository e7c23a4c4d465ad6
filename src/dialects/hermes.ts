/** The format of the Hermes and Qwen families: one JSON object in `<tool_call>` tags (A17–A22). */

import { heldJson } from "./constraint/held-form.ts";
import type { Dialect, CallVerdict, OpenerContext } from "./dialect.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { namesOf, since } from "./names.ts";
import { blank, comes, follows, inOrder, mark, name, nameAtStart, nameCharacter } from "./reading/ahead.ts";
import { takeSpace, takeWhile, type BlockReader, type StreamReading } from "./reading/reader.ts";

const opener = "<tool_call>";
const closer = "</tool_call>";
const turns = ["<|im_end|>", "<|im_start|>", "<|endoftext|>"];
const results = ["<tool_response"];

export const hermes: Dialect = {
  name: "hermes",
  tier: "tagged",
  openers: [{ mark: opener, begins }],
  held: heldJson(`${opener}\n`, `\n${closer}`),
  loneClosers: [closer],
  turns,
  results,
  // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
  stop: ["\n<tool_response"],
  markers: [opener, closer, "<tool_response", "</tool_response", "<|im_start|>", "<|im_end|>"],
  family: {
    template: ["<tool_call>", '"name"'],
    models: namesOf("hermes", "qwen", "qwq", "mimo", since("granite", "4"), "reka", "trinity"),
  },
  lesson: {
    form: `<tool_call>\n{"name": "tool_name", "arguments": {"parameter": "value"}}\n</tool_call>`,
    rules: [
      'The object must be valid JSON, with nothing else between the tags: inside strings write \\n for a line break and \\" for a quotation mark.',
      "Several calls: several <tool_call> blocks, one after the other. Do not put them in code fences.",
      ...resultRules,
    ],
  },
  writeCalls: (calls) =>
    calls
      .map(({ name, input }) => `${opener}\n${JSON.stringify({ name, arguments: input })}\n${closer}`)
      .join("\n"),
  writeResults: taggedResults,
  *read(reader) {
    if (yield* comes(reader, named)) {
      yield* readNamed(reader);
      return;
    }
    yield* readTaggedJson(reader, {
      closers: [closer, "</tool_calls>"],
      openers: [opener],
      endings: [...results, ...turns],
      begins: (ahead) => begins(ahead, reader),
    });
  },
};

/** The name alone, and the arguments on the next line. */
const named = inOrder(blank, name, blank, mark("{"));

function* readNamed(reader: BlockReader): StreamReading {
  yield* takeSpace(reader);
  const tool = yield* takeWhile(reader, nameCharacter);
  yield* readNamedCall(reader, {
    name: tool,
    closers: [closer],
    openers: [opener],
    endings: [...results, ...turns],
  });
}

function begins(ahead: string, { offered }: Pick<OpenerContext, "offered">): CallVerdict {
  const verdict = beginsJson(ahead, opener);
  if (verdict !== "text") return verdict;
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
