/** Parses calls written as program text, `name(argument="value")`, without ever running it as a program. */

import type { Json, JsonObject } from "../../base/json.ts";
import type { Repair } from "../../protocol/messages.ts";
import type { ReadCall, OfferedTools } from "../reading/reader.ts";
import {
  fail,
  newScan,
  note,
  skipSpace,
  failExpecting,
  type Bracket,
  type LiteralForm,
  type LiteralScan,
} from "./literal-scan.ts";
import { inBracket, readLiteral } from "./literal.ts";
import { inputByPosition } from "./positional.ts";
import { parametersOf, wrapped, wrappedArguments } from "./tool-schema.ts";

export type CallSyntax = LiteralForm & {
  /** The beginning of a call up to its bracket: a sticky pattern with the groups `name` and optionally `wrapper`. */
  readonly head: RegExp;
  /** The beginning of an argument up to its value: a sticky pattern whose only group is the name. */
  readonly key: RegExp;
};

/**
 * `end`: where the last call ended. `cut`: the text ended inside a value. `isOpen`: it would have, had its quotation
 * marks not been escaped. `name`: of the call that cannot be read.
 */
export type WrittenCalls =
  | { ok: true; calls: ReadCall[]; end: number }
  | { ok: false; cut: boolean; problem: string; isOpen?: boolean; name?: string };

export type CallsOptions = {
  readonly offered: OfferedTools;
  /** The end of the text is known to be the end of the calls. */
  readonly closed: boolean;
  /** No guesses are allowed. */
  readonly isExact?: boolean;
};

/** Reads several calls, in sequence or in a list: all of them, or none if one is unreadable. */
export function readWrittenCalls(text: string, form: CallSyntax, options: CallsOptions): WrittenCalls {
  const exact = readAs(text, form, { ...options, loose: false });
  if (exact.ok || options.isExact === true || exact.isCode) return exact;
  const loose = readAs(text, form, { ...options, loose: true });
  if (loose.ok || (loose.cut && !options.closed)) return loose;
  return { ...exact, isOpen: loose.cut };
}

type ParseState = {
  readonly scan: LiteralScan;
  readonly form: CallSyntax;
  readonly offered: OfferedTools;
  readonly calls: ReadCall[];
  /** The name of the call being read. */
  name?: string;
};

function readAs(
  text: string,
  form: CallSyntax,
  { offered, closed, loose }: CallsOptions & { loose: boolean },
): WrittenCalls & { isCode?: boolean } {
  const isCall = (whole: string, at: number): boolean => matches(form.head, whole, at);
  const follows = (whole: string, at: number): boolean => isCall(whole, separatorEnd(whole, at));
  const scan = newScan({ text, form, closed, loose, follows });
  const reading: ParseState = { scan, form, offered, calls: [] };
  const end = readAll(reading, { closer: "]", follows: isCall });
  if (end !== undefined && !scan.failure)
    return { ok: true, calls: reading.calls.map((call) => withNotes(call, scan)), end };
  const { cut, problem, isCode } = scan.failure ?? { cut: false, problem: "it is no call" };
  return { ok: false, cut, problem, isCode, name: reading.name };
}

function separatorEnd(text: string, at: number): number {
  separators.lastIndex = at;
  separators.test(text);
  return separators.lastIndex;
}

const separators = /[\s,;]*/y;

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Returns where the last call ended. */
function readAll(reading: ParseState, list: Bracket): number | undefined {
  const { scan, form, calls } = reading;
  const { text } = scan;
  for (let end = 0; ; end = scan.at) {
    skipSeparators(scan);
    if (matches(form.head, text, scan.at)) {
      if (!readCall(reading)) return undefined;
    } else if (text[scan.at] === "[" && isList(reading)) {
      scan.at += 1;
      if (inBracket(scan, list, () => readCall(reading)) === undefined) return undefined;
    } else if (scan.at === text.length) return scan.at;
    else if (isApart(scan, end, scan.at)) return end;
    else if (!scan.closed && isNameAtEnd(text, scan.at))
      return fail(scan, { cut: true, problem: "it ends inside a name" });
    else return calls.length === 0 ? failExpecting(scan, "a call") : failExpecting(scan, "another call");
  }
}

