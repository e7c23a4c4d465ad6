/**
 * Makes a dialect of the form that a template shows, if it is simple: one mark, the call as JSON (or its name and its
 * arguments as JSON), and marks behind it. Anything else is not guessed.
 */

import { jsonExtent } from "../../base/json-brackets.ts";
import { isJsonObject, parseJson, type Json } from "../../base/json.ts";
import { argumentKeys, nameKeys } from "../../protocol/call-keys.ts";
import type { Dialect, MarkedDialect, WrittenCall } from "../dialect.ts";
import { resultsBetween, resultsInTags } from "../grammar/lesson.ts";
import { readNamedCall } from "../grammar/named-call.ts";
import { taggedJson } from "../grammar/tagged-json.ts";
import { jsonRule, templateJson } from "../grammar/template-json.ts";
import { before, blank, follows, inOrder, mark, name, nameCharacter } from "../reading/ahead.ts";
import { takeMark, takeSpace, takeWhile } from "../reading/reader.ts";
import { markedCall, secondCall } from "./conversation.ts";
import { dense } from "./known-form.ts";
import type { ShownForm } from "./shown-form.ts";

/** The name of every such dialect: a model has one. */
const ownFormName = "template";

/** Undefined if the form is not simple enough to be read safely. */
export function ownForm(shown: ShownForm): Dialect | undefined {
  const written = writtenForm(shown.call);
  if (!written) return undefined;
  const { opener, closer } = written;
  const several = severalOf(written, shown.twice);
  const { marks, ...results } = resultForm(shown.result);
  return {
    name: ownFormName,
    // Nobody knows these marks: they count only for the model whose template has them.
    tier: "taught",
    ...readerOf(written),
    ...results,
    markers: [opener, closer, ...marks].filter(Boolean),
    lesson: {
      rules: [
        `The arguments are one JSON object. ${jsonRule}`,
        `${several.rule} Do not put it in a code fence.`,
      ],
    },
    writeCalls: several.write,
  };
}

/** One call as the template writes it. */
type WrittenForm = {
  readonly opener: string;
  readonly closer: string;
  /** All of its text around one call or a list of them, with its white space. */
  readonly around: readonly [open: string, close: string];
  readonly body: (call: WrittenCall) => string;
  /** The call's name stands before its arguments, with this mark behind it. */
  readonly separator: string | undefined;
  readonly isList: boolean;
};

/** A tag or a word in brackets, alone. */
const oneMark = /^(?:<[^<>\s]{1,60}>|\[[\p{L}_][^[\]\s]{1,60}\])$/u;
/** Nothing, or only such marks, of which the first ends the call. */
const endMarks = /^(?:(?:<[^<>\s]{1,60}>|\[[^[\]\s]{2,60}\])\s*)*$/u;

function writtenForm(text: string): WrittenForm | undefined {
  const start = text.search(/[{]|\[\s*\{/);
  const extent = start < 0 ? undefined : jsonExtent(text, start);
  const json = extent && parseJson(text.slice(start, extent.end));
  if (!extent || !json?.ok) return undefined;
  const [head, close] = [snug(text.slice(0, start)), snug(text.slice(extent.end))];
  const closer = endMarks.test(close.trim()) ? (/^\S[^>\]]*[>\]]/.exec(close.trim())?.[0] ?? "") : undefined;
  if (closer === undefined) return undefined;
  const named = namedHead(head);
  if (named && isJsonObject(json.value) && isInput(json.value))
    return { ...named, closer, around: [named.open, close], body: bodyOf(named), isList: false };
  const item = Array.isArray(json.value) ? json.value[0] : json.value;
  const body = item === undefined ? undefined : objectBody(item);
  if (!body || !oneMark.test(head.trim()) || (Array.isArray(json.value) && json.value.length > 1))
    return undefined;
  const isList = Array.isArray(json.value);
  return { opener: head.trim(), closer, around: [head, close], body, separator: undefined, isList };
}

/** The template's white space, of which more than one character means no more. */
const snug = (text: string): string =>
  text.replaceAll(/\s+/g, (space) => (space.includes("\n") ? "\n" : " "));

const isInput = (value: Json): boolean => templateJson(value) === templateJson({ ...markedCall.input });

type NamedHead = { open: string; opener: string; separator: string };

function namedHead(head: string): NamedHead | undefined {
  const [open = "", separator, ...more] = head.split(markedCall.name);
  if (separator === undefined || more.length > 0) return undefined;
  return oneMark.test(open.trim()) && oneMark.test(separator.trim())
    ? { open, opener: open.trim(), separator: separator.trim() }
    : undefined;
}

const bodyOf =
  ({ separator }: NamedHead) =>
  ({ name: tool, input }: WrittenCall): string =>
    `${tool}${separator}${templateJson(input)}`;

/** The object's two keys must be ones that readers know. */
function objectBody(item: Json): WrittenForm["body"] | undefined {
  if (!isJsonObject(item)) return undefined;
  const entries = Object.entries(item);
  const nameKey = entries.find(([, value]) => value === markedCall.name)?.[0] ?? "";
  const inputKey = entries.find(([, value]) => isInput(value))?.[0] ?? "";
  if (entries.length !== 2 || !nameKeys.includes(nameKey) || !argumentKeys.includes(inputKey))
    return undefined;
  return ({ name: tool, input }) =>
    templateJson(
      Object.fromEntries(entries.map(([key]): [string, Json] => [key, key === nameKey ? tool : input])),
    );
}

type SeveralCalls = { readonly write: (calls: readonly WrittenCall[]) => string; readonly rule: string };

function severalOf(form: WrittenForm, twice: string | undefined): SeveralCalls {
  const [open, close] = form.around;
  const list: SeveralCalls = {
    write: (calls) => `${open}[${calls.map(form.body).join(", ")}]${close}`,
    rule: "Several calls: several objects in the one list.",
  };
  const each = (calls: readonly WrittenCall[]): string =>
    calls.map((call) => `${open}${form.body(call)}${close}`.trim()).join("\n");
  if (form.isList) return list;
  const isRepeated = twice !== undefined && dense(each([markedCall, secondCall])) === dense(twice);
  return {
    write: each,
    rule: isRepeated
      ? "Several calls: several such blocks, one after the other."
      : "Only one call in an answer.",
  };
}

function readerOf({ opener, closer, separator }: WrittenForm): Pick<MarkedDialect, "openers" | "read"> {
  const closers = closer === "" ? [] : [closer];
  if (separator === undefined) return taggedJson(opener, { closers });
  const head = inOrder(blank, name, blank, mark(separator), blank, before(/\{/));
  return {
    openers: [{ mark: opener, begins: (ahead) => follows(ahead, head) }],
    *read(reader) {
      yield* takeSpace(reader);
      const tool = yield* takeWhile(reader, nameCharacter);
      yield* takeSpace(reader);
      yield* takeMark(reader, separator);
      yield* readNamedCall(reader, { name: tool, closers, openers: [opener] });
    },
  };
}

/** Results in the template's own marks, if they are simple, else in the most common ones. */
function resultForm(result: ShownForm["result"]): typeof resultsInTags & { marks: readonly string[] } {
  const mark = result?.open.trim() ?? "";
  const end = result?.close.trim() ?? "";
  if (!result || !oneMark.test(mark) || !(end === "" || oneMark.test(end)))
    return { ...resultsInTags, marks: [] };
  return {
    results: [mark],
    // A raw line break cannot stand inside a JSON string, so file contents never trigger this.
    stop: [`\n${mark}`],
    writeResults: resultsBetween(snug(result.open), snug(result.close)),
    marks: [mark, end],
  };
}
