/** Reads calls whose arguments are raw text between tags: their names, parameters and ends. */

import { typesAllowed } from "../../base/json-schema.ts";
import type { Json } from "../../base/json.ts";
import type { Repair } from "../../protocol/messages.ts";
import { before, blank, comes, inOrder, mark } from "../reading/ahead.ts";
import {
  ahead,
  marksOf,
  takeSpace,
  takeUntil,
  type BlockReader,
  type StreamReading,
} from "../reading/reader.ts";
import { argumentDisplay, type ArgumentDisplay } from "./argument-display.ts";
import { tellCall, type Doubt, type CallEnding } from "./emit-xml-call.ts";
import { readNamedCall } from "./named-call.ts";
import { parametersOf, type Parameters } from "./tool-schema.ts";
import { isFragment, isPlainText, valueFromJson, valueFromText } from "./values.ts";
import {
  isOwn,
  whatComes,
  whatFollows,
  type CallOpening,
  type ParameterOpening,
  type XmlForm,
} from "./xml-form.ts";
import { readValue, type ParameterMeaning } from "./xml-value.ts";

/** Reads consecutive calls, and the end of the tag around them. */
export function* readXmlCalls(
  reader: BlockReader,
  form: XmlForm,
  repairs: readonly Repair[] = [],
): StreamReading {
  const { input } = reader;
  const isRewound = input.recordedLength === 0;
  for (let count = 0; ;) {
    yield* takeSpace(reader);
    const { ends, next, opening } = yield* whatComes(reader, form);
    const [end] = ends;
    if (end !== undefined) {
      input.take(end.length);
      if (!isOwn(form, end)) return;
      if (count > 0) reader.doubt();
    } else if (next === "call") {
      const call = form.call.read(opening, reader.offered);
      const taken = input.take(call.length ?? opening.length);
      if (count > 0) input.record(taken);
      const mended = count === 0 ? repairs : [];
      yield* readXmlCall(reader, form, { ...call, repairs: [...mended, ...(call.repairs ?? [])] });
      // Without an enclosing tag, the next call is found in running text.
      if (form.ends.length === 1) return;
      count += 1;
    } else {
      if (count === 0 && isRewound) yield* passOn(reader);
      return;
    }
  }
}

/** Not a call after all: emits its first character as text and continues after it. */
function* passOn(reader: BlockReader): StreamReading {
  reader.input.take((yield* ahead(reader, 1)).length);
  reader.asText();
}

/** The enclosing tag was lost, and the opener began a call: continues from before it. */
export function rewind({ input }: BlockReader, opener: string): Repair[] {
  input.putBack(opener);
  input.record();
  return [{ code: "opening-tag", detail: "The tag around the call was missing." }];
}

