/** Handles plain text in place of JSON arguments: it becomes the value of the only parameter it can be meant for. */

import { propertyNames, propertySchema, requiredNames } from "../../base/json-schema.ts";
import { parseJson } from "../../base/json.ts";
import type { Repair } from "../../protocol/messages.ts";
import type { ReadCall } from "../reading/read-call.ts";
import type { OfferedTools } from "../reading/reader.ts";
import { unreadable } from "./json-calls.ts";
import { readPythonCalls } from "./python-call.ts";
import { valueFromText } from "./values.ts";

/** `raw` is the call as written. */
type TextInput = { readonly name: string; readonly text: string; readonly raw: string };

export function callWithText({ name, text, raw }: TextInput, offered: OfferedTools): ReadCall {
  if (/^(?:none|null|n\/a|no input|-)?\.?$/i.test(text)) return { name, input: {} };
  const schema = offered.find(name)?.schema ?? {};
  const names = propertyNames(schema, schema);
  const named = namedInput({ name, text, raw }, names, offered);
  if (named) return named;
  const required = requiredNames(schema, schema);
  const only = required.length === 1 ? required[0] : names.length === 1 ? names[0] : undefined;
  if (only === undefined) {
    const keys = names.length > 0 ? `with the keys ${names.join(", ")}` : "without keys";
    const problem = `Its input must be one JSON object ${keys}. Nothing was run. Send it again that way.`;
    return { ...unreadable(raw, problem), name };
  }
  const quoted = text.startsWith('"') ? parseJson(text) : undefined;
  const value = quoted?.ok ? quoted.value : valueFromText(text, propertySchema(schema, only, schema), schema);
  const detail = `The plain text of the input was read as ${only}.`;
  // After a line break the input may already be over.
  const note: Repair = { code: "plain-input", detail, ...(text.includes("\n") ? { guess: true } : {}) };
  return { name, input: { [only]: value }, rawArguments: raw, repairs: [note] };
}

/** `path="a.md", line=5`: the arguments of a call without its name and brackets. */
function namedInput(
  { name, text, raw }: TextInput,
  names: readonly string[],
  offered: OfferedTools,
): ReadCall | undefined {
  const key = /^([\w-]{1,80})\s*=(?!=)/.exec(text)?.[1];
  if (key === undefined || !names.includes(key)) return undefined;
  const read = readPythonCalls(`${name}(${text})`, { offered, closed: true });
  const call = read.ok && read.calls.length === 1 ? read.calls[0] : undefined;
  if (!call) return { ...unreadable(raw, unclear), name };
  const note: Repair = { code: "plain-input", detail: "The input was read as name=value." };
  return { ...call, rawArguments: raw, repairs: [...(call.repairs ?? []), note] };
}

const unclear =
  "Its input is neither a JSON object nor name=value. Nothing was run. Send it again as one JSON object.";
