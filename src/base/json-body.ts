/** Reads the JSON body of a request to one of our servers: limited in size and depth, and strictly UTF-8. */

import { type ResourceBound, figureOf } from "./bound.ts";
import { attempt } from "./expected.ts";
import { isTextDeeperThan } from "./json-brackets.ts";
import { type Json, parseJson } from "./json.ts";

/** `most`: maximum body size. `levels`: maximum nesting depth. */
type JsonBodyLimits = { most: Pick<ResourceBound, "most" | "unit">; levels: number };

/** A blank body has no value. The problem is one line for the reply, sent with `status`. */
export type JsonBody =
  | { ok: true; value: Json | undefined; bytes: number }
  | { ok: false; status: 400 | 413 | 415; problem: string };

/** Does not check the content type: that is up to the caller. */
export async function readJsonBody(request: Request, { most, levels }: JsonBodyLimits): Promise<JsonBody> {
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity")
    return bodyProblem(415, "The body is compressed, which is not understood here: send it as it is.");
  const said = Number(request.headers.get("content-length") ?? 0);
  const pieces = said > most.most ? "long" : await piecesUpTo(request, most.most);
  if (pieces === "long") return bodyProblem(413, `The body is longer than ${figureOf(most)}.`);
  if (pieces === "cut off") return bodyProblem(400, "The body broke off.");
  const bytes = Buffer.concat(pieces);
  const text = utf8(bytes);
  if (text === undefined) return bodyProblem(400, "The body is not UTF-8.");
  if (text.trim() === "") return { ok: true, value: undefined, bytes: bytes.length };
  if (isTextDeeperThan(levels, text))
    return bodyProblem(400, `The body is nested more than ${levels} levels deep.`);
  const parsed = parseJson(text);
  if (!parsed.ok) return bodyProblem(400, `The body is not valid JSON: ${parsed.problem}.`);
  return { ok: true, value: parsed.value, bytes: bytes.length };
}

const bodyProblem = (status: 400 | 413 | 415, problem: string): JsonBody => ({ ok: false, status, problem });

async function piecesUpTo({ body }: Request, most: number): Promise<Uint8Array[] | "long" | "cut off"> {
  const pieces: Uint8Array[] = [];
  if (!body) return pieces;
  const reader = body.getReader();
  let bytes = 0;
  for (;;) {
    const next = await reader.read().catch(() => "cut off" as const); // the client is gone
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

/** Returns undefined for invalid UTF-8: replacement characters would change the client's text. */
export const utf8 = (bytes: Uint8Array): string | undefined =>
  attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