/** Whether the text ends inside what may be a name. */
const isNameAtEnd = (text: string, at: number): boolean =>
  text.length - at < 100 && /^[["'<|]*\s*[\p{L}_][\p{L}\p{N}_.:/-]*["'<|>]*\s*$/u.test(text.slice(at));

function skipSeparators(scan: LiteralScan): void {
  skipSpace(scan);
  while (/[,;]/.test(scan.text.charAt(scan.at))) {
    scan.at += 1;
    skipSpace(scan);
  }
}

function isList({ scan, form }: ParseState): boolean {
  const { text } = scan;
  const at = separatorEnd(text, scan.at + 1);
  return text[at] === "]" || matches(form.head, text, at);
}

/** Whether other text follows the last call, rather than the rest of a program. */
function isApart({ text, form }: LiteralScan, end: number, at: number): boolean {
  if (end === 0 || (form.delimiter !== undefined && text.includes(form.delimiter, at))) return false;
  const isBehindList = text[end - 1] === "]" || text[end - 1] === "}";
  return (isBehindList || text.slice(end, at).includes("\n")) && !matches(program, text, at);
}

const program =
  /[A-Za-z_][\w.]*(?:\(|\[|\s*[-+*/]?=)|(?:for|if|while|with|def|class|try)\b[^\n]*:\s*(?:\n|$)|(?:import|from)\s+[\w.]+(?:\s+import\b|\s*(?:\n|$))|[-+*/.%=]/y;

function readCall(reading: ParseState): boolean {
  const { scan, form, calls } = reading;
  const { text } = scan;
  const start = scan.at;
  form.head.lastIndex = start;
  const found = form.head.exec(text);
  const name = found?.groups?.["name"];
  if (!found || name === undefined)
    return !scan.closed && isNameAtEnd(text, scan.at) ? cutInName(scan) : refuse(scan, "a call");
  reading.name = name;
  scan.at += found[0].length;
  const outer = scan.notes;
  scan.notes = new Map();
  const wrapper = found.groups?.["wrapper"] === undefined ? [] : [{ closer: ")", follows: () => false }];
  scan.open.push(...wrapper);
  const input = readInput(reading, name, found[0].endsWith("{") ? "}" : ")");
  scan.open.splice(scan.open.length - wrapper.length);
  if (!input || (wrapper.length > 0 && !closesWrapper(scan))) return false;
  const repairs = [...scan.notes.values()];
  scan.notes = outer;
  calls.push(
    repairs.length === 0
      ? { name, input }
      : { name, input, rawArguments: text.slice(start, scan.at), repairs },
  );
  return true;
}

function closesWrapper(scan: LiteralScan): boolean {
  return inBracket(scan, { closer: ")", follows: () => false }, () => refuse(scan, ")")) !== undefined;
}

function refuse(scan: LiteralScan, wanted: string): false {
  failExpecting(scan, wanted);
  return false;
}

function cutInName(scan: LiteralScan): false {
  fail(scan, { cut: true, problem: "it ends inside a name" });
  return false;
}

function readInput(
  { scan, form, offered }: ParseState,
  name: string,
  closer: string,
): JsonObject | undefined {
  const parameters = parametersOf(offered, name);
  const given = new Map<string, [string, Json]>();
  const values: Json[] = [];
  const follows = (text: string, at: number): boolean => {
    const declared = parameters.declared(keyAt(form, text, at)?.key ?? "");
    return declared !== undefined && declared !== "" && !given.has(declared);
  };
  const done = inBracket(scan, { closer, follows }, () => {
    const key = takeKey(scan, form);
    if (key === undefined && !scan.closed && isNameAtEnd(scan.text, scan.at)) return cutInName(scan);
    if (key === undefined && (closer !== ")" || given.size > 0)) return refuse(scan, "name=value");
    const declared = key === undefined ? "" : (parameters.declared(key) ?? key);
    if (given.has(declared)) fail(scan, { cut: false, problem: `${JSON.stringify(key)} is given twice` });
    const value = readLiteral(scan);
    if (value === undefined || scan.failure) return false;
    if (key === undefined) values.push(value);
    else given.set(declared, [key, value]);
    return true;
  });
  if (done === undefined) return undefined;
  const written = Object.fromEntries(given.values());
  const inner = values.length === 0 ? wrappedArguments(written, parameters) : undefined;
  if (inner) note(scan, wrapped);
  const input = inner ?? written;
  return values.length === 0 ? input : withValues({ scan, tool: offered.find(name), values, given, input });
}

type Placing = {
  scan: LiteralScan;
  tool: ReturnType<OfferedTools["find"]>;
  values: readonly Json[];
  given: ReadonlyMap<string, unknown>;
  input: JsonObject;
};

/** Adds positional arguments. An unknown tool has no parameters to assign them to, but will not run anyway. */
function withValues({ scan, tool, values, given, input }: Placing): JsonObject | undefined {
  const found = tool ? inputByPosition(tool, values, [...given.keys()]) : {};
  const problem = "it is not clear which parameters the values without names are; write name=value";
  if (!found) return fail(scan, { cut: false, problem, isCode: true });
  note(scan, {
    code: "positional",
    detail: "Values without names were given the names of the first parameters.",
  });
  return { ...found, ...input };
}

function keyAt({ key }: CallSyntax, text: string, at: number): { key: string; end: number } | undefined {
  key.lastIndex = at;
  const found = key.exec(text);
  const name = found?.slice(1).find((group) => group !== undefined);
  return found && name !== undefined ? { key: name, end: key.lastIndex } : undefined;
}

function takeKey(scan: LiteralScan, form: CallSyntax): string | undefined {
  const found = keyAt(form, scan.text, scan.at);
  if (found) scan.at = found.end;
  return found?.key;
}

function withNotes(call: ReadCall, { notes, text }: LiteralScan): ReadCall {
  const more: Repair[] = [...notes.values()].filter(
    ({ code }) => !call.repairs?.some((one) => one.code === code),
  );
  if (more.length === 0) return call;
  return {
    ...call,
    rawArguments: call.rawArguments ?? text.trim(),
    repairs: [...(call.repairs ?? []), ...more],
  };
}
