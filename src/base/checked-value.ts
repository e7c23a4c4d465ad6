/**
 * Validates input against schemas; the problem names the field. Unknown fields are refused too: ignoring a
 * misspelt "workspace" or "paths" would do something other than what was requested.
 */

import type * as z from "zod/mini";
import { type Expected, refuse } from "./expected.ts";
import { isObject } from "./json.ts";

export function checkedValue<T>(schema: z.ZodMiniType<T>, value: unknown, what: string): Expected<T> {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) {
    const unknown = leftOut(value, read.data);
    return unknown ? refuse(`There is no field "${keyPath(unknown)}" here.`) : { ok: true, value: read.data };
  }
  const [issue] = read.error.issues;
  return refuse(issue ? wordsOf(issue, what) : `${what} is not as it should be.`);
}

/**
 * The first field that no schema knows. Items of lists (message parts, plan steps) are not checked for unknown fields.
 */
function leftOut(given: unknown, read: unknown): string[] | undefined {
  if (!isObject(given) || !isObject(read)) return undefined;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(read, name)) return [name.slice(0, 100)];
    const inside = leftOut(value, read[name]);
    if (inside) return [name, ...inside];
  }
  return undefined;
}

/** Describes an issue in words; for a value that fits no member of a union, lists the valid options if known. */
function wordsOf(issue: z.core.$ZodIssue, what: string): string {
  const place = issue.path.length === 0 ? what : `"${keyPath(issue.path)}"`;
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `${place} is missing.`
        : `${place} must be ${article(issue.expected)}.`;
    case "invalid_value":
      return `${place} must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}.`;
    case "invalid_union":
      return unionWords(issue, { place, what });
    case "too_big":
      return `${place} must have at most ${issue.maximum} ${issue.origin === "string" ? "characters" : "entries"}.`;
    default:
      return `${place} is not as it should be.`;
  }
}

/** What fits no member of a union: the member that it fits but for something inside counts, else what there may be. */
function unionWords(
  issue: z.core.$ZodIssueInvalidUnion,
  { place, what }: { place: string; what: string },
): string {
  const options = optionsOf(issue);
  if (options !== undefined) return `${place} ${options}.`;
  if (issue.input === undefined) return `${place} is missing.`;
  const firsts = issue.errors.flatMap(([first]) => first ?? []);
  const inside = firsts.find(({ path }) => path.length > 0);
  if (inside) return wordsOf({ ...inside, path: [...issue.path, ...inside.path] }, what);
  const kinds = firsts.flatMap((first) => (first.code === "invalid_type" ? article(first.expected) : []));
  return `${place} ${kinds.length > 0 ? `must be ${[...new Set(kinds)].join(" or ")}` : "is not as it should be"}.`;
}

/** The valid discriminator values of a union. */
function optionsOf(issue: z.core.$ZodIssueInvalidUnion): string | undefined {
  const options: unknown = "options" in issue ? issue.options : undefined;
  if (!Array.isArray(options)) return undefined;
  return `must be one of ${options.map((option) => JSON.stringify(option)).join(", ")}`;
}

function keyPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  return steps.join("").replace(/^\./u, "");
}

const articles: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  int: "a whole number",
};
const article = (type: string): string => articles[type] ?? `a ${type}`;
