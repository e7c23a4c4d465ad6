/** Tools as tags, parameters as tags in them or as attributes: Cline, Roo and morph. Only for a model that was taught it (N15). */

import type { Json } from "../base/json.ts";
import type { MarkedDialect, OpenerContext, CallVerdict } from "./dialect.ts";
import { readTagHead } from "./grammar/attributes.ts";
import { cutOff, unreadable } from "./grammar/json-calls.ts";
import { rawResultsInTags } from "./grammar/lesson.ts";
import { declares, namedTags, tagName, tagNamed } from "./grammar/named-tags.ts";
import { rawLesson, rawText } from "./grammar/raw-values.ts";
import { parametersOf } from "./grammar/tool-schema.ts";
import { callInParts, inSequence } from "./grammar/writing.ts";
import { readXmlCall } from "./grammar/xml-call.ts";
import type { XmlForm } from "./grammar/xml-form.ts";
import { blank, follows, inOrder, mark, maybe } from "./reading/ahead.ts";
import { takeWhile, type OfferedTools } from "./reading/reader.ts";

const inner = inOrder(mark("<"), maybe(mark("/")), tagName, mark(">"));

export const clineXml: MarkedDialect = {
  name: "cline-xml",
  tier: "taught",
  openers: [{ mark: "<", where: "line", begins }],
  leftovers: closersOf,
  thoughts: [{ open: "<thinking>", close: "</thinking>" }],
  turns: ["<|im_end|>", "<|im_start|>", "<|endoftext|>"],
  ...rawResultsInTags,
  lesson: rawLesson("one after the other", [
    "The name of the tool is the tag, and so is the name of each parameter in it.",
  ]),
  writeCalls: inSequence((call) =>
    callInParts({ open: (tool) => `<${tool}>\n`, argument: element, close: `</${call.name}>` })(call),
  ),
  *read(reader) {
    const name = yield* takeWhile(reader, /[^<>\s/]/);
    const head = yield* readTagHead(reader);
    if (head) yield* readXmlCall(reader, formOf(name, reader.offered), { name, ...head });
    else reader.tell({ ...(reader.isCut ? cutOff(reader.raw()) : unreadable(reader.raw(), noTag)), name });
  },
};

function element(name: string, value: Json): string {
  const text = rawText(value);
  return `<${name}>${text === text.trim() && !text.includes("\n") ? text : `\n${text}\n`}</${name}>\n`;
}

const noTag =
  "The tag of the call is not closed, or an attribute in it is broken. Nothing was run. Send it again with the parameters as tags of their own.";

const value = `(?:"[^"]*"|'[^']*')`;
const attribute = `\\s+[^\\s=<>"'/]+\\s*=\\s*`;
const first = /^([^<>\s/]+)\s+([^\s=<>"'/]+)\s*=/;
const wholeHead = new RegExp(`^[^<>\\s/]+(?:${attribute}${value})+\\s*(/?)>`);
const openHead = new RegExp(
  `^([^<>\\s/]+)(?:${attribute}${value})*(?:\\s+[^\\s=<>"'/]*(?:\\s*=\\s*(?:"[^"]*|'[^']*)?)?)?\\s*/?$`,
);

/** A tag with longer attributes is meant, whatever comes behind it. */
const longHead = 120;

/** The tag of an offered tool, with declared attributes or a tag of one of its parameters behind it, or with nothing. */
function begins(ahead: string, { offered }: OpenerContext): CallVerdict {
  const verdict = follows(ahead, tagName, mark(">"), blank, inner);
  if (verdict === "more") return "more";
  if (verdict === "call") {
    const [, tool = "", rest = ""] = /^([^>]*)>(.*)$/s.exec(ahead) ?? [];
    return offered.find(tool) ? goesOn(rest, tool, offered) : "text";
  }
  const [, tool = openHead.exec(ahead)?.[1] ?? "", key] = first.exec(ahead) ?? [];
  if (!offered.find(tool)) return "text";
  if (key !== undefined && !declares(parametersOf(offered, tool), key)) return "text";
  const [head, slash] = wholeHead.exec(ahead) ?? [];
  if (head !== undefined) return slash === "/" ? "call" : goesOn(ahead.slice(head.length), tool, offered);
  if (!openHead.test(ahead)) return "text";
  return key === undefined || ahead.length < longHead ? "more" : "call";
}

/** What follows the tag of a tool: a tag of its parameters, or its end. */
function goesOn(text: string, tool: string, offered: OfferedTools): CallVerdict {
  const verdict = follows(text, blank, inner);
  if (verdict !== "call") return verdict;
  const [, slash = "", key = ""] = /^\s*<(\/?)([^>]*)>/.exec(text) ?? [];
  const isCall = slash === "/" ? key === tool : declares(parametersOf(offered, tool), key);
  return isCall ? "call" : "text";
}

const formOf = (tool: string, offered: OfferedTools): XmlForm =>
  namedTags(tool, offered, {
    call: {
      marks: [],
      step: tagNamed((name) => offered.find(name) !== undefined),
      read: (opening) => ({ name: opening.slice(1, -1) }),
    },
    ends: [`</${tool}>`],
  });

function closersOf(offered: OfferedTools): string[] {
  return offered.tools.flatMap(({ name }) => [
    `</${name}>`,
    ...parametersOf(offered, name).names.map((key) => `</${key}>`),
  ]);
}
