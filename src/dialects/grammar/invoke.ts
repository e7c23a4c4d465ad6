/** Calls as `<invoke name="n">` containing `<parameter name="k">`, each tag with the family's prefix. */

import type { MarkedDialect, Opener, WrittenCall } from "../dialect.ts";
import { blank, either, follows, inOrder, mark, maybe, some, type PatternStep } from "../reading/ahead.ts";
import type { OfferedTools } from "../reading/reader.ts";
import { attribute, closedParameter } from "./attributes.ts";
import { rawResultsInTags } from "./lesson.ts";
import { rawLesson, rawText } from "./raw-values.ts";
import { parametersOf } from "./tool-schema.ts";
import { callInParts } from "./writing.ts";
import type { CallOpening, ParameterOpening, XmlForm } from "./xml-form.ts";

type InvokeTags = {
  /** The prefix of every tag name: `atem:`. */
  readonly prefix: string;
  /** What may precede a call, and what ends the group of calls. */
  readonly opens?: PatternStep;
  readonly ends: readonly string[];
};

export function invokeForm({ prefix, opens, ends }: InvokeTags): XmlForm {
  const call = callMark(prefix);
  const parameter = `<${prefix}parameter name=`;
  const step = invokeTag(prefix);
  return {
    call: {
      marks: [call],
      step: opens ? inOrder(maybe(inOrder(opens, blank)), step) : step,
      read: openingOf,
    },
    parameter: {
      marks: [parameter],
      step: inOrder(mark(parameter), some(/[^<>\n]/, 120), mark(">")),
      read: parameterOf,
    },
    closers: (key) => [...new Set([parameterClose(prefix), `</${prefix}${key}>`, `</${key}>`])],
    ends: [`</${prefix}invoke>`, ...ends],
    padding: "none",
    withoutCloser: "ends",
  };
}

export const parameterClose = (prefix: string): string => `</${prefix}parameter>`;
export const callMark = (prefix: string): string => `<${prefix}invoke name=`;

/** The complete opening tag of a call. */
export const invokeTag = (prefix: string): PatternStep =>
  inOrder(mark(callMark(prefix)), some(/[^<>\n]/, 120), mark(">"));

/** What must follow a call's opening tag if nothing around it proves that it is a call. */
export const goesOn = (prefix: string): PatternStep =>
  inOrder(blank, either(mark(`<${prefix}parameter name=`), mark(`</${prefix}invoke>`)));

/** A call without tags around it, as an opener. */
export const bareInvoke = (prefix: string): Opener => ({
  mark: callMark(prefix),
  begins: (ahead) => follows(callMark(prefix) + ahead, invokeTag(prefix), goesOn(prefix)),
});

/** The name in the opening tag of a call. */
export const invokedName = (tag: string): string =>
  attribute(tag.slice(tag.indexOf("invoke name=")), "name") ?? "";

/** Also accepts `name="read.path">…`: models drop the tag of the first parameter. */
function openingOf(opening: string, offered: OfferedTools): CallOpening {
  const name = invokedName(opening);
  const [, tool = "", key = ""] = /^(.+)\.([\w-]+)$/.exec(name) ?? [];
  const isSwallowed = tool !== "" && !offered.find(name) && parametersOf(offered, tool).names.includes(key);
  if (!isSwallowed) return { name };
  return {
    name: tool,
    key,
    repairs: [{ code: "key-opener", detail: "The tag of the first parameter was missing." }],
  };
}

function parameterOf(opening: string): ParameterOpening {
  const isText = attribute(opening, "string");
  const parameter = closedParameter(opening) ?? { key: attribute(opening, "name") ?? "" };
  return isText === "true" || isText === "false" ? { ...parameter, isText: isText === "true" } : parameter;
}

/** How a family's template writes a call. */
type InvokeWriting = {
  readonly prefix: string;
  /** The tag of a parameter says whether its value is text. */
  readonly isTyped?: boolean;
};

/** How a dialect writes and teaches calls that stand together between two marks, and what it writes results in. */
export function invokeBlock(
  opener: string,
  closer: string,
  writing: InvokeWriting,
): Pick<MarkedDialect, "leftovers" | "results" | "stop" | "writeResults" | "writeCalls" | "lesson"> {
  const { prefix, isTyped = false } = writing;
  const writeCalls = (calls: readonly WrittenCall[]): string =>
    [opener, ...calls.map((call) => writeInvoke(call, writing)), closer].join("\n");
  const typed = isTyped ? ['string="true" for texts; string="false" for anything else.'] : [];
  return {
    leftovers: [parameterClose(prefix)],
    ...rawResultsInTags,
    writeCalls,
    lesson: rawLesson(`several <${prefix}invoke> in one block`, typed),
  };
}

export const writeInvoke = (call: WrittenCall, { prefix, isTyped }: InvokeWriting): string =>
  callInParts({
    open: (name) => `${callMark(prefix)}"${name}">\n`,
    argument: (key, value) => {
      const said = isTyped === true ? ` string="${typeof value === "string"}"` : "";
      return `<${prefix}parameter name="${key}"${said}>${rawText(value)}${parameterClose(prefix)}\n`;
    },
    close: `</${prefix}invoke>`,
  })(call);
