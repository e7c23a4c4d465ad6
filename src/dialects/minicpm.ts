/** The format of MiniCPM5: `<function name="n">` with `<param name="k">` in it, texts in CDATA, Python for the rest. */

import type { Json } from "../base/json.ts";
import type { MarkedDialect, OpenerContext, CallVerdict } from "./dialect.ts";
import { closedParameter } from "./grammar/attributes.ts";
import { rawResultsInTags } from "./grammar/lesson.ts";
import { pythonText, rawLesson } from "./grammar/raw-values.ts";
import { callInParts, inSequence } from "./grammar/writing.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import type { XmlForm } from "./grammar/xml-form.ts";
import { namesOf, since } from "./names.ts";
import { blank, follows, inOrder, mark, ofOffered, oneOf, some, type PatternStep } from "./reading/ahead.ts";

const opener = "<function name=";
const closer = "</function>";
const parameter = "<param name=";
const parameterClose = "</param>";
const quoted = { open: "<![CDATA[", close: `]]>${parameterClose}` };

/** Detokenisers lose the blank in a tag. */
const gluedOf = (mark: string): string => mark.replace(" ", "");
const openers = [opener, gluedOf(opener)];
const parameters = [parameter, gluedOf(parameter)];

const rest: PatternStep = inOrder(some(/[^<>\n]/), mark(">"));
const goesOn = inOrder(blank, oneOf(...parameters, closer));
const nameIn = (tag: string): string => /name=\s*["']?([^"'>]*)/.exec(tag)?.[1]?.trim() ?? "";

const form: XmlForm = {
  call: {
    marks: openers,
    step: inOrder(oneOf(...openers), rest),
    read: (opening) => ({ name: nameIn(opening) }),
  },
  parameter: {
    marks: parameters,
    step: inOrder(oneOf(...parameters), rest),
    read: (opening) => closedParameter(opening) ?? { key: nameIn(opening) },
  },
  closers: (key) => [...new Set([parameterClose, `</${key}>`])],
  ends: [closer],
  padding: "none",
  withoutCloser: "ends",
  quoted,
};

export const minicpm: MarkedDialect = {
  name: "minicpm",
  tier: "tagged",
  openers: openers.map((mark) => ({ mark, begins })),
  leftovers: [parameterClose],
  turns: ["<|im_end|>", "<|im_start|>", "</s>"],
  ...rawResultsInTags,
  family: { template: [opener, parameter], models: namesOf(since("minicpm", "5")) },
  lesson: rawLesson(`several ${opener}"…"> blocks, each on a line of its own`, [
    `A text with <, & or line breaks stands in ${quoted.open} and ]]>.`,
  ]),
  writeCalls: inSequence(
    callInParts({
      open: (tool) => `${opener}"${tool}">`,
      argument: (key, value) => `${parameter}"${key}">${parameterText(value)}${parameterClose}`,
      close: closer,
    }),
  ),
  *read(reader, mark) {
    rewind(reader, mark);
    yield* readXmlCalls(reader, form);
  },
};

/** HTML and prose know such tags too: only a call of a tool on offer counts. */
function begins(ahead: string, place: OpenerContext): CallVerdict {
  const name = nameIn(opener + ahead.slice(0, ahead.indexOf(">") + 1));
  return ofOffered(follows(ahead, rest, goesOn), name, place);
}

function parameterText(value: Json): string {
  if (typeof value !== "string") return pythonText(value);
  return /[<>&\n]/.test(value) ? `${quoted.open}${value}]]>` : value;
}
