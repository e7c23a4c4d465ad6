/** The format of Llama 3 behind its tag: JSON objects with semicolons between them. Without the tag it is bare JSON. */

import type { CallVerdict, Dialect, WrittenCall, OpenerContext } from "./dialect.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { codeCall, codeTool } from "./grammar/code-tool.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { readNamedCall } from "./grammar/named-call.ts";
import { pythonRules, readPythonCalls, writePythonCalls } from "./grammar/python-call.ts";
import { withoutSchemas } from "./grammar/schema-echo.ts";
import { beginsJson, readTaggedJson } from "./grammar/tagged-json.ts";
import { templateJson } from "./grammar/template-json.ts";
import { inSequence } from "./grammar/writing.ts";
import type { WrittenCalls } from "./grammar/written-calls.ts";
import {
  before,
  blank,
  comes,
  follows,
  inOrder,
  mark,
  maybe,
  name,
  ofOffered,
  oneOf,
  takeStep,
  nameAtStart,
  some,
  takeText,
  type PatternStep,
} from "./reading/ahead.ts";
import type { ReadCall, BlockReader, OfferedTools, StreamReading } from "./reading/reader.ts";

const opener = "<|python_tag|>";
export const turns = [
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end_of_text|>",
  "<|start_header_id|>",
  "<|begin_of_text|>",
];

