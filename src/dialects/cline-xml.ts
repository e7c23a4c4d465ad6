/** Tools as tags, parameters as tags in them: Cline, Roo and morph. Only for a model that was taught it (N15). */

import type { MarkedDialect, OpenerContext, CallVerdict } from "./dialect.ts";
import { resultRules, taggedResults } from "./grammar/lesson.ts";
import { rawRules, rawText } from "./grammar/raw-values.ts";
import { parametersOf, type Parameters } from "./grammar/tool-schema.ts";
import { readXmlCall } from "./grammar/xml-call.ts";
import type { XmlForm } from "./grammar/xml-form.ts";
import { blank, follows, inOrder, mark, maybe, some, type PatternStep } from "./reading/ahead.ts";
import { marksOf, takeUntil, type OfferedTools } from "./reading/reader.ts";

const turns = ["<|im_end|>", "<|im_start|>", "<|endoftext|>"];
const results = ["<tool_response"];

const tagName = some(/[^<>\s/]/, 80);
const inner = inOrder(mark("<"), maybe(mark("/")), tagName, mark(">"));

export const clineXml: MarkedDialect = {
  name: "cline-xml",
  tier: "taught",
  openers: [{ mark: "<", where: "line", begins }],
  leftovers: closersOf,
  thoughts: [{ open: "<thinking>", close: "</thinking>" }],
  turns,
  results,
  // A value may hold any text.
  stop: [],
  markers: [...results, "</tool_response", ...turns],
  lesson: {
    form: "<tool_name>\n<parameter_name>value</parameter_name>\n</tool_name>",
    rules: [
      "The name of the tool is the tag, and so is the name of each parameter in it.",
      ...rawRules("one after the other"),
      ...resultRules,
    ],
  },
  writeCalls: (calls) =>
    calls
      .map(({ name, input }) => {
        const parameters = Object.entries(input).map(([key, value]) => {
          const text = rawText(value);
          return `<${key}>${text === text.trim() && !text.includes("\n") ? text : `\n${text}\n`}</${key}>\n`;
        });
        return `<${name}>\n${parameters.join("")}</${name}>`;
      })
      .join("\n"),
  writeResults: taggedResults,
  *read(reader) {
    const { text: name } = yield* takeUntil(reader, marksOf([">"]));
    reader.input.take(1);
    yield* readXmlCall(reader, formOf(name, reader.offered), { name });
  },
};

/** The tag of an offered tool, followed by a tag of one of its parameters or by nothing. */
function begins(ahead: string, { offered }: OpenerContext): CallVerdict {
  const verdict = follows(ahead, tagName, mark(">"), blank, inner);
  if (verdict !== "call") return verdict;
  const [, tool = "", slash = "", key = ""] = /^([^>]*)>\s*<(\/?)([^>]*)>/.exec(ahead) ?? [];
  if (!offered.find(tool)) return "text";
  const isCall = slash === "/" ? key === tool : declares(parametersOf(offered, tool), key);
  return isCall ? "call" : "text";
}

/** Only declared names are tags: everything else may be the text of a page. */
function formOf(tool: string, offered: OfferedTools): XmlForm {
  const parameters = parametersOf(offered, tool);
  return {
    call: {
      marks: [],
      step: tag((name) => offered.find(name) !== undefined),
      read: (opening) => ({ name: opening.slice(1, -1) }),
    },
    parameter: {
      marks: [],
      step: tag((name) => declares(parameters, name)),
      read: (opening) => ({ key: opening.slice(1, -1) }),
    },
    closers: (key) => [`</${key}>`],
    ends: [`</${tool}>`],
    endings: [...turns, ...results],
    padding: "none",
    withoutCloser: "data",
    tidy,
  };
}

const declares = ({ names, declared }: Parameters, key: string): boolean =>
  names.includes(declared(key) ?? "");

const tag =
  (accepts: (name: string) => boolean): PatternStep =>
  (text, at) => {
    const end = inOrder(mark("<"), tagName, mark(">"))(text, at);
    return typeof end !== "number" || accepts(text.slice(at + 1, end - 1)) ? end : "no";
  };

/** Text on lines of its own is unchanged; short text is trimmed. */
function tidy(text: string): string {
  const [, lines] = /^\r?\n([^]*?)\r?\n[ \t]*$/.exec(text) ?? [];
  if (lines !== undefined) return lines;
  return text.trim().includes("\n") ? text.replace(/^\r?\n/, "") : text.trim();
}

function closersOf(offered: OfferedTools): string[] {
  return offered.tools.flatMap(({ name }) => [
    `</${name}>`,
    ...parametersOf(offered, name).names.map((key) => `</${key}>`),
  ]);
}
