/** Calls of Python's form, `name(a="x", b=[1, {'k': None}], c=True)`, as Llama 4, LFM2, Olmo and Gemma 3 write them. */

import { addedClosers } from "../../base/loose-json.ts";
import type { Repair } from "../../protocol/messages.ts";
import type { CallVerdict, WholeAnswer, WrittenCall } from "../dialect.ts";
import type { ReadCall, OfferedTools } from "../reading/reader.ts";
import { readJsonCalls, unreadable } from "./json-calls.ts";
import { pythonWord, valueWriter } from "./template-json.ts";
import { isComplete, parametersOf } from "./tool-schema.ts";
import { readWrittenCalls, type CallSyntax, type CallsOptions, type WrittenCalls } from "./written-calls.ts";

/** A call may be printed: `print(default_api.search(query="x"))`. */
const form: CallSyntax = {
  head: /(?:(?<wrapper>print|python)\s*\(\s*)?(?<name>[\p{L}_][\p{L}\p{M}\p{N}_.:/\\-]{0,120})\s*\(/uy,
  key: /([\p{L}_$][\p{L}\p{M}\p{N}_$-]{0,79})\s*=(?!=)/uy,
};

export const readPythonCalls = (text: string, options: CallsOptions): WrittenCalls =>
  readWrittenCalls(text, form, options);

/** Reads a block in which a model may also write JSON, as its cousins do. */
export function readPythonOrJson(text: string, options: CallsOptions): WrittenCalls {
  if (!/^\s*(?:\[\s*)?\{/.test(text)) return readPythonCalls(text, options);
  const { calls, end } = readJsonCalls(text, { closed: options.closed, shape: { ids: true } });
  const bad = calls.find(({ problem }) => problem !== undefined);
  if (!bad && calls.length > 0) return { ok: true, calls, end };
  return { ok: false, cut: bad?.fault === "truncated", problem: bad?.problem ?? "it is no call" };
}

/** How a call begins behind a tag: `name(` with an argument or none, maybe in a list or printed. */
export function beginsCall(ahead: string): CallVerdict {
  const text = ahead.trimStart();
  if (begun.test(text)) return "call";
  return beginning.test(text) ? "more" : "text";
}

/** Such a call, of a tool on offer. */
export function beginsKnownCall(ahead: string, offered: OfferedTools): CallVerdict {
  const verdict = beginsCall(ahead);
  return verdict === "call" && offered.find(calledName(ahead)) === undefined ? "text" : verdict;
}

/** Behind a special token the bracket is enough, and JSON may stand there too. */
export function beginsCallAfterToken(ahead: string): CallVerdict {
  const text = ahead.trimStart();
  if (/^(?:\[\s*)?\{\s*["'}]/.test(text) || opened.test(text)) return "call";
  return /^(?:\[\s*)?(?:\{\s*)?$/.test(text) ? "more" : beginsCall(text);
}

const opened = /^(?:\[\s*)?[\p{L}_][\p{L}\p{M}\p{N}_.:/-]*\s*\(/u;
const begun =
  /^(?:\[\s*)?(?:\]|(?:print\s*\(\s*)?[\p{L}_][\p{L}\p{M}\p{N}_.:/-]*\s*\(\s*(?:\)|\*|#|["'[{(\d.+-]|[\p{L}_$][\p{L}\p{M}\p{N}_$-]*\s*=|(?:True|False|None|true|false|null)\b\s*[,)]|[rbfu]{1,2}["']))/u;
const beginning =
  /^(?:\[\s*)?(?:print\s*\(\s*)?(?:[\p{L}_][\p{L}\p{M}\p{N}_.:/-]*\s*(?:\(\s*(?:[\p{L}_$][\p{L}\p{M}\p{N}_$.-]*\s*)?)?)?$/u;

/** The name of the first call, behind what was found to begin one. */
const calledName = (ahead: string): string =>
  /^\s*(?:\[\s*)?(?:print\s*\(\s*)?([\p{L}_][\p{L}\p{M}\p{N}_.:/-]*)\s*\(/u.exec(ahead)?.[1] ?? "";

/**
 * A list of calls without marks (N7, N8), maybe in a fence, or calls in a row: every tool is on offer and every argument
 * declared. Nothing is mended, unless the model is known to write so.
 */
export function readPythonMessage(
  written: string,
  offered: OfferedTools,
  { isKnown, isCut }: Pick<WholeAnswer, "isKnown" | "isCut">,
): ReadCall[] | undefined {
  const fenced = /^```(?:py|python)?[ \t]*\n([^]*?)```\s*$/.exec(written)?.[1];
  const text = fenced ?? written;
  const isList = /^\s*\[/.test(text);
  if (!isList && fenced !== undefined) return undefined;
  const isOpen = isList && !/\]\s*$/.test(text);
  if (isOpen && (!isKnown || isCut)) return undefined;
  const read = readPythonCalls(text, { offered, closed: false, isExact: !isKnown });
  if (!read.ok) return isList && fenced === undefined ? computedCall(text, offered, read.problem) : undefined;
  if (text.slice(read.end).trim() !== "") return undefined;
  // `close()` alone may be an answer in words.
  if (!isList && !isKnown && !read.calls.some(({ input }) => Object.keys(input).length > 0)) return undefined;
  const isMeant = read.calls.every(({ name, input, repairs = [] }) => {
    const parameters = parametersOf(offered, name);
    const isMended = !isKnown && repairs.some(({ code, guess }) => guess === true || code === "positional");
    // A model that is known to write so means a call, whatever it calls an argument: the schema decides.
    const areDeclared = isKnown || Object.keys(input).every((key) => parameters.declared(key) !== undefined);
    const isWhole =
      repairs.every(({ code }) => code !== addedClosers) || (isOpen && isComplete({ name, input }, offered));
    return parameters.isKnown && !isMended && areDeclared && isWhole;
  });
  if (!isMeant) return undefined;
  return isKnown || (isList && fenced === undefined) ? read.calls : read.calls.map(asProgram);
}

/** A list whose first call gives a declared argument what another call returns: that was meant, but cannot run. */
function computedCall(text: string, offered: OfferedTools, problem: string): ReadCall[] | undefined {
  const [, name = "", key = ""] = computed.exec(text) ?? [];
  const parameters = parametersOf(offered, name);
  if (!parameters.isKnown || !parameters.names.includes(key)) return undefined;
  const told = `An argument of the call is computed, which cannot be done here (${problem}). Nothing was run. Send it again with plain values.`;
  return [{ ...unreadable(text.trim(), told), name }];
}

const computed =
  /^\s*\[\s*([\p{L}_][\p{L}\p{M}\p{N}_.]{0,80})\(\s*([\p{L}_][\p{L}\p{M}\p{N}_]{0,80})\s*=\s*[\p{L}_][\p{L}\p{M}\p{N}_.]{0,80}\([^\n]{0,2000}\)\s*\)\s*\]\s*$/u;

/** What programs look like may be one that is only shown. */
const asProgram = (call: ReadCall): ReadCall => ({
  ...call,
  repairs: [...(call.repairs ?? []), shownPerhaps],
});
const shownPerhaps: Repair = {
  code: "unmarked",
  detail: "The call stood in the answer as a program does, without marks.",
  guess: true,
};

/** A program, maybe in fences, that is nothing but calls of tools on offer. */
export function readPythonProgram(
  text: string,
  offered: OfferedTools,
  { isCut }: Pick<WholeAnswer, "isCut"> = { isCut: false },
): ReadCall[] | undefined {
  const [, fenced, end = ""] = /^```\w+([^]*?)(```\s*)?$/.exec(text) ?? [];
  const body = fenced ?? text;
  const closed = end !== "";
  if (fenced !== undefined && !closed && isCut) return undefined;
  const joined = body.replaceAll(/\n```\s*\n```\w+\n/g, "\n");
  return (
    onlyCalls(body, offered, closed) ?? (joined === body ? undefined : onlyCalls(joined, offered, closed))
  );
}

function onlyCalls(text: string, offered: OfferedTools, closed: boolean): ReadCall[] | undefined {
  const read = readPythonCalls(text, { offered, closed });
  if (!read.ok || text.slice(read.end).trim() !== "") return undefined;
  return read.calls.every(({ name }) => offered.find(name) !== undefined) ? read.calls : undefined;
}

/** What a model must know to write calls that can be read. */
export const pythonRules: readonly string[] = [
  "Give every argument by its name, with a plain value: a text in quotation marks, a number, True, False, None, a list or a dict. No variables, no expressions.",
  "Inside a text write \\n for a line break, \\\\ for a backslash, and a backslash before its quotation mark.",
];

export type PythonStyle = { readonly quote: '"' | "'"; readonly words: "Python" | "JSON" };

/** Calls as program text, one after the other. */
export function writePythonCalls(calls: readonly WrittenCall[], { quote, words }: PythonStyle): string[] {
  const text = (written: string): string => pythonString(written, quote);
  const valueOf = valueWriter({ text, word: words === "Python" ? pythonWord : JSON.stringify });
  return calls.map(({ name, input }) => {
    const pieces = Object.entries(input).map(([key, value]) => `${key}=${valueOf(value)}`);
    return `${name}(${pieces.join(", ")})`;
  });
}

/** JSON's escapes mean the same in Python. */
function pythonString(text: string, quote: PythonStyle["quote"]): string {
  const body = JSON.stringify(text).slice(1, -1);
  return quote === '"' ? `"${body}"` : `'${body.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
