/** Parses whole numbers in a query. */

import type { Expected } from "../base/expected.ts";

type NumberRange = { from: number; to: number; otherwise: number };

/** A number out of range gives a problem that names the field. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  { from, to, otherwise }: NumberRange,
): Expected<number> {
  if (text === undefined) return { ok: true, value: otherwise };
  const value = /^\d{1,16}$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return { ok: true, value };
  const range = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `from ${from} to ${to}`;
  return {
    ok: false,
    problem: `"${name}" must be a whole number ${range}, not ${JSON.stringify(text.slice(0, 40))}.`,
  };
}