const separator = inOrder(blank, maybe(oneOf(";", ",")), blank);
const another = inOrder(separator, before(/\{/));

export const llama3: Dialect = {
  name: "llama-3",
  tier: "token",
  openers: [{ mark: opener, begins: (ahead, { offered }) => begins(ahead, offered) }],
  turns,
  ...resultsInTags,
  family: { template: [opener], models: /llama-?3/i },
  lesson: {
    rules: [
      "The object must be valid JSON on one line; without parameters write {}.",
      "Several calls: several objects, with semicolons between them. Do not put them in code fences.",
    ],
  },
  writeCalls: (calls) =>
    `${opener}${calls.map(({ name, input }) => templateJson({ name, parameters: input })).join("; ")}`,
  *read(reader) {
    if (yield* comes(reader, builtin)) {
      yield* readBuiltin(reader);
      return;
    }
    const mend = (call: ReadCall): ReadCall => withoutEcho(reader, call);
    do {
      yield* takeStep(reader, separator);
      yield* readTaggedJson(reader, { closers: [], openers: [opener], mend });
    } while (yield* comes(reader, another));
  },
};

const builtin = inOrder(blank, name, blank, mark("("));

function* readBuiltin(reader: BlockReader): StreamReading {
  yield* readCallBlock(reader, {
    closers: [],
    endings: [opener],
    read: (body, closed) => readBuiltinCalls(body, reader.offered, closed),
  });
}

/** `tool.call(parameter="value")`, the format's other form: unmistakable if the tool is on offer. */
function begins(ahead: string, offered: OfferedTools): CallVerdict {
  const verdict = beginsJson(ahead, opener);
  if (verdict !== "text") return verdict;
  const called = follows(ahead, builtin);
  const tool = /^\s*([\p{L}\p{M}\p{N}_.-]+?)\.call\s*\(/u.exec(ahead)?.[1] ?? "";
  return called === "call" && offered.find(tool) === undefined ? "text" : called;
}

/** Small models echo the schema around the values. */
function withoutEcho(reader: BlockReader, call: ReadCall): ReadCall {
  const tool = call.problem === undefined ? reader.offered.find(call.name) : undefined;
  const plain = tool && withoutSchemas(call.input, tool.schema);
  if (!plain || plain.notes.length === 0) return call;
  return {
    ...call,
    input: plain.input,
    rawArguments: reader.raw(),
    repairs: [...(call.repairs ?? []), ...plain.notes],
  };
}

/** Llama 3's built-in tools: `name.call(…)` behind its tag, or raw code for the tool that runs it. */
export const llama3Builtin: Dialect = {
  name: "llama3-builtin",
  tier: "taught",
  openers: [
    { mark: opener, begins: (ahead, { offered }) => beginsBuiltin(ahead, { offered, mayBeCode: false }) },
    {
      mark: opener,
      where: "line",
      begins: (ahead, { offered }) => beginsBuiltin(ahead, { offered, mayBeCode: true }),
    },
  ],
  turns,
  ...resultsInTags,
  lesson: {
    form: `${opener}tool_name.call(parameter="value", other_parameter=1)`,
    rules: [...pythonRules, "Several calls: with semicolons between them, behind one tag."],
  },
  writeCalls: writeBuiltin,
  read: (reader) =>
    readCallBlock(reader, {
      closers: [],
      endings: [opener],
      read: (body, closed) => readBody(body, reader.offered, closed),
    }),
};

/**
 * JSON behind the tag is not this format. What is no call is code, if any tool takes code and a line begins with it.
 */
function beginsBuiltin(
  ahead: string,
  { offered, mayBeCode }: { offered: OfferedTools; mayBeCode: boolean },
): CallVerdict {
  const text = ahead.trimStart();
  if (text === "" || /^\[\s*$/.test(text)) return "more";
  if (/^(?:\[\s*)?\{/.test(text)) return "text";
  if (/^[\p{L}_][\p{L}\p{M}\p{N}_.-]*\.call\s*\(/u.test(text) || (mayBeCode && codeTool(offered)))
    return "call";
  const name = /^([\p{L}_][\p{L}\p{M}\p{N}_.-]*)\s*\(/u.exec(text)?.[1];
  if (name === undefined) return /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*\s*$/u.test(text) ? "more" : "text";
  return offered.find(name) ? "call" : "text";
}

function readBody(body: string, offered: OfferedTools, closed: boolean): WrittenCalls {
  const read = readBuiltinCalls(body, offered, closed);
  if (read.ok) return read;
  const isCode = codeTool(offered) !== undefined && !/^\s*[\p{L}\p{M}\p{N}_.-]+\.call\s*\(/u.test(body);
  return isCode ? { ok: true, calls: [codeCall(offered, body)], end: body.length } : read;
}

function writeBuiltin(calls: readonly WrittenCall[]): string {
  const named = calls.map((call) => ({ ...call, name: `${call.name}.call` }));
  return `${opener}${writePythonCalls(named, { quote: '"', words: "Python" }).join("; ")}`;
}

const callWord = /\.call$/;

/** Only calls of that form, or of tools on offer. */
function readBuiltinCalls(body: string, offered: OfferedTools, closed: boolean): WrittenCalls {
  const find = (written: string): ReturnType<OfferedTools["find"]> =>
    offered.find(written.replace(callWord, ""));
  const read = readPythonCalls(body, { offered: { ...offered, find }, closed });
  if (!read.ok) return read;
  const isCalls = read.calls.every(({ name }) => callWord.test(name) || offered.find(name));
  if (!isCalls || read.calls.length === 0 || body.slice(read.end).trim() !== "")
    return { ok: false, cut: false, problem: "it is more than calls of tools" };
  return { ...read, calls: read.calls.map((call) => ({ ...call, name: call.name.replace(callWord, "") })) };
}

const tagOpener = "<function=";
const tagCloser = "</function>";
const tagQuote = maybe(some(/["']/, 1));
/** What stands between the name and the arguments: a bracket, and what models write in its place. */
const behindName: PatternStep = inOrder(tagQuote, maybe(some(/[\s>,:()[\]=]/, 6)), blank, before(/\{/));

/** The format of Llama 3's custom tools and of Functionary 3.1: JSON in a tag that names the tool. */
export const llamaFunctionTag: Dialect = {
  name: "llama-function-tag",
  tier: "tagged",
  openers: [{ mark: tagOpener, begins: beginsTag }],
  turns,
  ...resultsInTags,
  family: { template: ["<|start_header_id|>", tagOpener], models: /functionary.*3\.1/i },
  lesson: {
    rules: [
      "The arguments are one JSON object on one line; without arguments write {}.",
      "Several calls: several such tags, one after the other. Do not put them in code fences.",
    ],
  },
  writeCalls: inSequence((call) => `${tagOpener}${call.name}>${templateJson(call.input)}${tagCloser}`, ""),
  *read(reader) {
    const head = yield* takeText(reader, inOrder(tagQuote, name, behindName));
    yield* readNamedCall(reader, {
      name: nameAtStart(head.replace(/^["']/, "")),
      closers: [tagCloser, "<function>"],
      openers: [tagOpener],
    });
  },
};

/** The tag occurs in texts about such formats: only the model that was taught it is told of a tool that is not on offer. */
function beginsTag(ahead: string, place: OpenerContext): CallVerdict {
  const tool = nameAtStart(ahead.replace(/^["']/, ""));
  return ofOffered(follows(ahead, tagQuote, name, behindName), tool, place);
}
