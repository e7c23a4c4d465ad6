/** The format of Gemma 4: `call:name{…}` between special tokens, with a token around texts. */

import { isJsonObject, type Json } from "../base/json.ts";
import type { CallVerdict, MarkedDialect, OpenerContext } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { resultText } from "./grammar/lesson.ts";
import { readPythonOrJson } from "./grammar/python-call.ts";
import { inSequence } from "./grammar/writing.ts";
import {
  readWrittenCalls,
  type CallSyntax,
  type CallsOptions,
  type WrittenCalls,
} from "./grammar/written-calls.ts";
import { namesOf, since } from "./names.ts";
import type { OfferedTools } from "./reading/reader.ts";

type GemmaFamily = Pick<MarkedDialect, "name" | "family"> & {
  readonly opener: string;
  readonly closer: string;
  /** Delimits texts, in which nothing is escaped. */
  readonly delimiter: string;
  readonly resultOpener: string;
  readonly resultCloser: string;
  readonly turns: readonly string[];
};

/** Tolerates a missing `call`, a doubled name and round brackets. */
const head = /(?:(?:call)?\s*:)?\s*(?<name>[\p{L}_][\p{L}\p{M}\p{N}_./-]{0,79})(?::\k<name>)?\s*[({]/uy;
const key = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_$.-]{0,79}`;

/** The dialect of a family with this notation. */
function gemmaDialect({ resultOpener, resultCloser, ...marks }: GemmaFamily): MarkedDialect {
  const { opener, closer, delimiter, ...version } = marks;
  let form: CallSyntax | undefined;
  // A text that contains the delimiter is written as JSON instead.
  const quote = (text: string): string =>
    text.includes(delimiter)
      ? JSON.stringify(text).replaceAll("<", "\\u003c")
      : `${delimiter}${text}${delimiter}`;
  return {
    ...version,
    tier: "token",
    openers: [{ mark: opener, begins: beginsGemma }],
    // Nothing is escaped, so that a value may hold what ends a call.
    leftovers: [closer],
    results: [resultOpener],
    stop: [],
    writeCalls: inSequence(
      ({ name, input }) => `${opener}call:${name}${valueText(input, quote)}${closer}`,
      "",
    ),
    writeResults: inSequence((result) => {
      const text = `${result.isError ? "error" : "value"}:${quote(resultText(result))}`;
      return `${resultOpener}response:${result.name}{${text}}${resultCloser}`;
    }, ""),
    lesson: {
      form: `${opener}call:tool_name{parameter:${quote("value")},other_parameter:1}${closer}`,
      rules: [
        `Texts stand between ${delimiter} and ${delimiter}, with nothing escaped; numbers, true, false and None stand bare. Lists are [..], objects {..}.`,
        `Several calls: several ${opener}…${closer}, one after the other.`,
      ],
    },
    read: (reader) =>
      readCallBlock(reader, {
        closers: [closer],
        trailing: [closer],
        endings: [opener],
        delimiter,
        read: (body, closed) =>
          readGemma(body, (form ??= formWith(delimiter)), { offered: reader.offered, closed }),
      }),
  };
}

function formWith(delimiter: string): CallSyntax {
  const mark = delimiter.replaceAll("|", "\\|");
  const keys = `(?:(${key})|["'](${key})["']|${mark}(${key})${mark})\\s*[:=]`;
  return { delimiter, isBare: true, head, key: new RegExp(keys, "uy") };
}

const readGemma = (text: string, form: CallSyntax, options: CallsOptions): WrittenCalls =>
  /^\s*\[?\s*\{/.test(text) ? readPythonOrJson(text, options) : readWrittenCalls(text, form, options);

/** Whether an opener is followed by a call: `call:` and a tool on offer, or a name with its bracket. */
function beginsGemma(ahead: string, { offered }: Pick<OpenerContext, "offered">): CallVerdict {
  const text = ahead.trimStart();
  const [, named, next] =
    /^call\s*:\s*([\p{L}_][\p{L}\p{M}\p{N}_./-]*)(\s*[^\s\p{L}\p{M}\p{N}_./-])?/u.exec(text) ?? [];
  if (named !== undefined && (offered.find(named) || /[:({]$/.test(next ?? ""))) return "call";
  if (named !== undefined && next === undefined && /^call\s*:\s*[\p{L}\p{M}\p{N}_./-]+\s*$/u.test(text))
    return "more";
  if (/^(?::?\s*[\p{L}_][\p{L}\p{M}\p{N}_./-]*\s*[({]|\[?\s*\{\s*["'])/u.test(text)) return "call";
  return /^(?:call\s*:?\s*|:?\s*(?:[\p{L}_][\p{L}\p{M}\p{N}_./-]*\s*)?|\[?\s*(?:\{\s*)?)$/u.test(text)
    ? "more"
    : "text";
}

/** Writes values as the family's template does: keys sorted, no white space. */
function valueText(value: Json, quote: (text: string) => string): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, quote)).join(",")}]`;
  if (value === null || !isJsonObject(value)) return value === null ? "None" : String(value);
  const members = Object.entries(value)
    .toSorted(([one], [other]) => one.toLowerCase().localeCompare(other.toLowerCase(), "en"))
    .map(([name, item]) => `${keyOf(name)}:${valueText(item, quote)}`);
  return `{${members.join(",")}}`;
}

const keyOf = (name: string): string =>
  new RegExp(`^${key}$`, "u").test(name) ? name : JSON.stringify(name);

const own = gemmaDialect({
  name: "gemma-4",
  opener: "<|tool_call>",
  closer: "<tool_call|>",
  delimiter: '<|"|>',
  resultOpener: "<|tool_response>",
  resultCloser: "<tool_response|>",
  turns: ["<turn|>", "<|turn>"],
  family: { template: ["<|tool_call>call:"], models: namesOf(since("gemma", "4")) },
});

export const gemma4: MarkedDialect = {
  ...own,
  openers: [
    ...own.openers,
    // Servers that strip special tokens leave only this.
    {
      mark: "call:",
      where: "line",
      begins: (ahead, { offered, isKnown }) => (isKnown ? beginsBare(ahead, offered) : "text"),
    },
  ],
  thoughts: ["<|channel>thought", "<|channel>"].map((open) => ({ open, close: "<channel|>" })),
};

/** The name of a tool on offer and a bracket. */
function beginsBare(ahead: string, offered: OfferedTools): CallVerdict {
  const found = /^([\p{L}_][\p{L}\p{M}\p{N}_./-]*)(\s*[({])?/u.exec(ahead);
  if (!found) return ahead === "" ? "more" : "text";
  if (found[2] === undefined) return found[0].length === ahead.length ? "more" : "text";
  return offered.find(found[1] ?? "") === undefined ? "text" : "call";
}

/** The format of FunctionGemma: as Gemma 4, with other marks. */
export const functionGemma = gemmaDialect({
  name: "function-gemma",
  opener: "<start_function_call>",
  closer: "<end_function_call>",
  delimiter: "<escape>",
  resultOpener: "<start_function_response>",
  resultCloser: "<end_function_response>",
  turns: ["<end_of_turn>", "<start_of_turn>"],
  family: { template: ["<start_function_call>"], models: /function-?gemma/i },
});
