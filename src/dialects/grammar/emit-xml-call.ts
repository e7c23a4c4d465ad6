/** Emits a call whose arguments are raw text between tags: its values, or why it cannot run (N11, N17, N19). */

import type { Json } from "../../base/json.ts";
import { meantByCommonName } from "../../protocol/common-names.ts";
import type { Repair } from "../../protocol/messages.ts";
import type { ReadCall, BlockReader } from "../reading/reader.ts";
import type { ArgumentDisplay } from "./argument-display.ts";
import { cutOff, unreadable } from "./json-calls.ts";
import { parametersOf, type Parameters, wrapped, wrappedArguments } from "./tool-schema.ts";
import type { XmlForm } from "./xml-form.ts";

/**
 * Why it is not sure what a value is. `tag-in-value`: it held tags of the format, and each was closed; `odd-tag`: one
 * of them closed nothing; `open-tag`: it ended before one of them was closed. `value-closer`: it ended without its own
 * closing tag. `repeated`: its parameter begins again behind it. `unclear`: the call cannot be read.
 */
export type Doubt = "tag-in-value" | "odd-tag" | "open-tag" | "value-closer" | "repeated" | "unclear";

/**
 * How the arguments ended: with the call, with what is `around` it, `open` behind the last one, inside one, or in
 * something else.
 */
export type CallEnding = "end" | "around" | "open" | "cut" | "other";

type XmlArguments = {
  readonly name: string;
  readonly parameters: Parameters;
  readonly ending: CallEnding;
  readonly doubts: ReadonlySet<Doubt>;
  /** The names of values that are fragments of something else. */
  readonly fragments?: ReadonlySet<string>;
  /** Parameters that opened inside values, after a closing tag. */
  readonly passed?: readonly string[];
  /** By name as written, each once. */
  readonly given: ReadonlyMap<string, Json>;
  readonly repairs?: readonly Repair[];
  readonly form?: Pick<XmlForm, "endIsOptional">;
  readonly display?: Pick<ArgumentDisplay, "end">;
};

export function tellCall(reader: BlockReader, written: XmlArguments): void {
  const inner = wrappedArguments(Object.fromEntries(written.given), written.parameters);
  const read = inner
    ? { ...written, given: new Map(Object.entries(inner)), repairs: [...(written.repairs ?? []), wrapped] }
    : written;
  const { name, given, doubts, ending, repairs = [], display } = read;
  const refusal = refusalOf(reader, read);
  if (refusal) return reader.tell({ ...refusal, name });
  display?.end();
  const input = Object.fromEntries(given);
  const isOpen = (ending === "open" || ending === "around") && read.form?.endIsOptional !== true;
  const all = [...repairs, ...guesses(doubts, isOpen), ...(isBehindOpen(reader) ? [behindOpen] : [])];
  reader.tell(all.length === 0 ? { name, input } : { name, input, rawArguments: reader.raw(), repairs: all });
}

function refusalOf(reader: BlockReader, read: XmlArguments): ReadCall | undefined {
  const { name, parameters, ending, doubts, given, fragments, passed = [] } = read;
  const keys = [...given.keys()];
  const has = (wanted: string): boolean => keys.some((key) => parameters.declared(key) === wanted);
  if (ending === "cut" || (ending === "open" && !parameters.required.every(has))) return cutOff(reader.raw());
  const isUnclear =
    doubts.has("unclear") ||
    (doubts.has("value-closer") && (doubts.has("odd-tag") || doubts.has("open-tag")));
  const undeclared = keys.filter((key) => parameters.declared(key) === undefined);
  const { names: declared, required } = parameters;
  const meant = meantByCommonName(
    keys.map((key) => parameters.declared(key) ?? key),
    { declared, required },
  );
  const unknown = undeclared.filter((key) => !meant.has(key));
  const [fragment] = fragments ?? [];
  const isForged = [...unknown, ...passed].some((key) => isMissed(reader, key));
  if (isUnclear || fragment !== undefined || isForged) reader.doubt();
  if (ending === "other" || isUnclear) return unreadable(reader.raw(), unclear);
  if (doubts.has("repeated")) return unreadable(reader.raw(), repeated);
  if (fragment !== undefined) return unreadable(reader.raw(), notWhole(fragment));
  if (unknown.length === 0) return undefined;
  const words = unknownParameters(name, unknown, parameters.names);
  const refused = unreadable(reader.raw(), words, "invalid_arguments");
  // With all that is required and nothing in doubt, whoever made the tool may judge the rest.
  const isPlain = ending === "end" && doubts.size === 0 && passed.length === 0;
  const replaced = new Set(meant.values());
  return isPlain && required.every((wanted) => has(wanted) || replaced.has(wanted))
    ? { ...refused, input: Object.fromEntries(given) }
    : refused;
}

/** Whether an earlier call may have ended too early: what follows could be part of its last value. */
const isBehindOpen = (reader: BlockReader): boolean =>
  reader.waiting().some(({ repairs = [] }) => repairs.some(({ code }) => endGuesses.has(code)));

const closers = "closers";
/** Doubts that mean the end of a value was guessed. */
const endGuesses: ReadonlySet<string> = new Set<Doubt | typeof closers>([
  "value-closer",
  "open-tag",
  closers,
]);
const behindOpen: Repair = {
  code: "behind-unclosed",
  detail: "A call before it may have ended too early: this could have been part of a value.",
  guess: true,
};

/** A parameter that an earlier call could have had, so that this one may be inside one of its values. */
const isMissed = (reader: BlockReader, key: string): boolean =>
  reader
    .waiting()
    .some(
      ({ name, input }) =>
        parametersOf(reader.offered, name).names.includes(key) && !Object.hasOwn(input, key),
    );

const unclear =
  "It is not clear where its parameters begin and end. Nothing was run. Send it again in the form that you were taught, and write such tags inside values in another way.";

const repeated =
  "A parameter is given twice in a row. Nothing was run. Send the call again with each parameter once; several values are one list.";

const notWhole = (key: string): string =>
  `The value of ${JSON.stringify(key)} is not valid JSON, or only part of a value. Nothing was run. Send the call again.`;

function unknownParameters(name: string, unknown: readonly string[], declared: readonly string[]): string {
  const wrong = unknown.map((key) => JSON.stringify(key)).join(", ");
  const right = declared.length > 0 ? `It takes ${declared.join(", ")}.` : "It takes none.";
  return `${name} has no parameter ${wrong}. ${right} Nothing was run. Send the call again with what it takes.`;
}

const guess = (code: string, detail: string): Repair => ({ code, detail, guess: true });

function guesses(doubts: ReadonlySet<Doubt>, isOpen: boolean): Repair[] {
  return [
    ...[...doubts].map((doubt) => guess(doubt, details[doubt])),
    ...(isOpen ? [guess(closers, "Missing closing tags were added.")] : []),
  ];
}

const details: Readonly<Record<Doubt, string>> = {
  "tag-in-value": "Tags inside a value were read as part of it.",
  "odd-tag": "A tag inside a value that fits nothing was read as part of it.",
  "open-tag": "A value was ended although a tag inside it was not closed.",
  "value-closer": "A value without its closing tag was ended by the next tag.",
  repeated: "A parameter is given twice in a row.",
  unclear: "It is not clear where the parameters begin and end.",
};
