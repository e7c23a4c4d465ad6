/** Llama's calls of built-in tools, `tool.call(parameter="value")`, behind its tag. */

import type { OfferedTools } from "../reading/reader.ts";
import { readPythonCalls } from "./python-call.ts";
import type { WrittenCalls } from "./written-calls.ts";

const callWord = /\.call$/;

/** Only calls of that form, or of tools on offer. */
export function readBuiltinCalls(body: string, offered: OfferedTools, closed: boolean): WrittenCalls {
  const find = (written: string): ReturnType<OfferedTools["find"]> =>
    offered.find(written.replace(callWord, ""));
  const read = readPythonCalls(body, { offered: { ...offered, find }, closed });
  if (!read.ok) return read;
  const isCalls = read.calls.every(({ name }) => callWord.test(name) || offered.find(name));
  if (!isCalls || read.calls.length === 0 || body.slice(read.end).trim() !== "")
    return { ok: false, cut: false, problem: "it is more than calls of tools" };
  return { ...read, calls: read.calls.map((call) => ({ ...call, name: call.name.replace(callWord, "") })) };
}
