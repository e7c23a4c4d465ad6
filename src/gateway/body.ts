/** Reads a request's body: JSON of bounded size and depth, or raw bytes. */

import { type ResourceBound, figureOf } from "../base/bound.ts";
import { readJsonBody } from "../base/json-body.ts";
import type { Json } from "../base/json.ts";
import { gatewayBounds } from "./bounds.ts";
import { type GatewayRefusal, refusal } from "./refusal.ts";

type ReadBody = { ok: true; value: Json; bytes: number } | { ok: false; refused: GatewayRefusal };

const { depth } = gatewayBounds;

/** An empty body counts as an empty object, unless the content type says otherwise. */
export async function readJson(
  request: Request,
  most: Pick<ResourceBound, "most" | "unit">,
): Promise<ReadBody> {
  const isEmpty = isWithoutBody(request);
  const odd = contentProblem(request, "application/json", isEmpty);
  if (odd) return { ok: false, refused: odd };
  if (isEmpty) return { ok: true, value: {}, bytes: 0 };
  const read = await readJsonBody(request, { most, levels: depth.most });
  if (!read.ok) return { ok: false, refused: refusal(read.status, codes[read.status], read.problem) };
  const { value, bytes } = read;
  return value === undefined
    ? { ok: false, refused: refusal(400, codes[400], "The body is not valid JSON: it is blank.") }
    : { ok: true, value, bytes };
}

const codes = { 400: "bad-request", 413: "too-large", 415: "wrong-content-type" } as const;

/** Relies on the headers where it can: once the body has been accessed, a refusal can no longer skip it. */
function isWithoutBody(request: Request): boolean {
  const length = request.headers.get("content-length");
  if (length !== null) return length === "0";
  return !request.headers.has("transfer-encoding") && request.body === null;
}

/** Another site's forms and plain links can send only a few content types, none of which is accepted here. */
export function contentProblem(
  request: Request,
  type: string,
  mayBeAbsent = false,
): GatewayRefusal | undefined {
  const given = request.headers.get("content-type");
  if (given === null && mayBeAbsent) return undefined;
  const [essence = "", ...parameters] = (given ?? "").toLowerCase().split(";");
  const isUtf8 = parameters.every((one) => /^\s*charset\s*=\s*"?utf-8"?\s*$/u.test(one));
  const coding = request.headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity")
    return refusal(
      415,
      "wrong-content-type",
      "The body is compressed, which this does not take: send it plain.",
    );
  if (essence.trim() === type && isUtf8) return undefined;
  return refusal(415, "wrong-content-type", `The content type of this request is ${type}.`);
}

export const tooLargeFor = (most: Pick<ResourceBound, "most" | "unit">): GatewayRefusal =>
  refusal(413, "too-large", `The body is longer than ${figureOf(most)}, which only one with images may be.`);

/** Throws BodyCutOff. */
export async function* piecesOf({ body }: Request): AsyncGenerator<Uint8Array, void> {
  if (!body) return;
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (let next = await nextOf(pieces); !next.done; next = await nextOf(pieces))
      if (next.value instanceof Uint8Array) yield next.value;
  } finally {
    await pieces.return?.().catch(() => undefined);
  }
}

const nextOf = (pieces: AsyncIterator<unknown>): Promise<IteratorResult<unknown>> =>
  pieces.next().catch(() => {
    throw new BodyCutOff("The connection ended before the body did.");
  });

/** The client disconnected, so the reply would reach no reader. */
export class BodyCutOff extends Error {
  override readonly name = "BodyCutOff";
}
