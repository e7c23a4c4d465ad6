/** Assembles a Gemini call whose arguments arrive value by value (Vertex: `partialArgs` with JSON paths). */

import { isJsonObject, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { asJson, stringAt, type ParsedArguments } from "../fields.ts";

export type PartialCall = {
  readonly id: string;
  readonly name: string;
  signature: string | undefined;
  take(parts: readonly unknown[]): void;
  /** The arguments so far; with a problem if any of them could not be placed. */
  read(): ParsedArguments;
};

const maxDepth = 128;

export function partialCall(id: string, name: string): PartialCall {
  const input: JsonObject = {};
  const unread: Json[] = [];
  return {
    id,
    name,
    signature: undefined,
    take(parts) {
      for (const part of parts) if (!place(input, part)) unread.push(asJson(part));
    },
    read() {
      if (unread.length === 0) return { input };
      const problem = `Part of the arguments could not be placed: ${JSON.stringify(unread[0]).slice(0, 200)}`;
      const rawArguments = JSON.stringify({ read: input, unread });
      return { input: {}, problem, fault: "malformed_arguments", rawArguments };
    },
  };
}

/** Puts one value at its path; false if the path or the value is invalid, or contradicts earlier ones. */
function place(root: JsonObject, part: unknown): boolean {
  const path = stepsOf(stringAt(part, "jsonPath") ?? "");
  const value = valueOf(part);
  const last = path?.pop();
  if (!path || last === undefined || value === undefined) return false;
  let at: Json = root;
  for (const [index, step] of path.entries()) {
    const below: Json | undefined =
      childOf(at, step) ?? attach(at, step, typeof (path[index + 1] ?? last) === "number" ? [] : {});
    if (below === undefined) return false;
    at = below;
  }
  const before = childOf(at, last);
  if (before === undefined) return attach(at, last, value) !== undefined;
  // A long string comes in several pieces with one path.
  return typeof before === "string" && typeof value === "string" && replace(at, last, before + value);
}

type PathStep = string | number;

function valueOf(part: unknown): Json | undefined {
  if (!isObject(part)) return undefined;
  for (const key of ["stringValue", "numberValue", "boolValue"])
    if (Object.hasOwn(part, key)) return asJson(part[key]);
  return Object.hasOwn(part, "nullValue") ? null : undefined;
}

/** Parses the normalized paths of RFC 9535 and the dotted short form: $.a['b'][0]. */
function stepsOf(path: string): PathStep[] | undefined {
  const steps: PathStep[] = [];
  const step = /\.([^.[\]'"\s]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/gy;
  if (!path.startsWith("$")) return undefined;
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (!found || steps.length === maxDepth) return undefined;
    const [, name, index, single, double] = found;
    steps.push(index === undefined ? unescapeName(name ?? single ?? double ?? "") : Number(index));
  }
  return steps;
}

const unescapeName = (name: string): string =>
  name.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code?: string, plain?: string) =>
    code === undefined ? (controls[plain ?? ""] ?? plain ?? "") : String.fromCharCode(parseInt(code, 16)),
  );

const controls: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function childOf(at: Json, step: PathStep): Json | undefined {
  if (Array.isArray(at)) return typeof step === "number" ? at[step] : undefined;
  if (!isJsonObject(at) || typeof step !== "string" || !Object.hasOwn(at, step)) return undefined;
  return at[step];
}

/** Adds a value where there is none. A list only grows at its end, so an index cannot make it huge. */
function attach(at: Json, step: PathStep, value: Json): Json | undefined {
  if (Array.isArray(at)) return step === at.length ? at[at.push(value) - 1] : undefined;
  return isJsonObject(at) && typeof step === "string" && replace(at, step, value) ? value : undefined;
}

/** Defines an own property, so that a key "__proto__" stays data. */
function replace(at: Json, step: PathStep, value: Json): boolean {
  if (Array.isArray(at) && typeof step === "number") at[step] = value;
  else if (isJsonObject(at))
    Object.defineProperty(at, step, { value, writable: true, enumerable: true, configurable: true });
  return true;
}
