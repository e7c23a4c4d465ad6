/** The functions of Go's templates, and how those print a value. */

import { isObject } from "../../base/json.ts";

export function call(name: string, args: readonly (() => unknown)[]): unknown {
  if (name === "and") return decide(args, (value) => !isTrue(value));
  if (name === "or") return decide(args, isTrue);
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!known) throw new Error(`There is no function ${name}.`);
  return known(...args.map((one) => one()));
}

/** The first argument that decides, else the last. */
function decide(args: readonly (() => unknown)[], decides: (value: unknown) => boolean): unknown {
  let value: unknown;
  for (const one of args) {
    value = one();
    if (decides(value)) return value;
  }
  return value;
}

const order = (one: unknown, other: unknown): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : textOf(one).localeCompare(textOf(other));
const lengthOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value)
    ? value.length
    : isObject(value)
      ? Object.keys(value).length
      : 0;

const functions: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  not: (value) => !isTrue(value),
  eq: (one, ...others) => others.some((other) => one === other),
  ne: (one, other) => one !== other,
  lt: (one, other) => order(one, other) < 0,
  le: (one, other) => order(one, other) <= 0,
  gt: (one, other) => order(one, other) > 0,
  ge: (one, other) => order(one, other) >= 0,
  len: lengthOf,
  index: (value, ...keys) =>
    keys.reduce((from, key) => {
      if (Array.isArray(from) && typeof key === "number") return from[key];
      return isObject(from) && typeof key === "string" && Object.hasOwn(from, key) ? from[key] : undefined;
    }, value),
  slice: (value, from, to) =>
    typeof value === "string" || Array.isArray(value)
      ? value.slice(Number(from ?? 0), to === undefined ? undefined : Number(to))
      : undefined,
  print: (...args) => args.map(textOf).join(""),
  println: (...args) => `${args.map(textOf).join(" ")}\n`,
  printf: (form, ...args) => {
    let at = 0;
    return textOf(form).replaceAll(/%[svdq]/g, (mark) => {
      const value = args[at];
      at += 1;
      return mark === "%q" ? JSON.stringify(textOf(value)) : textOf(value);
    });
  },
  json: (value) => JSON.stringify(value ?? null),
  currentDate: () => "2026-01-01",
  yesterdayDate: () => "2025-12-31",
};

export const isTrue = (value: unknown): boolean =>
  Array.isArray(value) || isObject(value) ? lengthOf(value) > 0 : Boolean(value);

/** Objects print as JSON: that is how Ollama's own types do. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return `${value}`;
  return JSON.stringify(value) ?? "";
}
