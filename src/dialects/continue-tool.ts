/** Continue's format for weak models: a fence with `TOOL_NAME:` and raw arguments: only where taught. */

import type { Dialect } from "./dialect.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { rawText } from "./grammar/raw-values.ts";
import { callInParts, inSequence } from "./grammar/writing.ts";
import { readXmlCall } from "./grammar/xml-call.ts";
import { whatFollows, type XmlForm } from "./grammar/xml-form.ts";
import { blank, either, follows, inOrder, mark, maybe, some } from "./reading/ahead.ts";
import { marksOf, takeMark, takeSpace, takeUntil } from "./reading/reader.ts";

const opener = "```tool";
const fence = "```";
const nameLabel = "TOOL_NAME:";
const argument = "BEGIN_ARG:";
const argumentEnd = "END_ARG";

const form: XmlForm = {
  call: {
    marks: [nameLabel],
    step: inOrder(
      maybe(inOrder(mark(opener), blank)),
      mark(nameLabel),
      some(/[^\n`]/),
      either(mark("\n"), mark(fence)),
    ),
    read: (opening) => ({ name: opening.slice(opening.indexOf(nameLabel) + nameLabel.length).trim() }),
  },
  parameter: {
    marks: [argument],
    step: inOrder(mark(argument), some(/[^\n]/)),
    read: (opening) => ({ key: opening.slice(argument.length).trim() }),
  },
  closers: () => [argumentEnd],
  ends: [fence],
  padding: "each",
  withoutCloser: "unclear",
  endIsOptional: true,
};

const endOfName = marksOf(["\n", fence]);

export const continueTool: Dialect = {
  name: "continue-tool",
  tier: "taught",
  openers: [{ mark: opener, where: "line", begins: (ahead) => follows(ahead, blank, mark(nameLabel)) }],
  leftovers: [argumentEnd],
  ...resultsInTags,
  markers: [nameLabel, argument, argumentEnd],
  lesson: {
    form: `${opener}\n${nameLabel} tool_name\n${argument} parameter_name\nvalue\n${argumentEnd}\n${fence}`,
    rules: [
      "Values stand on lines of their own, without quotation marks or escapes; lists and objects as JSON.",
      "Several calls: several such blocks, one after the other.",
    ],
  },
  writeCalls: inSequence(
    callInParts({
      open: (name) => `${opener}\n${nameLabel} ${name}\n`,
      argument: (key, value) => `${argument} ${key}\n${rawText(value)}\n${argumentEnd}\n`,
      close: fence,
    }),
  ),
  *read(reader) {
    yield* takeSpace(reader);
    yield* takeMark(reader, nameLabel);
    const { text } = yield* takeUntil(reader, endOfName);
    const { ends, next } = yield* whatFollows(reader, form);
    // Prose, or another name: the block only looks like a call.
    const isCall =
      reader.offered.find(text.trim()) && (ends.length > 0 || next === "parameter" || next === "nothing");
    if (isCall) yield* readXmlCall(reader, form, { name: text.trim() });
    else reader.asText();
  },
};
