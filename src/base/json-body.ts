/** The JSON that a request brings to one of our servers: of bounded size and depth, and exactly what was sent. */

import { type Bound, figureOf } from "./bound.ts";
import { isTextDeeperThan } from "./json-depth.ts";
import { type Json, parseJson } from "./json.ts";

/** `most`: largest body. `levels`: deepest nesting. */
type Limits = { most: Pick<Bound, "most" | "unit">; levels: number };

/** A body that is blank has no value. The problem is one line to answer with, under this status. */
export type JsonBody =
  | { ok: true; value: Json | undefined; bytes: number }
  | { ok: false; status: 400 | 413 | 415; problem: string };

/** What its content type says is the caller's to judge. */
export async function readJsonBody(request: Request, { most, levels }: Limits): Promise<JsonBody> {
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity")
    return refused(415, "The body is compressed, which is not understood here: send it as it is.");
  const said = Number(request.headers.get("content-length") ?? 0);
  const pieces = said > most.most ? "long" : await piecesUpTo(request, most.most);
  if (pieces === "long") return refused(413, `The body is longer than ${figureOf(most)}.`);
  if (pieces === "cut off") return refused(400, "The body broke off.");
  const bytes = Buffer.concat(pieces);
  const text = utf8(bytes);
  if (text === undefined) return refused(400, "The body is not UTF-8.");
  if (text.trim() === "") return { ok: true, value: undefined, bytes: bytes.length };
  if (isTextDeeperThan(levels, text))
    return refused(400, `The body is nested more than ${levels} levels deep.`);
  const parsed = parseJson(text);
  if (!parsed.ok) return refused(400, `The body is not valid JSON: ${parsed.problem}.`);
  return { ok: true, value: parsed.value, bytes: bytes.length };
}

const refused = (status: 400 | 413 | 415, problem: string): JsonBody => ({ ok: false, status, problem });

async function piecesUpTo({ body }: Request, most: number): Promise<Uint8Array[] | "long" | "cut off"> {
  const pieces: Uint8Array[] = [];
  if (!body) return pieces;
  const reader = body.getReader();
  let bytes = 0;
  for (;;) {
    const next = await reader.read().catch(() => "cut off" as const); // nobody hears the reply
    if (next === "cut off") return next;
    if (next.done) return pieces;
    bytes += next.value.length;
    if (bytes > most) {
      void reader.cancel().catch(() => undefined);
      return "long";
    }
    pieces.push(next.value);
  }
}

/** Undefined where it is none: replaced characters would be other words than those that were sent. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
