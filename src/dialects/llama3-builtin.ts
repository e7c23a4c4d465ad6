/** Llama 3's built-in tools: `name.call(…)` behind its tag, or raw code for the tool that runs it. */

import type { Dialect, CallVerdict, WrittenCall } from "./dialect.ts";
import { readBuiltinCalls } from "./grammar/builtin-call.ts";
import { readCallBlock } from "./grammar/call-block.ts";
import { codeTool } from "./grammar/code-tool.ts";
import { resultsInTags } from "./grammar/lesson.ts";
import { pythonRules, writePythonCalls } from "./grammar/python-call.ts";
import { codeCall } from "./grammar/raw-code.ts";
import type { WrittenCalls } from "./grammar/written-calls.ts";
import { opener, turns } from "./llama-3.ts";
import type { OfferedTools } from "./reading/reader.ts";

export const llama3Builtin: Dialect = {
  name: "llama3-builtin",
  tier: "taught",
  openers: [
    { mark: opener, begins: (ahead, { offered }) => begins(ahead, { offered, mayBeCode: false }) },
    {
      mark: opener,
      where: "line",
      begins: (ahead, { offered }) => begins(ahead, { offered, mayBeCode: true }),
    },
  ],
  turns,
  ...resultsInTags,
  lesson: {
    form: `${opener}tool_name.call(parameter="value", other_parameter=1)`,
    rules: [...pythonRules, "Several calls: with semicolons between them, behind one tag."],
  },
  writeCalls,
  *read(reader) {
    const { offered } = reader;
    yield* readCallBlock(reader, {
      closers: [],
      endings: [opener],
      read: (body, closed) => readBody(body, offered, closed),
    });
  },
};

/**
 * JSON behind the tag is not this format. What is no call is code, if any tool takes code and a line begins with it.
 */
function begins(
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

function writeCalls(calls: readonly WrittenCall[]): string {
  const named = calls.map((call) => ({ ...call, name: `${call.name}.call` }));
  return `${opener}${writePythonCalls(named, { quote: '"', words: "Python" }).join("; ")}`;
}
