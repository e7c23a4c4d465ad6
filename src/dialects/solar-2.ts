/**
 * The format of Solar Open 2: a name on the line of its mark, then arguments with raw values, all in special tokens.
 */

import type { Dialect } from "./dialect.ts";
import { rawResultsInTags } from "./grammar/lesson.ts";
import { rawLesson, rawText } from "./grammar/raw-values.ts";
import { callInParts, inSequence } from "./grammar/writing.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import type { XmlForm } from "./grammar/xml-form.ts";
import { namesOf, since } from "./names.ts";
import { blank, either, follows, inOrder, mark, name, some } from "./reading/ahead.ts";

const opener = "<|tool_call:start|>";
const closer = "<|tool_call:end|>";
const keyMark = "<|tool_arg:start|>";
const valueMark = "<|tool_arg:value|>";
const valueEnd = "<|tool_arg:end|>";

const form: XmlForm = {
  call: {
    marks: [opener],
    step: inOrder(mark(opener), blank, name),
    read: (opening) => ({ name: opening.slice(opener.length).trim() }),
  },
  parameter: {
    marks: [keyMark],
    step: inOrder(mark(keyMark), some(/[^<>\n]/), mark(valueMark)),
    read: (opening) => ({ key: opening.slice(keyMark.length, -valueMark.length).trim() }),
  },
  closers: () => [valueEnd],
  ends: [closer],
  padding: "none",
  withoutCloser: "ends",
};

const goesOn = inOrder(blank, name, blank, either(mark(keyMark), mark(closer)));

export const solar2: Dialect = {
  name: "solar-2",
  tier: "token",
  openers: [{ mark: opener, begins: (ahead) => follows(ahead, goesOn) }],
  leftovers: [valueEnd],
  turns: ["<|im_end|>", "<|im_start|>"],
  ...rawResultsInTags,
  family: { template: [opener, keyMark], models: namesOf(since("solar-?open", "2")) },
  lesson: rawLesson(`several ${opener} blocks, one after the other`),
  writeCalls: inSequence(
    callInParts({
      open: (tool) => `${opener}${tool}\n`,
      argument: (key, value) => `${keyMark}${key}${valueMark}${rawText(value)}${valueEnd}\n`,
      close: closer,
    }),
  ),
  *read(reader, found) {
    rewind(reader, found);
    yield* readXmlCalls(reader, form);
  },
};