/** One JSON object in place of the parameters. */
const object = inOrder(blank, mark("{"), blank, before(/["'}]/));

type CallReading = {
  readonly reader: BlockReader;
  readonly form: XmlForm;
  readonly parameters: Parameters;
  /** By name as written. */
  readonly given: Map<string, Json>;
  /** Names whose value is a fragment of something else. */
  readonly fragments: Set<string>;
  /** The declared names of the parameters begun so far. */
  readonly begun: Set<string>;
  /** Every value so far was on lines of its own. */
  isSpaced: boolean;
  readonly doubts: Set<Doubt>;
  readonly passed: string[];
  readonly repairs: Repair[];
  readonly display: ArgumentDisplay;
};

/** Reads the parameters of a call after its opening, and its end, then emits the call. */
export function* readXmlCall(reader: BlockReader, form: XmlForm, opening: CallOpening): StreamReading {
  const { name, key, isOdd, repairs = [] } = opening;
  const reading: CallReading = {
    reader,
    form,
    parameters: parametersOf(reader.offered, name),
    given: new Map(),
    fragments: new Set(),
    begun: new Set(),
    isSpaced: true,
    doubts: new Set(),
    passed: [],
    repairs: [...repairs],
    display: argumentDisplay(reader, form.padding),
  };
  if (isOdd === true && reader.waiting().length > 0) reader.doubt();
  if (key === undefined && (yield* comes(reader, object))) {
    const [own = "", ...around] = form.ends;
    const endings = [...around, ...(form.endings ?? [])];
    yield* readNamedCall(reader, { name, closers: [own], openers: form.call.marks, endings });
    return;
  }
  reader.show(name);
  for (const one of opening.given ?? []) give(reading, one);
  if (opening.isClosed === true) {
    tellCall(reader, { ...reading, name, ending: "end" });
    return;
  }
  const isCut = key !== undefined && !(yield* readArgument(reading, { key }));
  const ending = isCut ? "cut" : yield* readArguments(reading);
  tellCall(reader, { ...reading, name, ending });
}

function* readArguments(reading: CallReading): StreamReading<CallEnding> {
  const { reader, form } = reading;
  const { input } = reader;
  for (;;) {
    yield* takeSpace(reader);
    const { ends, next, opening } = yield* whatFollows(reader, form);
    const [end] = ends;
    if (end !== undefined) {
      if (!isOwn(form, end)) return "around";
      input.take(end.length);
      return "end";
    }
    if (next === "other") return (yield* skipToEnd(reading)) ? "other" : "cut";
    if (next !== "parameter") return reader.isCut ? "cut" : "open";
    input.take(opening.length);
    const parameter = form.parameter.read(opening);
    if (!(yield* readArgument(reading, parameter))) return "cut";
  }
}

/** Reads a value. False if the answer ended inside it. */
function* readArgument(reading: CallReading, parameter: ParameterOpening): StreamReading<boolean> {
  const { reader, form, parameters, given, display } = reading;
  const { key, isText, isBare, closed } = parameter;
  if (closed) {
    give(reading, parameter);
    return true;
  }
  const declared = begin(reading, parameter);
  const schema = parameters.schemaOf(key);
  display.open(key, form.tidy === undefined && (isText ?? isPlainText(schema, parameters.root)));
  let isUnclosed = false;
  const text = yield* readValue({
    reader,
    form,
    key,
    isSpaced: reading.isSpaced,
    meaning: (opening) => meaningOf(reading, form.parameter.read(opening).key, declared),
    doubt: (why) => {
      isUnclosed ||= why === "value-closer" && form.withoutCloser === "line";
      reading.doubts.add(why);
    },
    pass: (opening) => void reading.passed.push(form.parameter.read(opening).key),
    each: (piece) => display.piece(piece),
  });
  if (text === undefined) return false;
  if (!/^\r?\n/.test(text)) reading.isSpaced = false;
  const isLayout = isBare === true || isUnclosed;
  const plain = form.tidy ? form.tidy(text) : withoutPadding(text, isLayout ? "each" : form.padding);
  const value = valueOf(plain, { isText, schema, parameters });
  display.close(value);
  if (isFragment(value, schema, parameters.root)) reading.fragments.add(key);
  given.set(key, value);
  return true;
}

/** Notes that a parameter begins; returns its declared name. */
function begin({ parameters, begun, doubts, repairs }: CallReading, parameter: ParameterOpening): string {
  const { key, repair, closed } = parameter;
  const declared = parameters.declared(key) ?? key;
  if (begun.has(declared)) doubts.add("unclear");
  begun.add(declared);
  repairs.push(...(repair ? [repair] : []), ...(closed?.repair ? [closed.repair] : []));
  return declared;
}

/** A value that stood in a tag. A parameter without one may have lost it. */
function give(reading: CallReading, parameter: ParameterOpening): void {
  const { key, isText, closed } = parameter;
  const { parameters, display } = reading;
  begin(reading, parameter);
  if (closed?.value === undefined) {
    reading.doubts.add("unclear");
    return;
  }
  display.open(key, false);
  const value = valueOf(closed.value, { isText, schema: parameters.schemaOf(key), parameters });
  display.close(value);
  reading.given.set(key, value);
}

function meaningOf({ parameters, begun }: CallReading, key: string, current: string): ParameterMeaning {
  const declared = parameters.declared(key);
  if (declared === undefined) return "unknown";
  if (declared === current) return "same";
  return begun.has(declared) ? "given" : "new";
}

type ParameterContext = { isText: boolean | undefined; schema: Json | undefined; parameters: Parameters };

function valueOf(text: string, { isText, schema, parameters: { root } }: ParameterContext): Json {
  const types = typesAllowed(schema, root);
  // Told to be text, where the schema takes none: JSON that was encoded once more.
  if (isText === true && (types.size === 0 || types.has("string"))) return text;
  return isText === false ? valueFromJson(text, schema, root) : valueFromText(text, schema, root);
}

/** Skips unreadable text. True if the call's end was found. */
function* skipToEnd({ reader, form }: CallReading): StreamReading<boolean> {
  const { text, mark } = yield* takeUntil(reader, marksOf(form.ends));
  // The end of a value that contained everything from the end of its call on.
  const [closer = ""] = form.closers("");
  if (closer !== "" && text.includes(closer)) reader.doubt();
  if (mark !== undefined && isOwn(form, mark)) reader.input.take(mark.length);
  return mark !== undefined;
}

function withoutPadding(text: string, padding: XmlForm["padding"]): string {
  if (padding === "none") return text;
  const inner = text.replace(/^\r?\n/, "");
  const core = inner.replace(/\r?\n$/, "");
  if (padding === "each") return core;
  return inner !== text && core !== inner ? core : text;
}
