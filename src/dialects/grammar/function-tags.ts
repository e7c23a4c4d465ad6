/** Calls as `<function=name>` containing `<parameter=key>`, inside a tag that depends on the family. */

import type { Json } from "../../base/json.ts";
import type { MarkedDialect, Opener, OpenerContext, CallVerdict } from "../dialect.ts";
import {
  before,
  blank,
  comes,
  either,
  fitting,
  follows,
  inOrder,
  mark,
  maybe,
  name,
  ofOffered,
  oneOf,
  peek,
  some,
  takeStep,
  type PatternStep,
} from "../reading/ahead.ts";
import {
  marksOf,
  takeSpace,
  takeUntil,
  type BlockReader,
  type OfferedTools,
  type StreamReading,
} from "../reading/reader.ts";
import { closedParameter } from "./attributes.ts";
import { rawResultsInTags } from "./lesson.ts";
import { readNamedCall } from "./named-call.ts";
import { declares, namedTags } from "./named-tags.ts";
import { rawLesson } from "./raw-values.ts";
import { parametersOf } from "./tool-schema.ts";
import { callInParts, inSequence } from "./writing.ts";
import { readXmlCall, readXmlCalls, rewind } from "./xml-call.ts";
import type { XmlForm } from "./xml-form.ts";

export const parameterClose = "</parameter>";
const functionClose = "</function>";
const plain = "<function=";
/** Also used by other formats, with other inner tags, and by plain XML: what follows must match. */
const spelled = "<function name=";
const functions = [plain, spelled];
const parameters = ["<parameter=", "<parameter name="];

const quote = maybe(oneOf('"', "'"));
const named = inOrder(blank, quote, name, quote, blank, mark(">"));
const functionTag = either(
  inOrder(mark(plain), named),
  inOrder(mark(spelled), named, peek(inOrder(blank, oneOf(...parameters, functionClose)))),
);
const parameterTag = inOrder(oneOf(...parameters), some(/[^<>\n]/), mark(">"));

type FunctionTags = {
  /** The tag around a call. */
  readonly opener: string;
  readonly closer: string;
  readonly padding: XmlForm["padding"];
  /** A value as it stands between the tags of its parameter. */
  readonly textOf: (value: Json) => string;
};

/** The outer opener is often lost after prose; what follows must then prove that it is a call. */
const bare = (opener: string, ...next: readonly string[]): Opener => ({
  mark: opener,
  begins(ahead, place) {
    const goesOn = inOrder(functionTag, blank, oneOf(...next));
    return isCall(opener + ahead, either(goesOn, namedInside(place.offered)), place);
  },
});

type FunctionCalls = Pick<
  MarkedDialect,
  "openers" | "leftovers" | "read" | "results" | "stop" | "writeResults" | "writeCalls" | "lesson"
>;

/** How such a dialect reads, writes and teaches its calls. */
export function functionTags(tags: FunctionTags): FunctionCalls {
  const form = formOf(tags);
  const { opener, closer, textOf } = tags;
  const writeCalls = inSequence(
    callInParts({
      open: (tool) => `${opener}\n${plain}${tool}>\n`,
      argument: (key, value) => `<parameter=${key}>${textOf(value)}${parameterClose}\n`,
      close: `${functionClose}\n${closer}`,
    }),
  );
  return {
    ...rawResultsInTags,
    writeCalls,
    lesson: rawLesson(`several ${opener} blocks, one after the other`),
    openers: [
      { mark: tags.opener, begins: (ahead) => follows(ahead, blank, functionTag) },
      bare(plain, ...parameters, functionClose, tags.closer),
      bare(spelled, ...parameters),
    ],
    leftovers: [parameterClose],
    *read(reader, opener) {
      const repairs = opener === tags.opener ? [] : rewind(reader, opener);
      let count = 0;
      for (; ; count += 1) {
        if (yield* comes(reader, jsonInside)) yield* readJsonCall(reader, tags);
        else if (yield* comes(reader, namedInside(reader.offered))) yield* readNamedTags(reader, tags);
        else break;
      }
      if (count === 0) yield* readXmlCalls(reader, form, repairs);
      else yield* takeStep(reader, inOrder(blank, mark(tags.closer)));
    },
  };
}

/** One JSON object in place of the parameters. */
const jsonInside = inOrder(blank, functionTag, blank, before(/\{/));

/** Tags of the names of declared parameters, in place of those that name them. */
const namedInside = (offered: OfferedTools): PatternStep =>
  fitting(namedTag, (tags) => {
    const [, head = "", key = ""] = /^([^>]*>)\s*<([^>]*)>$/.exec(tags.trimStart()) ?? [];
    return declares(parametersOf(offered, lastName(head)), key);
  });
const namedTag = inOrder(blank, functionTag, blank, mark("<"), some(/[^<>\s/=]/, 80), mark(">"));

function* takeHead(reader: BlockReader): StreamReading<string> {
  yield* takeSpace(reader);
  const { text } = yield* takeUntil(reader, marksOf([">"]));
  reader.input.take(1);
  return lastName(`${text}>`);
}

function* readNamedTags(reader: BlockReader, tags: FunctionTags): StreamReading {
  const { call, ends } = formOf(tags);
  const name = yield* takeHead(reader);
  yield* readXmlCall(reader, namedTags(name, reader.offered, { call, ends }), { name });
}

function* readJsonCall(reader: BlockReader, { closer }: FunctionTags): StreamReading {
  const name = yield* takeHead(reader);
  yield* readNamedCall(reader, {
    name,
    closers: [functionClose],
    openers: functions,
    endings: [closer],
  });
}

function formOf({ opener, closer, padding }: FunctionTags): XmlForm {
  return {
    call: {
      marks: functions,
      step: inOrder(maybe(inOrder(mark(opener), blank)), functionTag),
      read: (opening) => ({ name: lastName(opening) }),
    },
    parameter: {
      marks: parameters,
      step: parameterTag,
      read: (opening) => closedParameter(opening) ?? { key: lastName(opening) },
    },
    closers: (key) => [parameterClose, `</${key}>`],
    ends: [functionClose, closer],
    padding,
    withoutCloser: "ends",
  };
}

/** The name after the last equals sign of a tag, without quotation marks. */
const lastName = (tag: string): string => /=\s*["']?([^=]*?)["']?\s*>$/.exec(tag)?.[1] ?? "";

const isCall = (text: string, step: PatternStep, place: OpenerContext): CallVerdict =>
  ofOffered(follows(text, step), lastName(text.slice(0, text.indexOf(">") + 1)), place);
