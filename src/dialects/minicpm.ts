/** The format of MiniCPM5: `<function name="n">` with `<param name="k">` in it, texts in CDATA, Python for the rest. */

import type { Json } from "../base/json.ts";
import type { MarkedDialect, OpenerContext, CallVerdict } from "./dialect.ts";
import { closedParameter } from "./grammar/attributes.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { pythonText } from "./grammar/python-text.ts";
import { rawRules } from "./grammar/raw-values.ts";
import { readXmlCalls, rewind } from "./grammar/xml-call.ts";
import type { XmlForm } from "./grammar/xml-form.ts";
import { namesOf, since } from "./names.ts";
import { blank, follows, inOrder, mark, oneOf, some, type PatternStep } from "./reading/ahead.ts";

const opener = "<function name=";
const closer = "</function>";
const parameter = "<param name=";
const parameterClose = "</param>";
const quoted = { open: "<![CDATA[", close: `]]>${parameterClose}` };
const turns = ["<|im_end|>", "<|im_start|>", "</s>"];
const results = ["<tool_response"];

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
  endings: [...turns, ...results],
  padding: "none",
  withoutCloser: "ends",
  quoted,
};

export const minicpm: MarkedDialect = {
  name: "minicpm",
  tier: "tagged",
  openers: openers.map((mark) => ({ mark, begins })),
  leftovers: [parameterClose],
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [opener, closer, parameter, parameterClose, ...results, ...turns],
  family: { template: [opener, parameter], models: namesOf(since("minicpm", "5")) },
  lesson: {
    form: `${opener}"tool_name">${parameter}"parameter_name">value${parameterClose}${closer}`,
    rules: [
      `A text with <, & or line breaks stands in ${quoted.open} and ]]>.`,
      ...rawRules(`several ${opener}"…"> blocks, each on a line of its own`),
      ...resultRules,
    ],
  },
  writeCalls: (calls) =>
    calls
      .map(({ name, input }) => {
        const parameters = Object.entries(input).map(
          ([key, value]) => `${parameter}"${key}">${parameterText(value)}${parameterClose}`,
        );
        return `${opener}"${name}">${parameters.join("")}${closer}`;
      })
      .join("\n"),
  writeResults: taggedResults,
  *read(reader, mark) {
    rewind(reader, mark);
    yield* readXmlCalls(reader, form);
  },
};

/** HTML and prose know such tags too: only a call of a tool on offer counts. */
function begins(ahead: string, { offered, isKnown }: OpenerContext): CallVerdict {
  const verdict = follows(ahead, rest, goesOn);
  const name = nameIn(opener + ahead.slice(0, ahead.indexOf(">") + 1));
  return verdict === "call" && !isKnown && !offered.find(name) ? "text" : verdict;
}

function parameterText(value: Json): string {
  if (typeof value !== "string") return pythonText(value);
  return /[<>&\n]/.test(value) ? `${quoted.open}${value}]]>` : value;
}
